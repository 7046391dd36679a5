package dev.cqs;

import static dev.cqs.CellState.RESUMED;

import org.jspecify.annotations.Nullable;

/**
 * A queue whose primitive numbers the requests itself. The primitive takes the number of a request from its own state, and
 * that is the number of its cell. So requests that belong together, the parties of one round of a barrier for example, have
 * neighbouring cells and can be resumed together, independently of other waiters.
 *
 * <p>It is in ASYNC mode: a value that comes before its request waits in the cell. Cancellation is SIMPLE: a cell whose
 * waiter was cancelled is passed.
 *
 * <pre>{@code
 * CellRef from = queue.suspendRef();          // before the number is taken
 * long number = ...;                          // from the primitive's state, by an atomic step
 * queue.suspendAt(from, number, waiter);
 *
 * CellRef from = queue.resumeRef();           // before the step that decides on the resume
 * queue.resumeAt(from, number, count, value);
 * }</pre>
 *
 * <p><b>Memory consistency.</b> Actions of a thread before it resumes a number happen-before actions of the owner of the
 * waiter with that number after it has seen the value.
 *
 * @param <T> what a resume hands to a waiter
 */
public class NumberedQueue<T> extends QueueCells<T> {
    /*
     * The cells and their life are those of a CancellableQueueSynchronizer, without its two counters. Its rule for pointers
     * (CQS-2) is a duty of the primitive here:
     *
     *   NQ-1  A pointer that was read before a number was taken is not beyond the cell of that number, if by then only
     *         requests with smaller numbers may have moved it.
     */

    /** Creates an empty queue. */
    public NumberedQueue() {
        super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
    }

    /** {@return where to look for cells to suspend in; to be read before the number is taken} */
    public final CellRef suspendRef() {
        return tail;
    }

    /**
     * {@return where to look for cells to resume; to be read before the step after which other cells may be resumed}
     */
    public final CellRef resumeRef() {
        return head;
    }

    /**
     * Puts the waiter into the cell of this number, or hands it the value that was there first.
     *
     * @param from from {@link #suspendRef}, read before the number was taken
     * @param number of the cell; each is used once by a waiter
     * @param waiter in no queue
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public final void suspendAt(CellRef from, long number, Waiter waiter) {
        checkNew(waiter);
        suspendAt((Segment) from, number, waiter); // ASYNC: no cell is ever broken
    }

    /**
     * Resumes {@code count} cells from this number on, each with this value; passes cells that were cancelled.
     *
     * @param from from {@link #resumeRef}
     * @param number of the first cell
     * @param count how many cells
     * @param value what the waiters are resumed with; not {@code null}
     */
    public final void resumeAt(CellRef from, long number, int count, T value) {
        resume((Segment) from, number, count, value, true);
    }

    /**
     * The same out of turn: cells before this number are still to be resumed.
     *
     * @param from from {@link #resumeRef}
     * @param number of the first cell
     * @param count how many cells
     * @param value what the waiters are resumed with; not {@code null}
     */
    public final void resumeAhead(CellRef from, long number, int count, T value) {
        resume((Segment) from, number, count, value, false);
    }

    private void resume(Segment from, long number, int count, T value, boolean inTurn) {
        Segment at = from;
        long end = number + count;
        for (long i = number; i < end; ) {
            if (inTurn) {
                at = findAndMoveHead(at, i >> Segment.SHIFT);
                at.clearPrev();
            } else {
                at = at.find(i >> Segment.SHIFT); // head stays behind: NQ-1
            }
            if (at.firstIndex() > i) { // all cells between are cancelled
                i = at.firstIndex();
                continue;
            }
            resumeCell(at, (int) i & Segment.MASK, value);
            i++;
        }
    }

    /**
     * {@return the number of the cell in which the waiter is, or -1 if it has been resumed or cancelled}
     *
     * @param waiter of this queue
     */
    public final long numberOf(Waiter waiter) {
        return waiter.cellRef instanceof Segment segment && segment.queue == this
                ? segment.firstIndex() + waiter.index
                : -1;
    }

    /**
     * Takes back a value whose waiter was gone by a way that did not pass through {@link Waiter#cancel}: its {@link
     * Waiter#tryResume} has answered {@code false}. Drops the value unless overridden.
     */
    @Override
    protected void giveBack(T value) {}

    // For the cells

    @Override
    final CellState resumeOwnerless(Waiter waiter, T value) {
        giveBackGuarded(value);
        return RESUMED;
    }

    @Override
    final void refuse(T value) {
        throw new AssertionError(); // in SMART mode only
    }

    @Override
    final void decideCancellation(Segment segment, int index, @Nullable Waiter waiter) {
        throw new AssertionError(); // in SMART mode only
    }
}
