package dev.cqs.pool;

import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.Spin;
import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * The two ends of the queue, each on a cache line of its own, against false sharing. The layout is made of superclasses,
 * because a JVM may reorder the fields of a class but puts the fields of a superclass first. It may fill a gap that a
 * superclass leaves with fields of a subclass, hence the filler.
 */

/** The end of insertions: every one writes {@code insertIndex}, and the first of a run also {@code tail}. */
abstract class InsertingEnd<E> extends ElementStore<E> {
    /** How many cells inserters have taken; only grows. 64 bits: never wraps. */
    volatile long insertIndex;

    /** Not beyond the cell of {@code insertIndex}; moved forward by CAS. */
    @SuppressWarnings("NullAway.Init") // the constructor of the subclass sets it
    volatile ElementQueue.Run<E> tail;

    /**
     * Spins for which a thread that has met contention backs off, at either end: see "Back-off". Opaque; written so rarely that
     * it may stand beside the index, in a gap that would be lost otherwise.
     */
    int backoff = ElementQueue.MIN_BACKOFF;
}

/** Keeps the two ends on different cache lines. */
abstract class EndsApart<E> extends InsertingEnd<E> {
    long p1, p2, p3, p4, p5, p6, p7;
}

/** The end of removals, likewise. */
abstract class RemovingEnd<E> extends EndsApart<E> {
    /** How many cells removers have taken; only grows. */
    volatile long removeIndex;

    /** Not beyond the cell of {@code removeIndex}; moved forward by CAS. */
    @SuppressWarnings("NullAway.Init") // the constructor of the subclass sets it
    volatile ElementQueue.Run<E> head;

    int filler;
}

/** Idle elements in FIFO order. */
final class ElementQueue<E> extends RemovingEnd<E> {
    /*
     * Overview.
     *
     * An infinite array of cells with two counters, in runs of SIZE cells that are linked as they are needed.
     * insert() takes the next cell by adding one to one counter, takeReserved() by adding one to the other. So exactly
     * one inserter and one remover come to each cell, in either order:
     *
     *             I               R                     I   CAS: the inserter
     *      null -----> element -----> null              R   the remover; no other thread comes any more
     *        |            |
     *        |            | R: waited, then get-and-set, which has found the element after all
     *        v            v
     *      BROKEN       BROKEN                          left: the inserter's CAS fails, and it takes another cell
     *
     * The remover that finds the element is alone with it: its inserter has been here and no other thread comes. A
     * plain store clears the cell, so that the run does not keep the element. On an empty cell the two race, so there the
     * remover uses get-and-set, which leaves BROKEN, and may still bring the element. An element is removed by the thread that
     * came to its cell; it is neither lost nor doubled.
     *
     * A remover that has broken a cell goes on to the next. It finds an element in the end: it has reserved one
     * (POOL-1), so before each of its additions an element stands at or beyond the remove index, and the index
     * moves towards it. Hence also removeIndex < insertIndex at that moment: it never overtakes.
     *
     * Order. Of two insertions that do not overlap the earlier has the earlier cell, and of two removals the
     * earlier comes to it: FIFO. Operations that overlap take place in the order of their cells.
     *
     * Back-off. Two threads that work at the queue at the same time take each other's cache lines away, all of them, in
     * each operation; one alone is many times as fast as both. So a counter is first moved by CAS. A thread whose CAS
     * fails has met contention. It backs off for some spins, so that fewer threads work here at a time: of two threads,
     * one works alone meanwhile. Then it adds one by fetch-and-add, which never fails. (poll() looks again whether there
     * is anything.) That pays only if the other threads have work here. So a thread that has backed off looks how far the
     * counter has come: if far, the next back-off is twice as long, if not, half as long.
     *
     * Progress. insert() is lock-free: it repeats only if a remover has passed its cell. takeReserved() is lock-free
     * and waits Spin.BOUND spins for the inserter of its cell, a few instructions of a running thread. Either backs
     * off at most once for each cell, and no longer than MAX_BACKOFF spins. poll() is lock-free: it repeats only if
     * another thread has moved the index, or if it has broken a cell.
     *
     * Reclamation. Runs are linked forward only, so what lies before both head and tail is garbage. Each operation
     * moves its pointer on to its run.
     *
     * Pointers are read before the addition. A pointer stands on the run of a cell that was taken before, so
     * it is not beyond the cell taken next: the search goes forward only.
     *
     * A store is used in one of two ways, never both: by reserving removers (Pool), or by poll() (SlotStore). A poll() that took
     * an element which another caller has reserved would break POOL-1.
     *
     * Ordering. The element is published by the CAS into its cell and read by the acquire or the get-and-set in take().
     * The length of the back-off is opaque: it is a heuristic.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** Cells per run; the same as in the queue of waiters, for the same reasons. */
    static final int SIZE = Tuning.powerOfTwo("dev.cqs.segmentSize", 32, 1 << 12);

    /**
     * Spins of the shortest back-off: a few operations of a thread that is alone. Zero where tests make all waits short: a
     * checker that sees each spin would have more of them to order, without any new behaviour.
     */
    static final int MIN_BACKOFF = Spin.BOUND < 16 ? 0 : 16;

    /** Spins of the longest: about the time of parking and waking up, which a lock in this place would cost. */
    static final int MAX_BACKOFF = 128 * MIN_BACKOFF;

    /** Spins that one operation of another thread is worth: many times its cost alone, less than under contention. */
    private static final int SPINS_PER_OPERATION = 8;

    private static final int SHIFT = Integer.numberOfTrailingZeros(SIZE);
    private static final int MASK = SIZE - 1;

    private static final Object BROKEN = new Object();

    private static final VarHandle INSERT_INDEX;
    private static final VarHandle REMOVE_INDEX;
    private static final VarHandle BACKOFF;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INSERT_INDEX = lookup.findVarHandle(InsertingEnd.class, "insertIndex", long.class);
            REMOVE_INDEX = lookup.findVarHandle(RemovingEnd.class, "removeIndex", long.class);
            BACKOFF = lookup.findVarHandle(InsertingEnd.class, "backoff", int.class);
            TAIL = lookup.findVarHandle(InsertingEnd.class, "tail", Run.class);
            HEAD = lookup.findVarHandle(RemovingEnd.class, "head", Run.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    long q1, q2, q3, q4, q5, q6, q7;

    ElementQueue() {
        Run<E> first = new Run<>(0);
        TAIL.set(this, first); // plain, both: published with the queue
        HEAD.set(this, first);
    }

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        ElementQueue<Object> queue = new ElementQueue<>();
        queue.insert("");
        queue.poll();
        queue.addOne(INSERT_INDEX, -1);
        INSERT_INDEX.getOpaque(queue);
        BACKOFF.setOpaque(queue, (int) BACKOFF.getOpaque(queue));
        queue.findFurther(TAIL, queue.tail, 1);
    }

    @Override
    void insert(E element) {
        for (; ; ) {
            Run<E> from = tail; // before the count
            long i = addOne(INSERT_INDEX, insertIndex);
            if (find(TAIL, from, i >> SHIFT).put((int) i & MASK, element)) {
                return;
            }
        }
    }

    @Override
    E takeReserved() {
        for (; ; ) {
            Run<E> from = head; // before the count
            long i = addOne(REMOVE_INDEX, removeIndex);
            E element = find(HEAD, from, i >> SHIFT).take((int) i & MASK);
            if (element != null) {
                return element;
            }
        }
    }

    /** It may break cells whose inserter has taken the index but not stored its element yet; that inserter takes another. */
    @Override
    @Nullable
    E poll() {
        for (long i = removeIndex; i < insertIndex; i = removeIndex) {
            Run<E> from = head; // before the count
            if (tryAddOne(REMOVE_INDEX, i)) {
                E element = find(HEAD, from, i >> SHIFT).take((int) i & MASK);
                if (element != null) {
                    return element;
                }
            }
        }
        return null;
    }

    /** Adds one to an index that had this value a moment ago; returns the value before. */
    private long addOne(VarHandle index, long seen) {
        return tryAddOne(index, seen) ? seen : (long) index.getAndAdd(this, 1L);
    }

    /** Adds one to an index if it still has this value; otherwise backs off. */
    private boolean tryAddOne(VarHandle index, long seen) {
        if (index.compareAndSet(this, seen, seen + 1)) {
            return true;
        }
        backOff(index);
        return false;
    }

    private void backOff(VarHandle index) {
        int spins = (int) BACKOFF.getOpaque(this);
        if (spins == 0) {
            return; // MIN_BACKOFF is zero: no back-off
        }
        long before = (long) index.getOpaque(this);
        for (int spin = 0; spin < spins; spin++) {
            Thread.onSpinWait();
        }
        int next = nextBackoff(spins, (long) index.getOpaque(this) - before);
        if (next != spins) {
            BACKOFF.setOpaque(this, next);
        }
    }

    /** The next back-off, after one of this many spins in which other threads did this many operations. */
    static int nextBackoff(int spins, long operations) {
        return operations * SPINS_PER_OPERATION >= spins
                ? Math.min(2 * spins, MAX_BACKOFF)
                : Math.max(spins / 2, MIN_BACKOFF);
    }

    /** The run with this id, on which the pointer stands afterwards, or further on. */
    private Run<E> find(VarHandle pointer, Run<E> from, long id) {
        return from.id == id ? from : findFurther(pointer, from, id);
    }

    @SuppressWarnings("unchecked") // the pointers point to runs of this queue
    private Run<E> findFurther(VarHandle pointer, Run<E> from, long id) {
        Run<E> found = from;
        while (found.id < id) {
            found = found.next();
        }
        for (; ; ) {
            Run<E> at = (Run<E>) pointer.getAcquire(this);
            if (at.id >= id || pointer.compareAndSet(this, at, found)) {
                return found;
            }
        }
    }

    /** {@link #SIZE} neighbouring cells. */
    static final class Run<E> {
        private static final Function<Run<?>, Run<?>> NEW_SUCCESSOR = run -> new Run<>(run.id + 1);

        private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(Object[].class);
        private static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Run.class, "next", Run.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
            rehearse();
        }

        /** Cell {@code c} here is cell {@code id * SIZE + c} of the array. */
        final long id;

        private final @Nullable Object[] cells = new Object[SIZE];

        /** Set once, by CAS. */
        private volatile @Nullable Run<E> next;

        Run(long id) {
            this.id = id;
        }

        /** Links each access: see Rehearsal. */
        private static void rehearse() {
            Run<Object> run = new Run<>(0);
            run.put(0, "");
            run.take(0);
            run.take(0);
            run.next();
        }

        /** False if the cell is broken. */
        boolean put(int index, E element) {
            return CELLS.compareAndSet(cells, index, null, element);
        }

        /** The element, or null if this has broken the cell. */
        @SuppressWarnings("unchecked") // what is not null before the remover comes is from the inserter
        @Nullable
        E take(int index) {
            for (int turn = 0; turn < Spin.BOUND; turn++) {
                Object element = CELLS.getAcquire(cells, index); // pairs with the CAS in put()
                if (element != null) {
                    CELLS.set(cells, index, null); // plain: alone, see above
                    return (E) element;
                }
                Thread.onSpinWait();
            }
            return (E) CELLS.getAndSet(cells, index, BROKEN);
        }

        /**
         * Retries if memory is exhausted: a thread that looks for a run has taken a cell, or has reserved an element that
         * stands further on.
         */
        @SuppressWarnings("NullAway") // the link is set once
        Run<E> next() {
            Run<E> present = next;
            if (present != null) {
                return present;
            }
            NEXT.compareAndSet(this, null, AllocationRetry.create(NEW_SUCCESSOR, this));
            return next;
        }
    }
}
