package dev.cqs.amc.dpor;

import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Restricts a graph for a revisit of a read by a write: to the events that were added before the read, the read, and
 * the events that the write depends on. The removed events are put back when all graphs of the revisit have been
 * visited.
 */
public final class RestrictedGraph {

    private final Graph graph;
    private final int stamp;
    /** The removed events, the last of each thread first, and the coherence positions of the writes among them. */
    private final List<Event> removed = new ArrayList<>();

    private final List<Integer> orders = new ArrayList<>();
    /** The remaining reads that were revisitable before. */
    private final List<Event> fixed = new ArrayList<>();

    // The read as it was

    private final Event read;
    private final Event source;
    private final boolean addedMax;
    private final int[] prefix;
    private final int[] before;
    private final int @Nullable [] pending;

    /** Restricts the graph. The read still reads from its source. */
    public RestrictedGraph(Graph graph, Event read, Event write) {
        this.graph = graph;
        this.read = read;
        stamp = write.stamp;
        source = read.source;
        addedMax = read.addedMax;
        prefix = read.prefix;
        before = read.before;
        pending = read.pending;
        graph.restrict(stamp);
        for (int thread = 0; thread < graph.threads(); thread++) {
            remove(thread, write.prefix[thread]);
            fix(thread, write.prefix[thread]);
        }
    }

    /** Removes the events of the thread that were added after the read, except the first {@code needed} events. */
    @SuppressWarnings("NullAway") // the event is in the graph
    private void remove(int thread, int needed) {
        while (graph.length(thread) > needed && graph.last(thread).stamp > read.stamp) {
            Event last = graph.last(thread);
            removed.add(last);
            orders.add(last.order);
            graph.removeLast(thread);
        }
    }

    private void fix(int thread, int needed) {
        for (int i = 0; i < needed; i++) {
            Event event = graph.event(thread, i);
            if (event.revisitable) {
                event.revisitable = false;
                fixed.add(event);
            }
        }
    }

    /** Puts the removed events back, and drops what was added since. */
    void undo() {
        graph.restrict(stamp);
        graph.setSource(read, source);
        read.addedMax = addedMax;
        read.prefix = prefix;
        read.before = before;
        read.pending = pending;
        read.history = null;
        for (int i = removed.size() - 1; i >= 0; i--) {
            graph.putBack(removed.get(i), orders.get(i));
        }
        for (Event event : fixed) {
            event.revisitable = true;
        }
    }
}
