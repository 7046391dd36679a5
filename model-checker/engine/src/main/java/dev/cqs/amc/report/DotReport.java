package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import dev.cqs.amc.CounterExample.Step;
import java.util.List;

/** Renders a counter-example as DOT for Graphviz. */
public final class DotReport {

    private final CounterExample example;
    private final StringBuilder dot = new StringBuilder();

    private DotReport(CounterExample example) {
        this.example = example;
    }

    /** The graph in DOT syntax. */
    public static String of(CounterExample example) {
        return new DotReport(example).write();
    }

    private String write() {
        Sentences sentences = new Sentences(example);
        dot.append("digraph execution {\n  graph [fontname=\"Helvetica\", labelloc=t, labeljust=l, label=\"")
                .append(quoted(sentences.title()))
                .append("\\l")
                .append(quoted(example.message()))
                .append("\\l\"];\n")
                .append(
                        "  node [shape=box, style=filled, fillcolor=white, color=gray, fontname=\"Courier\", fontsize=11];\n")
                .append("  edge [fontname=\"Helvetica\", fontsize=10];\n");
        for (int thread = 0; thread < example.threads().size(); thread++) {
            cluster(thread);
        }
        List<Edge> cycle = example.explanation().cycle();
        for (Edge edge : DrawnEdges.of(example)) {
            edge(edge, cycle.contains(edge) ? ", penwidth=3" : "");
        }
        return dot.append("}\n").toString();
    }

    private void cluster(int thread) {
        dot.append("  subgraph cluster_")
                .append(thread)
                .append(" {\n    color=gray;\n    label=\"")
                .append(quoted(example.threads().get(thread)))
                .append("\";\n");
        int before = 0;
        for (Step step : example.steps()) {
            if (step.thread() == thread) {
                String place = step.place() == null ? "" : "\\n" + quoted(step.place());
                dot.append("    s")
                        .append(step.number())
                        .append(" [label=\"#")
                        .append(step.number())
                        .append(' ')
                        .append(quoted(step.operation()))
                        .append(place)
                        .append(step.guilty() ? "\", color=red, fontcolor=red];\n" : "\"];\n");
                if (before != 0) {
                    boolean inCycle = isInCycle(step.thread(), before, step.number());
                    dot.append("    s")
                            .append(before)
                            .append(" -> s")
                            .append(step.number())
                            .append(inCycle ? " [weight=100, penwidth=3];\n" : " [weight=100];\n");
                }
                before = step.number();
            }
        }
        dot.append("  }\n");
    }

    /** Whether a program order edge of the cycle covers these two consecutive steps. */
    private boolean isInCycle(int thread, int from, int to) {
        return example.explanation().cycle().stream()
                .anyMatch(edge -> edge.order() == Order.PROGRAM
                        && edge.from() <= from
                        && edge.to() >= to
                        && example.step(edge.from()).thread() == thread);
    }

    private void edge(Edge edge, String width) {
        dot.append("  s")
                .append(edge.from())
                .append(" -> s")
                .append(edge.to())
                .append(" [label=\"")
                .append(edge.order().sign())
                .append("\", ")
                .append(style(edge.order()))
                .append(width)
                .append(", constraint=false];\n");
    }

    private static String style(Order order) {
        return switch (order) {
            case PROGRAM -> "color=black";
            case READS_FROM -> "color=green4, fontcolor=green4";
            case WRITES -> "color=brown, fontcolor=brown, style=dashed";
            case FROM_READ -> "color=red, fontcolor=red";
            case SYNCHRONIZES -> "color=blue, fontcolor=blue, style=bold";
            case STARTS, ENDS -> "color=gray40, fontcolor=gray40, style=dotted";
        };
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ");
    }
}
