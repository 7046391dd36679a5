package dev.cqs.amc.graph;

import org.jspecify.annotations.Nullable;

/**
 * Computes the clocks of an event, once, when the event is added or its reads-from edge changes. All events in the
 * clocks are in the graph already, because no model here allows a cycle of program order and reads-from.
 *
 * <p>Happens-before is the same in all models, so data races are too. It is the transitive closure of program order and
 * synchronizes-with. A release synchronizes with an acquire that reads from it. The release is a write of at least
 * release mode, or any write that is not plain after a release fence. The acquire is a read of at least acquire mode,
 * or an acquire fence after any read that is not plain. A read-modify-write continues the release sequence of the write
 * that it reads from, as in C++20.
 */
public final class HappensBefore {

    private HappensBefore() {}

    /** Sets the clocks of {@code event}, which comes after {@code previous} (may be null) in its thread. */
    public static void set(Event event, @Nullable Event previous, int threads) {
        event.prefix = Clock.including(previous == null ? null : previous.prefix, threads, event.thread, event.index);
        event.before = Clock.including(previous == null ? null : previous.before, threads, event.thread, event.index);
        if (event.tie != null) {
            Clock.join(event.prefix, event.tie.prefix);
        }
        event.pending = previous == null ? null : previous.pending;
        event.released = previous == null ? null : previous.released;
        switch (event.kind) {
            case READ -> setRead(event);
            case WRITE -> setWrite(event, previous);
            case FENCE -> setFence(event);
            default -> {}
        }
    }

    /** The new event {@code later} follows {@code earlier} in another thread: a start its creation, a join an end. */
    public static void follow(Event later, Event earlier) {
        Clock.join(later.prefix, earlier.prefix);
        Clock.join(later.before, earlier.before);
    }

    private static void setRead(Event read) {
        Event source = read.source;
        if (source == null || source.thread < 0) {
            return;
        }
        Clock.join(read.prefix, source.prefix);
        if (read.isPlain() || source.message == null) {
            return;
        }
        if (read.mode.acquires()) {
            Clock.join(read.before, source.message);
        } else {
            read.pending = Clock.union(read.pending, source.message);
        }
    }

    @SuppressWarnings("NullAway") // its read comes before
    private static void setWrite(Event write, @Nullable Event previous) {
        if (write.isPlain()) {
            write.message = null;
            return;
        }
        int[] own = write.mode.releases() ? write.before : write.released;
        write.message = write.paired ? Clock.union(own, previous.source.message) : own;
    }

    private static void setFence(Event fence) {
        if (fence.mode.acquires() && fence.pending != null) {
            Clock.join(fence.before, fence.pending);
        }
        if (fence.mode.releases()) {
            fence.released = fence.before;
        }
    }
}
