package dev.cqs;

import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A run of {@link #SIZE} neighbouring cells of the infinite array, a node of a doubly linked list.
 */
class Segment extends CellRef {
    /*
     * Overview.
     *
     *      head (resume)                    tail (suspend)
     *        |                                |
     *        v            next                v
     *      +------+  ---> +------+ -----> +------+
     *      | id 4 |       |  6   |        | id 7 |        5 was full of cancelled cells and is gone,
     *      |      |       +------+        |      |        6 is being unlinked: `prev` of 7 passes it
     *      +------+  <------------------  +------+        already, `next` of 4 does not yet
     *                        prev
     *
     * Ids grow by one along `next` when segments are appended; removals make gaps. A segment is looked for
     * from a starting point with an id that is not larger, along `next`, and missing ones are appended.
     *
     * Life of a segment. `counts` holds two numbers in one word, so that "logically removed" is one read:
     *
     *      bits 16..31   how many of the queue's pointers, head and tail, stand on this segment, or have
     *                    entered it on the way
     *      bits  0..15   how many of its cells are cancelled
     *
     *   removed  <=>  no pointer stands here and all cells are cancelled.
     *
     *   SEG-1  A removed segment stays removed: a pointer enters only by enter(), which refuses then, and a cancelled
     *          cell stays cancelled.
     *   SEG-2  The last segment is never removed, so a removed one has a `next` and an append finds a live
     *          segment. The reason: only a cell that held a waiter, or was abandoned, becomes cancelled. The operation that
     *          puts the waiter there first moves the pointer of its side to the segment or past it, and pointers move only
     *          forward. That side is tail's; in a FairRendezvous it is either side.
     *   SEG-3  The operation that makes a segment removed calls remove(). Once all calls of remove() that are under way have
     *          returned, no live segment that can be reached from head, or in a FairRendezvous from the pointer that is
     *          behind, links to it.
     *
     * remove() links the nearest live neighbours to each other, and starts again if one of them died meanwhile: if two
     * neighbours are removed at once, each removal may link the other's dead segment back in. Each writes its links first and
     * reads the counts again, so at least one of them sees the other. This needs the writes of remove() to `next` and `prev`
     * ordered before its reads of the neighbours' counts, and on the other side the write of the count ordered before the
     * reads of the links. That is store before load on both sides, hence volatile stores and atomic adds. find() may read by
     * acquire: an old link leads it through a removed segment, which it passes.
     *
     * Access modes.
     *
     *   field   read                                       written                                why
     *   ------  -----------------------------------------  -------------------------------------  -----------------------------
     *   cells   acquire: resumer, suspender, skipping,     CAS: suspender, resumer, canceller     acquire pairs with the CAS
     *           CQS.forEachWaiter                          get-and-set: canceller, that decides   that publishes what is in
     *           volatile: firstWaiter,                     opaque: FairRendezvous, RESUMED over   the cell; volatile for
     *           FairRendezvous.forEachWaiter               a waiter that no canceller takes out   "change, then look"
     *   next    acquire: find, findPresent, forEachWaiter  CAS: append                            publishes the segment
     *           volatile: append that lost the CAS, remove volatile: remove                       store before load in remove
     *   prev    acquire: clearPrev                         plain: constructor                     published with the segment
     *                                                      release null: clearPrev                a reader of the null sees
     *                                                                                             that head has moved
     *           volatile: remove                           CAS: remove                            keeps a null; store before
     *                                                                                             load in remove
     *   counts  volatile: find, findPresent, enter, remove plain: constructor; CAS: enter         SEG-1
     *                                                      atomic add: leave, onCancelledCell     store before load in remove
     *
     * Reclamation. A resume, and a look at the first waiter, set `prev` of the segment that they have come to to null:
     * head has moved there, so what lies behind is garbage as soon as no operation is under way in it. In a
     * FairRendezvous the caller that comes second to a cell sets it, because its pointer is the one behind. remove()
     * keeps such a null. `next` of a passed segment stays, because a late operation may still start from it: a passed
     * segment that the collector has promoted therefore keeps its successors until the old generation is collected. They
     * hold nothing but markers by then; no waiter and no value can be reached through them.
     */

    /**
     * Cells per segment: a power of two. 32 references make an array of 144 bytes, so that a waiter costs
     * under 6 bytes of queue, and an appended segment is still made within one or two cache misses. Tests
     * shrink it to reach the edges between segments with few operations.
     */
    static final int SIZE = Tuning.powerOfTwo("dev.cqs.segmentSize", 32, 1 << 12);

    static final int SHIFT = Integer.numberOfTrailingZeros(SIZE);
    static final int MASK = SIZE - 1;

    /** One pointer in the word of counts; the cancelled cells, {@link #SIZE} at most, never reach this bit. */
    private static final int ONE_POINTER = 1 << 16;

    /** Makes the segment after this one; retried until there is memory, see append(). */
    private static final Function<Segment, Segment> NEW_SUCCESSOR = segment -> segment.newSuccessor();

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle NEXT;
    private static final VarHandle PREV;
    private static final VarHandle COUNTS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NEXT = lookup.findVarHandle(Segment.class, "next", Segment.class);
            PREV = lookup.findVarHandle(Segment.class, "prev", Segment.class);
            COUNTS = lookup.findVarHandle(Segment.class, "counts", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** The position in the infinite array: cell {@code c} here is cell {@code id * SIZE + c} there. */
    final long id;

    /** The queue this segment belongs to, so that a waiter finds it through its cell. */
    final QueueCounters queue;

    /** Changed by compare-and-set and get-and-set, because a store could erase a racing transition; but see setCell(). */
    private final @Nullable Object[] cells = new Object[SIZE];

    /** Null only in the last segment. Set once by append, by CAS; later changed by removals. */
    private volatile @Nullable Segment next;

    /** Moved back by removals; set to null for good once head stands here, or has passed. */
    private volatile @Nullable Segment prev;

    /** Pointers and cancelled cells; changed by atomic adds, and by CAS in enter(). */
    private volatile int counts;

    Segment(QueueCounters queue, long id, @Nullable Segment prev, int pointers) {
        this.queue = queue;
        this.id = id;
        PREV.set(this, prev); // plain: published with the segment
        COUNTS.set(this, pointers * ONE_POINTER);
    }

    /** Links each access: see Rehearsal. */
    @SuppressWarnings("NullAway") // it has no queue to be used
    private static void rehearse() {
        Segment first = new Segment(null, 0, null, 2);
        first.cellVolatile(0);
        first.casCell(0, null, CellState.TAKEN);
        first.setCell(0, CellState.RESUMED);
        first.getAndSetCell(0, CellState.CANCELLED);
        first.endOfCancelledHere(0);
        first.enter();
        first.leave();
        Segment second = first.find(1);
        second.linkPrev(first);
        second.clearPrev();
    }

    // The waiter of a cell

    @Override
    final boolean cancel(Waiter waiter) {
        return queue.leave(waiter);
    }

    @Override
    final boolean isAmongFirst(int index) {
        return firstIndex() + index - queue.firstIndex() <= 1;
    }

    // Cells

    /** For callers that have changed something else before and rely on "change, then look". */
    final @Nullable Object cellVolatile(int index) {
        return CELLS.getVolatile(cells, index);
    }

    final @Nullable Object cellAcquire(int index) {
        return CELLS.getAcquire(cells, index);
    }

    final boolean casCell(int index, @Nullable Object expected, Object replacement) {
        return CELLS.compareAndSet(cells, index, expected, replacement);
    }

    /** The caller must own the cell. Opaque: nothing is read through a marker. */
    final void setCell(int index, CellState marker) {
        CELLS.setOpaque(cells, index, marker);
    }

    final @Nullable Object getAndSetCell(int index, Object replacement) {
        return CELLS.getAndSet(cells, index, replacement);
    }

    /** The first index in this segment, from here on, whose cell is not cancelled. */
    final int endOfCancelledHere(int from) {
        int index = from;
        while (index < SIZE && cellAcquire(index) == CellState.CANCELLED) {
            index++;
        }
        return index;
    }

    /** The first cell of the array, from this one on, that is not cancelled. */
    final long endOfCancelled(int from) {
        Segment at = this;
        int end = at.endOfCancelledHere(from);
        while (end == SIZE) { // the caller needs the next segment anyway
            at = at.find(at.id + 1);
            end = at.endOfCancelledHere(0);
        }
        return at.firstIndex() + end;
    }

    /** Counts a cell that no operation will ever need again; unlinks the segment with the last of them. */
    final void onCancelledCell() {
        if ((int) COUNTS.getAndAdd(this, 1) + 1 == SIZE) {
            remove();
        }
    }

    // Pointers

    /** Lets one of the queue's pointers stand here; refused once the segment is removed. */
    final boolean enter() {
        for (; ; ) {
            int seen = counts;
            if (seen == SIZE) {
                return false;
            }
            if (COUNTS.compareAndSet(this, seen, seen + ONE_POINTER)) {
                return true;
            }
        }
    }

    /** Takes the pointer away; unlinks the segment if only the pointer kept it. */
    final void leave() {
        if ((int) COUNTS.getAndAdd(this, -ONE_POINTER) - ONE_POINTER == SIZE) {
            remove();
        }
    }

    // The list

    final long firstIndex() {
        return id << SHIFT;
    }

    final @Nullable Segment nextAcquire() {
        return (Segment) NEXT.getAcquire(this);
    }

    final boolean isRemoved() {
        return counts == SIZE; // no pointers
    }

    /** Cuts the way back, once head has passed all before this. Release: a reader of the null sees that head has moved. */
    final void clearPrev() {
        if (PREV.getAcquire(this) != null) {
            PREV.setRelease(this, null);
        }
    }

    /** The first live segment from here on with at least this id; appends what is missing. */
    final Segment find(long wanted) {
        Segment at = this;
        while (at.id < wanted || at.isRemoved()) {
            Segment after = at.nextAcquire();
            at = after != null ? after : at.append();
        }
        return at;
    }

    /** The first live segment from here on with at least this id, or null if there is none yet. */
    final @Nullable Segment findPresent(long wanted) {
        Segment at = this;
        while (at != null && (at.id < wanted || at.isRemoved())) {
            at = at.nextAcquire();
        }
        return at;
    }

    /** An operation that looks for a segment has taken an index and cannot give it back, so its cell must be made. */
    @SuppressWarnings("NullAway") // the link is set once
    private Segment append() {
        Segment fresh = AllocationRetry.create(NEW_SUCCESSOR, this);
        return NEXT.compareAndSet(this, null, fresh) ? fresh : next;
    }

    /** A segment to append to this one, of the same class. */
    Segment newSuccessor() {
        return new Segment(queue, id + 1, this, 0);
    }

    /** Unlinks this segment, which has just become removed: SEG-3. */
    private void remove() {
        for (; ; ) {
            Segment left = liveLeft();
            Segment right = liveRight();
            right.linkPrev(left);
            if (left != null) {
                left.next = right;
            }
            if (right.isRemoved() || (left != null && left.isRemoved())) {
                continue;
            }
            return;
        }
    }

    private @Nullable Segment liveLeft() {
        Segment at = prev;
        while (at != null && at.isRemoved()) {
            at = at.prev;
        }
        return at;
    }

    @SuppressWarnings("NullAway") // the last segment is never removed
    private Segment liveRight() {
        Segment at = next;
        while (at.isRemoved()) {
            at = at.next;
        }
        return at;
    }

    /** Links back to {@code left}, unless the way back has been cut for good. */
    private void linkPrev(@Nullable Segment left) {
        for (; ; ) {
            Segment seen = prev;
            if (seen == null || PREV.compareAndSet(this, seen, left)) {
                return;
            }
        }
    }
}
