package dev.cqs.amc.check;

/** Unwinds the code of a thread. It is an {@code Error}, so that code that catches exceptions does not catch it. */
public final class Unwinding extends Error {

    private static final long serialVersionUID = 1L;

    /** The only instance. The reason is recorded elsewhere before it is thrown. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no trace, and nothing to say
    static final Unwinding INSTANCE = new Unwinding();

    private Unwinding() {
        super("An operation of the model checker does not return in this execution.", null, false, false);
    }
}
