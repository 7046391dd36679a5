package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical CLH lock (Luchangco, Nussbaum, Shavit 2006): threads queue up in the queue of their cluster, and the first of
 * it appends all of them at once to the queue of all clusters. A lock that stays near the data, with two exchanges at most.
 *
 * <p>Fair among the batches and within them. Each turn makes a node.
 */
public final class HclhLock implements SpinLock {
    /*
     *   queue of a cluster:   [A] ◄── [B] ◄── [C] ◄── tail of the cluster
     *   global queue:         [free] ◄── [A] ◄── [B] ◄── global tail        A has appended A and B, which are a batch;
     *                                     spliced                           C sees that B ends it, and is the next to append
     *
     * Differences from the paper:
     *  - A node is used once. In the paper it goes to the thread behind it while another one may still look whether it ends a
     *    batch, so it says of which cluster it is, and all of it is prepared again. Here nothing of a node is written before others
     *    know it, so nothing must be ordered by the exchanges that make it known.
     *  - The tail is read, and then exchanged into the global one; the paper compares in between. A thread that comes
     *    meanwhile is behind the end of the batch either way.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

    private final Cluster[] clusters;
    private final IntSupplier clusterOfThread;
    /** The last node of the last batch. */
    private volatile Node tail = new Node();
    /** The node of the holder, which alone reads and writes it. */
    private @Nullable Node held;

    /** The queue of a cluster. */
    private static final class Cluster {
        static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

        /** The last thread that came. */
        private volatile @Nullable Node tail;
    }

    /** A turn of a thread. */
    private static final class Node {
        static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", int.class);

        static final int WAITS = 0;
        /** The batch ends here: written by the thread that appends it, before the first thread of the batch has the lock. */
        static final int SPLICED = 1;
        /** The turn is over: added by the thread of the node. */
        static final int DONE = 2;

        private volatile int state;
    }

    /**
     * Makes a lock that is free.
     *
     * @param clusters how many clusters there are
     * @param clusterOfThread the cluster of the thread that asks, from 0 on
     * @throws IllegalArgumentException if there is no cluster
     */
    public HclhLock(int clusters, IntSupplier clusterOfThread) {
        if (clusters < 1) {
            throw new IllegalArgumentException("A hierarchical lock has one cluster or more, not " + clusters + ".");
        }
        this.clusters = new Cluster[clusters];
        for (int i = 0; i < clusters; i++) {
            this.clusters[i] = new Cluster();
        }
        this.clusterOfThread = Objects.requireNonNull(clusterOfThread, "clusterOfThread");
        tail.state = Node.DONE;
    }

    @Override
    public void lock() {
        Cluster cluster = clusters[clusterOfThread.getAsInt()];
        Node mine = new Node();
        // acquire only because no exchange is weaker: see above
        Node before = (Node) Cluster.TAIL.getAndSetAcquire(cluster, mine);
        if (before == null || !isLetInBy(before)) {
            append(cluster);
        }
        held = mine;
    }

    /** Waits for the one before in the cluster. False if it ends a batch: then the caller begins one. */
    private static boolean isLetInBy(Node before) {
        int state;
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((state = (int) Node.STATE.getAcquire(before)) == Node.WAITS) {
            Thread.onSpinWait();
        }
        return (state & Node.SPLICED) == 0;
    }

    /** Appends all waiters of the cluster, of which the caller is the first, and waits for the batch before. */
    private void append(Cluster cluster) {
        // opaque: at least as new as the caller's own node, and nothing of the node matters
        Node last = (Node) Cluster.TAIL.getOpaque(cluster);
        // acquire only because no exchange is weaker: see above
        Node before = (Node) TAIL.getAndSetAcquire(this, last);
        // opaque: its thread sees it by the time that it has the lock, and keeps it when it writes
        Node.STATE.setOpaque(last, Node.SPLICED);
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while (((int) Node.STATE.getAcquire(before) & Node.DONE) == 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        Node mine = held;
        held = null;
        // opaque: what there is to see was written before this thread had the lock. release: pairs with the acquires of
        // lock()
        Node.STATE.setRelease(mine, (int) Node.STATE.getOpaque(mine) | Node.DONE);
    }
}
