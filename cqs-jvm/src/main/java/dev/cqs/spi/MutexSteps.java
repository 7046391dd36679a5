package dev.cqs.spi;

import dev.cqs.sync.Mutex;

/**
 * The steps of waiting on a mutex, and the record of which thread holds it and how often. The record belongs to
 * the holder: a thread that has been granted the mutex sets it, and clears it before it unlocks. It lives in the
 * mutex so that all faces of one mutex agree.
 */
public abstract class MutexSteps extends Steps<Mutex> {
    /** For the mutex of this library. */
    protected MutexSteps() {}

    /** The thread on record. Exact for the current thread; a moment's view of any other. */
    public abstract Thread owner(Mutex mutex);

    /** Puts the current thread, which has just been granted the mutex, on record. */
    public abstract void setOwner(Mutex mutex, Thread owner);

    /** How often the owner has entered again while it was holding the mutex; read by the owner. */
    public abstract int reentries(Mutex mutex);

    /** Written by the owner. */
    public abstract void setReentries(Mutex mutex, int reentries);
}
