package dev.cqs.amc;

/**
 * The code does something that the checker can neither control nor see, such as calling a native method or sharing an
 * object whose class is not instrumented. The checker then knows nothing.
 */
public final class UncheckableException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception with a sentence that says what cannot be checked, and what to do.
     *
     * @param message names the code, and a way round it
     */
    public UncheckableException(String message) {
        super(message);
    }

    /**
     * The same, with what has led to it.
     *
     * @param message names the code, and a way round it
     * @param cause thrown by the code that cannot be checked
     */
    public UncheckableException(String message, Throwable cause) {
        super(message, cause);
    }
}
