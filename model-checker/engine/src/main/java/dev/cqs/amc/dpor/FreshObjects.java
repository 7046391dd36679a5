package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import org.jspecify.annotations.Nullable;

/**
 * The objects whose maker keeps its accesses to them out of the graph as long as no other thread can know the object: the
 * object is collapsed. Finds out when that is wrong; then the object is expanded, and the search begins anew.
 */
final class FreshObjects {
    /*
     * What is collapsed. As long as only its maker A can know an object O, A's accesses to O are no events. When others
     * may know O, A adds its last values as writes, the flush; where the last value is 0 or null, the initial write stands for
     * it. The event of A that follows the flush is the publication P of O: it, or a later one, gives O away.
     *
     * FRESH-1. If every access of another thread to O comes in happens-before after P, then the graphs with O collapsed are
     * those with O expanded, without its private accesses. To come after P means here that P happens before the event that
     * precedes the access in its thread: what the access itself reads does not count.
     *
     *   Nothing is lost. All private accesses happen before all accesses of other threads to O. So by coherence no other thread
     *   reads what is older than the last private write, and all other writes to O come after it. Take the private accesses
     *   out of such a graph: no other event reads from them, but from the last write of each location, for which the flush
     *   stands; and all reads of that come after P anyway, so no synchronization is lost or gained, whatever the modes were.
     *   Fences and other events of A between the private writes and P are no matter, as the flush is ordered by P alone.
     *
     *   Nothing is added, with one exception, which is wanted. The flush is read and overwritten by what comes after P only, so every path
     *   through it has a shorter one through P: under SC, and under TSO, where A's events before a write take effect before
     *   that write. Under RC11, psc asks for neighbours at other locations, so a flush between two accesses of one location
     *   would make an order that is not there in truth: a flush takes no part in psc (see Rc11). Under JLS happens-before
     *   counts as it is.
     *
     *   The exception: private accesses that order others. On x86 a volatile write and any read-modify-write is a barrier for
     *   all other accesses of A, but not if O is private: HotSpot removes the barrier of a write to an object that does not
     *   escape, and a compiler may make an object only where it escapes. So under TSO private accesses are no barriers,
     *   in an expanded object either (see TotalStoreOrder). Under RC11 a private volatile access may be the neighbour at another
     *   location that psc asks for. Without it there are more executions, not fewer; so it is for a variable that no other
     *   thread ever knows, which a compiler may take away.
     *
     * FRESH-2. If an expanded graph has an access of another thread to O that does not come after P, then a graph of the
     * collapsed search has one, to O or to another collapsed object. Take the first such access in an order in which the events
     * can be added. By FRESH-1, what comes before it is a graph of the collapsed search. The threads have read the same, so the
     * next step of that thread is this access; the search adds it in each of the executions that go on from there. It is looked
     * at when it is added, also in a round of a loop that is tried and fails, and before races are looked for: a race with a
     * flush would be a false one if a release fence comes between the private writes and P.
     *
     * So the search with O collapsed is right if it comes to its end, or to an error, without such an access. If it comes upon
     * one, then it has told nothing; all objects of that kind are expanded, for the whole search, and it begins anew. A kind is
     * what the subject makes of it (the class, or where an array is made), so it is the same for threads with the same
     * code (see SymmetryReduction). There are finitely many kinds, so this ends. To expand an object in the midst of a search would make the
     * events of its maker depend on more than what that has read: histories (see Histories) and replays would not fit.
     *
     * Objects in one another. To give O away is to give away all that it refers to. What O refers to is flushed first, so its P
     * is P of O, or one of the writes of the flush of O, which no event reads that does not come after P of O. What is stored in
     * an expanded object is given away by that store, as another thread may come to read it there. FRESH-1 asks for no more
     * than that no event before P has the number of O.
     *
     * Threads, monitors, final fields. A start gives away the thread: the creation is P, and happens before all the new
     * thread does. A monitor has a location of its own, which is never collapsed. Final fields are no accesses; what they refer
     * to is flushed with their holder.
     *
     * P is kept with the event: when the graph grows from memory, the event brings it along; when a RestrictedGraph or a failed round
     * takes the event out, O is unknown again.
     */

    private final Subject subject;
    private final Findings findings;

    FreshObjects(Subject subject, Findings findings) {
        this.subject = subject;
        this.findings = findings;
    }

    /** Looks at an access, which is about to be added after {@code previous} (may be null). */
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
        if (!findings.mustBeginAnew()) {
            subject.expand(object);
            findings.beginAnew();
        }
    }
}
