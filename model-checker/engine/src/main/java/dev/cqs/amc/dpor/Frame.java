package dev.cqs.amc.dpor;

import dev.cqs.amc.graph.Graph;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The graph with a stack of work items, for one nested revisit. An item applies to the graph as it was when the item
 * was pushed.
 */
public final class Frame {

    public final Graph graph;
    private final ArrayDeque<WorkItem> work = new ArrayDeque<>();

    /** The restriction that this frame began with; null in the outermost frame. */
    private final @Nullable RestrictedGraph cut;

    public Frame(Graph graph, @Nullable RestrictedGraph cut) {
        this.graph = graph;
        this.cut = cut;
    }

    /** The work of this frame is done. Restores the graph of the frame below. */
    public void end() {
        if (cut != null) {
            cut.undo();
        }
    }

    void push(WorkItem item) {
        work.push(item);
    }

    /** Pops the latest work item, or returns null. */
    public WorkItem poll() {
        return work.poll();
    }

    /** The number of work items. */
    public int size() {
        return work.size();
    }

    /** Returns the item at this index, the latest being at 0, and drops all others. */
    public WorkItem pollOnly(int place) {
        for (int i = 0; i < place; i++) {
            work.remove();
        }
        WorkItem item = work.remove();
        work.clear();
        return item;
    }
}
