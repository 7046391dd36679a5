package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.PoolSteps;
import dev.cqs.spi.SyncAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A fair pool of elements that callers of every kind can share: threads, virtual threads and coroutines wait for an
 * element in one queue. This object holds the elements and the operations that never wait; waiting is done through a
 * face, for example {@code dev.cqs.threads.BlockingPool}.
 *
 * <p>A pool keeps what is put into it until it is taken; it neither makes elements nor asks where they come from. It
 * has no capacity, and the same object may be put several times: it is then in the pool several times.
 *
 * <p><b>Fairness.</b> Those who wait are served first in, first out, whatever the order of the elements: {@link #put}
 * hands its element to the request that has waited longest. A request has its place from the moment at which its waiter
 * is in the queue. {@link #tryTake} overtakes nobody, because no element is idle while somebody waits.
 *
 * <p><b>Order of the elements.</b> A pool made by {@link #queue} lends the element that has been idle longest, one made
 * by {@link #stack} the one that was put last, as long as threads do not meet at it, and afterwards one that was put
 * lately, rather by the same thread. That holds for operations that do not overlap; of those that overlap, each gets some
 * idle element. Which of them: a request whose thread stops halfway may get its element late.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the length of
 * the queue nor the number of requests given up before. An element that was on its way to it goes to the next, or back
 * into the pool.
 *
 * <p><b>Memory consistency.</b> What is done before an element is put happens-before what is done after it was taken.
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
     *        count > 0     so many idle elements may be taken, nobody waits
     *        count <= 0    no element may be taken, -count requests wait
     *        count < FAR   closed; what is added here is noise
     *
     *   take      subtracts one by fetch-and-add, so it never repeats under contention. The count before tells what
     *             that has done: if positive, it may take an element out of the store; if not, it is one of the
     *             waiting, and must enqueue.
     *   tryTake   subtracts one by CAS if the count is positive.
     *   put       if somebody waits, adds one by CAS and hands the element over: it goes through the queue, not
     *             through the store. Otherwise it inserts the element, and then adds one by fetch-and-add. If somebody
     *             has begun to wait in between, it has thereby counted itself as serving him: it takes an element out of
     *             the store again, its own or another, and hands that over.
     *
     *   I1  Elements in the store >= operations that may take one out, now or once they are counted. For an element is
     *       inserted before it is counted, and taken out after it was discounted.
     *
     * That is how this differs from the paper, where the count comes first: there a retrieval can come before the
     * insertion that it counts on, so that both must break off and start again, and a count that was positive turns out
     * to have been wrong. Here a retrieval finds an element always, the stack needs no markers of failed ones, and
     * size() never promises what tryTake() does not find.
     *
     * Linearization, with elements not told apart: put and take at the change of the count that lets them go on, tryTake
     * that finds nothing at its look at the count. So it never fails while an element is idle that nobody has asked
     * for. Which element an operation gets is decided later, when it comes to the store. Between its two steps others
     * may take out what it would have found, and put another; so the elements that overlapping operations get need not
     * be those of any order of these operations.
     *
     * The queue works in SYNC mode: a put that finds the cell of its request still empty does not leave the element
     * there, where tryTake() would miss it, but starts again with it, and so does the request. Cancellation is SMART: a
     * cancelled request adds one to the count if that is negative, and the put that meets its cell goes to the next. If
     * it is not negative, then a put has been counted for the request already. It is refused, and its element is
     * put anew. The count stays as it is then, because nothing was put into the store (I1).
     *
     * Closing. The ClosedState is set by CAS, then the word is moved far below any count of requests, by CAS and for good:
     * fetch-and-adds that come late land there harmlessly and tell by what they see that the pool is closed. No
     * operation on the word undoes that. Whoever moves the word sees the last count c. If it is negative, then -c
     * requests are in the queue, or about to be, that no put was counted for; he resumes as many with the Closing.
     * Puts that were counted before serve as many others, so from then on a resume is on its way to each request, and
     * one that is cancelled refuses its own. If c is positive, so many elements may be taken out by drain(). They are
     * counted in the ClosedState, as are those put later, so that the noise does not touch them.
     *
     * Progress. tryTake, put: lock-free, but that a put waits for a moment for a request that is about to enqueue or to
     * leave (CancellableQueueSynchronizer: SYNC, SMART). take: likewise.
     *
     * Ordering. All accesses to the count are volatile. What is handed over is ordered by the store, or by the cell and
     * the waiter.
     */

    /** Counts below say that the pool is closed; no count of requests comes near, nor does noise come up to it. */
    private static final long FAR = -(1L << 60);

    private static final long CLOSED_COUNT = -(1L << 62);

    private static final Function<Pool<?>, ElementStore<?>> NEW_IDLE = pool -> pool.stack ? new ElementStack<>() : new ElementQueue<>();
    private static final Function<Pool<?>, Pool<?>.Queue> NEW_QUEUE = pool -> pool.new Queue();

    private static final VarHandle COUNT;
    private static final VarHandle IDLE;
    private static final VarHandle QUEUE;
    private static final VarHandle CLOSED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(Pool.class, "count", long.class);
            IDLE = lookup.findVarHandle(Pool.class, "idle", ElementStore.class);
            QUEUE = lookup.findVarHandle(Pool.class, "queue", Pool.Queue.class);
            CLOSED = lookup.findVarHandle(Pool.class, "closed", ClosedState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerPool(new StepsOfPool());
        rehearse();
    }

    /** Elements that may be taken, or minus the number of requests that wait. Fetch-and-add and CAS. */
    private volatile long count;

    /** Made by CAS with the first element that is not handed over, so that an empty pool is small. */
    private volatile ElementStore<E> idle;

    /** Made by CAS when the first request has to wait. */
    private volatile Queue queue;

    /** Set by CAS before the count moves, and for good. */
    private volatile ClosedState closed;

    private final boolean stack;

    private Pool(boolean stack) {
        this.stack = stack;
    }

    /** For a pool with a store of its own. */
    Pool(ElementStore<E> idle) {
        this(false);
        IDLE.set(this, idle); // plain: the object is not shared yet
    }

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        stack().put("");
        Pool<Object> pool = queue();
        RehearsedWaiter cancelled = new RehearsedWaiter();
        pool.reserve();
        pool.waiters().suspend(cancelled);
        cancelled.leave();
        pool.reserve();
        pool.waiters().abandon();
        pool.reserve();
        pool.waiters().suspend(new RehearsedWaiter());
        pool.put("");
        pool.put("");
        pool.tryTake();
        pool.put("");
        pool.close(null);
        pool.claim();
    }

    /** Creates an empty pool that lends the element that has been idle longest. */
    public static <E> Pool<E> queue() {
        return new Pool<>(false);
    }

    /**
     * Creates an empty pool that lends the element that was put last, as long as threads do not meet; after that one
     * that was put lately, rather by the same thread.
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
    public E tryTake() {
        for (; ; ) {
            long seen = count;
            if (seen <= 0) {
                if (seen < FAR) {
                    throw closed.closing.exception();
                }
                return null;
            }
            if (casCount(seen, seen - 1)) {
                return idle.takeReserved();
            }
        }
    }

    /** Takes an idle element, or answers null: then the request is counted as waiting. */
    private E reserve() {
        long seen = countRequest();
        if (seen > 0) {
            return idle.takeReserved();
        }
        if (seen < FAR) {
            throw closed.closing.exception();
        }
        try {
            StackCheck.ensure(); // for all that follows, the caller's part included
        } catch (StackOverflowError e) {
            abandonRequest(); // needs no more stack than countRequest() did, unless a put is on its way
            throw e;
        }
        return null;
    }

    private long countRequest() {
        return (long) COUNT.getAndAdd(this, -1L);
    }

    /**
     * Takes all idle elements and gives each to {@code action}; works on a closed pool as well, for those who have to
     * dispose of what is left. Elements that are put meanwhile may be among them. If {@code action} throws, the
     * elements that it has not been given stay in the pool.
     *
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

    private E takeAny() {
        return claim() ? idle.takeReserved() : null;
    }

    /** Gives the caller the right to take one element out of the store, of a closed pool as well. */
    boolean claim() {
        for (; ; ) {
            long seen = count;
            if (seen < FAR) {
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

    /** Gives back a right that was not used. */
    void unclaim() {
        if (!countInserted()) {
            E element = idle.takeReserved();
            if (!waiters().resume(element)) {
                put(element);
            }
        }
    }

    // Putting

    /**
     * Hands the element to the first who waits, or keeps it until it is taken. Never waits, for there is no capacity. A
     * closed pool keeps the element as well, and {@link #drain} takes it out.
     *
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if the element is a {@link Waiter}
     */
    public void put(E element) {
        Objects.requireNonNull(element, "element");
        if (element instanceof Waiter) { // in a cell it could not be told from one who waits
            throw new IllegalArgumentException("an element must not be a waiter, but is " + element);
        }
        E inHand = element;
        while (!handOver(inHand)) {
            ElementStore<E> store = idle();
            store.insert(inHand);
            if (countInserted()) {
                return;
            }
            inHand = store.takeReserved(); // somebody has begun to wait: I1
            if (waiters().resume(inHand)) {
                return;
            }
        }
    }

    /** Hands the element to the first who waits; false if nobody does. */
    private boolean handOver(E element) {
        for (long seen = count; seen < 0 && seen >= FAR; seen = count) {
            StackCheck.ensure();
            if (casCount(seen, seen + 1) && waiters().resume(element)) {
                return true; // else the cell is broken: its request starts again as well
            }
        }
        return false;
    }

    /** Counts an element that is in the store; false if that was for somebody who waits. */
    private boolean countInserted() {
        long seen = (long) COUNT.getAndAdd(this, 1L);
        if (seen < FAR) {
            closed.add(1);
            return true;
        }
        return seen >= 0;
    }

    /** The request has no cell yet: it takes itself off the count, or if a put was counted for it, takes a cell to it. */
    private void abandonRequest() {
        for (long seen = count; seen < 0 && seen >= FAR; seen = count) {
            if (COUNT.compareAndSet(this, seen, seen + 1)) {
                return;
            }
        }
        waiters().abandon();
    }

    // Closing

    /**
     * Closes this pool for good: those who wait, and everybody who asks for an element later, get a {@link
     * ClosedException} with this cause. Elements are put back as before, and {@link #drain} takes out what is there.
     *
     * <p>A put that races with this may still serve one of those who wait; everybody gets an element or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(Throwable cause) {
        boolean first = CLOSED.compareAndSet(this, null, new ClosedState(new Closed("pool", cause)));
        for (; ; ) {
            long seen = count;
            if (seen < FAR) {
                return first;
            }
            if (casCount(seen, CLOSED_COUNT)) {
                if (seen > 0) {
                    closed.add(seen);
                } else if (seen < 0) {
                    waiters().resume(closed.closing, (int) Math.min(Integer.MAX_VALUE, -seen));
                }
                return first;
            }
        }
    }

    /** Whether this pool was closed. */
    public boolean isClosed() {
        return count < FAR;
    }

    // Looking

    /** How many elements are idle at this moment. */
    public int size() {
        long seen = count;
        return (int) Math.min(Integer.MAX_VALUE, seen < FAR ? closed.idle : Math.max(0, seen));
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        long seen = count;
        return (int) Math.min(Integer.MAX_VALUE, seen < FAR ? 0 : Math.max(0, -seen));
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show those who
     * come or leave meanwhile.
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

    private ElementStore<E> idle() {
        ElementStore<E> present = idle;
        return present != null ? present : makeIdle();
    }

    /** An element that is given back by the queue has no other place to go. */
    @SuppressWarnings("unchecked") // it is empty
    private ElementStore<E> makeIdle() {
        ElementStore<E> fresh = (ElementStore<E>) AllocationRetry.create(NEW_IDLE, this);
        return IDLE.compareAndSet(this, null, fresh) ? fresh : idle;
    }

    private Queue waiters() {
        Queue present = queue;
        return present != null ? present : makeQueue();
    }

    /** Whoever needs the queue has counted a request or a put and cannot take that back. */
    @SuppressWarnings("unchecked") // it is that of this pool
    private Queue makeQueue() {
        Queue fresh = (Queue) AllocationRetry.create(NEW_QUEUE, this);
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    /** Resumed with an element, or with a Closing. */
    private final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean onCancellation(Waiter waiter) {
            for (; ; ) {
                long seen = count;
                if (seen >= 0 || seen < FAR) {
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
        @SuppressWarnings("unchecked") // what is no Closing is from put()
        protected void giveBack(Object value) {
            if (!(value instanceof Closed)) {
                put((E) value);
            }
        }
    }

    /** What a closed pool is. */
    private static final class ClosedState {
        private static final VarHandle IDLE;

        static {
            try {
                IDLE = MethodHandles.lookup().findVarHandle(ClosedState.class, "idle", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        final Closed closing;

        /** Elements that drain() may take out; atomic additions and CAS. */
        private volatile long idle;

        ClosedState(Closed closing) {
            this.closing = closing;
        }

        void add(long inserted) {
            IDLE.getAndAdd(this, inserted);
        }

        boolean takeOne() {
            for (; ; ) {
                long seen = idle;
                if (seen == 0) {
                    return false;
                }
                if (IDLE.compareAndSet(this, seen, seen - 1)) {
                    return true;
                }
            }
        }
    }

    private static final class StepsOfPool extends PoolSteps {
        @Override
        public <E> E reserve(Pool<E> pool) {
            return pool.reserve();
        }

        @Override
        public boolean enqueue(Pool<?> pool, Waiter waiter) {
            return pool.waiters().suspend(waiter);
        }

        @Override
        public void abandon(Pool<?> pool) {
            pool.abandonRequest();
        }
    }
}
