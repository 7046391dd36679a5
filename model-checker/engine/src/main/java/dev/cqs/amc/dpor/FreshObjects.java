package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import org.jspecify.annotations.Nullable;

/**
 * Escape analysis of new objects. Accesses of the maker to an object that has not escaped are left out of the graph:
 * the object is collapsed. This class detects when that is unsound. Then the object is expanded, and the search
 * restarts.
 */
final class FreshObjects {
    /*
     * Collapsing. Until an object O escapes the thread A that made it, A's accesses to O are not events; they are
     * called private. When O escapes, A adds the last values of O as writes, the flush; the initial write stands for a
     * last value of 0 or null. The event of A after the flush is the publication P of O. O escapes by P or by a later
     * event.
     *
     * FRESH-1. If every access of another thread to O happens after P, then the graphs with O collapsed are those with
     * O expanded, without the private accesses. Here an access happens after P if P happens before the event that
     * precedes the access in its thread: the access's own reads-from edge does not count.
     *
     *   Nothing is lost. All private accesses happen before all accesses of other threads to O. So by coherence no
     *   other thread reads an older value than that of the last private write, and all other writes to O come later in
     *   coherence order. Remove the private accesses from such a graph. Other events read only from the last private
     *   write of each location, which the flush replaces. These reads happen after P anyway, so no synchronizes-with
     *   edge is lost or gained, whatever the modes were. Fences and other events of A between the private writes and P
     *   do not matter, because the flush is ordered by P alone.
     *
     *   Nothing is added, with one intended exception. Only events after P read or overwrite the flush, so every path
     *   through it has a shorter one through P. This holds under SC, and under TSO, where A's events before a write
     *   take effect before that write. Under RC11, psc depends on program order neighbours at other locations, so a
     *   flush between two accesses of one location would add an order that does not exist: a flush is no part of psc
     *   (see Rc11). Under JLS happens-before counts unconditionally.
     *
     *   The exception: private accesses that order other accesses. On x86 a volatile write and any read-modify-write is
     *   a barrier for all other accesses of A, but not if O is private: HotSpot removes the barrier of a write to an
     *   object that does not escape, and a compiler may delay the allocation of an object to where it escapes. So under
     *   TSO private accesses are no barriers, not even those of an expanded object (see TotalStoreOrder). Under RC11 a
     *   private volatile access may be the neighbour at another location that psc depends on. Without it there are more
     *   executions, not fewer, as for a variable that never escapes, which a compiler may remove.
     *
     * FRESH-2. If an expanded graph has an access of another thread to O that does not happen after P, then a graph of
     * the collapsed search has one, to O or to another collapsed object. Take the first such access in an order in
     * which the events can be added. By FRESH-1, the events before it form a graph of the collapsed search. The threads
     * have read the same values, so the next step of that thread is this access, and the search adds it in each
     * execution that extends this graph. The access is checked when it is added, even in an iteration that is tried and
     * fails, and before races are checked: a race with a flush could be spurious if a release fence is between the
     * private writes and P.
     *
     * So the search with O collapsed is sound if it ends, or finds an error, without such an access. If it meets one,
     * its findings are dropped, all objects of that kind are expanded for the whole search, and the search restarts.
     * The subject defines the kinds: the class of an object, or the allocation site of an array. So kinds are the same
     * for symmetric threads (see SymmetryReduction), and there are finitely many, so this ends. Expanding an object in
     * the middle of a search would make the events of its maker depend on more than the values that the maker read:
     * histories (see Histories) and replays would no longer match.
     *
     * References between objects. When O escapes, all objects that it refers to escape. They are flushed first, so
     * their P is that of O, or one of the writes of the flush of O, which only events after P of O read. A reference
     * that is stored in an expanded object escapes by that store, because another thread may read it there. FRESH-1
     * requires only that no event before P has the number of O as a value.
     *
     * Threads, monitors, final fields. A thread object escapes by its start: the creation is P, and happens before all
     * events of the new thread. A monitor has a location of its own, which is never collapsed. Accesses to final fields
     * are not events; the objects that they refer to are flushed with their holder.
     *
     * P is stored in the event: a memoized step carries it along, and when a RestrictedGraph or a failed iteration
     * removes the event, O has not escaped again.
     */

    private final Subject subject;
    private final Findings findings;

    FreshObjects(Subject subject, Findings findings) {
        this.subject = subject;
        this.findings = findings;
    }

    /** Checks an access that is about to be added after {@code previous} (may be null): FRESH-2. */
    void check(Graph graph, Event access, @Nullable Event previous) {
        int object = subject.collapsed(access.location);
        if (object >= 0) {
            Event publication = graph.publication(object);
            if (publication != null
                    && publication.thread != access.thread
                    && !Clock.has(previous == null ? null : previous.before, publication)) {
                expand(object);
            }
        }
    }

    private void expand(int object) {
        if (!findings.mustRestart()) {
            subject.expand(object);
            findings.restart();
        }
    }
}
