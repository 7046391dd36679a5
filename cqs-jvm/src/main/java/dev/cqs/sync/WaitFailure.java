package dev.cqs.sync;

import org.jspecify.annotations.Nullable;

/**
 * A {@link dev.cqs.Waiter} that will not get what it waits for is resumed with this instead. Its owner throws the {@link
 * #exception}.
 */
public sealed interface WaitFailure {
    /** {@return a new exception for the owner of one waiter, with a stack trace of its own} */
    RuntimeException exception();

    /**
     * The primitive was closed.
     *
     * @param what what was closed, for the message
     * @param cause what it was closed with, or {@code null}
     */
    record Closed(String what, @Nullable Throwable cause) implements WaitFailure {
        @Override
        public ClosedException exception() {
            return new ClosedException("the " + what + " is closed", cause);
        }
    }

    /**
     * The request is for more permits than there can be: the semaphore was made smaller while the request waited.
     *
     * @param permits how many were asked for
     * @param maximum how many there can be
     */
    record TooLarge(int permits, int maximum) implements WaitFailure {
        @Override
        public IllegalArgumentException exception() {
            return new IllegalArgumentException(
                    permits + " permits were asked for, but the semaphore has no more than " + maximum);
        }
    }
}
