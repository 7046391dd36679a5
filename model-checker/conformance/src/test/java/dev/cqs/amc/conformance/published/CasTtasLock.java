package dev.cqs.amc.conformance.published;

import dev.cqs.locks.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Test and compare-and-set: unlike the exchange of test-and-set, a failed attempt writes nothing. */
final class CasTtasLock implements SpinLock {

    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(CasTtasLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean held;

    @Override
    public void lock() {
        do {
            while ((boolean) HELD.getOpaque(this)) {
                Thread.onSpinWait();
            }
        } while ((boolean) HELD.compareAndExchangeAcquire(this, false, true));
    }

    @Override
    public void unlock() {
        HELD.setRelease(this, false);
    }
}
