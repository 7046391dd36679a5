package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
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
 * not been given up, if there is one. Whoever waited holds the mutex again afterwards, however the wait has ended, unless
 * the mutex was closed.
 *
 * <p><b>Closing.</b> Closing the mutex wakes nobody who waits for a signal. A request that is signalled or given up after
 * that, or waits for the mutex by then, gets a {@link ClosedException}, and the mutex not. A holder that closes it should
 * signal all.
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
     * The holder of the mutex is the one thread at a time that firstWaiter() and claim() ask for. Only giving up
     * races, in the cell. It has to be cancel() of this queue, not that of the waiter: the waiter may be in the other
     * queue by then, and its request for the mutex must stay. The other way round, whoever has given up waits for the
     * mutex with the same waiter, so that there is always memory for that, and a signal that comes too late finds it in
     * the other queue.
     *
     * Whoever loses that race may read the segment of one queue and the index of the other. That is harmless: a segment of the mutex is seen to be of another queue, and with one of this queue the compare-and-set fails,
     * since a waiter stands in one cell of it only, and that is CANCELLED by then.
     */

    static {
        SyncAccess.offerCondition(new StepsOfCondition());
    }

    private final ConditionLock lock;

    /** Made by the first who waits, holding the mutex. Volatile for those who look without it. */
    private volatile Queue queue;

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

    private boolean moveFirst() {
        Queue present = queue;
        if (present == null) {
            return false;
        }
        for (; ; ) {
            Waiter first = present.firstWaiter();
            if (first == null) {
                return false;
            }
            if (present.claim(first)) {
                lock.relock(first);
                return true;
            }
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

    private void enqueue(Waiter waiter) {
        checkLocked();
        if (queue == null) {
            queue = new Queue();
        }
        queue.suspend(waiter);
    }

    /** No resume is made here: waiters are claimed. */
    private static final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    private static final class StepsOfCondition extends ConditionSteps {
        @Override
        public void enqueue(Condition condition, Waiter waiter) {
            condition.enqueue(waiter);
        }

        @Override
        public boolean leave(Condition condition, Waiter waiter) {
            return condition.queue.cancel(waiter);
        }

        @Override
        public void lockAgain(Condition condition, Waiter waiter) {
            condition.lock.relock(waiter);
        }
    }
}
