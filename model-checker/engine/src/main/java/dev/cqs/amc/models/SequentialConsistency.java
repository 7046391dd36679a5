package dev.cqs.amc.models;

import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Sequential consistency: po ∪ rf ∪ co ∪ fr is acyclic. */
final class SequentialConsistency implements MemoryModel {

    private final ArrayDeque<Event> open = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init") // consistent() sets it
    private Graph graph;

    private int visit;

    @Override
    public int @Nullable [] seen(@Nullable Event event) {
        return event == null ? null : event.prefix;
    }

    /** The changed event is the last of its thread, so a cycle leaves it to a later write of its location. */
    @Override
    public boolean consistent(Graph graph, Event changed) {
        Event write = changed.isRead() ? changed.source : changed;
        Event after = graph.nextInCoherence(write);
        if (after == null) {
            return true;
        }
        this.graph = graph;
        visit = graph.newVisit();
        open.clear();
        push(after);
        while (!open.isEmpty()) {
            Event event = open.pop();
            if (Clock.has(changed.prefix, event)) {
                return false;
            }
            pushSuccessors(event);
        }
        return true;
    }

    private void pushSuccessors(Event event) {
        if (event.index + 1 < graph.length(event.thread)) {
            push(graph.event(event.thread, event.index + 1));
        }
        if (event.isRead()) {
            push(graph.nextInCoherence(event.source));
        } else if (event.isWrite()) {
            push(graph.nextInCoherence(event));
            for (int i = 0; i < event.readerCount; i++) {
                push(event.readers[i]);
            }
        } else {
            graph.followers(event).forEach(this::push);
        }
    }

    private void push(@Nullable Event event) {
        if (event != null && event.visit != visit) {
            event.visit = visit;
            open.push(event);
        }
    }
}
