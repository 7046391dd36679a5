package dev.cqs.amc.tests.bugs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock in the shape of the queued spin lock of Linux, without its pending bit: one word holds a bit that says whether
 * the lock is held, and the number of the last thread in the queue. The first of the queue waits for the bit.
 */
final class QueuedSpinLock {

    private static final int HELD = 1;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(QueuedSpinLock.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Node[] nodes;
    private final boolean strongLink;
    private final boolean plainStart;
    private volatile int word;

    /** A thread in the queue. */
    private static final class Node {
        static final VarHandle NEXT;
        static final VarHandle FIRST;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                NEXT = lookup.findVarHandle(Node.class, "next", Node.class);
                FIRST = lookup.findVarHandle(Node.class, "first", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private volatile Node next;
        private volatile boolean first;
    }

    /**
     * Creates a lock.
     *
     * @param strongLink whether a node is linked by a release, and looked up by an acquire, and not by opaque accesses
     * @param plainStart whether a node is made ready by plain writes, and not by opaque ones
     */
    QueuedSpinLock(int threads, boolean strongLink, boolean plainStart) {
        this.strongLink = strongLink;
        this.plainStart = plainStart;
        nodes = new Node[threads];
        for (int i = 0; i < threads; i++) {
            nodes[i] = new Node();
        }
    }

    void acquire(int me) {
        if ((int) WORD.compareAndExchangeAcquire(this, 0, HELD) == 0) {
            return;
        }
        Node mine = nodes[me];
        start(mine);
        int tail = me + 1 << 1;
        int before = enqueue(tail);
        if (before > HELD) {
            link(nodes[(before >> 1) - 1], mine);
            while (!(boolean) Node.FIRST.getAcquire(mine)) {
                Thread.onSpinWait();
            }
        }
        takeAsFirst(mine, tail);
    }

    /**
     * The first look at the word acquires. If somebody enqueues after it, then the exchange fails, and what the thread learns
     * of the newcomer it learns without acquiring, as in Linux: the link alone has to order the start of the node.
     */
    private void takeAsFirst(Node mine, int tail) {
        int now;
        do {
            now = (int) WORD.getAcquire(this);
        } while ((now & HELD) != 0);
        if (now == tail && WORD.weakCompareAndSetPlain(this, tail, HELD)) {
            return;
        }
        WORD.getAndBitwiseOrRelease(this, HELD);
        while (Node.NEXT.getOpaque(mine) == null) {
            Thread.onSpinWait();
        }
        Node.FIRST.setRelease(successor(mine), true);
    }

    void release() {
        WORD.getAndAddRelease(this, -HELD);
    }

    private int enqueue(int tail) {
        int before;
        do {
            before = (int) WORD.getOpaque(this);
        } while (!WORD.compareAndSet(this, before, before & HELD | tail));
        return before;
    }

    private void start(Node mine) {
        if (plainStart) {
            Node.NEXT.set(mine, null);
            Node.FIRST.set(mine, false);
        } else {
            Node.NEXT.setOpaque(mine, null);
            Node.FIRST.setOpaque(mine, false);
        }
    }

    private void link(Node before, Node mine) {
        if (strongLink) {
            Node.NEXT.setRelease(before, mine);
        } else {
            Node.NEXT.setOpaque(before, mine);
        }
    }

    private Node successor(Node mine) {
        return (Node) (strongLink ? Node.NEXT.getAcquire(mine) : Node.NEXT.getOpaque(mine));
    }
}
