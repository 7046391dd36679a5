package dev.cqs.locks;

/** A lock whose waiters spin. It is not reentrant unless documented, and only the holder may unlock it. */
public interface SpinLock {

    /** Waits until the lock is free, and takes it. */
    void lock();

    /** Releases the lock. */
    void unlock();
}
