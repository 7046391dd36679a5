package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A lock as its conditions see it, and the conditions on which somebody waits; one object for all conditions of a lock. */
abstract class ConditionLock {
    /*
     * The conditions in use are there for the closing, which must find all who wait. A condition is added by the first
     * who waits on it, holding the lock, and stays until there is no room for another one: then those on which nobody
     * waits go, and come back with the next who waits. If more than half stay the room is doubled. So there is room for
     * less than four times as many as have been in use at once, and an addition takes a few steps on average.
     *
     * Against the closing: that is noted first, and then the conditions are looked at; whoever waits adds the condition
     * and enqueues first, and looks at the closing then. All of it is volatile, so one of the two sees the other.
     */

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Condition[].class);

    static {
        Condition[] nobodys = new Condition[1]; // links both accesses: see Rehearsal
        SLOT.setVolatile(nobodys, 0, (Condition) SLOT.getVolatile(nobodys, 0));
    }

    private static final int LEAST_ROOM = 4;

    /** The conditions in use, and then room. Written by the holder of the lock, its elements too. */
    private volatile Condition[] inUse = {};

    /** How many are in use. Plain: for the holder of the lock. */
    private int used;

    /** The mutex that this is, or {@code null} if the lock is of another kind. */
    abstract Mutex mutex();

    /** The read-write lock whose write lock this is, or {@code null} if it is of another kind. */
    ReadWriteMutex readWriteMutex() {
        return null;
    }

    /** What messages call the lock. */
    abstract String what();

    /** Whether somebody holds the lock, in the mode that its conditions ask for. */
    abstract boolean isHeld();

    /** What the lock was closed with, or {@code null}. */
    abstract Closed closing();

    /** Makes what {@link #relock} needs, which may find no memory for it; for the holder of the lock. */
    abstract void prepareToRelock();

    /**
     * Has a waiter that is in no queue wait for the lock, at the end of its line, without being cancelled. It is resumed
     * with what the lock hands to all who get it, closed or not, and within this call if the lock is free. Throws nothing.
     */
    abstract void relock(Waiter waiter);

    /** Adds a condition that is not in use; for the holder of the lock. */
    final void use(Condition condition) {
        if (used == inUse.length) {
            makeRoom();
        }
        SLOT.setVolatile(inUse, used++, condition);
    }

    private void makeRoom() {
        Condition[] present = inUse;
        int staying = 0;
        for (Condition each : present) {
            staying += each.isWaitedOn() ? 1 : 0;
        }
        int room = staying > present.length / 2 ? 2 * present.length : Math.max(LEAST_ROOM, present.length);
        Condition[] roomier = new Condition[room];
        used = 0;
        for (Condition each : present) {
            if (each.isWaitedOn()) {
                roomier[used++] = each;
            } else {
                each.leaveUse();
            }
        }
        inUse = roomier;
    }

    /** Fails all who wait on the conditions of this lock, which was closed. */
    final void failAll() {
        Closed closing = closing();
        Condition[] present = inUse;
        for (int i = 0; i < present.length; i++) {
            Condition each = (Condition) SLOT.getVolatile(present, i);
            if (each != null) {
                each.failAll(closing);
            }
        }
    }
}
