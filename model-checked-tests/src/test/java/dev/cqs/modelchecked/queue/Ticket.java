package dev.cqs.modelchecked.queue;

import dev.cqs.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;

/** A waiter whose owner spins. */
public class Ticket extends Waiter {

    /** For a request whose argument is its waiter. */
    public static final BiFunction<Object, Ticket, Ticket> ITSELF = (primitive, ticket) -> ticket;

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

    /** Waits until it is granted. */
    public final void await() {
        while (VALUE.getAcquire(this) == null) {
            Thread.onSpinWait();
        }
    }

    /** What it has been resumed with, or null. */
    public final Object value() {
        return VALUE.getAcquire(this);
    }

    /** Whether it is granted. */
    public final boolean isGranted() {
        return value() != null;
    }

    /** Whether it has left its line, rather than been granted. */
    public final boolean giveUp() {
        return cancel();
    }
}
