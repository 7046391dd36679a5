package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.function.BiFunction;

/** Nobody's waiter, with which the primitives rehearse; see {@link dev.cqs.internal.Rehearsal}. */
final class RehearsedWaiter extends Waiter implements ConditionWaiter {
    static final BiFunction<Object, Object, RehearsedWaiter> NEW = (primitive, argument) -> new RehearsedWaiter();

    @Override
    protected boolean tryResume(Object value) {
        return true;
    }

    @Override
    public void fail(Closed closing) {}

    /** Has one wait for a permit that is not there. */
    static RehearsedWaiter requestOf(SemaphoreState permits) {
        return permits.takeOrWait(permits, null, NEW);
    }

    /** Leaves the queue, if it is in one. */
    void leave() {
        cancel();
    }
}
