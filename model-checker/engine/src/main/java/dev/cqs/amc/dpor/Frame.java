package dev.cqs.amc.dpor;

import dev.cqs.amc.graph.Graph;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A graph, and the options that are still to be explored from it or from what it was before; the latest first. */
public final class Frame {

    public final Graph graph;
    private final ArrayDeque<WorkItem> work = new ArrayDeque<>();

    /** What has made the graph be what it is in this frame; null in the outermost one. */
    private final @Nullable RestrictedGraph cut;

    public Frame(Graph graph, @Nullable RestrictedGraph cut) {
        this.graph = graph;
        this.cut = cut;
    }

    /** All has been explored. Has the graph be again what it is in the frame below. */
    public void end() {
        if (cut != null) {
            cut.undo();
        }
    }

    void push(WorkItem item) {
        work.push(item);
    }

    /** The next option, or null. */
    public WorkItem poll() {
        return work.poll();
    }

    /** How many options there are. */
    public int size() {
        return work.size();
    }

    /** The option at this place, the latest being at 0; drops the others. */
    public WorkItem pollOnly(int place) {
        for (int i = 0; i < place; i++) {
            work.remove();
        }
        WorkItem item = work.remove();
        work.clear();
        return item;
    }
}
