package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Test and test-and-set (Rudolph, Segall 1984): waiters read until the lock is free, and only then try to take it. They
 * spin in their own caches, but all of them try at once when the lock is released.
 *
 * <p>Unfair: any thread can barge.
 */
public final class TtasLock implements SpinLock {

    private static final VarHandle HELD = Fields.handle(MethodHandles.lookup(), "held", boolean.class);

    /** Set only by an exchange, cleared only by the holder. */
    private volatile boolean held;

    /** Creates a free lock. */
    public TtasLock() {}

    @Override
    public void lock() {
        do {
            // opaque: it only tells when to try; the exchange orders
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
