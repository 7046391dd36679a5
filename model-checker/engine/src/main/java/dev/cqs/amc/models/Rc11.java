package dev.cqs.amc.models;

import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RC11: one order of all volatile accesses and full fences that has no cycle with the rest (the relation psc). The
 * rest of its axioms hold by construction: coherence, because nothing sees what is older than what happens before
 * it has seen; that read-modify-writes are atomic; that program order and reads-from have no cycle.
 *
 * <p>An edge of psc from {@code a} to {@code b}, volatile both, is a step from {@code x} to {@code y}, where
 * {@code x} is {@code a}, or happens after it if {@code a} is a fence, and {@code y} is {@code b}, or happens before
 * it if {@code b} is a fence. The step is program order, the order of writes, from a read to the writes after its
 * source, or happens-before: between accesses of one location, or, if they differ, when it leaves {@code x} and
 * enters {@code y} by program order to and from another location. GenMC's step is program order, reads-from, the
 * order of writes, and from a read to the writes after its source; its happens-before counts when it leaves
 * {@code a} and enters {@code b} by program order. Between fences, happens-before counts as it is, and also around
 * any path within one location.
 *
 * <p>The writes that are added when others get to know an object stand for older ones of the same thread, which may have been
 * anywhere before. They take no part in any step (see {@link dev.cqs.amc.dpor.FreshObjects}).
 */
public class Rc11 implements MemoryModel {

    private final boolean genmc;
    private final List<Event> unreached = new ArrayList<>();
    private final ArrayDeque<Event> open = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init") // consistent() sets it
    private Graph graph;

    Rc11(boolean genmc) {
        this.genmc = genmc;
    }

    @Override
    public int @Nullable [] seen(@Nullable Event event) {
        return event == null ? null : event.before;
    }

    /**
     * The graph had no cycle of psc before, so one runs through the change. Nothing comes after the changed
     * event but later writes to its location; so the cycle has an edge that begins there, or at a full fence that
     * happens before it.
     */
    @Override
    @SuppressWarnings("NullAway") // its read comes before
    public boolean consistent(Graph graph, Event changed) {
        Event first = changed.isPairedWrite() ? graph.previous(changed) : changed;
        if (isLatest(graph, changed) || !changed.isVolatile() && !first.isVolatile() && !graph.hasFullFence()) {
            return true;
        }
        this.graph = graph;
        collectVolatiles();
        List<Event> all = List.copyOf(unreached);
        for (Event start : all) {
            boolean begins =
                    start == changed || start == first || start.isFullFence() && Clock.has(changed.before, start);
            if (begins && cycleThrough(start, all)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the change is one of those that keep a graph consistent. */
    static boolean isLatest(Graph graph, Event changed) {
        return graph.next(changed.isRead() ? changed.source : changed) == null;
    }

    private void collectVolatiles() {
        unreached.clear();
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = 0; i < graph.length(thread); i++) {
                Event event = graph.event(thread, i);
                if (event.isVolatile()) {
                    unreached.add(event);
                }
            }
        }
    }

    private boolean cycleThrough(Event start, List<Event> all) {
        unreached.clear();
        unreached.addAll(all);
        open.clear();
        open.push(start);
        while (!open.isEmpty()) {
            Event from = open.pop();
            int kept = 0;
            for (int i = 0; i < unreached.size(); i++) {
                Event to = unreached.get(i);
                if (from == to || !ordered(from, to)) {
                    unreached.set(kept++, to);
                } else if (to == start) {
                    return true;
                } else {
                    open.push(to);
                }
            }
            unreached.subList(kept, unreached.size()).clear();
        }
        return false;
    }

    /** psc, for different events. */
    private boolean ordered(Event a, Event b) {
        if (a.thread == b.thread) {
            return a.index < b.index
                    || a.isFullFence() && orderedAround(a, b)
                    || b.isFullFence() && orderedAround(a, b);
        }
        if (genmc && between(a, b, false)) {
            return true;
        }
        return a.isFullFence() || b.isFullFence() ? orderedAround(a, b) : step(a, b);
    }

    /** psc if one of the two is a fence: the step may begin after it, or end before it. */
    private boolean orderedAround(Event a, Event b) {
        boolean fences = a.isFullFence() && b.isFullFence();
        if (fences && Clock.has(b.before, a)) {
            return true;
        }
        if (!a.isFullFence()) {
            return stepBefore(a, b, false);
        }
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = graph.length(thread) - 1; i >= 0; i--) {
                Event x = graph.event(thread, i);
                if (!Clock.has(x.before, a)) {
                    break;
                }
                if (!x.first && (b.isFullFence() ? stepBefore(x, b, fences) : step(x, b))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether there is a step from {@code x} to the fence or to what happens before it. */
    private boolean stepBefore(Event x, Event fence, boolean anyPath) {
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = 0; i < fence.before[thread]; i++) {
                Event y = graph.event(thread, i);
                if (x != y && !y.first && (step(x, y) || anyPath && extendedCoherence(x, y))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean step(Event x, Event y) {
        if (x.thread == y.thread) {
            return x.index < y.index || overtakes(x, y);
        }
        if (genmc) {
            return y.isRead() && y.source == x || overtakes(x, y);
        }
        return overtakes(x, y) || Clock.has(y.before, x) && (sameLocation(x, y) || between(x, y, true));
    }

    /** Whether something after {@code x} in its thread happens before something before {@code y} in its. */
    private boolean between(Event x, Event y, boolean otherLocation) {
        Event after = neighbour(x, 1, otherLocation);
        Event before = neighbour(y, -1, otherLocation);
        return after != null && before != null && Clock.has(before.before, after);
    }

    private @Nullable Event neighbour(Event event, int direction, boolean otherLocation) {
        for (int i = event.index + direction; i >= 0 && i < graph.length(event.thread); i += direction) {
            Event neighbour = graph.event(event.thread, i);
            if (neighbour.kind != Kind.CHOICE
                    && !neighbour.first
                    && !(otherLocation && sameLocation(event, neighbour))) {
                return neighbour;
            }
        }
        return null;
    }

    public static boolean sameLocation(Event x, Event y) {
        return x.location >= 0 && x.location == y.location;
    }

    /** Whether {@code y} is a write after {@code x}, or after the source of the read {@code x}. */
    private static boolean overtakes(Event x, Event y) {
        return sameLocation(x, y) && y.isWrite() && place(x) < y.order;
    }

    /** Any path of reads-from, order of writes, and from a read to the writes after its source. */
    static boolean extendedCoherence(Event x, Event y) {
        return sameLocation(x, y) && (place(x) < place(y) || x.isWrite() && y.isRead() && place(x) == place(y));
    }

    /** The place in the order of writes: its own, or that of the write it reads. */
    public static int place(Event access) {
        return access.isRead() ? access.source.order : access.order;
    }
}
