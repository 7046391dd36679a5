package dev.cqs.amc.dpor;

import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.models.Rc11;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Symmetry reduction for two threads with the same code. Of two executions that differ only in which of the two is
 * which, one is explored.
 */
public final class SymmetryReduction {
    /*
     * One of the threads is the leader, the other the follower. As long as both have read the same values, the k-th
     * event of the follower is tied to the k-th event of the leader. It is added later, and depends on it as if it
     * followed it in program order. And it may not precede it in coherence order: it neither reads from an older write
     * nor is an older write. Once the two threads differ, events are not tied.
     *
     * Completeness. Take an execution, and the first k at which the two threads differ. If the follower has the event
     * that is later in coherence order, then this execution is explored; otherwise the one with the two swapped is. One
     * case remains: the follower reads from an older write that depends on the event of the leader, which weak models
     * allow. With the threads swapped, the leader would read from a write that depends on the follower, whose event
     * cannot be added first. So the follower may read from such a write nevertheless.
     *
     * Optimality. Ties have all properties that the search requires of dependencies: they never change while the event
     * is in the graph, because the tied read of the leader is then not revisited. Under SC and TSO, where an event is
     * ordered after everything that its dependencies are ordered after, ties add no order: while the two are tied, they
     * only read, and read the same values.
     *
     * The reduction is for two threads only: a third would have to follow two others, and the ties would change. SPORE
     * (see the package) has the general case.
     */

    private final Subject subject;
    private final int follower;
    private final int leader;

    SymmetryReduction(Subject subject) {
        this.subject = subject;
        follower = subject.follower();
        leader = follower - 1;
    }

    /** The leader. */
    public int leader() {
        return leader;
    }

    /** The names of the two; empty if there are none. */
    public List<String> names() {
        return follower < 0 ? List.of() : List.of(subject.threadName(leader), subject.threadName(follower));
    }

    /**
     * Whether the thread is the follower, and may add its next event only after the leader has added the corresponding
     * one.
     */
    boolean mustWait(Graph graph, int thread) {
        int next = graph.length(thread);
        return thread == follower && next >= graph.length(leader) && isTied(graph, next);
    }

    /**
     * The event that {@code event}, which is not in the graph yet, is tied to, or null. For a successful
     * read-modify-write it is the write.
     */
    @Nullable
    Event tie(Graph graph, Event event) {
        if (event.thread != follower || !isTied(graph, event.index) || event.index >= graph.length(leader)) {
            return null;
        }
        Event tie = graph.event(leader, event.index);
        if (tie.site != event.site) {
            throw differ();
        }
        if (tie.kind != event.kind || tie.location != event.location) {
            return null;
        }
        return tie.isRead() && tie.paired ? graph.event(leader, event.index + 1) : tie;
    }

    /** Whether the follower has ended with fewer events than the leader, after it has read the same values. */
    public boolean hasDoneLess(Graph graph, int thread) {
        int length = graph.length(thread);
        return thread == follower && length < graph.length(leader) && isTied(graph, length);
    }

    /** The exception for two threads that turn out not to be symmetric. */
    public UncheckableException differ() {
        return new UncheckableException(subject.threadName(leader) + " and " + subject.threadName(follower)
                + " are declared symmetric, but do different things after they have read the same.");
    }

    /** Whether the follower has read the same values as the leader up to this index. */
    private boolean isTied(Graph graph, int index) {
        if (index == 0) {
            return true;
        }
        Event last = graph.event(follower, index - 1);
        return last.tie != null
                && last.tie.kind == last.kind
                && (last.kind == Kind.FENCE || last.isRead() && !last.paired && last.source == last.tie.source);
    }

    /** Whether an event with this tie may read from {@code write}. */
    static boolean mayRead(@Nullable Event tie, Event write) {
        return tie == null || write.order >= Rc11.place(tie) || Clock.has(write.prefix, tie);
    }
}
