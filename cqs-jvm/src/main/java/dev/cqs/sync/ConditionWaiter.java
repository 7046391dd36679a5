package dev.cqs.sync;

import dev.cqs.sync.WaitFailure.Closed;

/** Implemented by a {@link dev.cqs.Waiter} that waits for a signal, and is then resumed with the lock, however that ends. */
public interface ConditionWaiter {
    /**
     * Says that no signal comes any more. Called at most once, before the waiter is resumed, which comes all the same when
     * the lock is its own; its owner then fails with this, holding the lock.
     */
    void fail(Closed closing);
}
