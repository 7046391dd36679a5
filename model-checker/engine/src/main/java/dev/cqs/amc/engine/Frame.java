package dev.cqs.amc.engine;

import java.util.ArrayDeque;

/** A graph, and the options that are still to be explored from it or from what it was before; the latest first. */
final class Frame {

    final Graph graph;
    private final ArrayDeque<Work> work = new ArrayDeque<>();

    /** What has made the graph be what it is in this frame; null in the outermost one. */
    private final Cut cut;

    Frame(Graph graph, Cut cut) {
        this.graph = graph;
        this.cut = cut;
    }

    /** All has been explored. Has the graph be again what it is in the frame below. */
    void end() {
        if (cut != null) {
            cut.undo();
        }
    }

    void push(Work item) {
        work.push(item);
    }

    /** The next option, or null. */
    Work poll() {
        return work.poll();
    }

    /** How many options there are. */
    int size() {
        return work.size();
    }

    /** The option at this place, the latest being at 0; drops the others. */
    Work pollOnly(int place) {
        for (int i = 0; i < place; i++) {
            work.remove();
        }
        Work item = work.remove();
        work.clear();
        return item;
    }
}
