package dev.cqs.spi;

import dev.cqs.sync.ClosedException;

/**
 * Handed to a {@link dev.cqs.Waiter} in the place of what it waits for, when the primitive is closed.
 *
 * @param what what was closed, for the message
 * @param cause what it was closed with, or {@code null}
 */
public record Closing(String what, Throwable cause) implements Failure {
    @Override
    public ClosedException exception() {
        return new ClosedException("the " + what + " is closed", cause);
    }
}
