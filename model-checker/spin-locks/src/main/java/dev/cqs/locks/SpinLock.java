package dev.cqs.locks;

/** A lock whose waiters spin. It is not reentrant unless it says so, and a thread unlocks only what it holds. */
public interface SpinLock {

    /** Waits until the lock is free, and takes it. */
    void lock();

    /** Gives the lock back. */
    void unlock();
}
