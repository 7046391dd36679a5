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
 * Finds the earlier reads that a new write revisits (backward revisits).
 *
 * <p>A revisit deletes the events that were added after the read and that the write does not depend on. Many graphs
 * differ only in the deleted events, so exactly one of them must make the revisit: the one in which the read and the
 * deleted events are the maximal extension of the remaining graph. There each event took its first option when it was
 * added (the last write in coherence order), and would take the same one in the remaining graph. This is the maximality
 * condition of TruSt (see the package), and ensures that every graph is visited exactly once.
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
     * @return whether this graph is extended: not if {@code write} belongs to a read-modify-write that reads from the
     *     same write as another one, which violates atomicity. Then only the graphs of the revisits are explored
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
                // For an older read more events are deleted, so what is no maximal extension here is none there.
                break;
            }
            frame.push(WorkItem.revisit(read, write));
        }
        return rival == null;
    }

    /** The read of another read-modify-write that reads from the same write as that of {@code write}; or null. */
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

    /**
     * Whether the read may read from {@code write}, given the events before the read: its current source may not be in
     * the restricted graph.
     */
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
