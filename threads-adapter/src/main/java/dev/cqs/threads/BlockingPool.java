package dev.cqs.threads;

import dev.cqs.pool.Pool;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pool of elements that threads borrow, for which they wait if there is none. It lends what was put into it, and has
 * no capacity.
 *
 * <p><b>Fairness.</b> Requests are served in FIFO order: {@link #put} hands its element to the thread that has waited
 * longest. The place of a thread is fixed at the moment at which it is in the queue, and no request overtakes it. Which
 * element is lent when several are idle is the choice of {@link #queue} or {@link #stack}.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait. Of an interrupt, a timeout and
 * a put that race, exactly one wins, and no element is lost. A thread that gets its element although it was interrupted
 * meanwhile returns with its interrupt status set.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before it puts an element happen-before actions of another thread after
 * it has taken the element.
 *
 * <p><b>Closing.</b> Once the pool is closed, each request that waits and each later one gets a {@link
 * dev.cqs.sync.ClosedException}, and an interrupt that has not ended the wait stays pending. Elements are put back as
 * before, and {@link #drain} takes them out.
 *
 * <pre>{@code
 * BlockingPool<Deflater> deflaters = BlockingPool.stack();
 * for (int i = 0; i < 4; i++) {
 *     deflaters.put(new Deflater());
 * }
 *
 * byte[] packed = deflaters.use(deflater -> pack(deflater, data));
 * }</pre>
 *
 * @param <E> the elements
 */
public class BlockingPool<E> {
    static {
        PoolWaiter.prepare();
        PoolFutureWaiter.prepare();
    }

    private final Pool<E> core;

    private BlockingPool(Pool<E> core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * Creates an empty pool that lends the element that has been idle longest.
     *
     * @param <E> the elements
     * @return a pool without elements
     */
    public static <E> BlockingPool<E> queue() {
        return new BlockingPool<>(Pool.queue());
    }

    /**
     * Creates an empty pool that lends the element that was put last, until threads contend for it; from then on a recent
     * one, preferably one that the same thread has put.
     *
     * @param <E> the elements
     * @return a pool without elements
     */
    public static <E> BlockingPool<E> stack() {
        return new BlockingPool<>(Pool.stack());
    }

    /**
     * {@return the view for threads of a pool that other callers share, coroutines among them} All wait for its
     * elements in one queue. Do not wait through this view inside a coroutine: it blocks the thread that other
     * coroutines need, perhaps the borrowers of the elements.
     *
     * @param <E> the elements
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static <E> BlockingPool<E> viewOf(Pool<E> core) {
        return new BlockingPool<>(core);
    }

    /** {@return the pool that this is a view of; all its views share the elements} */
    public final Pool<E> core() {
        return core;
    }

    // Taking

    /**
     * Takes an element, waiting for it if need be.
     *
     * @return the element, which is the caller's until it is {@link #put} back
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    @SuppressWarnings("NullAway") // there is no timeout
    public E take() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return PoolWaiter.get(core.take(Thread.currentThread(), PoolWaiter.NEW), core, ThreadWaiter.FOREVER);
    }

    /**
     * Takes an element, waiting for it if need be; an interrupt meanwhile stays pending.
     *
     * @return the element, which is the caller's until it is {@link #put} back
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public E takeUninterruptibly() {
        return PoolWaiter.getUninterruptibly(core.take(Thread.currentThread(), PoolWaiter.NEW), core);
    }

    /**
     * Takes an element if one is idle.
     *
     * @return the element, or {@code null}
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public @Nullable E tryTake() {
        return core.tryTake();
    }

    /**
     * Takes an element, waiting for it no longer than the timeout; with a timeout of zero or less it does not wait.
     *
     * @param timeout how long to wait at most
     * @param unit of the timeout
     * @return the element, or {@code null} if the time is over
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return nanos <= 0
                ? core.tryTake()
                : PoolWaiter.get(core.take(Thread.currentThread(), PoolWaiter.NEW), core, nanos);
    }

    /**
     * Requests an element without blocking the thread. The future completes with it when it is this request's turn. Until
     * then any other completion of the future, a cancellation or a timeout included, cancels the request; an element that was
     * on its way to it goes back. That has to be a completion of this future itself: one that was derived from it, by {@code
     * thenApply} or {@code copy}, say, can be cancelled without any effect on this one. If the pool is closed, the
     * future fails with a {@link dev.cqs.sync.ClosedException}.
     *
     * <p>An abandoned future still gets its element. So a caller that gives up must cancel the future, and if {@code cancel}
     * answers {@code false}, put the element that is there.
     *
     * <p>Dependents of the future run in the thread that puts, one after the other; stack depth is bounded even if they put as
     * well. A dependent must not block, because other requests may be served only after it. One that is long, or may block,
     * belongs into {@code thenAcceptAsync} and its like.
     *
     * @return completes with the element
     */
    public CompletableFuture<E> takeAsync() {
        return PoolFutureWaiter.request(core);
    }

    // Putting

    /**
     * Hands the element to the thread that has waited longest, or keeps it. Never waits. A closed pool keeps it as well,
     * for {@link #drain}. The same object may be put several times: it is then in the pool several times.
     *
     * @param element not {@code null}; it need not come from this pool
     * @throws NullPointerException if the element is {@code null}
     */
    public void put(E element) {
        core.put(element);
    }

    // Using

    /**
     * Takes an element as {@link #take} does, calls the function with it, and puts it back, whatever the function does.
     *
     * <p>Kotlin cannot infer {@code X} from a lambda; it has {@link #withElement}.
     *
     * @param <R> what the function returns
     * @param <X> the checked exceptions of the function; inferred as {@link RuntimeException} if there are none
     * @param function called with the element, in this thread
     * @return what the function returns
     * @throws InterruptedException if the thread is interrupted before or while it waits, or by the function
     * @throws X if the function does
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public <R extends @Nullable Object, X extends Exception> R use(PoolFunction<? super E, ? extends R, X> function)
            throws X, InterruptedException {
        Objects.requireNonNull(function, "function");
        E element = take();
        try {
            return function.apply(element);
        } finally {
            core.put(element);
        }
    }

    /**
     * As {@link #use}, without a result.
     *
     * @param <X> the checked exceptions of the action; inferred as {@link RuntimeException} if there are none
     * @param action called with the element, in this thread
     * @throws InterruptedException if the thread is interrupted before or while it waits, or by the action
     * @throws X if the action does
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public <X extends Exception> void run(PoolAction<? super E, X> action) throws X, InterruptedException {
        Objects.requireNonNull(action, "action");
        E element = take();
        try {
            action.accept(element);
        } finally {
            core.put(element);
        }
    }

    /**
     * As {@link #use}, for a function that declares no exceptions. For callers in Kotlin, where a lambda does not say what
     * it throws: {@code pool.withElement { it.query(id) }}.
     *
     * @param <R> what the function returns
     * @param function called with the element, in this thread
     * @return what the function returns
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public <R extends @Nullable Object> R withElement(Function<? super E, ? extends R> function)
            throws InterruptedException {
        Objects.requireNonNull(function, "function");
        return this.<R, RuntimeException>use(function::apply);
    }

    // Closing

    /**
     * Closes this pool for good, without a cause; see {@link Pool#close}, which takes one.
     *
     * @return {@code false} if it was closed before
     */
    public boolean close() {
        return core.close(null);
    }

    /** {@return whether this pool was closed} */
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Takes all idle elements, of a closed pool as well, and gives each to {@code action}.
     *
     * @param action called with each element, which nobody else gets
     * @return how many there were
     */
    public int drain(Consumer<? super E> action) {
        return core.drain(action);
    }

    // Looking

    /** {@return how many elements are idle at this moment} */
    public int size() {
        return core.size();
    }

    /** {@return whether requests may be waiting, through any view of the core; they may leave at any time} */
    public final boolean hasQueuedThreads() {
        return core.queueLength() > 0;
    }

    /** {@return approximately how many requests wait, through all views of the core} */
    public final int getQueueLength() {
        return core.queueLength();
    }

    /** {@return the threads that may be waiting, first to last; a snapshot that may be out of date} */
    protected Collection<Thread> getQueuedThreads() {
        QueuedThreads threads = new QueuedThreads();
        core.forEachWaiter(threads);
        return threads.get();
    }

    /** Identifies the pool and says how many elements are idle and how many requests wait. */
    @Override
    public String toString() {
        return super.toString() + "[Idle = " + size() + ", waiting = " + getQueueLength() + "]";
    }
}
