package dev.cqs.amc.dpor;

import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.models.MemoryModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the earlier reads that take their value from a new write in another graph.
 *
 * <p>A revisit throws away all that came after the read and that the write does not depend on. Many graphs differ
 * in just that part, so one of them has to be the one that makes the revisit: the one in which the part that is
 * thrown away, and the read, are the canonical continuation of what stays. There each event, when it was added, got
 * the first option (the latest write), and what stays now would give it no other one. This is the maximality of
 * TruSt (Kokologiannakis and others, POPL 2022), and makes every graph be visited exactly once.
 */
public final class Revisits {

    private static final Comparator<Event> NEWEST_FIRST =
            Comparator.comparingInt((Event event) -> event.stamp).reversed();

    private final MemoryModel model;
    private final List<Event> reads = new ArrayList<>();

    public Revisits(MemoryModel model) {
        this.model = model;
    }

    /**
     * Pushes the revisits that {@code write} makes.
     *
     * @return whether the execution goes on: it does not if {@code write} belongs to a read-modify-write whose
     *     source has been read by another one; then only the graphs that take one of the two away are of use
     */
    public boolean push(Frame frame, Event write) {
        Graph graph = frame.graph;
        Event rival = rival(graph, write);
        collectReads(graph, write, rival);
        reads.sort(NEWEST_FIRST);
        for (Event read : reads) {
            if (!maySee(graph, read, write)) {
                continue;
            }
            if (!continuesCanonically(graph, read, write)) {
                // More is thrown away for an older read, and what is no canonical continuation here is none there.
                break;
            }
            frame.push(WorkItem.revisit(read, write));
        }
        return rival == null;
    }

    /** The read of another read-modify-write that has read what the one of {@code write} has read; or null. */
    @SuppressWarnings("NullAway") // the write of a read-modify-write comes after its read
    private static @Nullable Event rival(Graph graph, Event write) {
        if (!write.paired) {
            return null;
        }
        Event read = graph.previous(write);
        for (int i = 0; i < read.source.readerCount; i++) {
            Event other = read.source.readers[i];
            if (other.paired && other != read) {
                return other;
            }
        }
        return null;
    }

    private void collectReads(Graph graph, Event write, @Nullable Event rival) {
        reads.clear();
        int newest = rival == null ? write.stamp : rival.stamp;
        for (int i = graph.writeCount(write.location) - 1; i >= 0; i--) {
            Event source = graph.write(write.location, i);
            for (int k = 0; k < source.readerCount; k++) {
                Event read = source.readers[k];
                if (read.revisitable && read.stamp <= newest && !Clock.has(write.prefix, read)) {
                    reads.add(read);
                }
            }
        }
    }

    /** Asks what the read had seen before it read: its present source is no part of the graph it would be in. */
    private boolean maySee(Graph graph, Event read, Event write) {
        int[] seen = model.seen(graph.previous(read));
        return graph.floor(write.location, seen, write.order) == write.order
                && graph.newest(write.location, read.covered, write.order) == write.order
                && SymmetryReduction.mayRead(read.tie, write);
    }

    private static boolean continuesCanonically(Graph graph, Event read, Event write) {
        Event next = graph.next(write);
        if (!write.paired && next != null && deleted(next, read, write)) {
            return false;
        }
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = graph.length(thread) - 1; i >= write.prefix[thread]; i--) {
                Event event = graph.event(thread, i);
                if (event.stamp < read.stamp) {
                    break;
                }
                if (!canonical(graph, event, read, write)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean canonical(Graph graph, Event event, Event read, Event write) {
        if (!event.addedMax) {
            return false;
        }
        Event place = event;
        if (event.isRead()) {
            place = event.source;
            if (place.stamp > event.stamp && deleted(place, read, write)) {
                return false;
            }
        } else if (!event.isWrite()) {
            return true;
        }
        for (Event later = graph.next(place); later != null; later = graph.next(later)) {
            if (later != write && !deleted(later, read, write)) {
                return false;
            }
        }
        return true;
    }

    private static boolean deleted(Event event, Event read, Event write) {
        return event.stamp > read.stamp && !Clock.has(write.prefix, event);
    }
}
