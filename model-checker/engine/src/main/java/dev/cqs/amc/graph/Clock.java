package dev.cqs.amc.graph;

import org.jspecify.annotations.Nullable;

/**
 * Vector clocks: per thread, how many of its first events are in the set. The set is closed under program order, so
 * these numbers are all there is to know. A clock never changes once it belongs to an event, so events may share it.
 */
public final class Clock {

    private Clock() {}

    /** The clock of an event: what is in {@code before} (may be null: nothing) and the event itself. */
    static int[] including(int @Nullable [] before, int threads, int thread, int index) {
        int[] clock = before == null ? new int[threads] : before.clone();
        clock[thread] = index + 1;
        return clock;
    }

    /** Adds {@code more} to {@code clock}, which its caller has not given away yet. */
    static void join(int[] clock, int[] more) {
        for (int i = 0; i < clock.length; i++) {
            if (more[i] > clock[i]) {
                clock[i] = more[i];
            }
        }
    }

    /** The union; either may be null: nothing. */
    public static int @Nullable [] union(int @Nullable [] one, int @Nullable [] other) {
        if (one == null || other == null || one == other) {
            return one == null ? other : one;
        }
        int[] both = one.clone();
        join(both, other);
        return both;
    }

    /** What is in both. One of the two is null or empty if it has nothing in it. */
    public static int @Nullable [] least(int @Nullable [] one, int @Nullable [] other) {
        if (one == null || one.length == 0 || one == other) {
            return one;
        }
        if (other == null || other.length == 0) {
            return other;
        }
        int[] both = one.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] = Math.min(both[i], other[i]);
        }
        return both;
    }

    /** Whether {@code event} is in {@code clock}. Initial values are in every clock, even in none. */
    public static boolean has(int @Nullable [] clock, Event event) {
        return event.thread < 0 || clock != null && event.index < clock[event.thread];
    }
}
