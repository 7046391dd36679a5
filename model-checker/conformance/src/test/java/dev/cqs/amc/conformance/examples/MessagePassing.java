package dev.cqs.amc.conformance.examples;

import dev.cqs.amc.Actor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Message passing: the release and the acquire of the flag order the accesses of the plain data. */
public class MessagePassing {

    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(MessagePassing.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int data;
    private boolean ready;

    @Actor
    void writer() {
        data = 42;
        READY.setRelease(this, true);
    }

    @Actor
    int reader() {
        while (!(boolean) READY.getAcquire(this)) {
            Thread.onSpinWait();
        }
        return data;
    }
}
