package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.ConditionLock.RehearsedConditionWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a {@link Mutex}: the holder can give the mutex up until another holder signals. A condition of the write lock
 * of a {@link ReadWriteMutex} works in the same way. This object holds the queue and the whole protocol of a wait; how a
 * holder waits is decided by a view, for example a {@code java.util.concurrent.locks.Condition} of {@code dev.cqs.threads}.
 *
 * <p><b>Order.</b> FIFO: a signal goes to the request that has waited longest. Signalled requests get the mutex in the order
 * of their signals, behind the requests that waited for the mutex before.
 *
 * <p><b>Cancellation.</b> A request can be cancelled until it is signalled, at constant cost. A signal goes to a request that
 * has not been cancelled, if there is one. A caller that waited holds the mutex again afterwards, however the wait has ended.
 *
 * <p><b>Closing.</b> Closing the mutex ends all waits for a signal, and all that begin later, with a {@link ClosedException}.
 * The owners hold the mutex again when they get it, one after the other, behind waiters that were signalled or cancelled
 * before the closing. For a waiter that was signalled or cancelled before, the closing makes no difference.
 *
 * <p><b>Ownership.</b> Only the holder of the mutex may wait and signal. This object checks that the mutex is locked; views
 * for threads check which thread holds it.
 *
 * <p><b>Memory consistency.</b> Actions before the mutex is given up, by {@link #await} or otherwise, happen-before actions
 * of its next holder.
 *
 * <pre>{@code
 * mutex.tryLock();
 * Parked waiter = new Parked();                       // the example of Waiter, and a ConditionWaiter
 * condition.await(waiter);
 * waiter.await();                                     // signalled: the mutex is held again
 * }</pre>
 */
public final class Condition {
    /*
     * Overview.
     *
     * A signal does not wake the owner of a waiter. It claims the first waiter in the queue of the condition, which cannot be
     * cancelled from then on, and puts the same waiter into the queue of the mutex. There it is resumed, once, with the mutex.
     * A cancelled waiter is put into the queue of the mutex by its owner, so that there is always memory for that.
     *
     *                   signal, closing: claim
     *      condition ------------------------------> mutex ----------> resumed with the mutex
     *          |                                       ^
     *          | leave: cancel                         |
     *          '------------------> no queue ----------'
     *                                     reacquire
     *
     *   COND-1  A waiter leaves the queue of the condition once, by the compare-and-set of its cell: by a signal, by the
     *           closing, or by its owner. Signals come from the holder of the mutex, one at a time; the closing and the
     *           owners race with them.
     *   COND-2  In the queue of the mutex a waiter stays until it is resumed. Waiter.cancel() asks the queue that the waiter is
     *           in, so a canceller that is too late asks the queue of the mutex, which takes out no ConditionWaiter.
     *   COND-3  After the moment at which the closing is noted no waiter leaves, no waiter that comes stays, and a signal has
     *           no effect. So each of them looks whether it is noted: a waiter that leaves, before that; one that comes,
     *           after it was put into the queue; a signal, between its look at the first waiter and the claim.
     *
     * The closing fails all waiters: it marks them, and moves them as a signal does. It does not hold the mutex. It may look
     * for the first waiter beside a signal, which is harmless: both pass cancelled cells only, and claim in the cell.
     *
     * If a signal finds that the closing is not noted, no waiter had failed when the signal looked at the first one. So that
     * one is the first waiter, and a claim of it counts as a signal before the closing. If the claim fails, the waiter was
     * cancelled, or the closing has claimed it and the signal finds the closing noted. Without this order a signal could
     * reach the second waiter after the first has failed. A signal and the closing that overlap put their waiters into the
     * queue of the mutex in either order.
     *
     * The owner that loses the race of COND-1 may read the segment of one queue and the index of the other. That is harmless.
     * If the segment is of the mutex, see COND-2. If it is of this queue, the compare-and-set fails, since a waiter stands in
     * one cell of it only, and that is CANCELLED by then.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private final ConditionLock lock;

    /** Made for the first waiter, by the holder of the mutex. Volatile for readers that do not hold it. */
    @SuppressWarnings("NullAway.Init") // null only before the first waiter
    private volatile Queue queue;

    /** Whether the closing finds this condition; for the holder of the mutex. */
    private boolean inUse;

    Condition(ConditionLock lock) {
        this.lock = lock;
    }

    /** {@return the mutex of this condition; {@code null} if this is a condition of a lock of another kind} */
    public @Nullable Mutex mutex() {
        return lock.mutex();
    }

    /**
     * {@return the lock whose write lock has this condition; {@code null} if this is a condition of a lock of another
     * kind}
     */
    public @Nullable ReadWriteMutex readWriteMutex() {
        return lock.readWriteMutex();
    }

    /** Does each step once, on a condition of a held lock that is not in use: see Rehearsal. */
    void rehearse() {
        RehearsedConditionWaiter leaving = new RehearsedConditionWaiter();
        await(leaving);
        leaving.leave();
        reacquire(leaving); // the lock is free, and this waiter gets it
        enqueue(new RehearsedConditionWaiter());
        moveFirst();
        await(new RehearsedConditionWaiter()); // hands the lock to the one that was moved
        failAll(new Closed("", null));
    }

    // Waiting

    /**
     * Puts the waiter at the end of the queue and gives the mutex up for its holder, with all holds and the record of its
     * owner.
     *
     * <p>The waiter is resumed with the mutex, which its owner then holds again: after a signal, or after the mutex was
     * closed, which {@linkplain ConditionWaiter#fail fails} the waiter before. Until then its owner can {@linkplain
     * Waiter#cancel cancel} it; if that succeeds, the waiter will not be resumed, and its owner passes it to {@link
     * #reacquire}.
     *
     * @param <W> a waiter that can be told of a closing
     * @param waiter in no queue
     * @throws IllegalStateException if the mutex is not locked, or the waiter is in a queue already; nothing is then changed
     * @throws ClosedException if the mutex is closed; the caller still holds it
     */
    public <W extends Waiter & ConditionWaiter> void await(W waiter) {
        checkLocked();
        enqueue(waiter);
        lock.unlock();
    }

    /**
     * Puts a waiter that was cancelled here into the queue of the mutex. It is resumed with the mutex, closed or not, perhaps
     * before this returns, and cannot be cancelled any more.
     *
     * @param <W> a waiter that can be told of a closing
     * @param waiter in no queue any more, because its owner cancelled it
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public <W extends Waiter & ConditionWaiter> void reacquire(W waiter) {
        CancellableQueueSynchronizer.checkNew(waiter); // before it is counted
        lock.relock(waiter);
    }

    private void enqueue(Waiter waiter) {
        StackCheck.ensureMore(); // for the unlock as well
        if (queue == null) {
            lock.prepareToRelock();
            queue = new Queue();
        }
        if (!inUse) {
            lock.use(this);
            inUse = true;
        }
        queue.suspend(waiter);
        Closed closing = lock.closing(); // enqueued, then looked: a closing that missed this waiter was before
        if (closing != null && queue.cancel(waiter)) {
            throw closing.exception();
        }
    }

    /** What Waiter.cancel() does in the queue of this condition. */
    private boolean leave(Waiter waiter) {
        Closed closing = lock.closing(); // COND-3
        if (closing == null) {
            return queue.cancel(waiter);
        }
        fail(waiter, closing); // the closing may take its time
        return false;
    }

    // Signalling

    /**
     * Has the request that has waited longest wait for the mutex, if any waits here.
     *
     * @throws IllegalStateException if the mutex is not locked
     */
    public void signal() {
        checkLocked();
        moveFirst();
    }

    /**
     * Has all requests that wait here wait for the mutex, as by one {@link #signal} for each. A request that has not had its
     * turn can be cancelled meanwhile.
     *
     * @throws IllegalStateException if the mutex is not locked
     */
    public void signalAll() {
        checkLocked();
        while (moveFirst()) {
            // one after the other, in their order
        }
    }

    private boolean moveFirst() {
        Queue present = queue;
        if (present == null) {
            return false;
        }
        StackCheck.ensure();
        for (; ; ) {
            Waiter first = present.firstWaiter();
            if (first == null || lock.closing() != null) { // COND-3
                return false;
            }
            if (present.claim(first)) {
                lock.relock(first);
                return true;
            }
        }
    }

    private void checkLocked() {
        if (!lock.isHeld()) {
            throw new IllegalStateException("the " + lock.what() + " of this condition is not locked");
        }
    }

    // Closing

    /** Fails all waiters, once the mutex is closed. */
    void failAll(Closed closing) {
        Queue present = queue;
        for (Waiter first = present.firstWaiter(); first != null; first = present.firstWaiter()) {
            fail(first, closing);
        }
    }

    private void fail(Waiter waiter, Closed closing) {
        if (queue.claim(waiter)) {
            ((ConditionWaiter) waiter).fail(closing);
            lock.relock(waiter);
        }
    }

    /** Whether requests wait here; for the holder of the mutex, so that none comes meanwhile. */
    boolean isWaitedOn() {
        return queue.firstWaiter() != null;
    }

    /** Takes this out of use, so that the closing does not find it; no request waits here. */
    void leaveUse() {
        inUse = false;
    }

    // Looking

    /** {@return how many requests wait for a signal at this moment} */
    public int queueLength() {
        int[] count = new int[1];
        forEachWaiter(waiter -> count[0]++);
        return count[0];
    }

    /**
     * Shows the waiters for a signal, first to last. Weakly consistent: never fails, and may or may not show waiters that come
     * or leave meanwhile.
     *
     * @param action called with each waiter
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Queue present = queue;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    /** No resume is made here: waiters are claimed. */
    private final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }

        @Override
        protected boolean leave(Waiter waiter) {
            return Condition.this.leave(waiter);
        }
    }
}
