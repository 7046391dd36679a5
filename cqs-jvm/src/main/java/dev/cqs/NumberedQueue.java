package dev.cqs;

/**
 * A queue whose primitive numbers the requests itself. The number of a request, which the primitive takes from its own
 * state, is the number of its cell, so requests that belong together, the parties of one round of a barrier for
 * example, have neighbouring cells and can be resumed together, whoever else waits.
 *
 * <p>It is in ASYNC mode: a value that comes before its request waits in the cell. Cancellation is SIMPLE: a cell whose
 * waiter was cancelled is passed.
 *
 * <p>The methods of the superclass that number requests themselves, such as {@code suspend} and {@code resume}, and those
 * that look at its counts, are not for a queue of this kind.
 *
 * <pre>{@code
 * Place place = queue.suspendPlace();         // before the number is taken
 * long number = ...;                          // from the primitive's state, by an atomic step
 * queue.suspendAt(place, number, waiter);
 *
 * Place place = queue.resumePlace();          // before the step that decides on the resume
 * queue.resumeAt(place, number, count, value);
 * }</pre>
 *
 * @param <T> what a resume hands to a waiter
 */
public class NumberedQueue<T> extends CancellableQueueSynchronizer<T> {
    /*
     * The cells and their life are those of the superclass, without its two counters. What it says of its pointers
     * (I5) is here a duty of the primitive: a pointer read before the number was taken is not beyond the cell of that
     * number, if those who have taken smaller numbers, and they alone, may have moved it by then.
     */

    /** Creates an empty queue. */
    public NumberedQueue() {
        super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
    }

    /** Where to look for cells to suspend in; to be read before the number is taken. */
    public final CellRef suspendPlace() {
        return tail;
    }

    /** Where to look for cells to resume; to be read before the step after which other cells may be resumed. */
    public final CellRef resumePlace() {
        return head;
    }

    /**
     * Puts the waiter into the cell of this number, or hands it the value that was there first.
     *
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public final void suspendAt(CellRef place, long number, Waiter waiter) {
        if (waiter.place != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
        suspendAt((Segment) place, number, waiter);
    }

    /** Resumes so many cells from this number on, each with this value; those that were cancelled are passed. */
    public final void resumeAt(CellRef place, long number, int count, T value) {
        resume((Segment) place, number, count, value, true);
    }

    /** The same out of turn: cells before this number are still to be resumed. */
    public final void resumeAhead(CellRef place, long number, int count, T value) {
        resume((Segment) place, number, count, value, false);
    }

    private void resume(Segment from, long number, int count, T value, boolean inTurn) {
        Segment at = from;
        long end = number + count;
        for (long i = number; i < end; ) {
            if (inTurn) {
                at = findAndMoveHead(at, i >> Segment.SHIFT);
                at.clearPrev();
            } else {
                at = at.find(i >> Segment.SHIFT); // head stays behind: I5
            }
            if (at.firstIndex() > i) { // all cells between are cancelled
                i = at.firstIndex();
                continue;
            }
            resumeCell(at, (int) i & Segment.MASK, value);
            i++;
        }
    }

    /** The number of the cell in which the waiter is, or -1 if it has been resumed or cancelled. */
    public final long numberOf(Waiter waiter) {
        return waiter.place instanceof Segment segment && segment.queue == this
                ? segment.firstIndex() + waiter.index
                : -1;
    }
}
