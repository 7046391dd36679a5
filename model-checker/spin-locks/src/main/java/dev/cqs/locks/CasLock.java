package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One bit, which every thread tries to set until it succeeds. The smallest lock, and the fastest without contention; each
 * try of each waiter takes the cache line from all others.
 *
 * <p>Unfair: barging. A thread that tries at the right moment has it.
 */
public final class CasLock implements SpinLock {

    private static final VarHandle HELD = Fields.handle(MethodHandles.lookup(), "held", boolean.class);

    /** Set by a compare-and-set alone, cleared by the holder alone. */
    private volatile boolean held;

    /** Makes a lock that is free. */
    public CasLock() {}

    @Override
    public void lock() {
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while (!HELD.weakCompareAndSetAcquire(this, false, true)) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        // release: pairs with the acquire in lock()
        HELD.setRelease(this, false);
    }
}
