package dev.cqs.sync;

import dev.cqs.sync.WaitFailure.Closed;

/**
 * Implemented by a {@link dev.cqs.Waiter} that waits on a {@link Condition}, and is then resumed with the lock, however that
 * ends: after a signal, after the closing, or after it has left and was passed to {@link Condition#reacquire}. While it waits
 * for the lock it cannot be cancelled.
 */
public interface ConditionWaiter {
    /**
     * Says that no signal comes any more. Called at most once, before the waiter is resumed, which comes all the same when
     * the lock is its own; its owner then fails with this, holding the lock. It must not throw and must not wait.
     */
    void fail(Closed closing);
}
