package dev.cqs.amc.graph;

import org.jspecify.annotations.Nullable;

/**
 * Vector clocks. A clock represents a set of events that is closed under program order: per thread, how many of its
 * first events are in the set. A clock is immutable once it belongs to an event, so events may share it.
 */
public final class Clock {

    private Clock() {}

    /** The clock with the events of {@code before} (null for none) and the event itself. */
    static int[] including(int @Nullable [] before, int threads, int thread, int index) {
        int[] clock = before == null ? new int[threads] : before.clone();
        clock[thread] = index + 1;
        return clock;
    }

    /** Adds {@code more} to {@code clock}, which no event has yet. */
    static void join(int[] clock, int[] more) {
        for (int i = 0; i < clock.length; i++) {
            if (more[i] > clock[i]) {
                clock[i] = more[i];
            }
        }
    }

    /** The union; null stands for an empty clock. */
    public static int @Nullable [] union(int @Nullable [] one, int @Nullable [] other) {
        if (one == null || other == null || one == other) {
            return one == null ? other : one;
        }
        int[] both = one.clone();
        join(both, other);
        return both;
    }

    /** The intersection; null and a clock of length 0 are empty. */
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

    /** Whether {@code event} is in {@code clock}. Initial writes are in every clock, null included. */
    public static boolean has(int @Nullable [] clock, Event event) {
        return event.thread < 0 || clock != null && event.index < clock[event.thread];
    }
}
