package dev.cqs.amc;

import org.jspecify.annotations.Nullable;

/**
 * A place at which the search cut executions off at a bound, so that their continuations are not explored.
 *
 * @param bound the bound
 * @param limit its value
 * @param code the method, such as {@code Queue.drain}; of a {@link Program}, the name of the thread
 * @param place such as {@code Queue.java:31}: the head of the loop, or where the thread was cut off; null if unknown
 */
public record CutOff(
        Bound bound, int limit, String code, @Nullable String place) {

    /** What can be cut off. */
    public enum Bound {

        /** A loop whose iterations have side effects: {@link AwaitModelChecker#loopBound}. */
        LOOP,
        /** A thread: {@link AwaitModelChecker#maxEvents}. */
        EVENTS
    }

    /** {@return the cut-off in a sentence, with the options that raise the bound} */
    public String words() {
        String at = place == null ? "" : " at " + place;
        return bound == Bound.LOOP
                ? "Cut off after " + limit + " iterations: the loop in " + code + at
                        + ". Allow more by --loop-bound, in a test by loopBound."
                : "Cut off after " + limit + " events of its thread: " + code + at
                        + ". Allow more by --max-events, in a test by maxEvents, or make it terminate.";
    }
}
