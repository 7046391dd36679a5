package dev.cqs.amc;

/**
 * The code does something that the checker can neither control nor observe, such as calling a native method or sharing
 * an object whose class is not instrumented. There is no verdict.
 */
public final class UncheckableException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception with a sentence that says what cannot be checked, and what to do. */
    public UncheckableException(String message) {
        super(message);
    }

    /** The same, with a cause. */
    public UncheckableException(String message, Throwable cause) {
        super(message, cause);
    }
}
