package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue of nodes in which each waiter knows its predecessor (Craig 1993; Magnusson, Landin, Hagersten 1994) and spins
 * on the predecessor's node. A release is a single write.
 *
 * <p>FIFO. A lock has one node more than threads that use it, and the nodes change owners.
 */
public final class ClhLock implements SpinLock {
    /*
     *   [free] ◄── [holder] ◄── [waiter] ◄── [waiter] ◄── tail
     *
     * Only the successor reads a node, so the new holder takes over its predecessor's node, and leaves its own node to
     * its successor.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

    private final ThreadLocal<Place> places = ThreadLocal.withInitial(Place::new);
    /** The node of the last waiter or holder; that of the last holder if the lock is free. */
    private volatile Node tail = new Node();

    /** A node of the queue. */
    private static final class Node {
        static final VarHandle BUSY = Fields.handle(MethodHandles.lookup(), "busy", boolean.class);

        /** Set by the owner before it enqueues the node, and cleared by the owner when it releases the lock. */
        private volatile boolean busy;
    }

    /** The nodes of a thread. */
    private static final class Place {
        private Node mine = new Node();
        private @Nullable Node before;
    }

    /** Creates a free lock. */
    public ClhLock() {}

    @Override
    public void lock() {
        Place place = places.get();
        // opaque: the exchange orders it for a thread that reads the node from the tail
        Node.BUSY.setOpaque(place.mine, true);
        // volatile, because no exchange is both acquire and release. Release: pairs with the acquire of the next
        // exchange; without it the successor may read the node as free, as it was before. Acquire: the other side of
        // that
        Node before = (Node) TAIL.getAndSet(this, place.mine);
        place.before = before;
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((boolean) Node.BUSY.getAcquire(before)) {
            Thread.onSpinWait();
        }
    }

    @Override
    @SuppressWarnings("NullAway") // lock() has set the node before
    public void unlock() {
        Place place = places.get();
        Node mine = place.mine;
        place.mine = place.before;
        place.before = null;
        // release: pairs with the acquire in the wait of lock()
        Node.BUSY.setRelease(mine, false);
    }
}
