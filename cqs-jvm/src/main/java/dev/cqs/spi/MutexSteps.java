package dev.cqs.spi;

import dev.cqs.sync.Mutex;

/**
 * The steps of waiting on a mutex, and the record of who holds it: a thread, with how often it has entered, or a
 * token that stands for a coroutine. The record belongs to the holder: it is set once the mutex has been granted,
 * and cleared before it is unlocked. A thread sets it itself, since it may enter again; a token may be set by whoever
 * grants the mutex, before the holder runs on. It lives in the mutex so that all faces of one mutex agree.
 */
public abstract class MutexSteps extends Steps<Mutex> {
    /** For the mutex of this library. */
    protected MutexSteps() {}

    /** The thread on record. Exact for the current thread; a moment's view of any other. */
    public abstract Thread owner(Mutex mutex);

    /** Puts the current thread, which has just been granted the mutex, on record, or {@code null} before it unlocks. */
    public abstract void setOwner(Mutex mutex, Thread owner);

    /** What the holder names itself by, or {@code null} if it has no such token, or not yet. */
    public abstract Object token(Mutex mutex);

    /** Puts the token of the request that has just been granted the mutex on record. */
    public abstract void setToken(Mutex mutex, Object token);

    /**
     * Unlocks the mutex if this token is on record, and takes it off the record in the same step.
     *
     * @param token not {@code null}
     * @return {@code false} if it is not on record; nothing is then changed
     */
    public abstract boolean unlockAs(Mutex mutex, Object token);

    /** How often the owner has entered again while it was holding the mutex; read by the owner. */
    public abstract int reentries(Mutex mutex);

    /** Written by the owner. */
    public abstract void setReentries(Mutex mutex, int reentries);
}
