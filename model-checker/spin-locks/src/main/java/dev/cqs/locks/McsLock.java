package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue of nodes in which each knows its successor (Mellor-Crummey, Scott 1991). A waiter spins on its own node, and
 * the holder clears the flag of its successor. Throughput hardly drops with many waiters.
 *
 * <p>FIFO. Each thread has one node per lock, and keeps it.
 */
public final class McsLock implements SpinLock {
    /*
     *   tail ──────────────────────────────┐
     *                                      ▼
     *   [holder] ── next ──► [waiter] ──► [waiter]      a newcomer exchanges the tail, and is linked to by itself:
     *                         waits        waits        for a moment the node before it does not know it yet
     *
     * A thread holds the lock at most once, so it can reuse its node after it has released the lock: no other thread
     * follows a reference to the node then.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

    private final ThreadLocal<Node> nodes = ThreadLocal.withInitial(Node::new);
    /** The last node of the queue, null if the lock is free. */
    private volatile @Nullable Node tail;

    /** A thread that holds the lock or waits for it. */
    private static final class Node {
        static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", Node.class);
        static final VarHandle WAITS = Fields.handle(MethodHandles.lookup(), "waits", boolean.class);

        /** Written once by the successor; cleared by the owner before it enqueues the node. */
        private volatile @Nullable Node next;
        /** Set by the owner before it enqueues the node, cleared by the predecessor. */
        private volatile boolean waits;
    }

    /** Creates a free lock. */
    public McsLock() {}

    @Override
    public void lock() {
        Node mine = nodes.get();
        // opaque: the exchange or the link orders it for a thread that reaches the node
        Node.NEXT.setOpaque(mine, null);
        Node.WAITS.setOpaque(mine, true);
        // volatile, because no exchange is both acquire and release. Acquire: pairs with the release of the tail in
        // unlock(), for the last holder's writes. Release: pairs with the acquire of the next exchange; without it the
        // successor's link may precede the clearing of the link in coherence order
        Node before = (Node) TAIL.getAndSet(this, mine);
        if (before == null) {
            return;
        }
        // release: pairs with the acquire of the link in unlock(); without it the clearing of the flag may precede its
        // setting in coherence order
        Node.NEXT.setRelease(before, mine);
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((boolean) Node.WAITS.getAcquire(mine)) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        Node mine = nodes.get();
        // opaque: it only tells whether there is a successor
        if (Node.NEXT.getOpaque(mine) == null) {
            // release: pairs with the acquire of the exchange in lock()
            if (TAIL.compareAndExchangeRelease(this, mine, null) == mine) {
                return;
            }
            while (Node.NEXT.getOpaque(mine) == null) {
                Thread.onSpinWait();
            }
        }
        // acquire: pairs with the release of the link in lock()
        Node next = (Node) Node.NEXT.getAcquire(mine);
        // release: pairs with the acquire in the wait of lock()
        Node.WAITS.setRelease(next, false);
    }

    /** Whether a thread waits. Only the holder may call it. It may miss a thread that has just arrived. */
    boolean isAwaited() {
        return Node.NEXT.getOpaque(nodes.get()) != null;
    }
}
