package dev.cqs.sync;

import dev.cqs.Waiter;
import java.util.function.BiFunction;

/** Nobody's waiter, with which the primitives rehearse; see {@link dev.cqs.internal.Rehearsal}. */
class RehearsedWaiter extends Waiter {
    static final BiFunction<Object, Object, RehearsedWaiter> NEW = (primitive, argument) -> new RehearsedWaiter();

    @Override
    protected boolean tryResume(Object value) {
        return true;
    }

    /** Has one wait for a permit that is not there. */
    static RehearsedWaiter requestOf(SemaphoreState permits) {
        return permits.takeOrWait(permits, null, NEW);
    }

    /** Leaves the queue, if it is in one. */
    final void leave() {
        cancel();
    }
}
