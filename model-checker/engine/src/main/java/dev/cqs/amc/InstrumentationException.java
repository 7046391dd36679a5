package dev.cqs.amc;

/** A class cannot be prepared for being checked; the message names it and says why. */
public final class InstrumentationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InstrumentationException(String message) {
        super(message);
    }

    public InstrumentationException(String message, Throwable cause) {
        super(message, cause);
    }
}
