package dev.cqs.amc.diagnosis;

import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes the edges between the steps of a narrative. */
final class TraceEdges {

    private final Graph graph;
    private final TraceNarrative narrative;
    private final Set<Edge> edges = new HashSet<>();

    private TraceEdges(Graph graph, TraceNarrative narrative) {
        this.graph = graph;
        this.narrative = narrative;
    }

    static List<Edge> of(Graph graph, TraceNarrative narrative) {
        TraceEdges links = new TraceEdges(graph, narrative);
        for (TraceNarrative.Part part : narrative.steps()) {
            part.events.forEach(links::into);
        }
        // The order of a write's readers is arbitrary.
        return links.edges.stream()
                .sorted(Comparator.comparingInt(Edge::to)
                        .thenComparingInt(Edge::from)
                        .thenComparing(Edge::order))
                .toList();
    }

    /** Adds the edges that end at {@code event}. */
    private void into(Event event) {
        switch (event.kind) {
            case READ -> {
                add(Order.READS_FROM, event.source, event);
                if (!event.isPlain() && event.mode.acquires()) {
                    add(Order.SYNCHRONIZES, release(event.source), event);
                }
            }
            case WRITE -> intoWrite(event);
            case FENCE -> intoFence(event);
            case JOIN -> add(Order.ENDS, lastSeen(event.source), event);
            default -> {}
        }
        if (event.index == 1 && graph.event(event.thread, 0).kind == Kind.START) {
            Event creation = graph.event(event.thread, 0).source;
            if (creation != null) {
                add(Order.STARTS, creation, event);
            }
        }
    }

    private void intoWrite(Event write) {
        Event before = graph.write(write.location, write.order - 1);
        add(Order.WRITES, before, write);
        for (int i = 0; i < before.readerCount; i++) {
            add(Order.FROM_READ, before.readers[i], write);
        }
    }

    private void intoFence(Event fence) {
        if (!fence.mode.acquires()) {
            return;
        }
        for (int i = 0; i < fence.index; i++) {
            Event read = graph.event(fence.thread, i);
            if (read.isRead() && !read.isPlain() && !read.mode.acquires()) {
                add(Order.SYNCHRONIZES, release(read.source), fence);
            }
        }
    }

    /**
     * The release that an acquiring read of {@code write} synchronizes with: a write, or a fence before one; null if
     * there is none.
     */
    @SuppressWarnings("NullAway") // its read comes before
    private @Nullable Event release(Event write) {
        for (Event at = write; at.thread >= 0 && at.message != null; at = graph.previousInThread(at).source) {
            if (at.mode.releases()) {
                return at;
            }
            for (int i = at.index - 1; i >= 0; i--) {
                Event fence = graph.event(at.thread, i);
                if (fence.kind == Kind.FENCE && fence.mode.releases()) {
                    return fence;
                }
            }
            if (!at.paired) {
                return null;
            }
        }
        return null;
    }

    private @Nullable Event lastSeen(Event end) {
        Event last = graph.previousInThread(end);
        return last == null || last.kind == Kind.START ? null : last;
    }

    private void add(Order order, @Nullable Event from, Event to) {
        if (from != null && narrative.number(from) > 0 && narrative.number(from) != narrative.number(to)) {
            edges.add(new Edge(order, narrative.number(from), narrative.number(to)));
        }
    }
}
