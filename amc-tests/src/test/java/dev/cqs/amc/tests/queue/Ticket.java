package dev.cqs.amc.tests.queue;

import dev.cqs.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A waiter whose owner spins. */
final class Ticket extends Waiter {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Ticket.class, "value", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Object value;

    @Override
    protected boolean tryResume(Object granted) {
        VALUE.setRelease(this, granted);
        return true;
    }

    void await() {
        while (VALUE.getAcquire(this) == null) {
            Thread.onSpinWait();
        }
    }

    boolean isGranted() {
        return VALUE.getAcquire(this) != null;
    }

    boolean giveUp() {
        return cancel();
    }
}
