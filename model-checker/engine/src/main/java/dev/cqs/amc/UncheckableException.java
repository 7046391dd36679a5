package dev.cqs.amc;

/**
 * The code does something that the checker can neither control nor observe, such as calling a native method or sharing
 * an object whose class is not instrumented. There is no verdict.
 */
public final class UncheckableException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception with a sentence that says what cannot be checked, and what to do.
     *
     * @param message names the code, and an alternative
     */
    public UncheckableException(String message) {
        super(message);
    }

    /**
     * The same, with a cause.
     *
     * @param message names the code, and an alternative
     * @param cause thrown by the code that cannot be checked
     */
    public UncheckableException(String message, Throwable cause) {
        super(message, cause);
    }
}
