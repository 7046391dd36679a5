package dev.cqs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/*
 * The two sides of a queue, each on a cache line of its own, against false sharing: suspenders write one, resumers write the
 * other. The layout is made of superclasses, because a JVM may reorder the fields of a class but puts the fields of a
 * superclass first. It may fill a gap that a superclass leaves with fields of a subclass, hence the fillers.
 *
 * In a FairRendezvous (FR) the senders are the suspenders, and the receivers are the resumers.
 *
 *   field         read                                  written                           why
 *   ------------  ------------------------------------  --------------------------------  -------------------------------------
 *   suspendIndex  volatile: firstWaiter, forEachWaiter  fetch-and-add: each suspender     one suspender for each cell
 *                 volatile: FR tryMatch, FR cancel      CAS: FR tryMatch, FR raise        FR-1; CQS-1
 *   resumeIndex   volatile: raise, firstWaiter          fetch-and-add: each resumer       one resumer for each cell
 *                 volatile: FR tryMatch, FR cancel      CAS: raise, FR tryMatch           CQS-1; FR-1
 *   tail          volatile: suspender, before it takes  CAS: findAndMoveTail              CQS-2; the segment is published by
 *                 its index; acquire: moveForward                                         `next` before
 *   head          volatile: resumer, before it takes    CAS: findAndMoveHead              CQS-2; likewise
 *                 its index; acquire: moveForward
 *
 * The read-modify-writes are all volatile: primitives rely on a total order, see "Ordering" in CancellableQueueSynchronizer.
 */

/** What every {@code suspend} writes; in a {@link FairRendezvous}, every sender. */
abstract class SuspendSide {
    /**
     * Cells ever given to suspenders; fetch-and-add, in a {@link FairRendezvous} CAS as well. 64 bits: never wraps.
     */
    volatile long suspendIndex;

    /** Not beyond the cell of {@code suspendIndex}; moved forward by CAS. */
    @SuppressWarnings("NullAway.Init") // the constructors of the subclasses set it
    volatile Segment tail;

    int filler;
}

abstract class SidesApart extends SuspendSide {
    long p1, p2, p3, p4, p5, p6, p7;
}

/** What every {@code resume} writes; in a {@link FairRendezvous}, every receiver. */
abstract class ResumeSide extends SidesApart {
    /** Cells ever given to resumers; fetch-and-add, and raised over cancelled cells by CAS. */
    volatile long resumeIndex;

    /**
     * Not beyond the cell of {@code resumeIndex}, other than over cancelled cells; moved forward by CAS.
     */
    @SuppressWarnings("NullAway.Init") // the constructors of the subclasses set it
    volatile Segment head;

    int gap;
}

/** The counters with their access by mode, and the moves of the two pointers. */
abstract class QueueCounters extends ResumeSide {
    long q1, q2, q3, q4, q5, q6, q7;

    private static final VarHandle SUSPEND_INDEX;
    private static final VarHandle RESUME_INDEX;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SUSPEND_INDEX = lookup.findVarHandle(SuspendSide.class, "suspendIndex", long.class);
            RESUME_INDEX = lookup.findVarHandle(ResumeSide.class, "resumeIndex", long.class);
            TAIL = lookup.findVarHandle(SuspendSide.class, "tail", Segment.class);
            HEAD = lookup.findVarHandle(ResumeSide.class, "head", Segment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        new Rehearsed().rehearse();
    }

    /** Links each access: see Rehearsal. */
    final void rehearse() {
        Segment first = new Segment(this, 0, null, 2);
        tail = first;
        head = first;
        nextSuspendIndex();
        nextResumeIndices(1);
        raiseSuspendIndex(2);
        findAndMoveTail(first, 1);
        findAndMoveHead(first, 1);
    }

    final long nextSuspendIndex() {
        return (long) SUSPEND_INDEX.getAndAdd(this, 1L);
    }

    final long nextResumeIndices(long count) {
        return (long) RESUME_INDEX.getAndAdd(this, count);
    }

    final boolean casSuspendIndex(long expected, long replacement) {
        return SUSPEND_INDEX.compareAndSet(this, expected, replacement);
    }

    final boolean casResumeIndex(long expected, long replacement) {
        return RESUME_INDEX.compareAndSet(this, expected, replacement);
    }

    /** Makes the resume index at least {@code least}. All cells below must need no resume any more. */
    final void raiseResumeIndex(long least) {
        for (long seen = resumeIndex; seen < least && !casResumeIndex(seen, least); ) {
            seen = resumeIndex;
        }
    }

    /** The same for the other index; all cells below must need no suspender any more. */
    final void raiseSuspendIndex(long least) {
        for (long seen = suspendIndex; seen < least && !casSuspendIndex(seen, least); ) {
            seen = suspendIndex;
        }
    }

    /** Approximately the index of the first waiter. */
    long firstIndex() {
        return resumeIndex;
    }

    /** Takes the waiter out of its cell; implements {@link Waiter#cancel}. */
    abstract boolean leave(Waiter waiter);

    /** Finds the segment of a suspender's cell and lets the tail stand on it, or further on. */
    final Segment findAndMoveTail(Segment from, long id) {
        for (; ; ) {
            Segment found = from.find(id);
            if (moveForward(TAIL, found)) {
                return found;
            }
        }
    }

    /**
     * Finds the segment of a resumer's cell, or the next live one after it, and lets the head stand on it,
     * or further on.
     */
    final Segment findAndMoveHead(Segment from, long id) {
        for (; ; ) {
            Segment found = from.find(id);
            if (moveForward(HEAD, found)) {
                return found;
            }
        }
    }

    /** False if {@code to} was removed before the pointer could enter it: then it must be found anew. */
    private boolean moveForward(VarHandle pointer, Segment to) {
        for (; ; ) {
            Segment at = (Segment) pointer.getAcquire(this);
            if (at.id >= to.id) {
                return true;
            }
            if (!to.enter()) {
                return false;
            }
            if (pointer.compareAndSet(this, at, to)) {
                at.leave();
                return true;
            }
            to.leave();
        }
    }

    /** Counters that belong to no queue. */
    private static final class Rehearsed extends QueueCounters {
        @Override
        boolean leave(Waiter waiter) {
            return false;
        }
    }
}
