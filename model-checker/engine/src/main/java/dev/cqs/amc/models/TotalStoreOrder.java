package dev.cqs.amc.models;

import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Total store order, as HotSpot maps Java to x86. A thread reads its own writes early, from its store buffer. For other
 * threads its events take effect in program order, except that a read may overtake earlier writes. A read does not
 * overtake if it or the write is part of a read-modify-write, even a failed one, if the write is volatile (a barrier
 * follows it), or if there is a full fence in between. Weaker modes and fences add nothing. An access to an object that
 * has not escaped is no barrier, whatever its mode: the compiler removes the barrier by scalar replacement, or may move
 * both to where the object escapes.
 */
final class TotalStoreOrder implements MemoryModel {

    private final ArrayDeque<Event> open = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init") // consistent() sets it
    private Graph graph;

    private int visit;

    /**
     * A path of program order and reads-from between threads leaves the first thread by a write, and writes take effect
     * in program order. So the reader reads nothing older, as under the other models.
     */
    @Override
    public int @Nullable [] seen(@Nullable Event event) {
        return event == null ? null : event.prefix;
    }

    @Override
    public boolean consistent(Graph graph, Event changed) {
        Event after = graph.nextInCoherence(changed.isRead() ? changed.source : changed);
        if (after == null) {
            return true;
        }
        Event first = changed.isPairedWrite() ? graph.previousInThread(changed) : changed;
        this.graph = graph;
        visit = graph.newVisit();
        open.clear();
        push(after);
        while (!open.isEmpty()) {
            Event event = open.pop();
            if (event == changed || event == first) {
                return false;
            }
            pushSuccessors(event);
        }
        return true;
    }

    private void pushSuccessors(Event event) {
        if (event.isRead()) {
            push(graph.nextInCoherence(event.source));
            pushLater(event, true);
            return;
        }
        if (!event.isWrite()) {
            graph.followers(event).forEach(this::push);
            pushLater(event, true);
            return;
        }
        push(graph.nextInCoherence(event));
        for (int i = 0; i < event.readerCount; i++) {
            if (event.readers[i].thread != event.thread) {
                push(event.readers[i]);
            }
        }
        pushLater(event, !event.isPrivate && (event.paired || event.isVolatile()));
    }

    /** Pushes the next write, and the next read that does not overtake; they order the rest of the thread. */
    private void pushLater(Event event, boolean ordered) {
        boolean write = false;
        for (int i = event.index + 1; i < graph.length(event.thread); i++) {
            Event later = graph.event(event.thread, i);
            if (later.isFullFence()) {
                ordered = true;
            } else if (later.kind == Kind.CREATE || later.kind == Kind.END) {
                // Starts and ends of threads have barriers.
                push(later);
                return;
            } else if (later.isRead() && (ordered || later.change != null && !later.isPrivate)) {
                push(later);
                return;
            } else if (later.isWrite() && !write) {
                write = true;
                push(later);
            }
        }
    }

    private void push(@Nullable Event event) {
        if (event != null && event.visit != visit) {
            event.visit = visit;
            open.push(event);
        }
    }
}
