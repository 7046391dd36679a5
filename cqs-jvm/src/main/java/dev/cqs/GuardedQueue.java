package dev.cqs;

import static dev.cqs.CellState.CANCELLED;

/**
 * A queue under a lock of the primitive, the condition queue of a mutex for example: whoever holds the lock enqueues waiters
 * and takes out the first, and only giving up needs no lock. Waiters are taken out by {@link #claim} and never resumed here.
 *
 * <p>The holder of the lock has the indices for itself, so putting a waiter in and taking it out are one compare-and-set each,
 * that on its cell. {@link #first} may be called without the lock as well.
 *
 * <p>The methods of the superclass that count requests or resume them are not for a queue of this kind.
 *
 * <pre>{@code
 * queue.enqueue(waiter);                      // holding the lock
 *
 * Waiter first = queue.first();               // likewise
 * if (first != null && queue.claim(first)) {  // otherwise it has given up: the next one
 *     queue.handOver(first, value);
 * }
 * }</pre>
 *
 * @param <T> what is handed to a waiter
 */
public class GuardedQueue<T> extends CancellableQueueSynchronizer<T> {
    /*
     * The cells and their life are those of the superclass in SIMPLE mode, of which only EMPTY, WAITER and CANCELLED occur.
     * As no resume is ever on its way to a cell, nobody is owed one:
     *
     *   - The cells say all. The queue ends at the first empty cell, and begins after the last of those that are cancelled
     *     from its beginning on. The indices only say where to begin to look, so they need no atomic operation:
     *     release stores, of which one that comes late can only set an index back, to cells that are passed once more.
     *   - A cell that is claimed is passed, in the segment on which head stands, so it is not counted: see claim().
     *
     * The lock keeps the order of those who come, not their safety: two that put waiters in at a time try for the same
     * cell, and one of them takes the next.
     *
     * Ordering. Who looks without the lock, to find all who had come before it changed something, relies on the
     * volatile access to the cells alone: the waiter is put in by a compare-and-set, before its side looks at what was
     * changed. Those who hold the lock are ordered by that.
     */

    /** Creates an empty queue. */
    public GuardedQueue() {
        super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
    }

    /**
     * Puts the waiter at the end of the queue; for the holder of the lock.
     *
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public final void enqueue(Waiter waiter) {
        if (waiter.place != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
        Segment at = tail;
        for (long i = suspendIndex; ; i++) {
            at = findAndMoveTail(at, i >> Segment.SHIFT);
            i = Math.max(i, at.firstIndex());
            int index = (int) i & Segment.MASK;
            waiter.index = (short) index;
            waiter.place = at; // both before the CAS, which publishes them
            setSuspendIndex(i + 1);
            if (at.casCell(index, null, waiter)) {
                return;
            }
        }
    }

    /** The first waiter in the queue, or {@code null} if there is none. Passes cancelled and claimed cells for good. */
    public final Waiter first() {
        Segment at = head;
        for (long i = resumeIndex; ; ) {
            at = at.findPresent(i >> Segment.SHIFT);
            if (at == null) {
                return null;
            }
            at = findAndMoveHead(at, at.id);
            at.clearPrev();
            i = Math.max(i, at.firstIndex()); // all cells between are cancelled
            if (i > resumeIndex) {
                setResumeIndex(i);
            }
            int index = (int) i & Segment.MASK;
            Object cell = at.cellVolatile(index); // "change something, then look", against enqueue()
            if (cell != CANCELLED) {
                return (Waiter) cell;
            }
            i = at.firstIndex() + at.endOfCancelledHere(index);
        }
    }
}
