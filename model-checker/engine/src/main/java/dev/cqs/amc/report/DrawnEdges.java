package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import java.util.LinkedHashSet;
import java.util.Set;

/** Selects the edges to draw, and leaves out the redundant ones. */
final class DrawnEdges {

    private DrawnEdges() {}

    /**
     * The edges of the cycle, and those that others do not imply. Program order is not among them: it is drawn down the
     * column.
     */
    static Set<Edge> of(CounterExample example) {
        Set<Edge> edges = new LinkedHashSet<>();
        for (Edge edge : example.edges()) {
            if (switch (edge.order()) {
                case WRITES -> isNews(example, edge);
                case FROM_READ ->
                    isNews(example, edge)
                            && (example.step(edge.from()).guilty()
                                    || example.step(edge.to()).guilty());
                default -> true;
            }) {
                edges.add(edge);
            }
        }
        edges.addAll(example.explanation().cycle());
        edges.removeIf(edge -> edge.order() == Order.PROGRAM);
        return edges;
    }

    /** Whether neither program order nor reads-from already orders the two steps. */
    private static boolean isNews(CounterExample example, Edge edge) {
        return example.step(edge.from()).thread() != example.step(edge.to()).thread()
                && !example.edges().contains(new Edge(Order.READS_FROM, edge.from(), edge.to()));
    }
}
