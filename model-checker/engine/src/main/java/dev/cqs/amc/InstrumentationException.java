package dev.cqs.amc;

/** A class cannot be instrumented. The message names the class and the reason. */
public final class InstrumentationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception for a class that cannot be prepared.
     *
     * @param message names the class and says why
     */
    public InstrumentationException(String message) {
        super(message);
    }

    /**
     * Creates the exception for a class that cannot be read, loaded or instrumented.
     *
     * @param message names the class and says why
     * @param cause what has gone wrong with the class
     */
    public InstrumentationException(String message, Throwable cause) {
        super(message, cause);
    }
}
