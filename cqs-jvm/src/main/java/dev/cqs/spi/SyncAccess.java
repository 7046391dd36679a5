package dev.cqs.spi;

import dev.cqs.sync.SynchronousQueue;
import java.lang.invoke.MethodHandles;

/**
 * Where adapters find the steps of each primitive. They keep them in a {@code static final} field, which the
 * compiler sees through.
 *
 * <p>The steps are no public methods of the primitives, because application code has no use for them. Each
 * primitive hands them over here when its class is initialized.
 */
public final class SyncAccess {
    private static HandOffSteps handOff;

    private SyncAccess() {}

    /** The steps of a synchronous queue. */
    public static HandOffSteps handOff() {
        initialize(SynchronousQueue.class);
        return handOff;
    }

    /** Called once, by the class {@link SynchronousQueue}. */
    public static void offerHandOff(HandOffSteps steps) {
        handOff = once(handOff, steps);
    }

    private static <S> S once(S present, S offered) {
        if (present != null) {
            throw new IllegalStateException("the steps have been handed over already: " + present);
        }
        return offered;
    }

    private static void initialize(Class<?> primitive) {
        try {
            MethodHandles.lookup().ensureInitialized(primitive);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e); // the primitives are public classes of this module
        }
    }
}
