package dev.cqs.amc.liveness;

import dev.cqs.amc.UncheckableException;

/**
 * Loops that iterate without accessing shared memory. While one runs, no execution ends, so no limit of the check would
 * apply.
 */
public final class IdleLoops {

    /** A loop with more consecutive iterations than this that access nothing shared is taken for an endless one. */
    private static final int MOST_ITERATIONS = 10_000_000;

    private IdleLoops() {}

    /** Whether a loop has run so many iterations without accessing shared memory that it may never end. */
    public static boolean isTooLong(int iterations) {
        return iterations > MOST_ITERATIONS;
    }

    /** The exception for such a loop. */
    public static UncheckableException refusal(String name) {
        return new UncheckableException(name + " is in a loop that has run " + MOST_ITERATIONS
                + " iterations without accessing shared memory, so it may never end.");
    }
}
