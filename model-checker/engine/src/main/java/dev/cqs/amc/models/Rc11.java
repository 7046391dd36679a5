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
 * RC11. This class checks its axiom that the relation psc over volatile accesses and full fences is acyclic. The other
 * axioms hold by construction: coherence, because no event reads from a write that is older than what {@link #seen}
 * permits; the atomicity of read-modify-writes; and the acyclicity of po ∪ rf.
 *
 * <p>An edge of psc from {@code a} to {@code b}, both volatile, is a step from {@code x} to {@code y}, where {@code x}
 * is {@code a}, or happens after it if {@code a} is a fence, and {@code y} is {@code b}, or happens before it if
 * {@code b} is a fence. The step (scb in the paper) is program order, coherence order, from-read, or happens-before.
 * Happens-before counts between accesses of one location; between accesses of different locations it counts if it
 * leaves {@code x} and enters {@code y} by program order to and from another location. In GenMC's variant the step is
 * program order, reads-from, coherence order or from-read, and happens-before counts if it leaves {@code a} and enters
 * {@code b} by program order. Between fences, happens-before counts unconditionally, also around any path of extended
 * coherence order (eco).
 *
 * <p>The writes that are added when an object escapes stand for earlier writes of the same thread, whose neighbours in
 * program order are unknown. They are part of no step (see {@link dev.cqs.amc.dpor.FreshObjects}).
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
     * psc was acyclic before, so a cycle passes through the change. The only edges that leave the changed event lead to
     * later writes of its location. So the cycle has an edge that begins at the event, or at a full fence that happens
     * before it.
     */
    @Override
    @SuppressWarnings("NullAway") // its read comes before
    public boolean consistent(Graph graph, Event changed) {
        Event first = changed.isPairedWrite() ? graph.previousInThread(changed) : changed;
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

    /** Whether the change reads from, or is, the last write in coherence order, which keeps a graph consistent. */
    static boolean isLatest(Graph graph, Event changed) {
        return graph.nextInCoherence(changed.isRead() ? changed.source : changed) == null;
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

    /** The relation psc, for two different events. */
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

    /** The relation psc if one of the two is a fence: the step may begin after it, or end before it. */
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

    /** Whether there is a step from {@code x} to the fence or to an event that happens before it. */
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

    /**
     * Whether some event after {@code x} in program order happens before some event before {@code y} in program order.
     */
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

    /** Whether {@code y} follows {@code x} in coherence order or from-read. */
    private static boolean overtakes(Event x, Event y) {
        return sameLocation(x, y) && y.isWrite() && place(x) < y.order;
    }

    /** Extended coherence order: any path of reads-from, coherence order and from-read. */
    static boolean extendedCoherence(Event x, Event y) {
        return sameLocation(x, y) && (place(x) < place(y) || x.isWrite() && y.isRead() && place(x) == place(y));
    }

    /** The coherence position of a write, or of the write that a read reads from. */
    public static int place(Event access) {
        return access.isRead() ? access.source.order : access.order;
    }
}
