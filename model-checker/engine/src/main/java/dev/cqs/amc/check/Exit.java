package dev.cqs.amc.check;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.UncheckableException;
import org.jspecify.annotations.Nullable;

/** How a run leaves its code before that has come to its end, and how it ends the check, whatever the code makes of it. */
public final class Exit {

    /** Set when the present run is over. What the code still does on its way out, in a finally for example, has no effect. */
    private boolean leaving;

    private @Nullable IllegalArgumentException misuse;
    /** What the check is to be ended with. The code may catch what is thrown, so it is kept here. */
    private @Nullable Throwable refusal;

    public Exit() {}

    /** A run begins. */
    public void clear() {
        leaving = false;
        refusal = null;
    }

    /** Whether the code is on its way out. */
    public boolean isLeaving() {
        return leaving;
    }

    /** Has the code leave; to be thrown. */
    public Unwinding leave() {
        leaving = true;
        return Unwinding.INSTANCE;
    }

    /** Ends the check with {@code reason}, whatever the code makes of the error that is returned and has to be thrown. */
    public Error refuse(Throwable reason) {
        if (!leaving) {
            refusal = reason;
        }
        return leave();
    }

    /** Ends the check if what the code of the thread {@code name} has thrown is no error of the program. Returns whether it does. */
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

    /** Whether this says that the checker does not know, or cannot go on, which is no error of the program. */
    public static boolean endsCheck(Throwable thrown) {
        return thrown instanceof NondeterministicProgramException
                || thrown instanceof UncheckableException
                || thrown instanceof InstrumentationException
                || thrown instanceof LinkageError
                || thrown instanceof VirtualMachineError;
    }

    /** Throws, when the code has been left, what it has been refused for. */
    public void throwRefusal() {
        if (refusal != null) {
            throw Exit.<Error>sneaky(refusal);
        }
    }

    /** Throws anything as if it were unchecked. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** The program calls the checker in a wrong way, which is no error that the search has found. */
    public IllegalArgumentException misuse(IllegalArgumentException thrown) {
        misuse = thrown;
        return thrown;
    }
}
