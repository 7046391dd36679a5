package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Test and test-and-set (Rudolph, Segall 1984): waiters read until the lock looks free, and only then try to take it. They
 * spin in their own caches meanwhile; all of them try at once when the lock is given back.
 *
 * <p>Unfair: barging. A thread that tries at the right moment has it.
 */
public final class TtasLock implements SpinLock {

    private static final VarHandle HELD = Fields.handle(MethodHandles.lookup(), "held", boolean.class);

    /** Set by an exchange alone, cleared by the holder alone. */
    private volatile boolean held;

    /** Makes a lock that is free. */
    public TtasLock() {}

    @Override
    public void lock() {
        do {
            // opaque: it only tells when to try; the exchange is what orders
            while ((boolean) HELD.getOpaque(this)) {
                Thread.onSpinWait();
            }
            // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        } while ((boolean) HELD.getAndSetAcquire(this, true));
    }

    @Override
    public void unlock() {
        // release: pairs with the acquire in lock()
        HELD.setRelease(this, false);
    }
}
