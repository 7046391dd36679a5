package dev.cqs.amc;

/** The verdict of a check. */
public enum Verdict {

    /** No execution under the model fails, races or hangs. */
    VERIFIED("verified", false),
    /** No execution fails, races or hangs within the bounds, and some executions were cut off at a bound. */
    VERIFIED_UP_TO_BOUND("verified up to the loop bound", false),
    /** No execution completes: all are cut off at a bound, or excluded by assumptions. Nothing was checked. */
    NOTHING_COMPLETE("no complete execution, no verdict", false),
    /** The limit on executions or time was reached first. Nothing is known about the remaining executions. */
    UNFINISHED("unfinished, no verdict", false),
    /**
     * Two accesses of one variable, at least one plain and at least one a write, neither of which happens before the
     * other.
     */
    DATA_RACE("data race", true),
    /**
     * Some threads wait forever: what they read never changes again. The AMC paper calls it an await-termination
     * violation.
     */
    HANG("hang", true),
    /**
     * A thread waits by polling a plain variable. The compiler may hoist the read out of the loop, and then the thread
     * waits forever.
     */
    PLAIN_SPIN("waiting on a plain variable", true),
    /** A check of the program fails. */
    CHECK_FAILED("check failed", true),
    /** The code of a thread throws an exception. */
    EXCEPTION("exception", true);

    private final String words;
    private final boolean error;

    Verdict(String words, boolean error) {
        this.words = words;
        this.error = error;
    }

    /** {@return whether there is a counter-example} */
    public boolean isError() {
        return error;
    }

    /** {@return the verdict in words} */
    public String words() {
        return words;
    }
}
