package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;

/** Nobody's waiter, with which the primitives rehearse; see {@link dev.cqs.internal.Rehearsal}. */
final class RehearsedWaiter extends Waiter implements ConditionWaiter {
    @Override
    protected boolean tryResume(Object value) {
        return true;
    }

    @Override
    public void fail(Closed closing) {}

    /** Leaves the queue, if it is in one. */
    void leave() {
        cancel();
    }
}
