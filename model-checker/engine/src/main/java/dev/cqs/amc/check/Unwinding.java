package dev.cqs.amc.check;

/** Takes a thread of the program out of its code. An error, so that code that catches exceptions lets it pass. */
public final class Unwinding extends Error {

    private static final long serialVersionUID = 1L;

    /** The thread does not go on in this execution; it has said why before. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no trace, and nothing to say
    static final Unwinding INSTANCE = new Unwinding();

    private Unwinding() {
        super("An operation of the model checker does not return in this execution.", null, false, false);
    }
}
