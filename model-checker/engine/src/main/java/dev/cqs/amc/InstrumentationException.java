package dev.cqs.amc;

/** A class cannot be instrumented. The message names the class and the reason. */
public final class InstrumentationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InstrumentationException(String message) {
        super(message);
    }

    public InstrumentationException(String message, Throwable cause) {
        super(message, cause);
    }
}
