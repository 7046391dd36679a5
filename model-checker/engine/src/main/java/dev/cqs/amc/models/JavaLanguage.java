package dev.cqs.amc.models;

import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RC11, strengthened where the Java language specification promises more for volatile accesses. A volatile write
 * synchronizes with every subsequent volatile read of the variable (JLS 17.4.4): with each that reads from it, or from
 * a volatile write that is later in coherence order. And there is a total order of all volatile accesses and full
 * fences that is consistent with happens-before, reads-from, coherence order and from-read.
 *
 * <p>This happens-before depends on coherence order, so a write that is inserted into coherence order later can order
 * older events. The clocks of the events are therefore those of RC11, which contain fewer events. The relation here is
 * computed for the whole graph.
 */
final class JavaLanguage extends Rc11 {

    private final List<Event> events = new ArrayList<>();

    JavaLanguage() {
        super(false);
    }

    @Override
    public boolean consistent(Graph graph, Event changed) {
        return super.consistent(graph, changed) && (isLatest(graph, changed) || addsUp(graph));
    }

    @Override
    public boolean addsUp(Graph graph) {
        collect(graph);
        if (events.stream().noneMatch(Event::isVolatile)) {
            return true;
        }
        Relation before = happensBefore();
        return coherent(before) && volatilesInOneOrder(before);
    }

    @Override
    public boolean ordersLate() {
        return true;
    }

    @Override
    public Event @Nullable [] race(Graph graph) {
        collect(graph);
        Relation before = happensBefore();
        for (int i = 0; i < events.size(); i++) {
            for (int k = 0; k < i; k++) {
                Event one = events.get(k);
                Event other = events.get(i);
                if (Races.conflict(one, other)
                        && !before.has(i, k)
                        && !before.has(k, i)
                        && !Races.isCovered(one, other)) {
                    return new Event[] {one, other};
                }
            }
        }
        return null;
    }

    private void collect(Graph graph) {
        events.clear();
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = 0; i < graph.length(thread); i++) {
                events.add(graph.event(thread, i));
            }
        }
    }

    private Relation happensBefore() {
        Relation before = new Relation(events.size());
        for (int i = 0; i < events.size(); i++) {
            Event from = events.get(i);
            for (int k = 0; k < events.size(); k++) {
                Event to = events.get(k);
                if (i != k && (Clock.has(to.before, from) || synchronizes(from, to))) {
                    before.add(i, k);
                }
            }
        }
        before.close();
        return before;
    }

    private static boolean synchronizes(Event write, Event read) {
        return write.isVolatile()
                && write.isWrite()
                && read.isVolatile()
                && read.isRead()
                && Rc11.sameLocation(write, read)
                && read.source.isVolatile()
                && write.order <= read.source.order;
    }

    private boolean coherent(Relation before) {
        for (int i = 0; i < events.size(); i++) {
            for (int k = 0; k < events.size(); k++) {
                if (before.has(i, k) && (i == k || Rc11.extendedCoherence(events.get(k), events.get(i)))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean volatilesInOneOrder(Relation before) {
        int size = events.size();
        Relation step = new Relation(size);
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                if (i != k && (before.has(i, k) || Rc11.extendedCoherence(events.get(i), events.get(k)))) {
                    step.add(i, k);
                }
            }
        }
        Relation order = new Relation(size);
        for (int i = 0; i < size; i++) {
            if (events.get(i).isVolatile()) {
                addSteps(order, i, step, before);
            }
        }
        order.close();
        return !order.hasLoop();
    }

    /** Adds the edges that begin at the volatile event {@code from}, or after it if it is a fence. */
    private void addSteps(Relation order, int from, Relation step, Relation before) {
        BitSet reached = step.row(from);
        if (events.get(from).isFullFence()) {
            for (int i = 0; i < events.size(); i++) {
                if (before.has(from, i)) {
                    reached.or(step.row(i));
                }
            }
        }
        for (int i = reached.nextSetBit(0); i >= 0; i = reached.nextSetBit(i + 1)) {
            if (events.get(i).isVolatile()) {
                order.add(from, i);
            }
            for (int k = 0; k < events.size(); k++) {
                if (events.get(k).isFullFence() && before.has(i, k)) {
                    order.add(from, k);
                }
            }
        }
    }
}
