package dev.cqs;

import static dev.cqs.CellState.BROKEN;
import static dev.cqs.CellState.CANCELLED;
import static dev.cqs.CellState.RESUMED;

import dev.cqs.internal.Spin;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The fair rendezvous: the n-th sender is matched with the n-th receiver, in the n-th cell. */
final class FairRendezvous extends QueueCounters implements Rendezvous {
    /*
     * Overview.
     *
     * The infinite array of cells with its two counters, one for each side. Each counter is taken by fetch-and-add, and
     * each cell is taken by one caller of either side. The caller that comes first waits in it, the caller that comes second
     * takes the waiter out:
     *
     *      receivers' index          senders' index
     *            |                         |
     *            v                         v
     *      [ done | sender | gone | sender |  -  |  -        two senders wait. If more receivers than senders had
     *                                                        come, their index would be ahead, and receivers would wait
     *
     *               X: either side, Y: the other one
     *
     *                 X enqueues            Y claims
     *        EMPTY --------------> WAITER -----------> RESUMED
     *          |                     |
     *          | Y gives up          | X cancels
     *          v                     v
     *        BROKEN               CANCELLED
     *
     *   cell        matchOrEnqueue()                     tryMatch(), whose index is behind
     *   ----------  -----------------------------------  ---------------------------------------------------
     *   EMPTY       CAS to the own waiter                wait for a moment, then CAS to BROKEN: next
     *   WAITER      store of RESUMED: matched            store of RESUMED: matched
     *    leaving    CAS to RESUMED: matched, or next     CAS to RESUMED: matched, or next
     *   CANCELLED   next, behind the run of them         next, behind the run of them
     *   BROKEN      next                                 -
     *
     * "Next" means: with the next cell, by a new step on the index. "Leaving" says that a waiter of the segment has
     * begun to leave.
     *
     *   FR-1  A waiter is cancelled only if, after its owner's call of cancel(), the other index was not yet beyond its cell.
     *         So an operation that has taken the index of a waiter's cell finds the waiter there, or the waiter was about
     *         to leave by then.
     *   FR-2  Only an operation that has taken the other index of a cell, and a canceller that found this index not beyond
     *         the cell, take the waiter out of it. The operation stores without a comparison only where no canceller can
     *         take the waiter out.
     *
     * Without FR-1 a receiver that has taken the cell of a waiting sender and stalls would hide the sender. poll() finds no
     * sender, and after that the sender cancels successfully, as if it had not waited when poll() came. With FR-1 the
     * sender's cancellation fails, because the receiver arrives within a few instructions.
     *
     * Most waiters are matched, and few leave. So leaving takes two steps, and a match takes no atomic step but that on the
     * index. A canceller first marks the segment, and looks at the other index then. If that is beyond the cell, the
     * counterpart is on its way, or was there: the canceller fails. If not, the counterpart is going to read the mark,
     * because it changes its index first and looks at the mark then: store before load on both sides. A counterpart that
     * finds the mark decides by CAS against the canceller. A counterpart that finds no mark is alone with the waiter (FR-2).
     *
     * The mark belongs to the segment and not to the waiter, because threads and coroutines wait in waiters of their own
     * classes, and because it costs no byte of a waiter. It stays: after a cancellation, each other cell of that segment
     * costs one CAS more.
     *
     * How this differs from the dual queue of W. N. Scherer III, D. Lea, M. L. Scott: "Scalable Synchronous Queues", PPoPP
     * 2006, and why. There, one linked list holds the waiters of whichever side waits. Both
     * sides change both its ends by compare-and-set, which repeats under contention. Each request makes a node. A cancelled
     * node in the middle is unlinked from its predecessor, which has to be searched; at the end of the list it is left for
     * others. Here a side writes the cache line of its own counter, takes its cell by an addition that never repeats, brings
     * no node beside its waiter, and cancels in constant time.
     *
     * The price: a request takes its cell before it arrives there. The caller that comes to the cell first waits there until
     * the other owner of the cell has made its step, even if another waiter of the other side stands in the next cell
     * already. That is a wait for a running operation, a few instructions. If the thread of that operation is preempted in
     * between, this one pair waits with it, and all others go on. tryMatch(), which must not wait, breaks such a cell
     * instead, and the owner of the cell takes a new one.
     *
     * Linearization. matchOrEnqueue() takes its position at its last fetch-and-add; the positions of a side are matched in
     * FIFO order. tryMatch() takes a cell only if its index is behind the other one, so that a caller of the other side has
     * this cell already. It succeeds at that compare-and-set of its index, or, if it has to go on, at a later one. It finds
     * no waiter at its last look at the indices, own first: the other index was not ahead when it was read, so a counterpart
     * was on the way to each waiter, or had it already (FR-1). A cancel() that succeeds takes place at its look at the
     * indices.
     *
     * Skipping, removal and reclamation are those of CancellableQueueSynchronizer, for either side. An operation that finds a
     * later segment than that of its cell knows that all cells between are cancelled, by the other side, and raises its own
     * index (CQS-1). A pointer enters a segment before a cell of it is filled, whichever side fills it (SEG-2). `prev` is
     * cut only by a caller that comes second to its cell. Both pointers have passed all earlier segments then, whereas behind
     * the pointer that is ahead there are segments full of waiters. A broken cell is counted nowhere: the index of the
     * operation that broke it has passed it, so no skip can depend on its segment.
     *
     * Progress. matchOrEnqueue() is lock-free: it repeats only past cells that were cancelled or broken. tryMatch() is
     * lock-free but for Spin.BOUND turns in which it waits for the step of another thread. Cancelling is wait-free but for
     * the unlinking of a dead segment; a cancellation that fails may return before the other side's step.
     *
     * Access modes. Those of the indices and pointers are in QueueCounters.
     *
     *   field            read                                written                           why
     *   ---------------  ----------------------------------  --------------------------------  ------------------------------
     *   a cell           acquire: matchOrEnqueue, tryMatch   CAS: the waiter                   acquire pairs with that CAS,
     *                                                                                          which publishes the waiter and
     *                                                                                          what it brings
     *                    volatile: forEachWaiter             CAS: BROKEN, CANCELLED            "change my state, then look"
     *                                                                                          of a primitive
     *                                                        opaque, or CAS: RESUMED           FR-2
     *   leaving          volatile: the side that comes       volatile, set once: canceller,    store before load on both
     *                    second, after it took its index     before it reads the other index   sides, FR-2
     *   Waiter.cellRef,  plain: canceller                    plain: see Waiter                 see Waiter
     *   Waiter.index
     *
     * The CAS of a waiter is volatile: primitives rely on a total order of "enqueue, then look at my state" against "change
     * the state, then look at the waiters". Indices are read and changed by volatile accesses also because tryMatch()
     * compares two of them.
     */

    /** Read here, so that nothing is initialized between the step on an index and that on its cell. */
    private static final int SPINS = Spin.BOUND;

    FairRendezvous() {
        Segment first = new FairSegment(this, 0, null, 2);
        this.tail = first;
        this.head = first;
    }

    @Override
    public @Nullable Waiter tryMatch(Side side) {
        Objects.requireNonNull(side, "side");
        for (; ; ) {
            Segment from = pointer(side); // before the index: CQS-2
            long i = index(side);
            if (i >= index(other(side))) {
                return null;
            }
            if (casIndex(side, i, i + 1)) {
                Segment segment = find(side, from, i);
                if (segment != null) {
                    Waiter matched = claimOrBreak(side, segment, (int) i & Segment.MASK);
                    if (matched != null) {
                        return matched;
                    }
                }
            }
        }
    }

    /** Takes the waiter out that is in this cell, or will be in a moment; or null. */
    private @Nullable Waiter claimOrBreak(Side side, Segment segment, int index) {
        for (int turn = 0; turn < SPINS; turn++) {
            if (segment.cellAcquire(index) != null) {
                return claim(side, segment, index);
            }
            Thread.onSpinWait();
        }
        return segment.casCell(index, null, BROKEN) ? null : claim(side, segment, index);
    }

    @Override
    public @Nullable Waiter matchOrEnqueue(Side side, Waiter waiter) {
        Objects.requireNonNull(side, "side");
        if (waiter.cellRef != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
        for (; ; ) {
            Segment from = pointer(side); // before the index: CQS-2
            long i = nextIndex(side);
            Segment segment = find(side, from, i);
            if (segment == null) {
                continue;
            }
            int index = (int) i & Segment.MASK;
            if (segment.cellAcquire(index) == null && enqueue(segment, index, waiter)) {
                return null;
            }
            Waiter matched = claim(side, segment, index);
            if (matched != null) {
                return matched;
            }
        }
    }

    private static boolean enqueue(Segment segment, int index, Waiter waiter) {
        waiter.index = (short) index;
        waiter.cellRef = segment; // both before the CAS, which publishes them
        if (segment.casCell(index, null, waiter)) {
            return true;
        }
        waiter.cellRef = null;
        return false;
    }

    /** Takes the waiter out of this cell, which is not empty; or null if the waiter is gone, or was never there. */
    private @Nullable Waiter claim(Side side, Segment segment, int index) {
        segment.clearPrev();
        Object cell = segment.cellAcquire(index); // pairs with the CAS in enqueue()
        if (cell instanceof Waiter waiter && takeOut((FairSegment) segment, index, waiter)) {
            waiter.cellRef = null;
            return waiter;
        }
        if (cell != BROKEN) {
            raiseIndex(side, segment.endOfCancelled(index)); // CQS-1
        }
        return null;
    }

    /** The caller has taken the cell from the other side. */
    private static boolean takeOut(FairSegment segment, int index, Waiter waiter) {
        if (segment.leaving) { // after the change of the index, against cancel()
            return segment.casCell(index, waiter, RESUMED);
        }
        segment.setCell(index, RESUMED);
        return true;
    }

    /** The segment of this cell, or null if it is gone, and with it the waiter that was in the cell. */
    private @Nullable Segment find(Side side, Segment from, long i) {
        long id = i >> Segment.SHIFT;
        if (from.id == id) { // the pointer stands here, or further on; if this was removed meanwhile, the cell says so
            return from;
        }
        Segment found = side == Side.SENDER ? findAndMoveTail(from, id) : findAndMoveHead(from, id);
        if (found.id == id) {
            return found;
        }
        raiseIndex(side, found.firstIndex()); // CQS-1
        return null;
    }

    @Override
    public boolean cancel(Waiter waiter) {
        int index = waiter.index;
        if (!(waiter.cellRef instanceof FairSegment segment) || segment.queue != this) {
            return false;
        }
        segment.markLeaving(); // before the look at the index, against claim()
        if (segment.firstIndex() + index < firstIndex() // its counterpart is on the way: FR-1
                || !segment.casCell(index, waiter, CANCELLED)) {
            return false;
        }
        waiter.cellRef = null;
        segment.onCancelledCell();
        return true;
    }

    @Override
    boolean leave(Waiter waiter) {
        return cancel(waiter);
    }

    @Override
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Objects.requireNonNull(action, "action");
        Segment one = tail;
        Segment two = head;
        for (Segment at = one.id < two.id ? one : two; at != null; at = at.nextAcquire()) {
            for (int index = 0; index < Segment.SIZE; index++) {
                if (at.cellVolatile(index)
                        instanceof Waiter waiter) { // "change my state, then look", against enqueue()
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
        return side == Side.SENDER ? casSuspendIndex(expected, replacement) : casResumeIndex(expected, replacement);
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

    /** A segment that knows whether one of its waiters has begun to leave. */
    static final class FairSegment extends Segment {
        /** Set by a canceller before it looks at the index of the other side; never reset. */
        volatile boolean leaving;

        FairSegment(QueueCounters queue, long id, @Nullable Segment prev, int pointers) {
            super(queue, id, prev, pointers);
        }

        void markLeaving() {
            if (!leaving) {
                leaving = true;
            }
        }

        @Override
        Segment newSuccessor() {
            return new FairSegment(queue, id + 1, this, 0);
        }
    }
}
