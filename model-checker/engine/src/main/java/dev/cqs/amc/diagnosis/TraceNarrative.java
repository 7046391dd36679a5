package dev.cqs.amc.diagnosis;

import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.models.Rc11;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph as a total order of steps. A step is one event, a read-modify-write, or the failed iteration in which a
 * thread is blocked. If the graph is sequentially consistent, the order is an interleaving that produces it.
 */
public final class TraceNarrative {

    /** A step: consecutive events of a thread. Its number is 0 if it is not shown. */
    static final class Part {

        final List<Event> events = new ArrayList<>();
        boolean waits;
        int number;
        private final int place;
        private boolean isTold;
        private boolean isUnseen;

        private Part(int place) {
            this.place = place;
        }

        Event first() {
            return events.get(0);
        }

        Event last() {
            return events.get(events.size() - 1);
        }

        boolean isHidden() {
            return first().kind == Kind.START || first().kind == Kind.END || isUnseen;
        }
    }

    /** In a graph with more steps, only cycles through a guilty step are searched for. */
    private static final int MANY = 1_000;

    private final Graph graph;
    private final List<Part> parts = new ArrayList<>();
    private final Map<Event, Part> partOf = new IdentityHashMap<>();
    private final List<Part> told = new ArrayList<>();
    /** Per pair of parts, the relation by which the first precedes the second, or null. */
    private final @Nullable Order[][] orders;

    private final List<Edge> cycle;

    /**
     * Narrates {@code graph}.
     *
     * @param iterations per thread, where the failed iteration begins in which it is blocked; or -1
     * @param guilty the events of the error; cycles through them are searched for first
     * @param unseen events that are not shown
     * @param ordinary whether the graph is sequentially consistent
     */
    public TraceNarrative(Graph graph, int[] iterations, Set<Event> guilty, Set<Event> unseen, boolean ordinary) {
        this.graph = graph;
        for (int thread = 0; thread < graph.threads(); thread++) {
            collect(thread, iterations[thread] < 0 ? graph.length(thread) : iterations[thread]);
        }
        parts.forEach(part -> part.isUnseen = unseen.containsAll(part.events));
        orders = new @Nullable Order[parts.size()][parts.size()];
        for (Part from : parts) {
            for (Part to : parts) {
                orders[from.place][to.place] = from == to ? null : computeOrder(from, to);
            }
        }
        List<Part> circular = ordinary ? List.of() : cycle(guilty);
        tell(ordinary);
        if (told.size() < parts.size()) {
            // If another thread writes in the middle of a failed iteration, the iteration is no single step of an
            // interleaving.
            told.forEach(part -> part.isTold = false);
            told.clear();
            tell(false);
        }
        int number = 0;
        for (Part part : told) {
            part.number = part.isHidden() ? 0 : ++number;
        }
        cycle = edges(circular);
    }

    /** The steps that are shown, in order. */
    List<Part> steps() {
        return told.stream().filter(part -> part.number > 0).toList();
    }

    /** All events, each after the events that it depends on. */
    public List<Event> events() {
        return told.stream().flatMap(part -> part.events.stream()).toList();
    }

    /** The number of the step that {@code event} belongs to; 0 if it is not shown. */
    public int number(Event event) {
        Part part = partOf.get(event);
        return part == null ? 0 : part.number;
    }

    /**
     * The cycle that sequential consistency forbids; empty if there is none, or none was found among very many steps.
     */
    public List<Edge> cycle() {
        return cycle;
    }

    @SuppressWarnings("NullAway") // all events before are in parts
    private void collect(int thread, int iteration) {
        for (int i = 0; i < graph.length(thread); i++) {
            Event event = graph.event(thread, i);
            boolean joins = i > 0 && (event.isPairedWrite() || i > iteration && isReading(thread, iteration));
            Part part = joins ? partOf.get(graph.previousInThread(event)) : new Part(parts.size());
            part.events.add(event);
            part.waits |= i >= iteration;
            partOf.put(event, part);
            if (!joins) {
                parts.add(part);
            }
        }
    }

    /** Whether the iteration writes nothing, so that it can be one step. */
    private boolean isReading(int thread, int begin) {
        for (int i = begin; i < graph.length(thread); i++) {
            if (graph.event(thread, i).isWrite()) {
                return false;
            }
        }
        return true;
    }

    // The order of the steps

    @SuppressWarnings("NullAway") // all events are in parts
    private void tell(boolean ordinary) {
        int[] done = new int[graph.threads()];
        boolean more = true;
        while (more) {
            more = false;
            for (int thread = 0; thread < done.length; thread++) {
                while (done[thread] < graph.length(thread)) {
                    Part next = partOf.get(graph.event(thread, done[thread]));
                    if (!isReady(next, ordinary)) {
                        break;
                    }
                    told.add(next);
                    next.isTold = true;
                    done[thread] += next.events.size();
                    more = true;
                }
            }
        }
    }

    private boolean isReady(Part next, boolean ordinary) {
        for (Part before : parts) {
            if (before != next && !before.isTold) {
                Order order = order(before, next);
                if (order != null && (ordinary || order != Order.WRITES && order != Order.FROM_READ)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The relation by which the first step precedes the second, or null. */
    private @Nullable Order order(Part one, Part other) {
        return orders[one.place][other.place];
    }

    private @Nullable Order computeOrder(Part one, Part other) {
        if (one.first().thread == other.first().thread) {
            return one.first().index < other.first().index ? Order.PROGRAM : null;
        }
        Order found = null;
        for (Event from : one.events) {
            for (Event to : other.events) {
                Order order = order(from, to);
                if (order != null && (found == null || order.compareTo(found) < 0)) {
                    found = order;
                }
            }
        }
        return found;
    }

    private @Nullable Order order(Event from, Event to) {
        if (to.kind == Kind.START && to.source == null) {
            // The arbiter begins after all other threads have ended.
            return Order.STARTS;
        }
        if (to.source == from) {
            return to.isRead() ? Order.READS_FROM : to.kind == Kind.START ? Order.STARTS : Order.ENDS;
        }
        if (!Rc11.sameLocation(from, to) || !to.isWrite()) {
            return null;
        }
        if (from.isWrite()) {
            return from.order < to.order ? Order.WRITES : null;
        }
        return from.source.order < to.order ? Order.FROM_READ : null;
    }

    // The cycle

    /** The shortest cycle through a guilty step, else the shortest of all, else an empty list. */
    private List<Part> cycle(Set<Event> guilty) {
        List<Part> starts = guilty.stream()
                .map(partOf::get)
                .filter(part -> part != null)
                .distinct()
                .toList();
        List<Part> found = shortest(starts);
        return found.isEmpty() && parts.size() <= MANY ? shortest(parts) : found;
    }

    private List<Part> shortest(List<Part> starts) {
        List<Part> best = List.of();
        for (Part start : starts) {
            List<Part> found = shortestFrom(start);
            if (!found.isEmpty() && (best.isEmpty() || found.size() < best.size())) {
                best = found;
            }
        }
        return best;
    }

    private List<Part> shortestFrom(Part start) {
        Map<Part, Part> cameFrom = new IdentityHashMap<>();
        ArrayDeque<Part> open = new ArrayDeque<>();
        open.add(start);
        while (!open.isEmpty()) {
            Part from = open.remove();
            if (from != start && order(from, start) != null) {
                return path(start, from, cameFrom);
            }
            for (Part to : parts) {
                if (to != start && !cameFrom.containsKey(to) && order(from, to) != null) {
                    cameFrom.put(to, from);
                    open.add(to);
                }
            }
        }
        return List.of();
    }

    private static List<Part> path(Part start, Part last, Map<Part, Part> cameFrom) {
        List<Part> path = new ArrayList<>();
        for (Part at = last; at != start; at = cameFrom.get(at)) {
            path.add(at);
        }
        path.add(start);
        Collections.reverse(path);
        return path;
    }

    /** The edges of a cycle, between the steps that are shown. */
    @SuppressWarnings("NullAway") // a cycle has a first part, and orders between all
    private List<Edge> edges(List<Part> circular) {
        List<Edge> edges = new ArrayList<>();
        int first = 0;
        while (first < circular.size() && circular.get(first).number == 0) {
            first++;
        }
        Part seen = circular.isEmpty() ? null : circular.get(first % circular.size());
        Order pending = null;
        Part before = seen;
        for (int i = 1; i <= circular.size(); i++) {
            Part part = circular.get((first + i) % circular.size());
            Order order = order(before, part);
            pending = pending == null || pending == Order.PROGRAM ? order : pending;
            if (part.number > 0) {
                edges.add(new Edge(pending, seen.number, part.number));
                seen = part;
                pending = null;
            }
            before = part;
        }
        return edges;
    }
}
