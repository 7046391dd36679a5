package dev.cqs.sync;

import dev.cqs.Waiter;

/** A lock as its conditions see it; one object for all of them. */
abstract class ConditionLock {
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

    /**
     * Has a waiter that is in no queue wait for the lock, at the end of its line, without being cancelled. It is resumed
     * with what the lock hands to all who get it, within this call if the lock is free. Throws nothing.
     */
    abstract void relock(Waiter waiter);
}
