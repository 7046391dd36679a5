package dev.cqs;

import org.jspecify.annotations.Nullable;

/**
 * A caller that waits in a {@link CancellableQueueSynchronizer} or a {@link Rendezvous}: a parked thread, a suspended
 * coroutine, an incomplete future.
 *
 * <p>The queue decides <em>who is next</em>; a waiter knows only <em>how its owner waits</em>. A waiter is made for one
 * request. It is given to {@link CancellableQueueSynchronizer#suspend suspend} or {@link Rendezvous#matchOrEnqueue
 * matchOrEnqueue} and then ends in exactly one of two ways:
 *
 * <ul>
 *   <li>the resumer calls {@link #tryResume} once, with the value for the owner; or
 *   <li>{@link #cancel} returns {@code true}, and {@link #tryResume} is never called.
 * </ul>
 *
 * <p>Which of the two happens is decided once, in the waiter's cell.
 *
 * <h2>A waiter that parks a thread</h2>
 *
 * <pre>{@code
 * final class Parked extends Waiter {
 *     private volatile Object slot = Thread.currentThread();
 *
 *     protected boolean tryResume(Object value) {
 *         Thread thread = (Thread) slot;
 *         slot = value;
 *         LockSupport.unpark(thread);
 *         return true;
 *     }
 *
 *     Object await() throws InterruptedException {
 *         boolean interrupted = false;
 *         while (slot == Thread.currentThread()) {
 *             LockSupport.park(this);
 *             if (Thread.interrupted()) {
 *                 if (cancel()) throw new InterruptedException();
 *                 interrupted = true;                        // too late: the value is on its way
 *             }
 *         }
 *         if (interrupted) Thread.currentThread().interrupt();
 *         return slot;
 *     }
 * }
 * }</pre>
 */
public abstract class Waiter {
    /*
     * Overview.
     *
     * A waiter knows its cell from the moment at which it is enqueued, so that cancelling costs no search: in a queue the
     * segment and the index of the cell there, in an UnfairRendezvous the node.
     *
     *   field    read                         written                            why
     *   -------  ---------------------------  ---------------------------------  ---------------------------------------------
     *   cellRef  plain: canceller, suspender  plain: enqueuer, before the CAS    that CAS publishes both fields, to the side
     *                                         into the cell                      that reads the waiter out of the cell
     *                                         plain null: the side that takes    a waiter that its owner keeps must not keep
     *                                         the waiter out of the cell         the chain of segments behind it reachable
     *   index    plain: canceller             plain: enqueuer, before the CAS    as cellRef
     *
     * A canceller that races with the store of null reads either value. Both are right: with the old one its compare-and-set
     * on the cell fails, or, in a FairRendezvous, its look at the index.
     *
     * The index races only if a waiter is moved from one queue to another while its owner cancels it in the first. With the
     * segment of one and the index of the other, that compare-and-set fails as well: see Condition.
     */
    @Nullable
    CellRef cellRef;

    short index; // two bytes, so that two flags of subclasses fit beside it in a waiter of 24 bytes

    /** Creates a waiter that is in no queue. */
    protected Waiter() {}

    /**
     * Hands the value of a resume to the owner and wakes it. Called at most once, by the thread that resumes,
     * after the waiter has left its cell, or by {@code suspend} itself when the value was in the cell first.
     *
     * <p>It must not throw and must not wait. If it throws all the same, the exception goes to the uncaught-exception
     * handler of the current thread, and the waiter counts as resumed. A waiter whose resume runs the owner's code in
     * place has to bound the depth of the stack itself.
     *
     * @param value the argument of {@code resume}; never {@code null}
     * @return {@code true} if the owner will see the value; {@code false} if the owner is gone for good by a
     *     way that did not pass through {@link #cancel}: the queue then treats the waiter as cancelled
     */
    protected abstract boolean tryResume(Object value);

    /**
     * Takes this waiter out of its queue, in constant time (amortized, in an unfair {@link Rendezvous}). Must not be called
     * before {@code suspend} or {@code matchOrEnqueue} has returned.
     *
     * @return {@code true} if the waiter was still in its cell: it will never be resumed; {@code false} if it
     *     has been resumed, or a resumer is on the way to it: the value has arrived or is about to
     */
    protected final boolean cancel() {
        CellRef at = cellRef;
        return at != null && at.cancel(this);
    }

    /**
     * {@return whether this waiter is among the first in its queue: at most one other is before it} A hint for an owner
     * that treats short waits in another way. It may be {@code false} for a first waiter while cancelled waiters before
     * it have not been passed, and in a {@link NumberedQueue} it has no meaning.
     */
    protected final boolean isAmongFirst() {
        CellRef at = cellRef;
        return at == null || at.isAmongFirst(index);
    }
}
