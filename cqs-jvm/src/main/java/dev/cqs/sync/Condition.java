package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.ConditionSteps;
import dev.cqs.spi.SyncAccess;
import java.util.function.Consumer;

/**
 * A condition of a {@link Mutex}: its holder can give the mutex up until another holder signals. This object holds the
 * queue and the operations that never wait; waiting is done through a face, for example a {@code
 * java.util.concurrent.locks.Condition} of {@code dev.cqs.threads}.
 *
 * <p><b>Order.</b> First in, first out: a signal goes to the request that has waited longest, and those that were
 * signalled get the mutex in the order of their signals, behind those who waited for the mutex before.
 *
 * <p><b>Cancellation.</b> A request can be given up until it is signalled, at constant cost. A signal goes to one that has
 * not been given up, if there is one. Whoever waited holds the mutex again afterwards, however the wait has ended.
 *
 * <p><b>Closing.</b> Closing the mutex ends all waits for a signal, and those that begin later, with a {@link
 * ClosedException}. They hold the mutex again when they get it, one after the other, behind those who were signalled or
 * had given up before; to these the closing makes no difference.
 *
 * <p><b>Ownership.</b> Waiting and signalling are for the holder of the mutex. This object checks that somebody holds it;
 * faces for threads check who.
 */
public final class Condition {
    /*
     * Overview.
     *
     * A signal wakes nobody. It claims the first waiter in the queue of the condition, which ends that one's chance to
     * give up, and puts the same waiter into the queue of the mutex. There it is resumed, once, with the mutex.
     *
     * Signals come from the holder of the mutex, one at a time, and race with giving up, in the cell. That has to be
     * cancel() of this queue, not that of the waiter: the waiter may be in the other queue by then, and its request for the
     * mutex must stay. The other way round, whoever has given up waits for the mutex with the same waiter, so that there
     * is always memory for that, and a signal that comes too late finds it in the other queue.
     *
     * The closing fails all who wait: it marks them, and moves them as a signal does. It does not hold the mutex, so it
     * races with signals and with those who leave. That it looks for the first waiter beside a signal is harmless: both
     * pass cancelled cells only, and claim in the cell. Its moment is that at which the closing is noted. After it nobody
     * leaves, nobody stays who comes, and a signal is for nobody. So these look whether it is noted: whoever leaves, before
     * that; whoever comes, after enqueueing; a signal, between its look at the first and the claim. If it is not noted
     * then, nobody had failed when the first was looked at, so that one is the first, signalled or given up before the
     * closing if it is claimed. Otherwise a signal could reach the second after the first has failed. A signal and the
     * closing that overlap put theirs into the queue of the mutex in either order.
     *
     * Whoever loses that race may read the segment of one queue and the index of the other. That is harmless: a segment of
     * the mutex is seen to be of another queue, and with one of this queue the compare-and-set fails, since a waiter
     * stands in one cell of it only, and that is CANCELLED by then.
     */

    static {
        SyncAccess.offerCondition(new StepsOfCondition());
    }

    private final ConditionLock lock;

    /** Made by the first who waits, holding the mutex. Volatile for those who look without it. */
    private volatile Queue queue;

    /** Whether the closing would find this; for the holder of the mutex. */
    private boolean inUse;

    Condition(ConditionLock lock) {
        this.lock = lock;
    }

    /** The mutex that this is a condition of; {@code null} if it is one of a lock of another kind. */
    public Mutex mutex() {
        return lock.mutex();
    }

    /** The lock whose write lock this is a condition of; {@code null} if it is one of a lock of another kind. */
    public ReadWriteMutex readWriteMutex() {
        return lock.readWriteMutex();
    }

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
     * Has all requests that wait here wait for the mutex, as by one {@link #signal} for each: one that has not had its turn
     * can be given up meanwhile.
     *
     * @throws IllegalStateException if the mutex is not locked
     */
    public void signalAll() {
        checkLocked();
        while (moveFirst()) {
            // one after the other, in their order
        }
    }

    /** Does each step once, on a condition of a lock that is nobody's and held: see Rehearsal. */
    void rehearse() {
        RehearsedWaiter leaving = new RehearsedWaiter();
        enqueue(leaving);
        leave(leaving);
        enqueue(new RehearsedWaiter());
        moveFirst();
        enqueue(new RehearsedWaiter());
        failAll(new Closed("", null));
    }

    private boolean moveFirst() {
        Queue present = queue;
        if (present == null) {
            return false;
        }
        StackCheck.ensure();
        for (; ; ) {
            Waiter first = present.firstWaiter();
            if (first == null || lock.closing() != null) {
                return false;
            }
            if (present.claim(first)) {
                lock.relock(first);
                return true;
            }
        }
    }

    /** Fails all who wait, once the mutex is closed. */
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

    /** How many requests wait for a signal at this moment. */
    public int queueLength() {
        int[] count = new int[1];
        forEachWaiter(waiter -> count[0]++);
        return count[0];
    }

    /**
     * Shows the waiters for a signal, first to last. Weakly consistent: never fails, and may or may not show those who
     * come or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Queue present = queue;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    private void checkLocked() {
        if (!lock.isHeld()) {
            throw new IllegalStateException("the " + lock.what() + " of this condition is not locked");
        }
    }

    /** Whether anybody waits here; for the holder of the mutex, so that nobody comes meanwhile. */
    boolean isWaitedOn() {
        return queue.firstWaiter() != null;
    }

    /** The closing will not find this; nobody waits here. */
    void leaveUse() {
        inUse = false;
    }

    private void enqueue(Waiter waiter) {
        checkLocked();
        StackCheck.ensureMore(); // the caller gives the lock up when it is in the queue
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

    private boolean leave(Waiter waiter) {
        Closed closing = lock.closing();
        if (closing == null) {
            return queue.cancel(waiter);
        }
        fail(waiter, closing); // the closing may take its time
        return false;
    }

    /** No resume is made here: waiters are claimed. */
    private static final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    private static final class StepsOfCondition extends ConditionSteps {
        @Override
        public <W extends Waiter & ConditionWaiter> void enqueue(Condition condition, W waiter) {
            condition.enqueue(waiter);
        }

        @Override
        public boolean leave(Condition condition, Waiter waiter) {
            return condition.leave(waiter);
        }

        @Override
        public void lockAgain(Condition condition, Waiter waiter) {
            condition.lock.relock(waiter);
        }
    }
}
