package dev.cqs.spi;

import dev.cqs.sync.Mutex;

/**
 * The steps of waiting on a mutex, and the record of who holds it: a thread, with how often it has entered, or a
 * token that stands for a coroutine. The record belongs to the holder: it is set once the mutex has been granted,
 * and cleared before it is unlocked. A thread sets it itself, since it may enter again; a token is set in the step that
 * takes the mutex, or on behalf of the holder before that runs on. It lives in the mutex so that all faces of one mutex
 * agree.
 *
 * <p>Operations that read a token spin while it is just being written or taken off.
 */
public abstract class MutexSteps extends Steps<Mutex> {
    /** For the mutex of this library. */
    protected MutexSteps() {}

    /** The thread on record. Exact for the current thread; a moment's view of any other. */
    public abstract Thread owner(Mutex mutex);

    /** Puts the current thread, which has just been granted the mutex, on record, or {@code null} before it unlocks. */
    public abstract void setOwner(Mutex mutex, Thread owner);

    /** {@link #heldUnder}: nobody holds the mutex. */
    public static final int FREE = 0;

    /** {@link #heldUnder}: it is held under this token. */
    public static final int UNDER_THIS_TOKEN = 1;

    /** {@link #heldUnder}: it is held under another token, or without one, or was handed to a waiter just now. */
    public static final int OTHERWISE = 2;

    /**
     * Takes the mutex if it is free, under this token, which is on record for everybody who asks from then on.
     *
     * @param token not {@code null}
     * @throws dev.cqs.sync.ClosedException if the mutex is closed
     */
    public abstract boolean tryLock(Mutex mutex, Object token);

    /** How the mutex is held, at one moment of this call. */
    public abstract int heldUnder(Mutex mutex, Object token);

    /** What the holder names itself by, or {@code null} if it has no such token or there is no holder. */
    public abstract Object token(Mutex mutex);

    /** Puts the token of the caller, or of the one for whom it acts, on record. The mutex was granted without one. */
    public abstract void setToken(Mutex mutex, Object token);

    /**
     * The same for an owner who is about to be resumed, and may have been cancelled: the token counts as on record if the
     * grantee says so. After the resume, {@link #settle}.
     */
    public abstract void setGrantee(Mutex mutex, Grantee grantee);

    /** Puts the token in the place of the grantee, whose owner was resumed, unless the mutex was unlocked meanwhile. */
    public abstract void settle(Mutex mutex, Grantee grantee);

    /** Unlocks the mutex that this grantee was handed and does not take, unless others have unlocked it. */
    public abstract void giveBack(Mutex mutex, Grantee grantee);

    /**
     * Unlocks the mutex if this token is on record, and takes it off the record first.
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
