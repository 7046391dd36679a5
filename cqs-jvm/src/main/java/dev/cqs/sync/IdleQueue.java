package dev.cqs.sync;

import dev.cqs.internal.Spin;
import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/*
 * The two ends of the queue, each on a cache line of its own. The layout is made of superclasses because a JVM
 * orders fields within a class as it likes, but puts those of a superclass first. A gap that a superclass leaves
 * may be filled from below, hence the fillers.
 */

/** What every insertion writes. */
abstract class InsertingEnd<E> extends Idle<E> {
    /** Cells ever given to inserters; fetch-and-add. 64 bits: never wraps. */
    volatile long insertIndex;

    /** Not beyond the cell of {@code insertIndex}; moved forward by CAS. */
    volatile IdleQueue.Run<E> tail;

    int filler;
}

abstract class EndsApart<E> extends InsertingEnd<E> {
    long p1, p2, p3, p4, p5, p6, p7;
}

/** What every retrieval writes. */
abstract class RetrievingEnd<E> extends EndsApart<E> {
    /** Cells ever given to retrievers; fetch-and-add. */
    volatile long retrieveIndex;

    /** Not beyond the cell of {@code retrieveIndex}; moved forward by CAS. */
    volatile IdleQueue.Run<E> head;

    int gap;
}

/** Idle elements, of which the first one inserted is the first to be taken out. */
final class IdleQueue<E> extends RetrievingEnd<E> {
    /*
     * Overview.
     *
     * An infinite array of cells with two counters, in runs of SIZE cells that are linked as they are needed.
     * insert() takes the next cell by fetch-and-add on one counter, retrieve() by fetch-and-add on the other. So
     * exactly one inserter and one retriever come to each cell, in either order:
     *
     *             I               R                     I   CAS: the inserter
     *      null -----> element -----> null              R   the retriever; nobody comes any more
     *        |
     *        | R: waited, then get-and-set
     *        v
     *      BROKEN                                       the inserter's CAS fails: it takes another cell
     *
     * The retriever that finds the element is alone with it: its inserter has been here and nobody else comes. A
     * plain store clears the cell, so that the run does not keep the element. On an empty cell the two race, and
     * there is no store without comparison: the get-and-set either brings the element or breaks the cell. An
     * element is taken out by the one who came to its cell; it is neither lost nor doubled.
     *
     * A retriever that has broken a cell goes on to the next. It finds an element in the end: it may take one out
     * (see Idle), so before each of its fetch-and-adds an element stands at or beyond the retrieve index, and the
     * index moves towards it. Hence also retrieveIndex < insertIndex at that moment: it never overtakes.
     *
     * Order. Of two insertions that do not overlap the earlier has the earlier cell, and of two retrievals the
     * earlier comes to it: first in, first out. Operations that overlap take place in the order of their cells.
     *
     * Progress. insert() is lock-free: it repeats only if a retriever has passed its cell. retrieve() is lock-free
     * and waits Spin.BOUND turns for the inserter of its cell, a few instructions of a running thread.
     *
     * Reclamation. Runs are linked forward only, so what lies before both head and tail is garbage. Each operation
     * moves its pointer on to its run.
     *
     * Pointers are read before the fetch-and-add. A pointer stands on the run of a cell that was taken before, so
     * it is not beyond the cell taken next: the search goes forward only.
     *
     * Ordering. The element is published by the CAS into its cell and read by the acquire in take().
     */

    /** Cells per run; the same as in the queue of waiters, for the same reasons. */
    static final int SIZE = Tuning.powerOfTwo("dev.cqs.segmentSize", 32, 1 << 12);

    private static final int SHIFT = Integer.numberOfTrailingZeros(SIZE);
    private static final int MASK = SIZE - 1;

    private static final Object BROKEN = new Object();

    private static final VarHandle INSERT_INDEX;
    private static final VarHandle RETRIEVE_INDEX;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INSERT_INDEX = lookup.findVarHandle(InsertingEnd.class, "insertIndex", long.class);
            RETRIEVE_INDEX = lookup.findVarHandle(RetrievingEnd.class, "retrieveIndex", long.class);
            TAIL = lookup.findVarHandle(InsertingEnd.class, "tail", Run.class);
            HEAD = lookup.findVarHandle(RetrievingEnd.class, "head", Run.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    long q1, q2, q3, q4, q5, q6, q7;

    IdleQueue() {
        Run<E> first = new Run<>(0);
        TAIL.set(this, first); // plain, both: published with the queue
        HEAD.set(this, first);
    }

    @Override
    void insert(E element) {
        for (; ; ) {
            Run<E> from = tail; // before the count
            long i = (long) INSERT_INDEX.getAndAdd(this, 1L);
            if (find(TAIL, from, i >> SHIFT).put((int) i & MASK, element)) {
                return;
            }
        }
    }

    @Override
    E retrieve() {
        for (; ; ) {
            Run<E> from = head; // before the count
            long i = (long) RETRIEVE_INDEX.getAndAdd(this, 1L);
            E element = find(HEAD, from, i >> SHIFT).take((int) i & MASK);
            if (element != null) {
                return element;
            }
        }
    }

    /** It may break cells that no inserter has come to yet; the one who comes takes another. */
    @Override
    E poll() {
        while (retrieveIndex < insertIndex) {
            Run<E> from = head; // before the count
            long i = (long) RETRIEVE_INDEX.getAndAdd(this, 1L);
            E element = find(HEAD, from, i >> SHIFT).take((int) i & MASK);
            if (element != null) {
                return element;
            }
        }
        return null;
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
        private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(Object[].class);
        private static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Run.class, "next", Run.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        /** Cell {@code c} here is cell {@code id * SIZE + c} of the array. */
        final long id;

        private final Object[] cells = new Object[SIZE];

        /** Set once, by CAS. */
        private volatile Run<E> next;

        Run(long id) {
            this.id = id;
        }

        /** False if the cell is broken. */
        boolean put(int index, E element) {
            return CELLS.compareAndSet(cells, index, null, element);
        }

        /** The element, or null if this has broken the cell. */
        @SuppressWarnings("unchecked") // what is not null before the retriever comes is from the inserter
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
         * Whoever looks for a run has taken a cell, or may take out an element that stands further on: if there is no
         * memory for the run, again and again until there is.
         */
        Run<E> next() {
            for (; ; ) {
                Run<E> present = next;
                if (present != null) {
                    return present;
                }
                try {
                    NEXT.compareAndSet(this, null, new Run<E>(id + 1));
                } catch (OutOfMemoryError e) {
                    Thread.yield();
                }
            }
        }
    }
}
