package dev.cqs.amc;

/**
 * A thread did something else than in an earlier execution, after it had read the same values. There is no verdict. The
 * usual causes are state that survives from one execution into the next, clocks, and randomness.
 */
public final class NondeterministicProgramException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception with a sentence that says what differs.
     *
     * @param message which thread did what, and what it did before
     */
    public NondeterministicProgramException(String message) {
        super(message);
    }
}
