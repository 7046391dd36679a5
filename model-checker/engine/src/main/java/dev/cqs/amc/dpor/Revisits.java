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
 * added (a read and a write the last place in coherence order, a choice its first value), and would take the same one in
 * the remaining graph. This is the maximality
 * condition of TruSt (see the package), and ensures that every graph is visited exactly once.
 */
public final class Revisits {

    private static final Comparator<Event> NEWEST_FIRST =
            Comparator.comparingInt((Event event) -> event.stamp).reversed();

    private final MemoryModel model;
    /** Of the write that is being added; one list for all, since one thread uses it. */
    private final List<Event> reads = new ArrayList<>();

    public Revisits(MemoryModel model) {
        this.model = model;
    }

    /**
     * Pushes the revisits that {@code write} makes.
     *
     * @return whether this graph is extended; {@code false} if another read-modify-write reads from the same write as that of
     *     {@code write}, so that this graph breaks atomicity, and only the graphs of its revisits go on
     */
    public boolean push(Frame frame, Event write) {
        Graph graph = frame.graph;
        Event rival = rival(graph, write);
        collectReads(graph, write, rival);
        reads.sort(NEWEST_FIRST);
        for (Event read : reads) {
            if (!mayReadFrom(graph, read, write)) {
                continue;
            }
            if (!isMaximalExtension(graph, read, write)) {
                // None for an older read either. It deletes more, but not what excuses the event that is in the way
                // here: a write
                // after it in coherence order that is older than this read was there when the event was added, so that
                // had not
                // taken its first option.
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
        Event read = graph.previousInThread(write);
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
        // With a rival, only a revisit that deletes the rival, or is its own, leaves a graph that keeps atomicity.
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
     * Whether the read may read from {@code write}. Asked for the event before the read, since the present source of the read
     * may be among the deleted ones.
     */
    private boolean mayReadFrom(Graph graph, Event read, Event write) {
        int[] seen = model.seen(graph.previousInThread(read));
        return graph.floor(write.location, seen, write.order) == write.order
                && graph.newest(write.location, read.covered, write.order) == write.order
                && SymmetryReduction.mayRead(read.tie, write);
    }

    private static boolean isMaximalExtension(Graph graph, Event read, Event write) {
        // The write itself has to be the last in coherence order that is left; the place of a paired one is behind its
        // source.
        Event next = graph.nextInCoherence(write);
        if (!write.paired && next != null && deleted(next, read, write)) {
            return false;
        }
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = graph.length(thread) - 1; i >= write.prefix[thread]; i--) {
                Event event = graph.event(thread, i);
                if (event.stamp < read.stamp) {
                    break;
                }
                if (!isMaximal(graph, event, read, write)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isMaximal(Graph graph, Event event, Event read, Event write) {
        if (!event.addedMax) {
            return false;
        }
        Event place = event;
        if (event.isRead()) {
            place = event.source;
            // A source that was added after its reader comes from an earlier revisit.
            if (place.stamp > event.stamp && deleted(place, read, write)) {
                return false;
            }
        } else if (!event.isWrite()) {
            return true;
        }
        for (Event later = graph.nextInCoherence(place); later != null; later = graph.nextInCoherence(later)) {
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
