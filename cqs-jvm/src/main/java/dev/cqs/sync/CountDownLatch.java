package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.Insist;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A latch that opens, for good, when it has been counted down to zero; callers of every kind can wait for that:
 * threads, virtual threads and coroutines. This object holds the state and the operations that never wait; waiting is
 * done through a face, for example {@code dev.cqs.threads.CountDownLatch}.
 *
 * <p><b>Order.</b> Those who wait are woken first in, first out.
 *
 * <p><b>Cancellation.</b> Waiting can be given up at any time, in constant time. The {@link #countDown} that opens the
 * latch does so much work as there are others left.
 *
 * <p><b>Memory consistency.</b> What is done before a {@code countDown} happens-before what is done after the latch was
 * seen open.
 *
 * <pre>{@code
 * CountDownLatch ready = new CountDownLatch(2);
 * ready.countDown();
 * ready.countDown();
 * assert ready.isOpen();
 * }</pre>
 */
public final class CountDownLatch {
    /*
     * Overview.
     *
     * One 64-bit word:
     *
     *      bits 32..63   the count, signed; the latch is open when it is not positive
     *      bits  0..31   requests that wait
     *
     * Unlike in the paper, the two stand in one word, and no bit says that the latch is open: the subtraction that
     * brings the count to zero reads in the same step how many wait, and nobody joins them later, because the addition
     * of one who comes late shows the count. So countDown() is one fetch-and-add, await one more.
     *
     *   waits        counted by fetch-and-add while the count was positive
     *   opened       the one countDown() that brought the count to zero owes each of them a resume
     *   cancelled    takes itself off by fetch-and-add. If the count is positive, no resume will be made for it; if
     *                not, one is on its way, and it is refused.
     *
     * The queue works in ASYNC mode: a resume may be in its cell before its request is, for the latch is open by
     * then and the request would not have to wait anyway.
     *
     * countDown() does not look before it subtracts: where several threads count down, the look would fetch the cache
     * line to be read, and the subtraction would fetch it again to be written. So the count of an open latch goes on
     * falling. Whoever sees it half-way down to overflow lifts it again, by CAS and still below zero. await looks
     * first: to an open latch it adds nothing, but for those who had looked before, fewer than 2^31.
     *
     * Progress. countDown is wait-free but for the resumes of the last one, which are lock-free; so is waiting.
     *
     * Ordering. All accesses are volatile. What was done before countDown() is ordered by the word, and for those who
     * are resumed by their cell.
     */

    private static final long ONE_COUNT = 1L << 32;
    private static final long WAITING = ONE_COUNT - 1;

    /** A count that an open latch does not fall far below. */
    private static final int LOWEST = -(1 << 30);

    /** The ticket of a counted request. */
    private static final int WAITS = 1;

    private static final Function<CountDownLatch, Queue> NEW_QUEUE = latch -> latch.new Queue();

    private static final VarHandle WORD;
    private static final VarHandle QUEUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(CountDownLatch.class, "word", long.class);
            QUEUE = lookup.findVarHandle(CountDownLatch.class, "queue", Queue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerLatch(new StepsOfLatch());
    }

    /** Count and waiting requests; changed by fetch-and-add. */
    private volatile long word;

    /** Made by CAS when the first request has to wait. */
    private volatile Queue queue;

    /**
     * Creates a latch.
     *
     * @param count how often it has to be counted down until it opens; with zero it is open from the beginning
     * @throws IllegalArgumentException if {@code count} is negative
     */
    public CountDownLatch(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("the count must not be negative, but is " + count);
        }
        WORD.set(this, count * ONE_COUNT); // plain: the object is not shared yet
    }

    /** Takes one off the count, and opens the latch if it was the last. Does nothing if the latch is open. */
    public void countDown() {
        long seen = (long) WORD.getAndAdd(this, -ONE_COUNT);
        int count = count(seen);
        if (count == 1) {
            resumeAll((int) (seen & WAITING));
        } else if (count < LOWEST) {
            lift();
        }
    }

    private void resumeAll(int waiting) {
        if (waiting != 0) {
            queue().resume(this, waiting);
        }
    }

    /** Keeps the count of an open latch from overflowing; if others change it meanwhile, the next one will try. */
    private void lift() {
        long seen = word;
        if (count(seen) < LOWEST) {
            WORD.compareAndSet(this, seen, -ONE_COUNT + (seen & WAITING));
        }
    }

    /** How often the latch still has to be counted down. */
    public int count() {
        return Math.max(0, count(word));
    }

    /** Whether the count has reached zero. */
    public boolean isOpen() {
        return count(word) <= 0;
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        long seen = word;
        return count(seen) <= 0 ? 0 : (int) (seen & WAITING);
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

    /** Says how often the latch still has to be counted down, and how many wait for it. */
    @Override
    public String toString() {
        return "CountDownLatch@" + Integer.toHexString(hashCode()) + "[count " + count() + ", " + queueLength()
                + " waiting]";
    }

    private static int count(long word) {
        return (int) (word >> 32);
    }

    private Queue queue() {
        Queue present = queue;
        return present != null ? present : makeQueue();
    }

    /** Whoever needs the queue has been counted, or has opened the latch, and cannot take that back. */
    private Queue makeQueue() {
        Queue fresh = Insist.on(NEW_QUEUE, this);
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    private final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean onCancellation(Waiter waiter) {
            return count((long) WORD.getAndAdd(CountDownLatch.this, -1L)) > 0;
        }

        @Override
        protected void giveBack(Object opened) {} // an open latch has nothing to take back
    }

    private static final class StepsOfLatch extends Steps<CountDownLatch> {
        @Override
        public int reserve(CountDownLatch latch, int n) {
            if (latch.isOpen()) {
                return GRANTED;
            }
            return count((long) WORD.getAndAdd(latch, 1L)) <= 0 ? GRANTED : WAITS;
        }

        @Override
        public boolean tryReserve(CountDownLatch latch, int n) {
            return latch.isOpen();
        }

        @Override
        public boolean enqueue(CountDownLatch latch, Waiter waiter, int ticket) {
            return latch.queue().suspend(waiter); // ASYNC: no cell is ever broken
        }

        @Override
        public void abandon(CountDownLatch latch, int ticket) {
            latch.queue().abandon();
        }
    }
}
