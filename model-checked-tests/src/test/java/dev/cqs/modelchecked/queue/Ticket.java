package dev.cqs.modelchecked.queue;

import dev.cqs.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;

/** A waiter without a thread, or whose thread spins: parking would only add steps to explore. */
public class Ticket extends Waiter {

    /** A waiter factory for requests whose argument is the waiter. */
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

    /** The value that it was resumed with, or null. */
    public final Object value() {
        return VALUE.getAcquire(this);
    }

    /** Whether it is granted. */
    public final boolean isGranted() {
        return value() != null;
    }

    /** Cancels the request. Returns whether it was cancelled rather than granted. */
    public final boolean giveUp() {
        return cancel();
    }
}
