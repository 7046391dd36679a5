package dev.cqs.amc;

/** What the checker found out about a program. */
public enum Verdict {

    /** No execution under the model fails, races or hangs. */
    VERIFIED("verified", false),
    /** The same for all executions in which no loop goes beyond the bound; some do. */
    VERIFIED_UP_TO_BOUND("verified up to the loop bound", false),
    /** No execution comes to its end: all are cut off at a bound, or left out by assumptions. Nothing was checked. */
    NOTHING_COMPLETE("no execution comes to its end, no verdict", false),
    /** The limit on executions came first. Nothing is known about the rest. */
    UNFINISHED("unfinished, no verdict", false),
    /** Two accesses of one variable, one of them plain and one of them a write, without order. */
    DATA_RACE("data race", true),
    /** Some threads wait forever: what they read cannot change any more. */
    HANG("hang", true),
    /** A thread waits by reading a plain variable. The compiler may read it once, and the thread waits forever. */
    PLAIN_SPIN("waiting on a plain variable", true),
    /** A check of the program does not hold. */
    CHECK_FAILED("check failed", true),
    /** The code of a thread has thrown an exception. */
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
