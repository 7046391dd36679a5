package dev.cqs.spi;

import dev.cqs.Waiter;
import dev.cqs.sync.ConditionWaiter;
import dev.cqs.sync.Condition;

/**
 * The steps of waiting for a signal. The holder of the mutex enqueues a waiter here, unlocks the mutex, and waits. A signal
 * moves the waiter to the queue of the mutex, so that it is resumed with the mutex; then it holds it. So does the closing
 * of the mutex, which {@linkplain ConditionWaiter#fail fails} the waiter besides. A waiter that leaves before is passed to
 * {@link #lockAgain}.
 */
public abstract class ConditionSteps {
    /** For the conditions of this library. */
    protected ConditionSteps() {}

    /**
     * Puts the waiter at the end of the queue. The caller holds the mutex.
     *
     * @throws IllegalStateException if the mutex is not locked
     * @throws dev.cqs.sync.ClosedException if the mutex is closed; the caller still holds it
     */
    public abstract <W extends Waiter & ConditionWaiter> void enqueue(Condition condition, W waiter);

    /**
     * Gives up waiting for a signal.
     *
     * @return {@code false} if the waiter has been signalled or failed: it is resumed with the mutex
     */
    public abstract boolean leave(Condition condition, Waiter waiter);

    /** Has a waiter that has left wait for the mutex. It is resumed with it, perhaps before this returns. */
    public abstract void lockAgain(Condition condition, Waiter waiter);
}
