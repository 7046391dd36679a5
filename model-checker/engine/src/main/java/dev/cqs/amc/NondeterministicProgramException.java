package dev.cqs.amc;

/**
 * A thread of a {@link Program} has done something else than before, having read the same values. The checker then
 * knows nothing. The usual reasons are a local variable of one execution that survives into the next, time, and chance.
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
