package dev.cqs.sync;

/**
 * Implemented by a {@link dev.cqs.Waiter} that waits for a {@link Mutex} under a token. Once it was handed the mutex it
 * stands for the token itself, since it is not known yet whether its owner will take the mutex or was cancelled.
 */
public interface TokenWaiter {
    /** What the owner of this waiter names itself by; not {@code null}, and the same on each call. */
    Object token();

    /**
     * Whether the owner of this waiter has got the mutex: not before it is resumed, and not if it was cancelled before that.
     * Asked by any thread, once this waiter was handed the mutex and until the mutex is unlocked; the answer changes at
     * most once, to {@code true}.
     */
    boolean holds();
}
