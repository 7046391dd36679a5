package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A lock as its conditions see it, and the conditions that have waiters; one object for all conditions of a lock. */
abstract class ConditionLock {
    /*
     * The list of conditions in use exists for the closing, which must find all waiters. A condition is added with its first
     * waiter, by the holder of the lock. It stays until there is no room for another one. Then the conditions without waiters
     * are removed; they are added again with their next waiter. If more than half stay, the room is doubled. So there is room
     * for less than four times the largest number in use at once, and an addition takes a constant number of steps,
     * amortized.
     *
     * Against the closing: the closer notes the closing first, and looks at the conditions then. A holder that waits adds the
     * condition and its waiter first, and looks at the closing then. All of it is volatile, so one of the two sees the other.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Condition[].class);

    static {
        @Nullable Condition[] nobodys = new Condition[1]; // links both accesses: see Rehearsal
        SLOT.setVolatile(nobodys, 0, (Condition) SLOT.getVolatile(nobodys, 0));
    }

    private static final int LEAST_ROOM = 4;

    /** The conditions in use, then free room. The array and its elements are written by the holder of the lock. */
    private volatile @Nullable Condition[] inUse = {};

    /** How many are in use. Plain: for the holder of the lock. */
    private int used;

    /** The mutex that this stands for, or {@code null} if the lock is of another kind. */
    abstract @Nullable Mutex mutex();

    /** The read-write lock whose write lock this is, or {@code null} if it is of another kind. */
    @Nullable
    ReadWriteMutex readWriteMutex() {
        return null;
    }

    /** What messages call the lock. */
    abstract String what();

    /** Whether the lock is held, in the mode that its conditions require. */
    abstract boolean isHeld();

    /** What the lock was closed with, or {@code null}. */
    abstract @Nullable Closed closing();

    /** Gives the lock up for its holder, with all holds and the record of its owner. */
    abstract void unlock();

    /** Allocates what {@link #relock} needs, while an exhausted memory can still be reported; for the holder of the lock. */
    abstract void prepareToRelock();

    /**
     * Puts a {@link ConditionWaiter} that is in no queue at the end of the queue of the lock, where it cannot be cancelled. It
     * is resumed with the object that the lock hands to all waiters, closed or not. If the lock is free, it is resumed within
     * this call. Throws nothing.
     */
    abstract void relock(Waiter waiter);

    /** Adds a condition that is not in use; for the holder of the lock. */
    final void use(Condition condition) {
        if (used == inUse.length) {
            makeRoom();
        }
        SLOT.setVolatile(inUse, used++, condition);
    }

    @SuppressWarnings("NullAway") // all places are taken
    private void makeRoom() {
        @Nullable Condition[] present = inUse;
        int staying = 0;
        for (Condition each : present) {
            staying += each.isWaitedOn() ? 1 : 0;
        }
        int room = staying > present.length / 2 ? 2 * present.length : Math.max(LEAST_ROOM, present.length);
        @Nullable Condition[] roomier = new Condition[room];
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

    /** Fails all waiters on the conditions of this lock, which was closed. */
    @SuppressWarnings("NullAway") // the lock is closed
    final void failAll() {
        Closed closing = closing();
        @Nullable Condition[] present = inUse;
        for (int i = 0; i < present.length; i++) {
            Condition each = (Condition) SLOT.getVolatile(present, i);
            if (each != null) {
                each.failAll(closing);
            }
        }
    }

    /** A waiter on a condition without an owner, with which the locks rehearse; see {@link dev.cqs.internal.Rehearsal}. */
    static final class RehearsedConditionWaiter extends RehearsedWaiter implements ConditionWaiter {
        @Override
        public void fail(Closed closing) {}
    }
}
