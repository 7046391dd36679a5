package dev.cqs;

import static dev.cqs.CellState.BROKEN;
import static dev.cqs.CellState.CANCELLED;
import static dev.cqs.CellState.RESUMED;

import dev.cqs.internal.Spin;
import java.util.Objects;
import java.util.function.Consumer;

/** The fair meeting point: the n-th sender meets the n-th receiver, in the n-th cell. */
final class FairRendezvous extends QueueCounters implements Rendezvous {
    /*
     * Overview.
     *
     * The infinite array of cells with its two counters, one for each side. Each of them is taken by fetch-and-add, and
     * each cell has one visitor of either side. Who comes first waits in it, who comes second takes him out:
     *
     *      receivers' index          senders' index
     *            |                         |
     *            v                         v
     *      [ met | sender | gone | sender |  -  |  -         two senders wait; had receivers come more often,
     *                                                        their index would be ahead, and receivers wait
     *
     *               X: either side, Y: the other one
     *
     *                 X enters              Y meets
     *        EMPTY --------------> WAITER ---------> RESUMED
     *          |                     |
     *          | Y gives up          | X cancels
     *          v                     v
     *        BROKEN               CANCELLED
     *
     *   cell        who enters                    who only meets, and its index is behind
     *   ----------  ----------------------------  ---------------------------------------------
     *   EMPTY       CAS to the own waiter         wait for a moment, then CAS to BROKEN: next
     *   WAITER      store of RESUMED: met         store of RESUMED: met
     *    leaving    CAS to RESUMED: met           CAS to RESUMED: met
     *   CANCELLED   next, behind the run of them  next, behind the run of them
     *   BROKEN      next                          -
     *
     *   I1  A waiter is cancelled only if, after its owner asked for that, the other index was not yet beyond its cell. So
     *       whoever has taken the index of a waiter's cell finds him there, or he was about to leave by then.
     *
     * Without I1 a receiver that has taken the cell of a waiting sender and stands still would hide it: poll() finds nobody,
     * and after that the sender gives up all the same, as if it had not waited when poll() came. With it the sender's
     * cancellation fails, because the receiver is there within a few instructions.
     *
     * Most who wait are met, and few leave. So leaving takes two steps, and meeting none that is atomic but that on the index.
     * Whoever cancels says so in the waiter first, and looks at the other index then. If that is beyond the cell, its visitor
     * is on the way, or was there. If not, then the visitor is going to read what the waiter says, because it changes its
     * index, then looks at the waiter: store before load on both sides. One who finds the waiter leaving decides by CAS with
     * whoever cancels it; one who does not is alone with it.
     *
     * How this differs from the dual queue of the paper, and why. There, one linked list holds the waiters of whichever
     * side waits. Both sides change both its ends by compare-and-set, which repeats under contention; each request makes a
     * node; and a cancelled node in the middle is unlinked from its predecessor, which has to be searched, or at the end of
     * the list left for others. Here a side writes the cache line of its own counter, takes its place by an addition
     * that never repeats, brings no node beside its waiter, and cancels in constant time. In exchange a request takes its
     * cell before it is there: the one who comes to it first waits there, be it that another stands in the next cell
     * already, until the owner of the cell has made his step. That is a wait for a running operation, a few instructions;
     * if its thread loses its processor in between, then this one pair waits with it, and all others go on. meet(), which
     * must not wait, breaks such a cell instead, and its owner takes a new one.
     *
     * Linearization. enter() takes its place at its last fetch-and-add; the places of a side are met in their order. meet()
     * takes a cell only if its index is behind the other one, so that a visitor of the other side has this cell already. It
     * succeeds at that compare-and-set of its index, or, if it has to go on, at a later one; and finds nobody at its last
     * look at the indices, own first: the other index was not ahead when it was read, so that somebody was on the way to each
     * waiter, or had it already (I1). cancel() that succeeds takes place at its look at the indices.
     *
     * Skipping, removal and reclamation are those of CancellableQueueSynchronizer, for either side: who finds a later segment
     * than that of its cell knows that all cells between are cancelled, by the other side, and raises the own index (I4).
     * A pointer enters a segment before a cell of it is filled, whichever side fills it (I2 of Segment). `prev` is cut only
     * by one who comes second to his cell: both pointers have passed all earlier segments then, whereas the pointer
     * that is ahead alone stands behind segments full of waiters. A broken cell is counted nowhere: the index of who broke
     * it has passed it, so that no skip can depend on its segment.
     *
     * Progress. enter() is lock-free: it repeats only past cells that were cancelled or broken. meet() is lock-free but for
     * Spin.BOUND turns in which it waits for the step of another. Cancelling is wait-free but for the unlinking of a dead
     * segment; one that fails may come before the other side's step.
     *
     * Ordering. A waiter is published by the CAS into its cell and read by visit(), and what it brings with it. The CAS is
     * volatile: primitives rely on a total order of "enter, then look at my state" against "change the state, then look at
     * those who wait". Indices are read and changed by volatile accesses, because meet() compares two of them, and because
     * of "change the index, then read `leaving`" in visit(), against "set `leaving`, then read the index" in leave().
     */

    /** Read here, so that nothing is initialized between the step on an index and that on its cell. */
    private static final int SPINS = Spin.BOUND;

    FairRendezvous() {
        Segment first = new Segment(this, 0, null, 2);
        this.tail = first;
        this.head = first;
    }

    @Override
    public Waiter meet(Side side) {
        Objects.requireNonNull(side, "side");
        for (; ; ) {
            Segment from = pointer(side); // before the index, as in CancellableQueueSynchronizer: I5
            long i = index(side);
            if (i >= index(other(side))) {
                return null;
            }
            if (casIndex(side, i, i + 1)) {
                Segment segment = find(side, from, i);
                if (segment != null) {
                    Waiter met = await(side, segment, (int) i & Segment.MASK);
                    if (met != null) {
                        return met;
                    }
                }
            }
        }
    }

    /** Takes out the one who has, or soon will have, this cell; or null. */
    private Waiter await(Side side, Segment segment, int index) {
        for (int turn = 0; turn < SPINS; turn++) {
            if (segment.cellAcquire(index) != null) {
                return visit(side, segment, index);
            }
            Thread.onSpinWait();
        }
        return segment.casCell(index, null, BROKEN) ? null : visit(side, segment, index);
    }

    @Override
    public Waiter enter(Side side, Waiter waiter) {
        Objects.requireNonNull(side, "side");
        if (waiter.place != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
        for (; ; ) {
            Segment from = pointer(side); // before the index: I5
            long i = nextIndex(side);
            Segment segment = find(side, from, i);
            if (segment == null) {
                continue;
            }
            int index = (int) i & Segment.MASK;
            if (segment.cellAcquire(index) == null && wait(segment, index, waiter)) {
                return null;
            }
            Waiter met = visit(side, segment, index);
            if (met != null) {
                return met;
            }
        }
    }

    private static boolean wait(Segment segment, int index, Waiter waiter) {
        waiter.index = (short) index;
        waiter.place = segment; // both before the CAS, which publishes them
        if (segment.casCell(index, null, waiter)) {
            return true;
        }
        waiter.place = null;
        return false;
    }

    /** Takes out the one in this cell, which is not empty; or null if he is gone, or was never there. */
    private Waiter visit(Side side, Segment segment, int index) {
        segment.clearPrev();
        Object cell = segment.cellAcquire(index); // pairs with the CAS in wait()
        if (cell instanceof Waiter met && takeOut(segment, index, met)) {
            met.place = null;
            return met;
        }
        if (cell != BROKEN) {
            raiseIndex(side, segment.endOfCancelled(index)); // I4
        }
        return null;
    }

    /** For the visitor of the cell. */
    private static boolean takeOut(Segment segment, int index, Waiter met) {
        if (met.leaving) { // after the change of the index, against leave()
            return segment.casCell(index, met, RESUMED);
        }
        segment.setCell(index, RESUMED);
        return true;
    }

    /** The segment of this cell, or null if it is gone, and with it the one who was in the cell. */
    private Segment find(Side side, Segment from, long i) {
        long id = i >> Segment.SHIFT;
        if (from.id == id) { // the pointer stands here, or further on; if this was removed meanwhile, the cell says so
            return from;
        }
        Segment found = side == Side.SENDER ? findAndMoveTail(from, id) : findAndMoveHead(from, id);
        if (found.id == id) {
            return found;
        }
        raiseIndex(side, found.firstIndex()); // I4
        return null;
    }

    @Override
    public boolean takeOut(Waiter waiter) {
        return leave(waiter);
    }

    @Override
    boolean leave(Waiter waiter) {
        int index = waiter.index;
        if (!(waiter.place instanceof Segment segment)
                || segment.queue != this) {
            return false;
        }
        waiter.leaving = true; // before the look at the index, against visit()
        if (segment.firstIndex() + index < firstIndex() // its visitor is on the way: I1
                || !segment.casCell(index, waiter, CANCELLED)) {
            return false;
        }
        waiter.place = null;
        segment.onCancelledCell();
        return true;
    }

    @Override
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Objects.requireNonNull(action, "action");
        Segment one = tail;
        Segment two = head;
        for (Segment at = one.id < two.id ? one : two; at != null; at = at.nextAcquire()) {
            for (int index = 0; index < Segment.SIZE; index++) {
                if (at.cellVolatile(index) instanceof Waiter waiter) { // "change my state, then look", against wait()
                    action.accept(waiter);
                }
            }
        }
    }

    // The sides

    private static Side other(Side side) {
        return side == Side.SENDER ? Side.RECEIVER : Side.SENDER;
    }

    private Segment pointer(Side side) {
        return side == Side.SENDER ? tail : head;
    }

    private long index(Side side) {
        return side == Side.SENDER ? suspendIndex : resumeIndex;
    }

    private long nextIndex(Side side) {
        return side == Side.SENDER ? nextSuspendIndex() : nextResumeIndices(1);
    }

    private boolean casIndex(Side side, long expected, long replacement) {
        return side == Side.SENDER
                ? casSuspendIndex(expected, replacement)
                : casResumeIndex(expected, replacement);
    }

    private void raiseIndex(Side side, long least) {
        if (side == Side.SENDER) {
            raiseSuspendIndex(least);
        } else {
            raiseResumeIndex(least);
        }
    }

    @Override
    long firstIndex() {
        return Math.min(suspendIndex, resumeIndex);
    }
}
