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

/** Two threads with the same code. Of two executions that differ only in which of them is which, one is explored. */
public final class SymmetryReduction {
    /*
     * As long as the two have read the same, the k-th event of the one that follows is tied to the k-th event of the one that
     * leads. It is added later, and depends on it as if it came after it in program order. And it may not come before it:
     * it reads no older write, or is no older write, than that one. Once the two differ, nothing is tied.
     *
     * Why nothing is lost. Take an execution, and the first k at which the two differ. If the follower has the newer one
     * there, then this execution is explored; if not, then the one with the two swapped is. One case is left: the follower
     * reads an older write there that depends on the event of the leader, which weak models have. Swapped, the leader would
     * read what depends on the follower, whose event cannot be added first. So such a write may be read all the same.
     *
     * Why nothing is found twice. All that the search asks of an event's dependencies holds of ties: they never change as
     * long as the event is in the graph, as what the leader has read is then not revisited. Under the models that have all
     * see what their dependencies have seen (SC, TSO), ties add nothing: as long as the two are tied, they only read, and
     * read the same.
     *
     * Two threads and no more: of three, one would have to follow two others, and which of them are tied changes.
     */

    private final Subject subject;
    private final int follower;
    private final int leader;

    SymmetryReduction(Subject subject) {
        this.subject = subject;
        follower = subject.follower();
        leader = follower - 1;
    }

    /** The thread that leads. */
    public int leader() {
        return leader;
    }

    /** What the two are called; empty if there are none. */
    public List<String> names() {
        return follower < 0 ? List.of() : List.of(subject.threadName(leader), subject.threadName(follower));
    }

    /** Whether the thread may add its next event only when the one that leads has added its own. */
    boolean mustWait(Graph graph, int thread) {
        int next = graph.length(thread);
        return thread == follower && next >= graph.length(leader) && isTied(graph, next);
    }

    /**
     * The event that the next one of its thread, which is not in the graph yet, is tied to, or null. Of a read-modify-write
     * that has written it is the write.
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

    /** Whether the thread, which has ended, has done less than the one that leads, and has read nothing else. */
    public boolean hasDoneLess(Graph graph, int thread) {
        int length = graph.length(thread);
        return thread == follower && length < graph.length(leader) && isTied(graph, length);
    }

    /** What to throw when the two turn out to be different. */
    public UncheckableException differ() {
        return new UncheckableException(subject.threadName(leader) + " and " + subject.threadName(follower)
                + " are declared symmetric, but do different things after they have read the same.");
    }

    /** Whether the follower has read so far what the leader has read. */
    private boolean isTied(Graph graph, int index) {
        if (index == 0) {
            return true;
        }
        Event last = graph.event(follower, index - 1);
        return last.tie != null
                && last.tie.kind == last.kind
                && (last.kind == Kind.FENCE || last.isRead() && !last.paired && last.source == last.tie.source);
    }

    /** Whether an event with this tie may read {@code write}. */
    static boolean mayRead(@Nullable Event tie, Event write) {
        return tie == null || write.order >= Rc11.place(tie) || Clock.has(write.prefix, tie);
    }
}
