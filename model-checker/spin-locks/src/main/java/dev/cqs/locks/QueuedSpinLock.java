package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The design of the queued spin lock of Linux: one word of 32 bits with a bit for the holder, a bit for the first
 * (pending) waiter, and the number of the last thread in a queue of the other waiters.
 *
 * <p>FIFO, except that a thread may barge while no thread is queued. Threads have numbers, as processors have in Linux.
 */
public final class QueuedSpinLock implements SpinLock {
    /*
     *   bits     31 … 2                           1                          0
     *            last in the queue, 0 if none     pending: a thread waits    held
     *                                             without the queue
     *
     * Differences from Linux: Java cannot write a part of a word, so a byte write there is an addition here. So the
     * pending thread acquires when it becomes the holder, and not when it reads that the lock is free. And a newcomer
     * does not wait for a pending thread to become the holder before it enqueues.
     */

    private static final int HELD = 1;
    private static final int PENDING = 2;
    private static final int QUEUE_SHIFT = 2;

    private static final VarHandle WORD = Fields.handle(MethodHandles.lookup(), "word", int.class);

    private final Node[] nodes;
    private final IntSupplier numberOfThread;
    private volatile int word;

    /** A thread in the queue. */
    private static final class Node {
        static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", Node.class);
        static final VarHandle FIRST = Fields.handle(MethodHandles.lookup(), "first", boolean.class);

        /** Written once by the successor; cleared by the owner before it enqueues the node. */
        private volatile @Nullable Node next;
        /** Cleared by the owner before it enqueues the node, set by the predecessor. */
        private volatile boolean first;
    }

    /**
     * Creates a free lock.
     *
     * @param threads the number of threads
     * @param numberOfThread the number of the calling thread, from 0 on, unique among the threads that use the lock
     * @throws IllegalArgumentException if {@code threads} is less than one or too large for the word
     */
    public QueuedSpinLock(int threads, IntSupplier numberOfThread) {
        if (threads < 1 || threads >= 1 << 29) {
            throw new IllegalArgumentException(
                    "A queued spin lock is for 1 to 536870911 threads, not " + threads + ".");
        }
        nodes = new Node[threads];
        for (int i = 0; i < threads; i++) {
            nodes[i] = new Node();
        }
        this.numberOfThread = Objects.requireNonNull(numberOfThread, "numberOfThread");
    }

    @Override
    public void lock() {
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        if ((int) WORD.compareAndExchangeAcquire(this, 0, HELD) != 0 && !waitsAsPending()) {
            waitInQueue(numberOfThread.getAsInt());
        }
    }

    /** Waits as the pending thread. Returns false if another thread waits already. */
    private boolean waitsAsPending() {
        // opaque: it only tells whether to try
        if (((int) WORD.getOpaque(this) & ~HELD) != 0) {
            return false;
        }
        // acquire only because no weaker operation exists, here and where the bit is cleared: the addition below orders
        int before = (int) WORD.getAndBitwiseOrAcquire(this, PENDING);
        if ((before & ~HELD) != 0) {
            if ((before & PENDING) == 0) {
                WORD.getAndBitwiseAndAcquire(this, ~PENDING);
            }
            return false;
        }
        // opaque: it only ends the wait
        while (((int) WORD.getOpaque(this) & HELD) != 0) {
            Thread.onSpinWait();
        }
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        WORD.getAndAddAcquire(this, HELD - PENDING);
        return true;
    }

    private void waitInQueue(int number) {
        Node mine = nodes[number];
        // opaque: the word or the link orders it for a thread that reaches the node
        Node.NEXT.setOpaque(mine, null);
        Node.FIRST.setOpaque(mine, false);
        int me = number + 1 << QUEUE_SHIFT;
        int before = enqueue(me) >>> QUEUE_SHIFT;
        if (before != 0) {
            // release: pairs with the acquire of the link in takeAsFirst(); without it the setting of the flag may
            // precede its clearing in coherence order
            Node.NEXT.setRelease(nodes[before - 1], mine);
            // acquire: pairs with the release in takeAsFirst()
            while (!(boolean) Node.FIRST.getAcquire(mine)) {
                Thread.onSpinWait();
            }
        }
        takeAsFirst(mine, me);
    }

    /** Becomes the last thread in the queue. Returns the previous word. */
    private int enqueue(int me) {
        int before;
        do {
            before = (int) WORD.getOpaque(this);
            // volatile, because no compare-and-set is both acquire and release. Release: pairs with the acquire of the
            // successor's compare-and-set; without it the successor's link may precede the clearing of the link in
            // coherence order
        } while (!WORD.weakCompareAndSet(this, before, before & (HELD | PENDING) | me));
        return before;
    }

    private void takeAsFirst(Node mine, int me) {
        int seen;
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while (((seen = (int) WORD.getAcquire(this)) & (HELD | PENDING)) != 0) {
            Thread.onSpinWait();
        }
        // opaque, which an atomic plain one is: the loop above has acquired already
        if (seen == me && WORD.weakCompareAndSetPlain(this, me, HELD)) {
            return;
        }
        // A successor is queued, or a pending thread interferes. Release only because no weaker operation exists
        WORD.getAndBitwiseOrRelease(this, HELD);
        while (Node.NEXT.getOpaque(mine) == null) {
            Thread.onSpinWait();
        }
        // acquire: pairs with the release of the link in waitInQueue(). release: pairs with the acquire of the wait
        // there
        Node.FIRST.setRelease((Node) Node.NEXT.getAcquire(mine), true);
    }

    @Override
    public void unlock() {
        // release: pairs with the acquires in lock()
        WORD.getAndAddRelease(this, -HELD);
    }
}
