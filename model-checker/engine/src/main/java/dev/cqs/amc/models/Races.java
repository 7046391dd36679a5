package dev.cqs.amc.models;

import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import org.jspecify.annotations.Nullable;

/**
 * Data races: two accesses of one location by two threads, at least one a write and at least one plain, neither of
 * which happens before the other.
 */
public final class Races {

    private Races() {}

    /** Whether the two race unless happens-before or a final field orders them. */
    static boolean conflict(Event one, Event other) {
        return one.thread != other.thread
                && Rc11.sameLocation(one, other)
                && (one.isWrite() || other.isWrite())
                && (one.isPlain() || other.isPlain());
    }

    /**
     * Whether a final field orders the two. It is checked last, because hardly any conflicting accesses get that far.
     */
    static boolean isCovered(Event one, Event other) {
        return Clock.has(one.covered, other) || Clock.has(other.covered, one);
    }

    /** Whether the two race: they conflict, and neither happens-before nor a final field orders them. */
    public static boolean isRace(Event one, Event other) {
        return conflict(one, other)
                && !Clock.has(one.before, other)
                && !Clock.has(other.before, one)
                && !isCovered(one, other);
    }

    /** An event that races with {@code event}, or null. No other event happens after {@code event}. */
    public static @Nullable Event with(Graph graph, Event event) {
        int location = event.location;
        if (!event.isPlain() && !graph.hasPlainAccess(location)) {
            return null;
        }
        for (int i = graph.writeCount(location) - 1; i > 0; i--) {
            Event write = graph.write(location, i);
            if (conflict(write, event) && !Clock.has(event.before, write) && !isCovered(write, event)) {
                return write;
            }
        }
        if (!event.isWrite()) {
            return null;
        }
        for (int i = graph.writeCount(location) - 1; i >= 0; i--) {
            Event write = graph.write(location, i);
            for (int k = 0; k < write.readerCount; k++) {
                Event read = write.readers[k];
                if (conflict(read, event) && !Clock.has(event.before, read) && !isCovered(read, event)) {
                    return read;
                }
            }
        }
        return null;
    }
}
