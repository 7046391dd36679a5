package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A compact lock that is aware of where threads run (Dice, Kogan 2019): an MCS lock whose holder looks for the next waiter
 * of its own neighbourhood, and puts the others aside. The lock is one reference, however many neighbourhoods there are.
 *
 * <p>Fair except that a neighbourhood keeps the lock for some turns in a row. Each thread has one node per lock.
 */
public final class CnaLock implements SpinLock {
    /*
     *   queue:   [holder 0] ──► [1] ──► [1] ──► [0] ──► ◄── tail       the numbers are neighbourhoods
     *
     * becomes, when the holder hands over,
     *
     *   queue:   [0, the new holder] ──► ◄── tail       deferred: [1] ──► [1]
     *
     * The grant of a holder is the first deferred one, or NONE_DEFERRED; the first knows the last. When no waiter of the
     * neighbourhood is left, or its turns are over, the deferred ones go in front of the queue.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);
    private static final Node NONE_DEFERRED = new Node();

    private final ThreadLocal<Node> nodes = ThreadLocal.withInitial(Node::new);
    private final int turnsInARow;
    private final IntSupplier neighbourhoodOfThread;
    /** The last of the queue, null if the lock is free. */
    private volatile @Nullable Node tail;
    /** How often the lock was handed over in a neighbourhood. Holders alone read and write it. */
    private int turns;

    /** A thread that holds the lock or waits for it. */
    private static final class Node {
        static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", Node.class);
        static final VarHandle GRANT = Fields.handle(MethodHandles.lookup(), "grant", Node.class);

        /** Written by the next one, once, and by holders when they defer; cleared before the node queues up. */
        private volatile @Nullable Node next;
        /** Null while the thread waits; written by the holder that hands over to it. */
        private volatile @Nullable Node grant;
        /** Written before the node queues up; read by holders that have come to it by links. */
        private int neighbourhood;
        /** In the first of the deferred ones: the last of them. Holders alone read and write it. */
        private @Nullable Node lastDeferred;
    }

    /**
     * Makes a lock that is free.
     *
     * @param turnsInARow how often the lock may be handed over in a neighbourhood before others have their turn, such as 64
     * @param neighbourhoodOfThread says where the thread that asks runs
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
        // opaque: a thread that finds the node by the tail or by a link sees it ready
        Node.NEXT.setOpaque(mine, null);
        Node.GRANT.setOpaque(mine, null);
        // volatile, as no exchange both acquires and releases. Acquire: pairs with the release of the tail in unlock(),
        // for the
        // last holder's writes. Release: pairs with the acquire of the next exchange; without it the next one's link to
        // this
        // node may come before the clearing of it
        Node before = (Node) TAIL.getAndSet(this, mine);
        if (before == null) {
            // opaque: only this thread reads it
            Node.GRANT.setOpaque(mine, NONE_DEFERRED);
            return;
        }
        // release: pairs with the acquire of links in unlock(); without it the end of the wait may come before its
        // beginning
        Node.NEXT.setRelease(before, mine);
        // acquire: pairs with the release in grant(); without it the last holder's writes may not be seen
        while (Node.GRANT.getAcquire(mine) == null) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        Node mine = nodes.get();
        // opaque: read for the second time
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
            // The one before the neighbour is the last to be deferred, unless the neighbour is the next one anyway.
            grant(neighbour, neighbour == next ? deferred : defer(deferred, next, neighbour));
        }
    }

    /** Leaves the queue to the deferred waiters, or leaves it empty. False if a waiter has come. */
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
            // opaque: the grant is what orders
            Node.NEXT.setOpaque(deferred.lastDeferred, next);
            grant(deferred, NONE_DEFERRED);
        }
    }

    /** The first of this neighbourhood from {@code next} on, as far as they are linked; null if there is none. */
    private static @Nullable Node neighbour(int neighbourhood, Node next) {
        Node node = next;
        while (node != null && node.neighbourhood != neighbourhood) {
            // acquire: pairs with the release of the link in lock(); without it the neighbourhood may not be seen
            node = (Node) Node.NEXT.getAcquire(node);
        }
        return node;
    }

    /** Defers the waiters from {@code first} to the one before {@code end}; returns the first of all deferred ones. */
    private static Node defer(Node deferred, Node first, Node end) {
        Node last = first;
        // opaque: read for the second time
        for (Node node = first; node != end; node = (Node) Node.NEXT.getOpaque(node)) {
            last = node;
        }
        // opaque: the grant is what orders
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
