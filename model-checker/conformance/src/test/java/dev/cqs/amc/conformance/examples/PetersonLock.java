package dev.cqs.amc.conformance.examples;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Peterson's lock for two threads, with releases and acquires, and a counter that it protects. It is broken: each
 * thread may read the other's interest before its own write of interest takes effect. With volatile accesses it is
 * correct.
 */
public class PetersonLock {

    private static final VarHandle INTERESTED = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle TURN;

    static {
        try {
            TURN = MethodHandles.lookup().findVarHandle(PetersonLock.class, "turn", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int[] interested = new int[2];
    private int turn;
    private int counter;

    @Actor(2)
    void increments(int me) {
        lock(me);
        counter++;
        unlock(me);
    }

    @Arbiter
    int counted() {
        if (counter != 2) {
            throw new AssertionError("counted to " + counter);
        }
        return counter;
    }

    private void lock(int me) {
        int other = 1 - me;
        INTERESTED.setRelease(interested, me, 1);
        TURN.setRelease(this, other);
        while ((int) INTERESTED.getAcquire(interested, other) == 1 && (int) TURN.getAcquire(this) == other) {
            Thread.onSpinWait();
        }
    }

    private void unlock(int me) {
        INTERESTED.setRelease(interested, me, 0);
    }
}
