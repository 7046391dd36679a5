package dev.cqs.sync;

/**
 * Implemented by a {@link dev.cqs.Waiter} that waits for a {@link Mutex} under a token. Once it was handed the mutex, the
 * waiter itself stands for the token, since it is not known yet whether its owner takes the mutex or was cancelled.
 */
public interface TokenWaiter {
    /** {@return the name of the owner of this waiter; not {@code null}, and the same on each call} */
    Object token();

    /**
     * {@return whether the owner of this waiter has got the mutex: not before it is resumed, and not if it was
     * cancelled before that} Called by any thread, after this waiter was handed the mutex and until the mutex is
     * unlocked. The answer changes at most once, to {@code true}.
     */
    boolean holds();
}
