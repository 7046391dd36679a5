package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A latch that opens, for good, when it has been counted down to zero. Callers of every kind can wait for that: threads,
 * virtual threads and coroutines. This object holds the state and the operations that never wait; waiting is done through
 * a view, for example {@code dev.cqs.threads.CountDownLatch}.
 *
 * <p><b>Order.</b> Waiters are resumed in FIFO order.
 *
 * <p><b>Cancellation.</b> Waiting can be cancelled at any time, in constant time. The work of the {@link #countDown} that
 * opens the latch is proportional to the number of waiters that are left.
 *
 * <p><b>Memory.</b> A count of 256 or more is kept in up to 64 stripes on cache lines of their own, so that threads that
 * count down again and again do not contend for one place. The stripes take at most two bytes for each count, and at most
 * 8 KB in all.
 *
 * <p><b>Memory consistency.</b> Actions before a {@code countDown} that takes one off the count happen-before actions after
 * the latch was seen open.
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
     * Unlike in the paper (CQS, PLDI 2023), the two stand in one word, and no bit says that the latch is open. The
     * subtraction that brings the count to zero reads in the same step how many requests wait. No request joins them
     * later, because the addition of a late request shows the count. So countDown() is one fetch-and-add, await one more.
     *
     * Of a large count, only the last is in the word, and the others are in a StripedCountdown. countDown() goes to the
     * word when it has seen that the stripes are empty, for good. So the word says whether the latch is open, and which
     * requests wait, as it does without stripes. count() adds both. The whole goes down one by one, so there was a moment
     * at which the sum was right, and it is zero only if the word says that the latch is open.
     *
     *   waits        counted by fetch-and-add while the count was positive
     *   opened       the one countDown() that brought the count to zero owes each waiting request a resume
     *   cancelled    takes itself off by fetch-and-add. If the count is positive, no resume will be made for it; if
     *                not, one is on its way, and it is refused.
     *
     * The queue works in ASYNC mode: a resume may be in its cell before its request is. The latch is open by then, so the
     * request would not have to wait anyway.
     *
     * countDown() and await look first, and change nothing in an open latch. A thread that has looked before the latch
     * opened may change it once, so neither half of the word overflows. Under contention the look fetches the cache line
     * once more than the subtraction does; where that would be measurable, the count is striped.
     *
     * Progress. countDown is wait-free but for the resumes of the last one, which are lock-free; so is waiting.
     *
     * Ordering. All accesses are volatile. A thread that sees the latch open has read the subtraction that opened it. A
     * waiter that is resumed has read the cell that was written after that. The subtraction comes after all earlier ones
     * in the word. It also comes after all takes from the StripedCountdown, because the thread that opens the latch has
     * found nothing left there; see the ordering there.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long ONE_COUNT = 1L << 32;
    private static final long WAITING = ONE_COUNT - 1;

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
        rehearse();
    }

    /** All of a large count but the last, taken before the last; null if the count is not large. */
    private final @Nullable StripedCountdown divided;

    /** Count and waiting requests; changed by fetch-and-add. */
    private volatile long word;

    /** Made by CAS when the first request has to wait. */
    private volatile @Nullable Queue queue;

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    @SuppressWarnings("NullAway") // the latch is shut
    private static void rehearse() {
        CountDownLatch latch = new CountDownLatch(1);
        latch.await(null, RehearsedWaiter.NEW).leave();
        WORD.getAndAdd(latch, 1L);
        latch.abandon();
        WORD.getAndAdd(latch, 1L);
        latch.queue().abandon();
        latch.await(null, RehearsedWaiter.NEW);
        latch.countDown();
    }

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
        int parts = StripedCountdown.worth(count);
        divided = parts > 1 ? new StripedCountdown(count - 1, parts) : null;
        WORD.set(this, (divided == null ? count : 1) * ONE_COUNT); // plain: the object is not shared yet
    }

    /** Takes one off the count, and opens the latch if it was the last. Does nothing if the latch is open. */
    public void countDown() {
        if (divided != null && divided.take()) {
            return;
        }
        long before = word;
        if (count(before) <= 0) {
            return;
        }
        if (count(before) == 1 && (before & WAITING) != 0) {
            StackCheck.ensure(); // the next step opens it
        }
        long seen = (long) WORD.getAndAdd(this, -ONE_COUNT);
        if (count(seen) == 1) {
            resumeAll((int) (seen & WAITING));
        }
    }

    private void resumeAll(int waiting) {
        if (waiting != 0) {
            queue().resume(this, waiting);
        }
    }

    /**
     * Makes a waiter and puts it into the queue, unless the latch is open.
     *
     * <p>A waiter that this returns is in the queue, or has been resumed already. It is resumed with this latch when that
     * opens; or its owner {@linkplain Waiter#cancel cancels} it.
     *
     * @param <A> what the factory is called with
     * @param <W> the class of the waiter
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most. It must neither block nor use this
     *     latch. If it throws, the request is abandoned and the exception is passed on
     * @return the waiter, or {@code null} if the latch is open
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A extends @Nullable Object, W extends Waiter> @Nullable W await(
            A argument, BiFunction<? super CountDownLatch, ? super A, ? extends W> newWaiter) {
        if (isOpen()) {
            return null;
        }
        StackCheck.ensure();
        if (count((long) WORD.getAndAdd(this, 1L)) <= 0) {
            return null;
        }
        W waiter;
        try {
            waiter = newWaiter.apply(this, argument);
            CancellableQueueSynchronizer.checkNew(waiter);
        } catch (Throwable t) {
            abandon();
            throw t;
        }
        queue().suspend(waiter); // ASYNC: no cell is ever broken
        return waiter;
    }

    /** {@return how often the latch still has to be counted down} */
    public int count() {
        return Math.max(0, count(word)) + (divided == null ? 0 : divided.left());
    }

    /** {@return whether the count has reached zero} */
    public boolean isOpen() {
        return count(word) <= 0;
    }

    /** {@return how many requests wait at this moment, including requests that are about to enter the queue} */
    public int queueLength() {
        long seen = word;
        return count(seen) <= 0 ? 0 : (int) (seen & WAITING);
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

    /** Says how often the latch still has to be counted down, and how many requests wait for it. */
    @Override
    public String toString() {
        return "CountDownLatch@" + Integer.toHexString(hashCode()) + "[count " + count() + ", " + queueLength()
                + " waiting]";
    }

    private static int count(long word) {
        return (int) (word >> 32);
    }

    /** The request has no cell yet. Until the latch opens no resume is made for it; then one is on its way to a cell. */
    private void abandon() {
        for (long seen = word; count(seen) > 0; seen = word) {
            if (WORD.compareAndSet(this, seen, seen - 1)) {
                return;
            }
        }
        queue().abandon();
    }

    private Queue queue() {
        Queue present = queue;
        return present != null ? present : makeQueue();
    }

    /** A caller that needs the queue has been counted, or has opened the latch, and cannot take that back. */
    @SuppressWarnings("NullAway") // set once
    private Queue makeQueue() {
        Queue fresh = AllocationRetry.create(NEW_QUEUE, this);
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    private final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean onCancellation(@Nullable Waiter waiter) {
            return count((long) WORD.getAndAdd(CountDownLatch.this, -1L)) > 0;
        }

        @Override
        protected void giveBack(Object opened) {} // an open latch has nothing to take back
    }
}
