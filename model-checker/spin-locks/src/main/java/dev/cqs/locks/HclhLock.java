package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical CLH lock (Luchangco, Nussbaum, Shavit 2006): a thread enqueues in the queue of its cluster, and the
 * first thread there splices all of them as one batch into the global queue. The lock stays near the data, and costs at
 * most two exchanges.
 *
 * <p>FIFO among batches and within each batch. Each acquisition allocates a node.
 */
public final class HclhLock implements SpinLock {
    /*
     *   queue of a cluster:   [A] ◄── [B] ◄── [C] ◄── tail of the cluster
     *   global queue:         [free] ◄── [A] ◄── [B] ◄── global tail        A has appended A and B, which are a batch;
     *                                     spliced                           C sees that B ends it, and is the next to append
     *
     * Differences from the paper:
     *  - A node is used once. In the paper the successor reuses it while another thread may still check whether it ends
     *  a batch, so a node has the number of its cluster, and all of it is reset. Here a node is not written before it
     *  is published, so the exchanges that publish it need not be releases.
     *  - The cluster's tail is read, and then exchanged into the global tail; the paper uses a compare-and-set. A
     *  thread that arrives in between is behind the end of the batch either way.
     */

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

    private final Cluster[] clusters;
    private final IntSupplier clusterOfThread;
    /** The last node of the last batch. */
    private volatile Node tail = new Node();
    /** The node of the holder. Only the holder accesses it. */
    private @Nullable Node held;

    /** The queue of a cluster. */
    private static final class Cluster {
        static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Node.class);

        /** The node of the last arrival. */
        private volatile @Nullable Node tail;
    }

    /** The node of one acquisition. */
    private static final class Node {
        static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", int.class);

        static final int WAITS = 0;
        /**
         * The batch ends here. Written by the thread that splices it, before the first thread of the batch holds the
         * lock.
         */
        static final int SPLICED = 1;
        /** The lock has been released: added by the owner of the node. */
        static final int DONE = 2;

        private volatile int state;
    }

    /**
     * Creates a free lock.
     *
     * @param clusters the number of clusters
     * @param clusterOfThread the cluster of the calling thread, from 0 on
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
        // acquire only because no exchange is weaker: see the overview
        Node before = (Node) Cluster.TAIL.getAndSetAcquire(cluster, mine);
        if (before == null || !isLetInBy(before)) {
            append(cluster);
        }
        held = mine;
    }

    /**
     * Waits for the predecessor in the cluster. Returns false if the predecessor ends a batch: then the caller begins
     * one.
     */
    private static boolean isLetInBy(Node before) {
        int state;
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((state = (int) Node.STATE.getAcquire(before)) == Node.WAITS) {
            Thread.onSpinWait();
        }
        return (state & Node.SPLICED) == 0;
    }

    /**
     * Splices all waiters of the cluster, the caller being the first, into the global queue, and waits for the previous
     * batch.
     */
    private void append(Cluster cluster) {
        // opaque: coherence makes it at least as new as the caller's own node, and the contents of the node do not
        // matter
        Node last = (Node) Cluster.TAIL.getOpaque(cluster);
        // acquire only because no exchange is weaker: see the overview
        Node before = (Node) TAIL.getAndSetAcquire(this, last);
        // opaque: the owner of the node reads it when it holds the lock, and keeps it when it adds DONE
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
        // opaque: SPLICED was written before this thread held the lock. release: pairs with the acquires of lock()
        Node.STATE.setRelease(mine, (int) Node.STATE.getOpaque(mine) | Node.DONE);
    }
}
