package dev.cqs.amc.check;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.UncheckableException;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a run leaves the code of a thread early, or ends the whole check. Code that catches the thrown
 * error cannot prevent either.
 */
public final class Exit {

    /**
     * Set when the current run is over. Whatever the code still does while it unwinds, such as in a finally block, has
     * no effect.
     */
    private boolean leaving;

    private @Nullable IllegalArgumentException misuse;
    /** The reason to end the check. It is kept here because the code may catch the error that carries it. */
    private @Nullable Throwable refusal;

    public Exit() {}

    /** A run begins. */
    public void clear() {
        leaving = false;
        refusal = null;
    }

    /** Whether the code is unwinding. */
    public boolean isLeaving() {
        return leaving;
    }

    /** Begins to unwind the code. The caller throws the result. */
    public Unwinding leave() {
        leaving = true;
        return Unwinding.INSTANCE;
    }

    /**
     * Ends the check with {@code reason}, even if the code catches the error that is returned and that the caller
     * throws.
     */
    public Error refuse(Throwable reason) {
        if (!leaving) {
            refusal = reason;
        }
        return leave();
    }

    /**
     * Ends the check if {@code thrown}, from the code of the thread {@code name}, is not an error of the program.
     * Returns whether it does.
     */
    public boolean refuseFor(Throwable thrown, String name) {
        if (thrown instanceof StackOverflowError) {
            refuse(new UncheckableException(
                    name + " has used up its stack: a recursion does not end, or is too deep.", thrown));
        } else if (endsCheck(thrown) || thrown == misuse) {
            refuse(thrown);
        } else {
            return false;
        }
        return true;
    }

    /** Whether this ends the check without a verdict, instead of being an error of the program. */
    public static boolean endsCheck(Throwable thrown) {
        return thrown instanceof NondeterministicProgramException
                || thrown instanceof UncheckableException
                || thrown instanceof InstrumentationException
                || thrown instanceof LinkageError
                || thrown instanceof VirtualMachineError;
    }

    /** Throws the reason to end the check, if there is one, after the code has been left. */
    public void throwRefusal() {
        if (refusal != null) {
            throw Exit.<Error>sneaky(refusal);
        }
    }

    /** Throws a checked exception without declaring it. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /**
     * Records an illegal call of the checker's API, which ends the check and is not a finding. The caller throws the
     * result.
     */
    public IllegalArgumentException misuse(IllegalArgumentException thrown) {
        misuse = thrown;
        return thrown;
    }
}
