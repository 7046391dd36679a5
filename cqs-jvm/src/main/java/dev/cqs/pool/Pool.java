package dev.cqs.pool;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.NewWaiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.WaitFailure;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.sync.WeightedWaiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A fair pool of elements that callers of every kind can share: threads, virtual threads and coroutines wait for an
 * element in one queue. A view decides how a caller waits, for example {@code dev.cqs.threads.BlockingPool}.
 *
 * <p>A pool keeps what is put into it until it is taken; it neither makes elements nor asks where they come from. It
 * has no capacity, and the same object may be put several times: it is then in the pool several times.
 *
 * <p><b>Fairness.</b> Requests are served in FIFO order, whatever the order of the elements: {@link #put} hands its element
 * to the request that has waited longest. The place of a request is fixed at the moment at which its waiter is in the
 * queue. {@link #tryTake} overtakes no request, because no element is idle while a request waits.
 *
 * <p><b>Order of the elements.</b> A pool made by {@link #queue} lends the element that has been idle longest. One made by
 * {@link #stack} lends the element that was put last, until threads contend for it; from then on a recent one, preferably one
 * that the same thread has put. That holds for operations that do not overlap. Operations that overlap get idle elements in
 * any order, and a request whose thread stalls halfway may get its element late.
 *
 * <p><b>Cancellation.</b> A waiting request can be cancelled at any time, in constant time, whatever the length of the
 * queue and the number of requests cancelled before. An element that was on its way to it goes to the next request, or
 * back into the pool.
 *
 * <p><b>Memory consistency.</b> Actions before an element is put happen-before actions after it was taken.
 *
 * <pre>{@code
 * Pool<ByteBuffer> buffers = Pool.stack();
 * buffers.put(ByteBuffer.allocateDirect(1 << 16));
 *
 * ByteBuffer buffer = buffers.tryTake();
 * if (buffer != null) {
 *     try {
 *         ...
 *     } finally {
 *         buffers.put(buffer);
 *     }
 * }
 * }</pre>
 *
 * @param <E> the elements
 */
public final class Pool<E> {
    /*
     * Overview.
     *
     * One 64-bit word, the count, beside a store of idle elements and a queue of waiters:
     *
     *        count > 0        that many idle elements may be taken, no request waits
     *        count <= 0       no element may be taken, -count requests wait
     *        count < CLOSED   closed; what is added here is noise
     *
     *   take      subtracts one by fetch-and-add, so it never repeats under contention. The count before tells what
     *             that has done: if positive, the caller may take an element out of the store; if not, its request is
     *             counted as waiting, and must get a waiter and a cell.
     *   tryTake   subtracts one by CAS if the count is positive.
     *   put       if a request waits, adds one by CAS and hands the element over: it goes through the queue, not
     *             through the store. Otherwise it inserts the element, and then adds one by fetch-and-add. If a request
     *             has begun to wait in between, this put is thereby counted as serving it: it takes an element out of
     *             the store again, its own or another, and hands that over.
     *
     *   POOL-1  Elements in the store >= operations that may take one out, now or once they are counted. For an element
     *           is inserted before it is counted, and taken out after it was discounted.
     *
     * That is how this differs from the pools of Nikita Koval, Dmitry Khalanskiy and Dan Alistarh ("CQS: A
     * Formally-Verified Framework for Fair and Abortable Synchronization", PLDI 2023, doi:10.1145/3591230), where the count
     * comes first: there a retrieval can come before the insertion that it counts on, so that both must break off and start
     * again, and a count that was positive turns out to have been wrong. Here a retrieval always finds an element, the
     * stack needs no markers of failed ones, and size() never promises what tryTake() does not find.
     *
     * Linearization, with elements not distinguished: put and take at the change of the count that lets them go on, tryTake
     * that finds nothing at its look at the count. So tryTake never fails while an element is idle that no request has
     * claimed. Which element an operation gets is decided later, when it comes to the store. Between its two steps other
     * operations may take out the element that it would have found, and put another. So the elements that overlapping
     * operations get need not be those of any order of these operations. For example, a put that serves a request takes the
     * oldest element out of the store: one that a late take has reserved, or that another put has just put. If it then breaks
     * the cell of the request, it puts the element anew, behind younger ones.
     *
     * The queue works in SYNC mode. A put that finds the cell of its request still empty does not leave the element there,
     * where tryTake() would miss it: it breaks the cell and starts again with the element, and so does the request.
     *
     * Cancellation is SMART: a cancelled request adds one to the count if that is negative, and the put that meets its cell
     * goes to the next. If the count is not negative, a put has been counted for the request already. That put is refused, and
     * its element is put anew. The count stays as it is then, because nothing was put into the store (POOL-1). A request whose
     * waiter cannot be made has no cell yet. It leaves the count in the same way, and takes a cell only if a put is on its way
     * to one.
     *
     * Closing. A ClosedPool is set by CAS. Then the word is moved far below any count of requests, by CAS and for good. A
     * fetch-and-add that comes late lands there harmlessly, and the value it sees says that the pool is closed. No operation
     * on the word undoes that. The closer that moves the word sees the last count c. If c is negative, -c requests are in the
     * queue, or about to be, that no put was counted for; the closer resumes as many with a Closed. Puts that were counted
     * before serve as many others. So from then on a resume is on its way to each request, and a request that is cancelled
     * refuses its own. If c is positive, that many elements may be taken out by drain(). They are counted in the ClosedPool,
     * as are elements put later, so that the noise does not touch them.
     *
     * Progress. tryTake is lock-free. put is lock-free, except that it waits for a moment for a request that is about to
     * enqueue or to leave (CancellableQueueSynchronizer: SYNC, SMART). take: as put.
     *
     * Ordering. All accesses to the count are volatile. An element is ordered by the store, or where it is handed over, by the
     * cell and the waiter.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** Counts below say that the pool is closed; no count of requests comes near, nor does noise come up to it. */
    private static final long CLOSED = -(1L << 60);

    private static final long CLOSED_COUNT = -(1L << 62);

    private static final Function<Pool<?>, ElementStore<?>> NEW_STORE =
            pool -> pool.stack ? new ElementStack<>() : new ElementQueue<>();
    private static final Function<Pool<?>, Pool<?>.Queue> NEW_QUEUE = pool -> pool.new Queue();

    private static final VarHandle COUNT;
    private static final VarHandle STORE;
    private static final VarHandle QUEUE;
    private static final VarHandle CLOSED_POOL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(Pool.class, "count", long.class);
            STORE = lookup.findVarHandle(Pool.class, "store", ElementStore.class);
            QUEUE = lookup.findVarHandle(Pool.class, "queue", Pool.Queue.class);
            CLOSED_POOL = lookup.findVarHandle(Pool.class, "closed", ClosedPool.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Elements that may be taken, or minus the number of requests that wait. Fetch-and-add and CAS. */
    private volatile long count;

    /** Made by CAS with the first element that is not handed over, so that an empty pool is small. */
    @SuppressWarnings("NullAway.Init") // null only before that
    private volatile ElementStore<E> store;

    /** Made by CAS when the first request has to wait. */
    private volatile @Nullable Queue queue;

    /** Set by CAS before the count moves, and for good. */
    @SuppressWarnings("NullAway.Init") // null only before that
    private volatile ClosedPool closed;

    private final boolean stack;

    private Pool(boolean stack) {
        this.stack = stack;
    }

    /** For a pool with a store of its own. */
    Pool(ElementStore<E> store) {
        this(false);
        STORE.set(this, store); // plain: the object is not shared yet
    }

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        stack().put("");
        Pool<Object> pool = queue();
        ((RehearsedWaiter) pool.take("", RehearsedWaiter.NEW)).leave();
        pool.countRequest();
        pool.waiters().abandon();
        pool.take("", RehearsedWaiter.NEW);
        pool.put("");
        pool.put("");
        pool.tryTake();
        pool.put("");
        pool.close(null);
        pool.claim();
    }

    /**
     * Creates an empty pool that lends the element that has been idle longest.
     *
     * @param <E> the elements
     * @return a pool without elements
     */
    public static <E> Pool<E> queue() {
        return new Pool<>(false);
    }

    /**
     * Creates an empty pool that lends the element that was put last, until threads contend for it; from then on a recent
     * one, preferably one that the same thread has put.
     *
     * @param <E> the elements
     * @return a pool without elements
     */
    public static <E> Pool<E> stack() {
        return new Pool<>(true);
    }

    // Taking

    /**
     * Takes an idle element.
     *
     * @return the element, or {@code null} if none is idle
     * @throws ClosedException if this pool is closed
     */
    public @Nullable E tryTake() {
        for (; ; ) {
            long seen = count;
            if (seen <= 0) {
                if (seen < CLOSED) {
                    throw closed.reason.exception();
                }
                return null;
            }
            if (casCount(seen, seen - 1)) {
                return store.takeReserved();
            }
        }
    }

    /**
     * Takes an idle element; if there is none, makes a waiter and puts it into the queue.
     *
     * <p>The result is one of two things, which its class tells apart, because a waiter is never an element: the element, or
     * the waiter. A waiter that this returns is in the queue, or has been resumed already. It is resumed with an element, or
     * with a {@link WaitFailure}; or its owner {@linkplain Waiter#cancel cancels} it. An owner that cannot use an element that
     * was handed over {@linkplain #put puts} it back.
     *
     * <pre>{@code
     * Object taken = pool.take(null, (p, nothing) -> new Parked());         // the example of Waiter
     * if (taken instanceof Parked waiter) taken = waiter.await();
     * if (taken instanceof WaitFailure failure) throw failure.exception();
     * E element = (E) taken;
     * }</pre>
     *
     * @param <A> what the factory is called with
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most. It must neither block nor use this
     *     pool. If it throws, the request is abandoned and the exception is passed on
     * @return the element, an {@code E}, or the waiter that the factory has made
     * @throws ClosedException if this pool is closed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws IllegalArgumentException if it waits for another number of elements than one, by its {@linkplain
     *     WeightedWaiter#weight weight}; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A extends @Nullable Object> Object take(
            A argument, BiFunction<? super Pool<E>, ? super A, ? extends Waiter> newWaiter) {
        return takeOrWait(this, argument, newWaiter);
    }

    /** The same; {@code self} is for the factory. */
    <P, A extends @Nullable Object> Object takeOrWait(
            P self, A argument, BiFunction<? super P, ? super A, ? extends Waiter> newWaiter) {
        long seen = countRequest();
        return seen > 0 ? store.takeReserved() : await(seen, self, argument, newWaiter);
    }

    /** Continues a request that was counted as waiting, or has found this pool closed. */
    private <P, A extends @Nullable Object> Object await(
            long before, P self, A argument, BiFunction<? super P, ? super A, ? extends Waiter> newWaiter) {
        Waiter waiter = null;
        for (long seen = before; seen <= 0; seen = countRequest()) {
            if (seen < CLOSED) {
                throw closed.reason.exception();
            }
            if (waiter == null) {
                try {
                    StackCheck.ensure(); // for all that follows, the caller's part included
                    waiter = newWaiter.apply(self, argument);
                    NewWaiter.check(waiter, 1);
                } catch (Throwable t) {
                    abandon(); // needs no more stack than countRequest() did, unless a put is on its way
                    throw t;
                }
            }
            if (waiters().suspend(waiter)) {
                return waiter;
            }
        }
        return store.takeReserved(); // the cell was broken, and an element was idle when the request started again
    }

    private long countRequest() {
        return (long) COUNT.getAndAdd(this, -1L);
    }

    /** Takes a request without a cell off the count, or if a put was counted for it, takes and cancels a cell. */
    private void abandon() {
        for (long seen = count; seen < 0 && seen >= CLOSED; seen = count) {
            if (COUNT.compareAndSet(this, seen, seen + 1)) {
                return;
            }
        }
        waiters().abandon();
    }

    /**
     * Takes all idle elements and gives each to {@code action}; works on a closed pool as well, for callers that have to
     * dispose of what is left. Elements that are put meanwhile may be among them. If {@code action} throws, the
     * elements that it has not been given stay in the pool.
     *
     * @param action called with each element, which nobody else gets
     * @return how many there were
     */
    public int drain(Consumer<? super E> action) {
        Objects.requireNonNull(action, "action");
        int drained = 0;
        for (E element = takeAny(); element != null; element = takeAny()) {
            action.accept(element);
            drained++;
        }
        return drained;
    }

    private @Nullable E takeAny() {
        return claim() ? store.takeReserved() : null;
    }

    /** Claims one element of the store for the caller, of a closed pool as well. */
    boolean claim() {
        for (; ; ) {
            long seen = count;
            if (seen < CLOSED) {
                return closed.takeOne();
            }
            if (seen <= 0) {
                return false;
            }
            if (casCount(seen, seen - 1)) {
                return true;
            }
        }
    }

    /** Gives back a claim that was not used. */
    void unclaim() {
        if (!countInserted()) {
            E element = store.takeReserved();
            if (!waiters().resume(element)) {
                put(element);
            }
        }
    }

    // Putting

    /**
     * Hands the element to the first waiter, or keeps it until it is taken. Never waits, for there is no capacity. A
     * closed pool keeps the element as well, and {@link #drain} takes it out.
     *
     * @param element not {@code null}; it need not come from this pool
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if the element is a {@link Waiter} or a {@link WaitFailure}
     */
    public void put(E element) {
        Objects.requireNonNull(element, "element");
        if (element instanceof Waiter || element instanceof WaitFailure) {
            throw notAnElement(element);
        }
        E inHand = element;
        while (!handOver(inHand)) {
            ElementStore<E> present = store();
            present.insert(inHand);
            if (countInserted()) {
                return;
            }
            inHand = present.takeReserved(); // a request has begun to wait: POOL-1
            if (waiters().resume(inHand)) {
                return;
            }
        }
    }

    /** A waiter as an element would be mistaken for a waiting request, and a failure for a failed wait. */
    private static IllegalArgumentException notAnElement(Object element) {
        String what = element instanceof Waiter ? "waiter" : "failure";
        return new IllegalArgumentException("an element must not be a " + what + ", but is " + element);
    }

    /** Hands the element to the first waiter; false if there is none. */
    private boolean handOver(E element) {
        for (long seen = count; seen < 0 && seen >= CLOSED; seen = count) {
            StackCheck.ensure();
            if (casCount(seen, seen + 1) && waiters().resume(element)) {
                return true; // otherwise the cell is broken: its request starts again as well
            }
        }
        return false;
    }

    /** Counts an element that is in the store; false if that was for a request that waits. */
    private boolean countInserted() {
        long seen = (long) COUNT.getAndAdd(this, 1L);
        if (seen < CLOSED) {
            closed.add(1);
            return true;
        }
        return seen >= 0;
    }

    // Closing

    /**
     * Closes this pool for good. Requests that wait, and requests that come later, fail with a {@link ClosedException} with
     * this cause. Elements are put back as before, and {@link #drain} takes out what is there.
     *
     * <p>A put that races with this may still serve one of the waiters; each request gets an element or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        boolean first = CLOSED_POOL.compareAndSet(this, null, new ClosedPool(new Closed("pool", cause)));
        for (; ; ) {
            long seen = count;
            if (seen < CLOSED) {
                return first;
            }
            if (casCount(seen, CLOSED_COUNT)) {
                if (seen > 0) {
                    closed.add(seen);
                } else if (seen < 0) {
                    waiters().resume(closed.reason, (int) Math.min(Integer.MAX_VALUE, -seen));
                }
                return first;
            }
        }
    }

    /** {@return whether this pool was closed} */
    public boolean isClosed() {
        return count < CLOSED;
    }

    // Looking

    /** {@return how many elements are idle at this moment} */
    public int size() {
        long seen = count;
        return (int) Math.min(Integer.MAX_VALUE, seen < CLOSED ? closed.idle() : Math.max(0, seen));
    }

    /** {@return how many requests wait at this moment, including requests that are about to enter the queue} */
    public int queueLength() {
        long seen = count;
        return (int) Math.min(Integer.MAX_VALUE, seen < CLOSED ? 0 : Math.max(0, -seen));
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show waiters that
     * come or leave meanwhile.
     *
     * @param action called with each waiter
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Queue present = queue;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    /** Says how many elements are idle, how many requests wait, and whether the pool is closed. */
    @Override
    public String toString() {
        return "Pool@" + Integer.toHexString(hashCode()) + "[" + size() + " idle, " + queueLength() + " waiting"
                + (isClosed() ? ", closed]" : "]");
    }

    // The word, the store and the queue

    private boolean casCount(long expected, long replacement) {
        return COUNT.compareAndSet(this, expected, replacement);
    }

    private ElementStore<E> store() {
        ElementStore<E> present = store;
        return present != null ? present : makeStore();
    }

    /** An element that is given back by the queue has no other place to go. */
    @SuppressWarnings("unchecked") // it is empty
    private ElementStore<E> makeStore() {
        ElementStore<E> fresh = (ElementStore<E>) AllocationRetry.create(NEW_STORE, this);
        return STORE.compareAndSet(this, null, fresh) ? fresh : store;
    }

    private Queue waiters() {
        Queue present = queue;
        return present != null ? present : makeQueue();
    }

    /** A caller that needs the queue has counted a request or a put and cannot take that back. */
    @SuppressWarnings({"unchecked", "NullAway"}) // it is that of this pool, and set once
    private Queue makeQueue() {
        Queue fresh = (Queue) AllocationRetry.create(NEW_QUEUE, this);
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    /** Its waiters are resumed with an element, or with a Closed. */
    private final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean onCancellation(@Nullable Waiter waiter) {
            for (; ; ) {
                long seen = count;
                if (seen >= 0 || seen < CLOSED) {
                    return false;
                }
                if (casCount(seen, seen + 1)) {
                    return true;
                }
            }
        }

        @Override
        protected void completeRefusedResume(Object value) {
            giveBack(value);
        }

        @Override
        @SuppressWarnings("unchecked") // what is no Closed is from put()
        protected void giveBack(Object value) {
            if (!(value instanceof Closed)) {
                put((E) value);
            }
        }
    }
}
