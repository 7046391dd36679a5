package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the queued spin lock of Linux: one word of 32 bits that holds a bit for the holder, one for the first waiter,
 * and the number of the last thread in a queue of the others. As small as a bit, and a queue all the same.
 *
 * <p>Fair except that a thread may barge in while no thread waits. Threads have numbers, as Linux numbers processors.
 */
public final class QueuedSpinLock implements SpinLock {
    /*
     *   bits     31 … 2                           1                          0
     *            last in the queue, 0 if none     pending: a thread waits    held
     *                                             without the queue
     *
     * Differences from Linux: Java cannot write a part of a word, so what is a write of a byte there is an addition here.
     * So the pending thread acquires when it becomes the holder, and not when it sees that it may. No thread waits for a
     * pending one to become the holder before it decides to queue up.
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

        /** Written by the next one, once; cleared by the thread of the node before it queues up. */
        private volatile @Nullable Node next;
        /** Cleared by the thread of the node before it queues up, set by the one before it. */
        private volatile boolean first;
    }

    /**
     * Makes a lock that is free.
     *
     * @param threads how many threads there may be
     * @param numberOfThread the number of the thread that asks, from 0 on; two threads never have the same one at once
     * @throws IllegalArgumentException if there are no threads, or more than there is room for
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

    /** Waits as the only one besides the holder. False if another thread waits already. */
    private boolean waitsAsPending() {
        // opaque: it only tells whether to try
        if (((int) WORD.getOpaque(this) & ~HELD) != 0) {
            return false;
        }
        // acquire only because no weaker one exists, here and where it is taken back: the addition below is what orders
        int before = (int) WORD.getAndBitwiseOrAcquire(this, PENDING);
        if ((before & ~HELD) != 0) {
            if ((before & PENDING) == 0) {
                WORD.getAndBitwiseAndAcquire(this, ~PENDING);
            }
            return false;
        }
        // opaque: it only tells when to go on
        while (((int) WORD.getOpaque(this) & HELD) != 0) {
            Thread.onSpinWait();
        }
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        WORD.getAndAddAcquire(this, HELD - PENDING);
        return true;
    }

    private void waitInQueue(int number) {
        Node mine = nodes[number];
        // opaque: a thread that finds the node by the word or by the link sees it ready
        Node.NEXT.setOpaque(mine, null);
        Node.FIRST.setOpaque(mine, false);
        int me = number + 1 << QUEUE_SHIFT;
        int before = enqueue(me) >>> QUEUE_SHIFT;
        if (before != 0) {
            // release: pairs with the acquire of the link in takeAsFirst(); without it the end of the wait may come
            // before
            // its beginning
            Node.NEXT.setRelease(nodes[before - 1], mine);
            // acquire: pairs with the release in takeAsFirst()
            while (!(boolean) Node.FIRST.getAcquire(mine)) {
                Thread.onSpinWait();
            }
        }
        takeAsFirst(mine, me);
    }

    /** Becomes the last in the queue. Returns the word as it was. */
    private int enqueue(int me) {
        int before;
        do {
            before = (int) WORD.getOpaque(this);
            // volatile, as none both acquires and releases. Release: pairs with the acquire of the next one's; without
            // it the next
            // one's link to the node may come before the clearing of it
        } while (!WORD.weakCompareAndSet(this, before, before & (HELD | PENDING) | me));
        return before;
    }

    private void takeAsFirst(Node mine, int me) {
        int seen;
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while (((seen = (int) WORD.getAcquire(this)) & (HELD | PENDING)) != 0) {
            Thread.onSpinWait();
        }
        // opaque, as the one that is named plain is: what it would acquire has been acquired
        if (seen == me && WORD.weakCompareAndSetPlain(this, me, HELD)) {
            return;
        }
        // A thread is behind, or a pending thread has been in the way and will be. Release only because no weaker one
        // exists
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
