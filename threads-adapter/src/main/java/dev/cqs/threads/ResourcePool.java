package dev.cqs.threads;

import dev.cqs.pool.Lease;
import dev.cqs.pool.PoolSlot;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of resources that are made on demand, up to a maximum at a time, which threads borrow. The {@linkplain
 * dev.cqs.pool.ResourcePool core} decides how they are made, validated, evicted and destroyed, and what is reported; that is
 * configured when the core is built.
 *
 * <p><b>Fairness.</b> Requests are served in FIFO order. The place of a thread is fixed at the moment at which it is in the
 * queue, and no request overtakes it.
 *
 * <p><b>Interrupts and timeouts.</b> They end the wait for a slot, in constant time, however many threads wait. Of an
 * interrupt, a timeout and a slot that race, exactly one wins, and nothing is lost. A thread that gets its element
 * although it was interrupted meanwhile returns with its interrupt status set. The time that the factory or the validator
 * takes is not limited by a timeout.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before it puts an element happen-before actions of another thread after
 * it has borrowed the element.
 *
 * <p><b>Closing.</b> Once the pool is closed, each request that waits and each later one gets a {@link
 * dev.cqs.sync.ClosedException}. Idle elements are destroyed, and lent ones when they are put back.
 *
 * <pre>{@code
 * ResourcePool<Connection> connections = ResourcePool.viewOf(
 *         dev.cqs.pool.ResourcePool.builder(10, () -> open(url))
 *                 .validator(Connection::isOpen)
 *                 .destroyer(Connection::close)
 *                 .build());
 *
 * Answer answer = connections.use(connection -> connection.ask(question));
 * }</pre>
 *
 * @param <E> the elements
 */
public class ResourcePool<E> {
    static {
        PoolWaiter.prepare();
    }

    private final dev.cqs.pool.ResourcePool<E> core;

    private ResourcePool(dev.cqs.pool.ResourcePool<E> core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * Creates a pool of elements that are neither validated nor evicted nor destroyed. To have that, use {@link
     * dev.cqs.pool.ResourcePool#builder}.
     *
     * @param <E> the elements
     * @param maximum how many elements there may be at a time
     * @param factory makes an element, in the thread that borrows it; its exceptions are thrown there
     * @return a pool without elements
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public static <E> ResourcePool<E> of(int maximum, Supplier<? extends E> factory) {
        return viewOf(dev.cqs.pool.ResourcePool.<E>builder(maximum, factory).build());
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
    public static <E> ResourcePool<E> viewOf(dev.cqs.pool.ResourcePool<E> core) {
        return new ResourcePool<>(core);
    }

    /** {@return the pool that this is a view of; all its views share the elements} */
    public final dev.cqs.pool.ResourcePool<E> core() {
        return core;
    }

    // Borrowing

    /**
     * Borrows an element, waiting for it if need be. If none is idle and there are fewer than the maximum, makes one.
     *
     * @return the element, which the caller has to {@link #put} back or to {@link #invalidate}
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    @SuppressWarnings("NullAway") // there is no timeout
    public E take() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        String borrower = nameOf(Thread.currentThread());
        return lend(PoolWaiter.get(takeSlot(), core, ThreadWaiter.FOREVER), borrower);
    }

    /**
     * As {@link #take}, but an interrupt meanwhile stays pending.
     *
     * @return the element, which the caller has to {@link #put} back or to {@link #invalidate}
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    @SuppressWarnings("NullAway") // there is no timeout
    public E takeUninterruptibly() {
        String borrower = nameOf(Thread.currentThread());
        return lend(PoolWaiter.getUninterruptibly(takeSlot(), core), borrower);
    }

    /**
     * Borrows an element if one is idle, or can be made. An eviction of idle elements counts as a user for a moment.
     *
     * @return the element, or {@code null} if all are lent
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public @Nullable E tryTake() {
        String borrower = nameOf(Thread.currentThread());
        return lend(core.tryTakeSlot(), borrower);
    }

    /**
     * Borrows an element, waiting for it no longer than the timeout; with a timeout of zero or less it does not wait.
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
        String borrower = nameOf(Thread.currentThread());
        return lend(nanos <= 0 ? core.tryTakeSlot() : PoolWaiter.get(takeSlot(), core, nanos), borrower);
    }

    /** A slot, or the waiter for one. The name of the borrower comes before it: if that throws, no slot is in hand. */
    private Object takeSlot() {
        return core.takeSlot(Thread.currentThread(), PoolWaiter.NEW);
    }

    private @Nullable E lend(@Nullable PoolSlot<E> slot, String borrower) {
        return slot == null ? null : slot.lendOrMake(borrower);
    }

    /** Virtual threads need not have a name. */
    private static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? thread.toString() : name;
    }

    // Giving back

    /**
     * Gives an element back; any thread may. The request that has waited longest gets it.
     *
     * @param element one that this pool has lent
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated
     * @throws IllegalStateException if it was put back before
     */
    public void put(E element) {
        core.put(element);
    }

    /**
     * Gives an element back that is not to be used any more. It is destroyed, and another may be made in its place.
     *
     * @param element one that this pool has lent
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated before
     * @throws IllegalStateException if it was put back before
     */
    public void invalidate(E element) {
        core.invalidate(element);
    }

    // Using

    /**
     * Borrows an element as {@link #take} does, calls the function with it, and puts it back, whatever the function does.
     * A function that finds the element unusable {@linkplain #invalidate invalidates} it, which takes the place of putting
     * it back.
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
            core.putIfLent(element);
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
            core.putIfLent(element);
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

    // Adjusting

    /** {@return how many elements there may be at a time} */
    public int maximum() {
        return core.maximum();
    }

    /**
     * Changes how many elements there may be at a time. If there are more, then idle ones are destroyed before this returns,
     * and lent ones when they come back. Does not wait.
     *
     * @param maximum how many elements there may be from now on
     * @throws IllegalArgumentException if {@code maximum} is not positive
     */
    public void resize(int maximum) {
        core.resize(maximum);
    }

    /**
     * Destroys the elements that have been idle for too long, and frees the slots of those that were dropped.
     *
     * @return how many were destroyed
     */
    public int evictIdle() {
        return core.evictIdle();
    }

    /**
     * Closes this pool for good, without a cause; see {@link dev.cqs.pool.ResourcePool#close}, which takes one.
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

    // Looking

    /** {@return how many elements there are, lent or idle} */
    public int size() {
        return core.size();
    }

    /** {@return how many elements are idle at this moment} */
    public int idle() {
        return core.idle();
    }

    /** {@return the elements that are lent at this moment, and their borrowers} */
    public List<Lease<E>> lent() {
        return core.lent();
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

    /** Identifies the pool and says how many elements there are and may be, how many are idle and how many requests wait. */
    @Override
    public String toString() {
        return super.toString() + "[Size = " + size() + " of " + maximum() + ", idle = " + idle() + ", waiting = "
                + getQueueLength() + "]";
    }
}
