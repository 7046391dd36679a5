package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A compact NUMA-aware lock (Dice, Kogan 2019): an MCS lock whose holder prefers the next waiter of its own
 * neighbourhood (a NUMA node, a socket in the paper), and defers the waiters in between to a secondary queue. The lock
 * is one reference, whatever the number of neighbourhoods.
 *
 * <p>FIFO, except that a neighbourhood may keep the lock for a bounded number of hand-offs. Each thread has one node
 * per lock.
 */
public final class CnaLock implements SpinLock {
    /*
     *   queue:   [holder 0] ──► [1] ──► [1] ──► [0] ──► ◄── tail       the numbers are neighbourhoods
     *
     * becomes, when the holder hands over,
     *
     *   queue:   [0, the new holder] ──► ◄── tail       deferred: [1] ──► [1]
     *
     * The grant of a holder is the first deferred waiter, or NONE_DEFERRED; the first knows the last. When no waiter of
     * the neighbourhood is left, or its turns are used up, the deferred waiters go to the front of the queue.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);
    private static final Node NONE_DEFERRED = new Node();

    private final ThreadLocal<Node> nodes = ThreadLocal.withInitial(Node::new);
    private final int turnsInARow;
    private final IntSupplier neighbourhoodOfThread;
    /** The last node of the queue, null if the lock is free. */
    private volatile @Nullable Node tail;
    /** How often the lock was handed over within a neighbourhood. Only the holder accesses it. */
    private int turns;

    /** A thread that holds the lock or waits for it. */
    private static final class Node {
        static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", Node.class);
        static final VarHandle GRANT = Fields.handle(MethodHandles.lookup(), "grant", Node.class);

        /** Written once by the successor, and by holders when they defer; cleared before the node is enqueued. */
        private volatile @Nullable Node next;
        /** Null while the thread waits; written by the holder that hands over to it. */
        private volatile @Nullable Node grant;
        /** Written before the node is enqueued; read by holders that reach the node by links. */
        private int neighbourhood;
        /** In the first deferred node: the last deferred node. Only holders access it. */
        private @Nullable Node lastDeferred;
    }

    /**
     * Creates a free lock.
     *
     * @param turnsInARow how often the lock may be handed over within a neighbourhood while others wait, such as 64
     * @param neighbourhoodOfThread the neighbourhood of the calling thread
     * @throws IllegalArgumentException if {@code turnsInARow} is negative
     */
    public CnaLock(int turnsInARow, IntSupplier neighbourhoodOfThread) {
        if (turnsInARow < 0) {
            throw new IllegalArgumentException(
                    "A neighbourhood has 0 turns in a row or more, not " + turnsInARow + ".");
        }
        this.turnsInARow = turnsInARow;
        this.neighbourhoodOfThread = Objects.requireNonNull(neighbourhoodOfThread, "neighbourhoodOfThread");
    }

    @Override
    public void lock() {
        Node mine = nodes.get();
        mine.neighbourhood = neighbourhoodOfThread.getAsInt();
        // opaque: the exchange or the link orders it for a thread that reaches the node
        Node.NEXT.setOpaque(mine, null);
        Node.GRANT.setOpaque(mine, null);
        // volatile, because no exchange is both acquire and release. Acquire: pairs with the release of the tail in
        // unlock(), for the last holder's writes. Release: pairs with the acquire of the next exchange; without it the
        // successor's link may precede the clearing of the link in coherence order
        Node before = (Node) TAIL.getAndSet(this, mine);
        if (before == null) {
            // opaque: only this thread reads it
            Node.GRANT.setOpaque(mine, NONE_DEFERRED);
            return;
        }
        // release: pairs with the acquire of links in unlock(); without it the grant may precede the clearing of the
        // grant in coherence order
        Node.NEXT.setRelease(before, mine);
        // acquire: pairs with the release in grant(); without it the last holder's writes may not be seen
        while (Node.GRANT.getAcquire(mine) == null) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        Node mine = nodes.get();
        // opaque: an earlier read has acquired it
        Node deferred = (Node) Node.GRANT.getOpaque(mine);
        if (Node.NEXT.getOpaque(mine) == null) {
            if (leave(mine, deferred)) {
                return;
            }
            while (Node.NEXT.getOpaque(mine) == null) {
                Thread.onSpinWait();
            }
        }
        // acquire: pairs with the release of the link in lock()
        Node next = (Node) Node.NEXT.getAcquire(mine);
        Node neighbour = turns < turnsInARow ? neighbour(mine.neighbourhood, next) : null;
        if (neighbour == null) {
            turns = 0;
            handOverToAnyone(deferred, next);
        } else {
            turns++;
            // The waiters before the neighbour are deferred, unless the neighbour is the next waiter anyway.
            grant(neighbour, neighbour == next ? deferred : defer(deferred, next, neighbour));
        }
    }

    /** Leaves the queue to the deferred waiters, or leaves it empty. Returns false if a waiter has arrived. */
    private boolean leave(Node mine, Node deferred) {
        if (deferred == NONE_DEFERRED) {
            // release: pairs with the acquire of the exchange in lock()
            return TAIL.compareAndExchangeRelease(this, mine, null) == mine;
        }
        // release: the same, also for the cut behind the last deferred waiter
        if (TAIL.compareAndExchangeRelease(this, mine, deferred.lastDeferred) != mine) {
            return false;
        }
        turns = 0;
        grant(deferred, NONE_DEFERRED);
        return true;
    }

    private static void handOverToAnyone(Node deferred, Node next) {
        if (deferred == NONE_DEFERRED) {
            grant(next, NONE_DEFERRED);
        } else {
            // opaque: the release of the grant orders it
            Node.NEXT.setOpaque(deferred.lastDeferred, next);
            grant(deferred, NONE_DEFERRED);
        }
    }

    /**
     * The first waiter of this neighbourhood from {@code next} on, among those that are linked; null if there is none.
     */
    private static @Nullable Node neighbour(int neighbourhood, Node next) {
        Node node = next;
        while (node != null && node.neighbourhood != neighbourhood) {
            // acquire: pairs with the release of the link in lock(); without it the neighbourhood may not be seen
            node = (Node) Node.NEXT.getAcquire(node);
        }
        return node;
    }

    /**
     * Defers the waiters from {@code first} to the one before {@code end}. Returns the first of all deferred waiters.
     */
    private static Node defer(Node deferred, Node first, Node end) {
        Node last = first;
        // opaque: an earlier read has acquired it
        for (Node node = first; node != end; node = (Node) Node.NEXT.getOpaque(node)) {
            last = node;
        }
        // opaque: the release of the grant orders it
        Node.NEXT.setOpaque(last, null);
        if (deferred == NONE_DEFERRED) {
            first.lastDeferred = last;
            return first;
        }
        Node.NEXT.setOpaque(deferred.lastDeferred, first);
        deferred.lastDeferred = last;
        return deferred;
    }

    private static void grant(Node to, Node deferred) {
        // release: pairs with the acquire in the wait of lock()
        Node.GRANT.setRelease(to, deferred);
    }
}
