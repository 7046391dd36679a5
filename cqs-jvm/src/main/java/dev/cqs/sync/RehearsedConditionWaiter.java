package dev.cqs.sync;

import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.sync.WaitFailure.Closed;

/** A waiter on a condition without an owner, with which the locks rehearse; see {@link dev.cqs.internal.Rehearsal}. */
final class RehearsedConditionWaiter extends RehearsedWaiter implements ConditionWaiter {
    @Override
    public void fail(Closed closing) {}
}
