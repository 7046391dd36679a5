package dev.cqs;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Where callers of two kinds meet, in pairs: who comes first waits for one of the other side. The base of hand-offs such as
 * {@link dev.cqs.sync.SynchronousQueue}, and for your own, an exchanger for instance.
 *
 * <p>At no time do both sides wait. A meeting point decides <em>who meets whom</em>, and hands nothing over: the one who
 * came second gets the {@link Waiter} of the one who came first, reads from it what it brings, and resumes it by {@link
 * #handOver}.
 *
 * <ul>
 *   <li>{@link #fair}: those who wait are met first in, first out.
 *   <li>{@link #unfair}: who came last is met first, which keeps few threads busy and the others asleep.
 * </ul>
 *
 * <p>A waiter is cancelled by {@link Waiter#cancel}, in constant time, at an unfair point on the average; it is then met by
 * nobody.
 *
 * <h2>Memory consistency</h2>
 *
 * What is done before a waiter enters happens-before what is done by the one who meets it, after that. What is done before
 * {@code handOver} happens-before what the owner of the waiter does after it has seen the value.
 *
 * <h2>Example: two threads exchange their objects</h2>
 *
 * <pre>{@code
 * final class Exchange {                                   // each left one meets a right one
 *     private final Rendezvous point = Rendezvous.fair();
 *
 *     Object exchange(Side side, Object mine) {
 *         Bringing waiter = new Bringing(mine);            // a Waiter with a field, and a park
 *         Waiter other = point.enter(side, waiter);
 *         if (other == null) return waiter.await();
 *         Object theirs = ((Bringing) other).brought;
 *         Rendezvous.handOver(other, mine);
 *         return theirs;
 *     }
 * }
 * }</pre>
 */
public sealed interface Rendezvous permits FairRendezvous, UnfairRendezvous {
    /** The two kinds of callers. */
    enum Side {
        /** Brings something, say. */
        SENDER,
        /** Comes for it. */
        RECEIVER
    }

    /** Creates a meeting point where those who have waited longest are met first. */
    static Rendezvous fair() {
        return new FairRendezvous();
    }

    /** Creates a meeting point where those who came last are met first. */
    static Rendezvous unfair() {
        return new UnfairRendezvous();
    }

    /**
     * Takes out the first waiter of the other side, if there is one. Never fails while one waits. It can no longer be
     * cancelled then; the caller owes it a {@link #handOver}.
     *
     * @param side the side of the caller
     * @return the waiter, or {@code null} if nobody waits
     */
    Waiter meet(Side side);

    /**
     * Takes out the first waiter of the other side, or else lets this one wait, in one step.
     *
     * @param side the side of the waiter
     * @return a waiter of the other side, to which the caller owes a {@link #handOver}: {@code waiter} is not waiting then;
     *     or {@code null} if it is
     * @throws IllegalStateException if the waiter is waiting already
     */
    Waiter enter(Side side, Waiter waiter);

    /**
     * What {@link Waiter#cancel} does, for others than the owner of the waiter.
     *
     * @return {@code false} if it does not wait here, or no longer, or if one of the other side is on its way to it
     */
    boolean takeOut(Waiter waiter);

    /**
     * Shows those who wait, first to last. Weakly consistent: it misses nobody who waits from the beginning to the end of
     * this call and to whom nobody is on the way, and may show one who leaves or comes meanwhile.
     */
    void forEachWaiter(Consumer<? super Waiter> action);

    /**
     * Resumes a waiter that was taken out, with this value, which must not be {@code null}.
     *
     * @return {@code false} if its owner was gone by a way that the meeting point cannot see; the value is still the
     *     caller's
     */
    static boolean handOver(Waiter waiter, Object value) {
        Objects.requireNonNull(waiter, "waiter");
        Objects.requireNonNull(value, "value");
        return QueueHooks.resumeGuarded(waiter, value);
    }
}
