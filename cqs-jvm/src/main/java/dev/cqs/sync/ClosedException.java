package dev.cqs.sync;

import org.jspecify.annotations.Nullable;

/**
 * Thrown to callers that wait for a primitive when it is closed, and to callers that use it later. The cause is what
 * the primitive was closed with, or {@code null}.
 */
public class ClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message says what was closed
     * @param cause what it was closed with, or {@code null}
     */
    public ClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
