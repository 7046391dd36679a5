package dev.cqs.sync;

import dev.cqs.internal.Spin;
import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/*
 * The two ends of the queue, each on a cache line of its own. The layout is made of superclasses because a JVM
 * orders fields within a class as it likes, but puts those of a superclass first. A gap that a superclass leaves
 * may be filled from below, hence the filler.
 */

/** What every insertion writes. */
abstract class InsertingEnd<E> extends ElementStore<E> {
    /** Cells ever given to inserters; only ever added to. 64 bits: never wraps. */
    volatile long insertIndex;

    /** Not beyond the cell of {@code insertIndex}; moved forward by CAS. */
    volatile ElementQueue.Run<E> tail;

    /**
     * How many turns a thread that has met another stands aside, at either end: see "Standing aside". Opaque. Rarely written,
     * so that it may stand here.
     */
    int aside = ElementQueue.LEAST_ASIDE;
}

abstract class EndsApart<E> extends InsertingEnd<E> {
    long p1, p2, p3, p4, p5, p6, p7;
}

/** What every retrieval writes. */
abstract class RetrievingEnd<E> extends EndsApart<E> {
    /** Cells ever given to retrievers; only ever added to. */
    volatile long retrieveIndex;

    /** Not beyond the cell of {@code retrieveIndex}; moved forward by CAS. */
    volatile ElementQueue.Run<E> head;

    int filler;
}

/** Idle elements, of which the first one inserted is the first to be taken out. */
final class ElementQueue<E> extends RetrievingEnd<E> {
    /*
     * Overview.
     *
     * An infinite array of cells with two counters, in runs of SIZE cells that are linked as they are needed.
     * insert() takes the next cell by adding one to one counter, retrieve() by adding one to the other. So exactly
     * one inserter and one retriever come to each cell, in either order:
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
     * (see Idle), so before each of its additions an element stands at or beyond the retrieve index, and the index
     * moves towards it. Hence also retrieveIndex < insertIndex at that moment: it never overtakes.
     *
     * Order. Of two insertions that do not overlap the earlier has the earlier cell, and of two retrievals the
     * earlier comes to it: first in, first out. Operations that overlap take place in the order of their cells.
     *
     * Standing aside. Two threads that work at the queue at the same time take each other's cache lines away, all of
     * them, in each operation; one alone is many times as fast as both. So a counter is first moved by CAS. Whoever
     * fails has met another: it stands aside for some turns, so that fewer work here at a time, of two the other one
     * alone, and then adds one by fetch-and-add, which never fails. (poll() looks again whether there is anything.) That
     * pays only where the others have something to do here. So whoever has stood aside looks how far the counter has
     * come: if far, the next one stands aside for twice as long, if not, for half as long.
     *
     * Progress. insert() is lock-free: it repeats only if a retriever has passed its cell. retrieve() is lock-free
     * and waits Spin.BOUND turns for the inserter of its cell, a few instructions of a running thread. Either stands
     * aside once for each cell at the most, and no longer than MOST_ASIDE turns. poll() is lock-free: it repeats only if
     * another has moved the index, or if it has broken a cell.
     *
     * Reclamation. Runs are linked forward only, so what lies before both head and tail is garbage. Each operation
     * moves its pointer on to its run.
     *
     * Pointers are read before the addition. A pointer stands on the run of a cell that was taken before, so
     * it is not beyond the cell taken next: the search goes forward only.
     *
     * Ordering. The element is published by the CAS into its cell and read by the acquire in take(). How long to stand
     * aside is opaque, it is a guess.
     */

    /** Cells per run; the same as in the queue of waiters, for the same reasons. */
    static final int SIZE = Tuning.powerOfTwo("dev.cqs.segmentSize", 32, 1 << 12);

    /**
     * Turns to stand aside at the least: a few operations of one that is alone. None where tests make all waits short: a
     * checker that sees each turn would have more of them to order, and nothing else.
     */
    static final int LEAST_ASIDE = Spin.BOUND < 16 ? 0 : 16;

    /** At the most: about as long as the lock of another queue would have let a thread park. */
    static final int MOST_ASIDE = 128 * LEAST_ASIDE;

    /** Turns that an operation of another is worth: many times what it takes alone, less than what two at a time take. */
    private static final int WORTH = 8;

    private static final int SHIFT = Integer.numberOfTrailingZeros(SIZE);
    private static final int MASK = SIZE - 1;

    private static final Object BROKEN = new Object();

    private static final VarHandle INSERT_INDEX;
    private static final VarHandle RETRIEVE_INDEX;
    private static final VarHandle ASIDE;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INSERT_INDEX = lookup.findVarHandle(InsertingEnd.class, "insertIndex", long.class);
            RETRIEVE_INDEX = lookup.findVarHandle(RetrievingEnd.class, "retrieveIndex", long.class);
            ASIDE = lookup.findVarHandle(InsertingEnd.class, "aside", int.class);
            TAIL = lookup.findVarHandle(InsertingEnd.class, "tail", Run.class);
            HEAD = lookup.findVarHandle(RetrievingEnd.class, "head", Run.class);
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
        ASIDE.setOpaque(queue, (int) ASIDE.getOpaque(queue));
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
            long i = addOne(RETRIEVE_INDEX, retrieveIndex);
            E element = find(HEAD, from, i >> SHIFT).take((int) i & MASK);
            if (element != null) {
                return element;
            }
        }
    }

    /** It may break cells that no inserter has come to yet; the one who comes takes another. */
    @Override
    E poll() {
        for (long i = retrieveIndex; i < insertIndex; i = retrieveIndex) {
            Run<E> from = head; // before the count
            if (tryAddOne(RETRIEVE_INDEX, i)) {
                E element = find(HEAD, from, i >> SHIFT).take((int) i & MASK);
                if (element != null) {
                    return element;
                }
            }
        }
        return null;
    }

    /** Adds one to an index, lately seen like this; returns what it was before. */
    private long addOne(VarHandle index, long seen) {
        return tryAddOne(index, seen) ? seen : (long) index.getAndAdd(this, 1L);
    }

    /** Adds one to an index that was seen like this; stands aside for a while if that has changed. */
    private boolean tryAddOne(VarHandle index, long seen) {
        if (index.compareAndSet(this, seen, seen + 1)) {
            return true;
        }
        standAside(index);
        return false;
    }

    private void standAside(VarHandle index) {
        int turns = (int) ASIDE.getOpaque(this);
        if (turns == 0) {
            return; // nobody does
        }
        long before = (long) index.getOpaque(this);
        for (int turn = 0; turn < turns; turn++) {
            Thread.onSpinWait();
        }
        int better = better(turns, (long) index.getOpaque(this) - before);
        if (better != turns) {
            ASIDE.setOpaque(this, better);
        }
    }

    /** How long to stand aside after so many turns in which others did so many operations. */
    static int better(int turns, long operations) {
        return operations * WORTH >= turns ? Math.min(2 * turns, MOST_ASIDE) : Math.max(turns / 2, LEAST_ASIDE);
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
            rehearse();
        }

        /** Cell {@code c} here is cell {@code id * SIZE + c} of the array. */
        final long id;

        private final Object[] cells = new Object[SIZE];

        /** Set once, by CAS. */
        private volatile Run<E> next;

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
