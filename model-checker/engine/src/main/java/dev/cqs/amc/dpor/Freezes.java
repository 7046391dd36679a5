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
 * Final fields: what is reached through one is read after the freeze, the end of the constructor that has set it (JLS 17.5).
 */
public final class Freezes {
    /*
     * FREEZE-1. Let a thread T read the final field of an object O that another thread has made, let X be the object that it
     * finds there, and let R be a read by T of X, or of what is reached from X. If O got known to others after the end of its
     * constructor only, then R comes after all that happens before that end, in two ways: it reads no older value, and it does
     * not race. Nothing else comes after it by that: neither what T does next, nor writes of T (JLS 17.5.1 lets this order
     * the two alone, and it does not close with happens-before).
     *
     * Who makes O notes the freeze with its next event, unless O is known to others by then. So every reference to O that another
     * thread reads has been written after that event or by it, which therefore comes before R.
     *
     * FREEZE-2. JLS asks for one read of T that has seen the reference to X, any of them; the order holds if it holds by each.
     * So T's cover of X, the clock of what its reads of X come after, is the least that the sights of X give: a final field of O gives
     * what happens before the freeze, and T's cover of O; a read that is in the graph gives T's cover of the object that it reads; and
     * everything else gives nothing. A sight that comes after R counts, too: a compiler may put it before R. So the covers are
     * looked at once more when the execution has its end. If one that has made a difference was too large, then objects of that
     * kind are not covered any more, and the search begins anew (see FreshObjects).
     *
     * What a thread has made itself, and no other knows, it may keep a reference in: to take it out again is no sight.
     *
     * Covers matter for accesses that do not come after the publication of what they access, and its kind is expanded then.
     * So nothing is noted as long as there is no kind that is.
     */

    private static final int[] NOTHING = {};

    private final Subject subject;
    private final Findings findings;

    Freezes(Subject subject, Findings findings) {
        this.subject = subject;
        this.findings = findings;
    }

    /** Finds out what a read, which is about to be added, comes after because of final fields. */
    void cover(Graph graph, Event read) {
        int object = subject.watchesFreezes() ? subject.holder(read.location) : -1;
        if (object >= 0 && hasSights(graph, read) && mayRely(graph, read)) {
            int[] cover = covers(graph, read.thread, read).getOrDefault(object, NOTHING);
            read.covered = cover.length == 0 ? null : cover;
        }
    }

    /** Whether there is a write that does not happen before the read; what comes later comes after the freeze, too. */
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

    /** The execution has its end. Begins anew if a thread has relied on a cover that is smaller in truth. */
    @SuppressWarnings("NullAway") // the object of a read that is covered is among them
    public void check(Graph graph) {
        for (int thread = 0; thread < graph.threads() && subject.watchesFreezes(); thread++) {
            Map<Integer, int[]> covers = null;
            for (int i = 0; i < graph.length(thread); i++) {
                Event read = graph.event(thread, i);
                if (read.covered != null) {
                    covers = covers == null ? covers(graph, thread, null) : covers;
                    int object = subject.holder(read.location);
                    if (relies(graph, read, covers.get(object)) && !findings.mustBeginAnew()) {
                        subject.uncover(object);
                        findings.beginAnew();
                    }
                }
            }
        }
    }

    /** Whether the read comes after a write by what covers it, and not by this. */
    @SuppressWarnings("NullAway") // the read is covered
    private static boolean relies(Graph graph, Event read, int[] cover) {
        Event previous = graph.previous(read);
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

    /** Per object, what the reads of a thread come after; a read that is about to be added, if any, has its sights with it. */
    private Map<Integer, int[]> covers(Graph graph, int thread, @Nullable Event next) {
        Map<Integer, int[]> covers = new HashMap<>();
        boolean changed = true;
        while (changed) { // a later sight may take something from an object by which an earlier one was got
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

    /** What happens before the freeze. */
    private static int[] clock(Graph graph, int freeze) {
        Event next = graph.freeze(freeze);
        Event last = next == null ? null : graph.previous(next);
        return last == null ? NOTHING : last.before;
    }

    @SuppressWarnings("NullAway") // both are there
    private static int[] union(int[] one, int[] other) {
        return one.length == 0 ? other : other.length == 0 ? one : Clock.union(one, other);
    }

    /** The object has been seen in one more way, which gives this. Returns whether its cover is another one now. */
    private boolean see(Map<Integer, int[]> covers, int object, int[] given) {
        int[] was = covers.get(object);
        int[] is = given.length == 0 || !subject.isCovered(object)
                ? NOTHING
                : was == null ? given : Clock.least(was, given);
        covers.put(object, is);
        return was == null || was != is && !Arrays.equals(was, is);
    }
}
