package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.spi.ConditionWaiter;
import dev.cqs.spi.Closing;

/** Nobody's waiter, with which the primitives rehearse; see {@link dev.cqs.internal.Rehearsal}. */
final class RehearsedWaiter extends Waiter implements ConditionWaiter {
    @Override
    protected boolean tryResume(Object value) {
        return true;
    }

    @Override
    public void fail(Closing closing) {}

    /** Leaves the queue, if it is in one. */
    void leave() {
        cancel();
    }
}
