package dev.cqs.amc.tests.rows;

import static dev.cqs.amc.tests.rows.CounterLocks.field;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Locks whose threads queue up as objects that refer to each other. */
public final class QueueLocks {

    private QueueLocks() {
    }

    public static final class McsNode {
        public static final VarHandle NEXT = field(MethodHandles.lookup(), "next", McsNode.class);
        public static final VarHandle LOCKED = field(MethodHandles.lookup(), "locked", boolean.class);

        private volatile McsNode next;
        private volatile boolean locked;
    }

    /** The MCS lock, in which the nodes come from outside. How it links and waits may be changed. */
    public static class Mcs {
        private static final VarHandle TAIL = field(MethodHandles.lookup(), "tail", McsNode.class);

        private volatile McsNode tail;

        /** How a node that queues up is made known to the one before it. */
        protected void link(McsNode before, McsNode mine) {
            McsNode.NEXT.setRelease(before, mine);
        }

        /** Whether the thread of a node has to wait. */
        protected boolean waits(McsNode mine) {
            return (boolean) McsNode.LOCKED.getAcquire(mine);
        }

        /** The node behind one that has been linked to it. */
        protected McsNode successor(McsNode mine) {
            return (McsNode) McsNode.NEXT.getAcquire(mine);
        }

        public final void acquire(McsNode mine) {
            McsNode.NEXT.setOpaque(mine, null);
            McsNode.LOCKED.setOpaque(mine, true);
            McsNode before = (McsNode) TAIL.getAndSet(this, mine);
            if (before != null) {
                link(before, mine);
                while (waits(mine)) {
                    Thread.onSpinWait();
                }
            }
        }

        public final void release(McsNode mine) {
            if (McsNode.NEXT.getOpaque(mine) == null) {
                if (TAIL.compareAndExchangeRelease(this, mine, null) == mine) {
                    return;
                }
                while (McsNode.NEXT.getOpaque(mine) == null) {
                    Thread.onSpinWait();
                }
            }
            McsNode.LOCKED.setRelease(successor(mine), false);
        }
    }

    /** Has a node for each thread. */
    static final class McsWithNodes extends Mcs implements RowLock {
        private final McsNode[] nodes;

        McsWithNodes(int threads) {
            nodes = new McsNode[threads];
            for (int i = 0; i < threads; i++) {
                nodes[i] = new McsNode();
            }
        }

        @Override
        public void acquire(int me) {
            acquire(nodes[me]);
        }

        @Override
        public void release(int me) {
            release(nodes[me]);
        }
    }

    static final class ClhNode {
        static final VarHandle LOCKED = field(MethodHandles.lookup(), "locked", boolean.class);

        private volatile boolean locked;
    }

    /** The CLH lock, in which the nodes come from outside, and are used once. */
    static class Clh {
        private static final VarHandle TAIL = field(MethodHandles.lookup(), "tail", ClhNode.class);

        private volatile ClhNode tail = new ClhNode();

        final void acquire(ClhNode mine) {
            ClhNode.LOCKED.setOpaque(mine, true);
            ClhNode before = (ClhNode) TAIL.getAndSet(this, mine);
            while ((boolean) ClhNode.LOCKED.getAcquire(before)) {
                Thread.onSpinWait();
            }
        }

        final void release(ClhNode mine) {
            ClhNode.LOCKED.setRelease(mine, false);
        }
    }

    /** Has a node for each thread. */
    static final class ClhWithNodes extends Clh implements RowLock {
        private final ClhNode[] nodes;

        ClhWithNodes(int threads) {
            nodes = new ClhNode[threads];
            for (int i = 0; i < threads; i++) {
                nodes[i] = new ClhNode();
            }
        }

        @Override
        public void acquire(int me) {
            acquire(nodes[me]);
        }

        @Override
        public void release(int me) {
            release(nodes[me]);
        }
    }

    /** The Hemlock: a thread waits for a word of the one before it, and clears it. */
    static final class Hem implements RowLock {
        private static final VarHandle TAIL = field(MethodHandles.lookup(), "tail", Grant.class);

        private final Grant[] grants;
        private volatile Grant tail;

        static final class Grant {
            static final VarHandle GIVEN = field(MethodHandles.lookup(), "given", boolean.class);

            private volatile boolean given;
        }

        Hem(int threads) {
            grants = new Grant[threads];
            for (int i = 0; i < threads; i++) {
                grants[i] = new Grant();
            }
        }

        @Override
        public void acquire(int me) {
            Grant mine = grants[me];
            Grant.GIVEN.setOpaque(mine, false);
            Grant before = (Grant) TAIL.getAndSet(this, mine);
            if (before != null) {
                while (!(boolean) Grant.GIVEN.getAcquire(before)) {
                    Thread.onSpinWait();
                }
                Grant.GIVEN.setOpaque(before, false);
            }
        }

        @Override
        public void release(int me) {
            Grant mine = grants[me];
            if (TAIL.getOpaque(this) == mine && TAIL.compareAndExchangeRelease(this, mine, null) == mine) {
                return;
            }
            Grant.GIVEN.setRelease(mine, true);
            while ((boolean) Grant.GIVEN.getOpaque(mine)) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * A mutex in the shape of a queue of cells. A release that finds an empty cell leaves a token there, which the one
     * who comes to wait takes. How it tells a waiter to go on may be changed.
     */
    public static class Cqs implements RowLock {
        private static final Waiter TOKEN = new Waiter();

        private final AtomicInteger free = new AtomicInteger(1);
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger resumed = new AtomicInteger();
        private final AtomicReferenceArray<Waiter> cells;
        private final Waiter[] waiters;

        public static final class Waiter {
            public final AtomicInteger slot = new AtomicInteger();
        }

        public Cqs(int threads) {
            cells = new AtomicReferenceArray<>(threads);
            waiters = new Waiter[threads];
            for (int i = 0; i < threads; i++) {
                waiters[i] = new Waiter();
            }
        }

        /** Tells a waiter that it has the lock. */
        protected void resume(Waiter waiter) {
            waiter.slot.compareAndSet(0, 1);
        }

        @Override
        public final void acquire(int me) {
            if (free.getAndAdd(-1) > 0) {
                return;
            }
            Waiter mine = waiters[me];
            mine.slot.setOpaque(0);
            int cell = waiting.getAndAdd(1);
            if (cells.compareAndSet(cell, null, mine)) {
                while (mine.slot.getAcquire() != 1) {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public final void release(int me) {
            if (free.getAndAdd(1) >= 0) {
                return;
            }
            int cell = resumed.getAndAdd(1);
            if (cells.get(cell) == null && cells.compareAndSet(cell, null, TOKEN)) {
                return;
            }
            Waiter waiter = cells.get(cell);
            cells.set(cell, TOKEN);
            resume(waiter);
        }
    }
}
