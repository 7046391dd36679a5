package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which edges a picture needs, so that it does not drown in those that say nothing new. */
final class DrawnEdges {

    private DrawnEdges() {}

    /** The edges of the cycle, and what is not implied; the order of the steps of a thread is drawn in another way. */
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

    /** Whether the order of two steps shows neither in their thread, nor in that the later one has read the earlier one. */
    private static boolean isNews(CounterExample example, Edge edge) {
        return example.step(edge.from()).thread() != example.step(edge.to()).thread()
                && !example.edges().contains(new Edge(Order.READS_FROM, edge.from(), edge.to()));
    }
}
