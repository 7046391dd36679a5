package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue of nodes in which each knows the one before it (Craig 1993; Landin, Hagersten 1994): a waiter spins on the node of
 * the one before it. Giving back is a single write.
 *
 * <p>Fair: first come, first served. A lock has one node more than threads that use it, and they change owners.
 */
public final class ClhLock implements SpinLock {
    /*
     *   [free] ◄── [holder] ◄── [waiter] ◄── [waiter] ◄── tail
     *
     * Only the thread behind a node looks at it, so the new holder takes over the node before its own, and leaves its own to the
     * thread behind it.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

    private final ThreadLocal<Place> places = ThreadLocal.withInitial(Place::new);
    /** The last of the queue; that of the last holder if the lock is free. */
    private volatile Node tail = new Node();

    /** A place in the queue. */
    private static final class Node {
        static final VarHandle BUSY = Fields.handle(MethodHandles.lookup(), "busy", boolean.class);

        /** Set by the thread of the node before it queues up, and cleared by it when it gives the lock back. */
        private volatile boolean busy;
    }

    /** What a thread knows for itself. */
    private static final class Place {
        private Node mine = new Node();
        private @Nullable Node before;
    }

    /** Makes a lock that is free. */
    public ClhLock() {}

    @Override
    public void lock() {
        Place place = places.get();
        // opaque: a thread that finds the node by the tail sees it busy
        Node.BUSY.setOpaque(place.mine, true);
        // volatile, as no exchange both acquires and releases. Release: pairs with the acquire of the next exchange;
        // without it
        // the one behind may see the node free, as it was before. Acquire: the other side of that
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
