package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.EventNote;
import dev.cqs.amc.graph.Graph;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Final-field semantics (JLS 17.5): what a thread reaches through a final field, it reads after the freeze at the end
 * of the constructor that set the field.
 */
public final class Freezes {
    /*
     * FREEZE-1. Let a thread T read the final field of an object O that another thread made, let X be the object that
     * the field refers to, and let R be a read by T of X, or of an object reached from X. If O escaped only after the
     * end of its constructor, then R is ordered after all events that happen before that end, in two ways: R reads no
     * older value, and R does not race with them. Nothing else is ordered by it, neither later events of T nor writes
     * of T: JLS 17.5.1 orders only R itself, and the order does not compose with happens-before.
     *
     * The thread that makes O attaches the freeze to its next event, unless O has escaped by then. So every reference
     * to O that another thread reads was written by that event or after it, and the event is before R.
     *
     * FREEZE-2. A sight of X is a point at which T obtains a reference to X (a link of the dereference chain of JLS
     * 17.5.1). JLS lets any sight of X be the one on R's chain, so the order holds only if it holds for each. T's cover
     * of X is the clock of the events that T's reads of X are ordered after. It is the intersection of what the sights
     * of X give. A final field of O gives the events that happen before the freeze, and T's cover of O. A read event
     * gives T's cover of the object that it reads. Any other sight gives nothing. A sight after R counts too, because a
     * compiler may move it before R. So the covers are computed again at the end of the execution. If a cover that made
     * a difference was too large, then objects of that kind get no covers any more, and the search restarts (see
     * FreshObjects).
     *
     * A thread may store a reference in an object of its own that has not escaped. Loading it again is no sight.
     *
     * Covers matter only for accesses that do not happen after the publication of their object, and the kind of such an
     * object is expanded. So nothing is noted while no kind is expanded.
     */

    private static final int[] NOTHING = {};

    private final Subject subject;
    private final Findings findings;

    Freezes(Subject subject, Findings findings) {
        this.subject = subject;
        this.findings = findings;
    }

    /** Computes the cover of a read that is about to be added: FREEZE-1. */
    void cover(Graph graph, Event read) {
        int object = subject.watchesFreezes() ? subject.holder(read.location) : -1;
        if (object >= 0 && hasSights(graph, read) && mayRely(graph, read)) {
            int[] cover = covers(graph, read.thread, read).getOrDefault(object, NOTHING);
            read.covered = cover.length == 0 ? null : cover;
        }
    }

    /** Whether some write does not happen before the read. Otherwise the cover makes no difference. */
    private static boolean mayRely(Graph graph, Event read) {
        Event previous = graph.last(read.thread);
        for (int i = graph.writeCount(read.location) - 1; i > 0; i--) {
            if (!Clock.has(previous == null ? null : previous.before, graph.write(read.location, i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasSights(Graph graph, Event read) {
        boolean found = hasSights(read);
        for (int i = graph.length(read.thread) - 1; i >= 0 && !found; i--) {
            found = hasSights(graph.event(read.thread, i));
        }
        return found;
    }

    private static boolean hasSights(Event event) {
        return event.note != null && !event.note.sights().isEmpty();
    }

    /**
     * Called at the end of an execution. Restarts the search if a read relied on a cover that has turned out smaller.
     */
    @SuppressWarnings("NullAway") // the object of a read that is covered is among them
    public void check(Graph graph) {
        for (int thread = 0; thread < graph.threads() && subject.watchesFreezes(); thread++) {
            Map<Integer, int[]> covers = null;
            for (int i = 0; i < graph.length(thread); i++) {
                Event read = graph.event(thread, i);
                if (read.covered != null) {
                    covers = covers == null ? covers(graph, thread, null) : covers;
                    int object = subject.holder(read.location);
                    if (relies(graph, read, covers.get(object)) && !findings.mustRestart()) {
                        subject.uncover(object);
                        findings.restart();
                    }
                }
            }
        }
    }

    /** Whether the read is ordered after some write by its recorded cover, but not by {@code cover}. */
    @SuppressWarnings("NullAway") // the read is covered
    private static boolean relies(Graph graph, Event read, int[] cover) {
        Event previous = graph.previousInThread(read);
        for (int i = graph.writeCount(read.location) - 1; i > 0; i--) {
            Event write = graph.write(read.location, i);
            if (has(read.covered, write)
                    && !has(cover, write)
                    && !Clock.has(previous == null ? null : previous.before, write)) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(int[] clock, Event event) {
        return clock.length > 0 && Clock.has(clock, event);
    }

    // Covers

    /**
     * The covers of a thread, per object. {@code next} is a read that is about to be added, with its sights, or null.
     */
    private Map<Integer, int[]> covers(Graph graph, int thread, @Nullable Event next) {
        Map<Integer, int[]> covers = new HashMap<>();
        boolean changed = true;
        while (changed) { // a later sight may shrink a cover that an earlier sight has used
            changed = false;
            for (int i = 0; i < graph.length(thread); i++) {
                changed |= see(graph, covers, graph.event(thread, i));
                changed |= seeByReading(covers, graph.event(thread, i));
            }
            changed |= next != null && see(graph, covers, next);
        }
        return covers;
    }

    private boolean see(Graph graph, Map<Integer, int[]> covers, Event event) {
        boolean changed = false;
        if (event.note != null) {
            for (EventNote.Sight sight : event.note.sights()) {
                int[] clock = sight.freeze() < 0
                        ? NOTHING
                        : union(covers.getOrDefault(sight.holder(), NOTHING), clock(graph, sight.freeze()));
                changed |= see(covers, sight.object(), clock);
            }
        }
        return changed;
    }

    private boolean seeByReading(Map<Integer, int[]> covers, Event event) {
        int object =
                event.isRead() && !event.isPrivate ? subject.referent(event.thread, event.location, event.value) : -1;
        return object >= 0 && see(covers, object, covers.getOrDefault(subject.holder(event.location), NOTHING));
    }

    /** The events that happen before the freeze. */
    private static int[] clock(Graph graph, int freeze) {
        Event next = graph.freeze(freeze);
        Event last = next == null ? null : graph.previousInThread(next);
        return last == null ? NOTHING : last.before;
    }

    @SuppressWarnings("NullAway") // both are there
    private static int[] union(int[] one, int[] other) {
        return one.length == 0 ? other : other.length == 0 ? one : Clock.union(one, other);
    }

    /** Adds a sight of the object that gives this clock: FREEZE-2. Returns whether the cover of the object has changed. */
    private boolean see(Map<Integer, int[]> covers, int object, int[] given) {
        int[] was = covers.get(object);
        int[] is = given.length == 0 || !subject.isCovered(object)
                ? NOTHING
                : was == null ? given : Clock.least(was, given);
        covers.put(object, is);
        return was == null || was != is && !Arrays.equals(was, is);
    }
}
