package dev.cqs.amc.engine;

import java.util.ArrayDeque;

/** A graph, and the options that are still to be explored from it or from what it was before; the latest first. */
final class Frame {

    final Graph graph;
    private final ArrayDeque<Work> work = new ArrayDeque<>();

    Frame(Graph graph) {
        this.graph = graph;
    }

    void push(Work item) {
        work.push(item);
    }

    /** The next option, or null. */
    Work poll() {
        return work.poll();
    }
}
