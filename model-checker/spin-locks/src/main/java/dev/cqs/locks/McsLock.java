package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue of nodes in which each knows the next one (Mellor-Crummey, Scott 1991): a waiter spins on its own node, and the
 * holder tells the next one to go on. Hardly slower with many waiters than with one.
 *
 * <p>Fair: first come, first served. Each thread has one node per lock, and keeps it.
 */
public final class McsLock implements SpinLock {
    /*
     *   tail ──────────────────────────────┐
     *                                      ▼
     *   [holder] ── next ──► [waiter] ──► [waiter]      a newcomer exchanges the tail, and is linked to by itself:
     *                         waits        waits        for a moment the node before it does not know it yet
     *
     * A thread holds the lock at most once, so its node is free again when it has given the lock back: only the next
     * thread, which is linked, has a reference to it that it still follows.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

    private final ThreadLocal<Node> nodes = ThreadLocal.withInitial(Node::new);
    /** The last of the queue, null if the lock is free. */
    private volatile @Nullable Node tail;

    /** A thread that holds the lock or waits for it. */
    private static final class Node {
        static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", Node.class);
        static final VarHandle WAITS = Fields.handle(MethodHandles.lookup(), "waits", boolean.class);

        /** Written by the next one, once; cleared by the thread of the node before it queues up. */
        private volatile @Nullable Node next;
        /** Set by the thread of the node before it queues up, cleared by the one before it. */
        private volatile boolean waits;
    }

    /** Makes a lock that is free. */
    public McsLock() {}

    @Override
    public void lock() {
        Node mine = nodes.get();
        // opaque: a thread that finds the node by the tail or by the link sees it ready
        Node.NEXT.setOpaque(mine, null);
        Node.WAITS.setOpaque(mine, true);
        // volatile, as no exchange both acquires and releases. Acquire: pairs with the release of the tail in unlock(),
        // for the
        // last holder's writes. Release: pairs with the acquire of the next exchange; without it the next one's link to
        // this
        // node may come before the clearing of it
        Node before = (Node) TAIL.getAndSet(this, mine);
        if (before == null) {
            return;
        }
        // release: pairs with the acquire of the link in unlock(); without it the end of the wait may come before its
        // beginning
        Node.NEXT.setRelease(before, mine);
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((boolean) Node.WAITS.getAcquire(mine)) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        Node mine = nodes.get();
        // opaque: only whether there is a next thread
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

    /** Whether a thread waits, for the holder to ask. It may not know yet of a thread that has just come. */
    boolean isAwaited() {
        return Node.NEXT.getOpaque(nodes.get()) != null;
    }
}
