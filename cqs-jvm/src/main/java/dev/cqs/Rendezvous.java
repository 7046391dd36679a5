package dev.cqs;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Matches callers of two sides in pairs: the caller that comes first waits for one of the other side. The base of hand-offs
 * such as {@link dev.cqs.sync.SynchronousQueue}, and of your own, an exchanger for instance.
 *
 * <p>At no time do both sides wait. A rendezvous decides <em>who is matched with whom</em>, and hands nothing over. The caller
 * that came second gets the {@link Waiter} of the caller that came first, reads the element from it, and resumes it by {@link
 * #handOver}.
 *
 * <ul>
 *   <li>{@link #fair}: waiters are matched in FIFO order.
 *   <li>{@link #unfair}: waiters are matched in LIFO order, which keeps few threads busy and the others asleep; a waiter may
 *       starve.
 * </ul>
 *
 * <p>A waiter is cancelled by {@link Waiter#cancel}, in constant time, amortized in an unfair rendezvous. A cancelled waiter is
 * never matched.
 *
 * <h2>Memory consistency</h2>
 *
 * Actions before a waiter is enqueued happen-before actions of its counterpart after it was matched with the waiter. Actions
 * before {@code handOver} happen-before actions of the owner of the waiter after it has seen the value.
 *
 * <h2>Example: two threads exchange their objects</h2>
 *
 * <pre>{@code
 * final class Exchange {                                   // each left one is matched with a right one
 *     private final Rendezvous rendezvous = Rendezvous.fair();
 *
 *     Object exchange(Side side, Object mine) {
 *         Exchanging waiter = new Exchanging(mine);        // a Waiter with a field, and a park
 *         Waiter other = rendezvous.matchOrEnqueue(side, waiter);
 *         if (other == null) return waiter.await();
 *         Object theirs = ((Exchanging) other).brought;
 *         Rendezvous.handOver(other, mine);
 *         return theirs;
 *     }
 * }
 * }</pre>
 */
public sealed interface Rendezvous permits FairRendezvous, UnfairRendezvous {
    /** The two sides. */
    enum Side {
        /** Brings something, say. */
        SENDER,
        /** Comes for it. */
        RECEIVER
    }

    /**
     * Implemented by a {@link Waiter} that brings an element.
     *
     * @param <E> the element
     */
    interface Sender<E> {
        /** {@return the element; never {@code null}, and the same on each call} */
        E element();
    }

    /**
     * Creates a rendezvous where waiters are matched in FIFO order.
     *
     * @return a rendezvous without waiters
     */
    static Rendezvous fair() {
        return new FairRendezvous();
    }

    /**
     * Creates a rendezvous where waiters are matched in LIFO order.
     *
     * @return a rendezvous without waiters
     */
    static Rendezvous unfair() {
        return new UnfairRendezvous();
    }

    /**
     * Takes out the first waiter of the other side, if there is one. Never fails while one waits. The waiter can no longer be
     * cancelled then; the caller owes it a {@link #handOver}.
     *
     * @param side the side of the caller
     * @return the waiter, or {@code null} if none waits
     */
    @Nullable
    Waiter tryMatch(Side side);

    /**
     * Takes out the first waiter of the other side, or else enqueues this one, in one step.
     *
     * @param side the side of the waiter
     * @param waiter in no queue; not used if there is a counterpart
     * @return a waiter of the other side, to which the caller owes a {@link #handOver}: {@code waiter} is not enqueued then;
     *     or {@code null} if it is
     * @throws IllegalStateException if the waiter is in a queue already
     */
    @Nullable
    Waiter matchOrEnqueue(Side side, Waiter waiter);

    /**
     * Implements {@link Waiter#cancel}, for callers other than the owner of the waiter.
     *
     * @param waiter of this rendezvous, or of none
     * @return {@code false} if the waiter is not in this rendezvous, or not any more, or if its counterpart is on the way to it
     */
    boolean cancel(Waiter waiter);

    /**
     * Shows the waiters, first to last. Weakly consistent. It misses no waiter that waits from the beginning to the end of
     * this call, unless a counterpart is on the way to the waiter. It may show a waiter that leaves or comes meanwhile.
     *
     * @param action called with each waiter
     */
    void forEachWaiter(Consumer<? super Waiter> action);

    /**
     * Resumes a waiter that was matched, with this value, which must not be {@code null}.
     *
     * @param waiter from {@link #tryMatch} or {@link #matchOrEnqueue}, handed over once
     * @param value what its owner gets
     * @return {@code false} if its owner was gone by a way that the rendezvous cannot see; the caller still has the value
     */
    static boolean handOver(Waiter waiter, Object value) {
        Objects.requireNonNull(waiter, "waiter");
        Objects.requireNonNull(value, "value");
        return QueueHooks.resumeGuarded(waiter, value);
    }
}
