package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One bit, which every thread tries to set until it succeeds. The smallest lock, and the fastest without contention.
 * Each attempt of each waiter takes the cache line from all others.
 *
 * <p>Unfair: any thread can barge.
 */
public final class CasLock implements SpinLock {

    private static final VarHandle HELD = Fields.handle(MethodHandles.lookup(), "held", boolean.class);

    /** Set only by a compare-and-set, cleared only by the holder. */
    private volatile boolean held;

    /** Creates a free lock. */
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
