package dev.cqs.sync;

import dev.cqs.sync.WaitFailure.Closed;

/**
 * Implemented by a {@link dev.cqs.Waiter} that waits on a {@link Condition}. It is always resumed with the lock: after a
 * signal, after the closing, or after it was cancelled and passed to {@link Condition#reacquire}. While it waits for the lock
 * it cannot be cancelled.
 */
public interface ConditionWaiter {
    /**
     * Says that no signal will come. Called at most once, before the waiter is resumed. The waiter is still resumed when the
     * lock is its own; its owner then fails with this, holding the lock. The method must not throw and must not wait.
     *
     * @param closing what its owner is to throw
     */
    void fail(Closed closing);
}
