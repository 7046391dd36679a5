package dev.cqs;

import static dev.cqs.CellState.BROKEN;
import static dev.cqs.CellState.CANCELLED;
import static dev.cqs.CellState.CANCELLING;
import static dev.cqs.CellState.REFUSED;
import static dev.cqs.CellState.RESUMED;
import static dev.cqs.CellState.TAKEN;

import dev.cqs.internal.Rehearsal;
import dev.cqs.internal.Spin;
import dev.cqs.internal.UncaughtExceptions;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a queue: what happens when a request, a resume and a cancellation meet in one of them. The subclass decides
 * which cell belongs to which request. The overview of {@link CancellableQueueSynchronizer} has the protocol as a table.
 *
 * @param <T> what a resume hands to a waiter
 */
abstract class QueueCells<T> extends QueueCounters {
    static {
        Rehearsal.initialize(MethodHandles.lookup(), CellState.class, Spin.class, UncaughtExceptions.class);
        Spin.pause(0);
    }

    private final boolean async;
    final boolean smart;

    QueueCells(ResumeMode resumeMode, CancellationMode cancellationMode) {
        this.async = resumeMode == ResumeMode.ASYNC;
        this.smart = cancellationMode == CancellationMode.SMART;
        Segment first = new Segment(this, 0, null, 2);
        this.tail = first;
        this.head = first;
    }

    // Suspending

    /**
     * Checks the preconditions of {@code suspend} on a waiter, for a primitive that has to know them before it counts the
     * request, or while it can still take the request back.
     *
     * @throws IllegalStateException if the waiter is in a queue already
     * @throws NullPointerException if it is {@code null}
     */
    public static void checkNew(Waiter waiter) {
        if (waiter.cellRef != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
    }

    /**
     * Puts the waiter into this cell, or hands it the value that was in the cell first; {@code from} is not beyond the cell.
     *
     * @return {@code false} if the cell is broken, in SYNC mode only
     */
    final boolean suspendAt(Segment from, long i, Waiter waiter) {
        Segment segment = findAndMoveTail(from, i >> Segment.SHIFT);
        int index = (int) i & Segment.MASK;
        waiter.index = (short) index;
        waiter.cellRef = segment; // both before the CAS, which publishes them
        if (segment.casCell(index, null, waiter)) {
            return true;
        }
        waiter.cellRef = null;
        T value = takeValue(segment, index);
        if (value == null) {
            return false;
        }
        if (!handOver(waiter, value)) {
            giveBackGuarded(value);
        }
        return true;
    }

    /** The value that a resume has left in the cell, or null if the cell is broken. */
    @SuppressWarnings("unchecked") // a cell that is not empty holds a T here, or BROKEN
    final @Nullable T takeValue(Segment segment, int index) {
        Object value = segment.cellAcquire(index);
        return value != BROKEN && segment.casCell(index, value, TAKEN) ? (T) value : null;
    }

    // Resuming

    /** How it ended: RESUMED if the value has an owner or was refused, or else BROKEN or CANCELLED. */
    final CellState resumeCell(Segment segment, int index, T value) {
        for (int turns = 0; ; ) {
            Object cell = segment.cellAcquire(index); // pairs with the CAS in suspendAt()
            if (cell instanceof Waiter waiter) {
                if (segment.casCell(index, waiter, RESUMED)) {
                    waiter.cellRef = null;
                    return resumeGuarded(waiter, value) ? RESUMED : resumeOwnerless(waiter, value);
                }
            } else if (cell == null) {
                if (segment.casCell(index, null, value)) {
                    return async ? RESUMED : awaitSuspender(segment, index, value);
                }
            } else if (cell == CANCELLED) {
                return CANCELLED;
            } else if (cell == REFUSED) {
                refuse(value);
                return RESUMED;
            } else if (!async) {
                turns = Spin.pause(turns); // CANCELLING: the canceller is deciding
            } else if (segment.casCell(index, CANCELLING, value)) {
                return RESUMED; // the canceller finishes this resume
            }
        }
    }

    private CellState awaitSuspender(Segment segment, int index, T value) {
        for (int turn = 0; turn < Spin.BOUND; turn++) {
            if (segment.cellAcquire(index) == TAKEN) {
                return RESUMED;
            }
            Thread.onSpinWait();
        }
        return segment.casCell(index, value, BROKEN) ? BROKEN : RESUMED;
    }

    /** Ends the resume of a cell whose waiter has answered that its owner is gone; what {@link #resumeCell} returns. */
    abstract CellState resumeOwnerless(Waiter waiter, T value);

    /** Ends a resume that was refused. */
    abstract void refuse(T value);

    // Cancelling

    /**
     * Takes the waiter out if it is in this queue. This differs from {@link Waiter#cancel}, which asks the queue that the
     * waiter is in: it does not take out a waiter that was moved to another queue, and does not call {@link #leave}.
     *
     * @return {@code false} if it is not in this queue, or not any more
     */
    public final boolean cancel(Waiter waiter) {
        return waiter.cellRef instanceof Segment segment
                && segment.queue == this
                && cancel(segment, waiter.index, waiter);
    }

    /**
     * Implements {@link Waiter#cancel} by {@link #cancel(Waiter)}. Overridden by a primitive whose state has to change before
     * the cell does: it takes the waiter out by {@code cancel(Waiter)} or {@link CancellableQueueSynchronizer#claim}, or not
     * at all.
     *
     * @return {@code true} if the waiter was taken out and will never be resumed; {@code false} if it has been resumed,
     *     or is about to be
     */
    @Override
    protected boolean leave(Waiter waiter) {
        return cancel(waiter);
    }

    private boolean cancel(Segment segment, int index, Waiter waiter) {
        if (!segment.casCell(index, waiter, smart ? CANCELLING : CANCELLED)) {
            return false;
        }
        waiter.cellRef = null;
        finishCancellation(segment, index, waiter);
        return true;
    }

    /** Follows the step that has made this cell CANCELLED, in SMART mode CANCELLING. */
    final void finishCancellation(Segment segment, int index, @Nullable Waiter waiter) {
        if (!smart) {
            segment.onCancelledCell();
        } else {
            decideCancellation(segment, index, waiter);
        }
    }

    /** Brings a CANCELLING cell to its end. */
    abstract void decideCancellation(Segment segment, int index, @Nullable Waiter waiter);

    // Handing over

    /**
     * Hands the value to a waiter that is in no cell: one that was {@linkplain CancellableQueueSynchronizer#claim claimed},
     * or one that did not have to wait.
     *
     * @return {@code false} if the owner was gone by a way that the queue cannot see; the caller still has the value
     */
    public final boolean handOver(Waiter waiter, T value) {
        return resumeGuarded(waiter, value);
    }

    static boolean resumeGuarded(Waiter waiter, Object value) {
        try {
            return waiter.tryResume(value);
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
            return true;
        }
    }

    /** What a primitive does with a value that has no owner; see the subclasses. */
    abstract void giveBack(T value);

    final void giveBackGuarded(T value) {
        try {
            giveBack(value);
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
        }
    }
}
