package dev.cqs.internal;

import dev.cqs.Waiter;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A waiter without an owner, with which the primitives rehearse; see {@link Rehearsal}. */
public class RehearsedWaiter extends Waiter {
    /** Makes one, for a primitive that makes a caller wait. */
    public static final BiFunction<Object, @Nullable Object, RehearsedWaiter> NEW =
            (primitive, argument) -> new RehearsedWaiter();

    @Override
    protected boolean tryResume(Object value) {
        return true;
    }

    /** Leaves the queue, if it is in one. */
    public final void leave() {
        cancel();
    }
}
