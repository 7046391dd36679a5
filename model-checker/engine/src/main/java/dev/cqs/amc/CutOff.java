package dev.cqs.amc;

import org.jspecify.annotations.Nullable;

/**
 * A place at which the search has cut executions off, so that it does not know how they go on.
 *
 * @param bound which bound it was
 * @param limit how high the bound is
 * @param code the method, such as {@code Queue.drain}; of a {@link Program}, the name of the thread
 * @param place such as {@code Queue.java:31}: the head of the loop, or where the thread was cut off; null if unknown
 */
public record CutOff(
        Bound bound, int limit, String code, @Nullable String place) {

    /** What can be cut off. */
    public enum Bound {

        /** A loop whose rounds have effects: {@link AwaitModelChecker#loopBound}. */
        LOOP,
        /** A thread: {@link AwaitModelChecker#maxEvents}. */
        EVENTS
    }

    /** {@return what was cut off, and what allows more} */
    public String words() {
        String at = place == null ? "" : " at " + place;
        return bound == Bound.LOOP
                ? "Cut off after " + limit + " rounds: the loop in " + code + at
                        + ". Allow more by --loop-bound, in a test by loopBound."
                : "Cut off after " + limit + " events of its thread: " + code + at
                        + ". Allow more by --max-events, in a test by maxEvents, or give it an end.";
    }
}
