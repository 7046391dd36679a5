package dev.cqs;

import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The unfair rendezvous: the waiter that came last is matched first. */
final class UnfairRendezvous implements Rendezvous {
    /*
     * Overview.
     *
     * A linked stack of nodes. All waiters in it are of one side, so its top says which:
     *
     *      top                      top                       top
     *       |                        |                         |
     *       v                        v                         v
     *      [ S3 ]                   [ S3, gone ]              [ S4 ]
     *      [ S2 ]            =>     [ S2 ]             =>     [ S2 ]
     *      [ S1, gone ]             [ S1, gone ]              [ S1, gone ]
     *
     *               S3 is matched: CAS of `gone`    S4 comes: CAS of the top, replacing S3
     *
     * A node ends by one CAS of its `gone`, by a caller that matches it or by a canceller. After that it is off the stack in
     * all but the links. Below the top it is passed. At the top it is left until the next caller comes. A caller that waits
     * pushes its own node in its place. A caller that matches the node below takes it off. Only a caller that finds no waiter
     * leaves it, if it is the only one.
     *
     * How this differs from the dual stack of W. N. Scherer III, D. Lea, M. L. Scott: "Scalable Synchronous Queues", PPoPP
     * 2006. There a caller of the other side first pushes a node of its own, to keep others
     * from pushing while it matches the node below, and all callers that come then help it. Here a caller marks the node that
     * it has seen at the top. Another node may have been pushed over that one by then. Its owner came later, so the order is
     * still LIFO for the waiters that were there at the look. And the node is marked before it is taken off. If it were taken
     * off first, it could be cancelled in between, and a tryMatch() that has found the stack empty meanwhile would have found
     * no waiter although one waited.
     *
     * There, too, each canceller searches its node from the top, at a cost that grows with the height. Here a node that is at
     * the top when it ends is left to the next caller, which needs one CAS of the top in any case. Only if the nodes next to
     * it are gone as well, they are taken off, all by one CAS. Other nodes are only counted. The operation that counts the
     * last of `sweepAt` sets the count to zero, unlinks all nodes that are gone in a walk through the stack, and sets
     * `sweepAt` to half the number of nodes it leaves, or SWEEP_THRESHOLD. Each node that ends at the top lowers it by one.
     *
     * So ending takes amortized constant time, paid by the callers that come and leave. And as long as no waiter leaves while
     * a sweep walks, the nodes that are gone below the top are fewer than the waiters, or SWEEP_THRESHOLD. Proof: let a sweep
     * leave w nodes, and since then t nodes end at the top and c below it. While c < w / 2 - t, we have c < w - t - c, and
     * that many wait, besides waiters that have come since.
     *
     *   UR-1  A node that has ended is counted after it is marked, if it is not at the top then. If it is, no caller that
     *         sees the mark pushes over it. A caller that has looked before may do so; it looks at the mark once more after
     *         that, and counts the node. Store before load on both sides: the mark, then the look at the top, in remove(),
     *         against the CAS of the top, then the look at the mark, in push().
     *
     *         A sweep unlinks all nodes below the top that were marked before it began. So the nodes below the top that are
     *         gone are fewer than the sum of: `sweepAt`; one for each thread in the middle of ending a node or of pushing
     *         one; another `sweepAt` for each thread in the middle of a sweep; and the nodes that were brought back, see
     *         below. Nodes that end during a sweep do not lower what it sets, so `sweepAt` is at most half the greatest
     *         height that the last sweep has seen.
     *
     *         The count may be too high: a node may be counted by both, or though it has lowered `sweepAt`, or when the next
     *         node has already replaced it. Then the next sweep is a little early.
     *
     * A caller that takes the top off, having read the links before a sweep, may bring nodes that are gone to the top again.
     * The next caller takes them off; or, if its look was before, buries them until the next sweep.
     *
     * `below` is written before the node is published. Afterwards it is changed by CAS, only over nodes that are gone for
     * good, so an old value only makes a walk longer.
     *
     * Linearization. A matchOrEnqueue() that waits: at the CAS that pushes its node. A tryMatch() or matchOrEnqueue() that
     * matches a waiter: at the look at the top where it saw the node, or at the CAS that made it the top, the last before it
     * marked the node. No caller can tell the difference: one that came to that node in between would have marked it. A
     * tryMatch() that finds no waiter: at its look at the top, if that was not gone. If it was, at the CAS that takes it off,
     * or at the second look, which finds the same top: the nodes below are the same then, or fewer, and the nodes that it
     * has passed were gone before. The first look alone does not suffice: a waiter may have come after it, and only then the
     * waiter that tryMatch() has passed may have left. cancel(): at the CAS of `gone`.
     *
     * Progress. Lock-free: an operation repeats only because another has pushed, marked, taken off or unlinked. Several may
     * sweep at once. Cancelling is wait-free but for the sweep and taking off the top.
     *
     * Reclamation. Links lead from newer to older nodes alone, so that a dead node does not keep what comes after it. A node
     * that is gone drops its waiter.
     *
     * Access modes.
     *
     *   field         read                                 written                            why
     *   ------------  -----------------------------------  ---------------------------------  -----------------------------------
     *   top           volatile: all operations             CAS: push, match, taking off       publishes node, waiter and what the
     *                                                                                         waiter brings; UR-1; "enqueue, then
     *                                                                                         look" of a primitive
     *   Node.gone     volatile: all operations             CAS, once: match, cancel           one operation ends a node; UR-1
     *   Node.below    volatile: walks                      plain: push, before its CAS        published by the CAS of the top
     *                                                      CAS: sweep                         only over nodes that are gone
     *   Node.waiter   plain: the operation that ended it;  plain null: that operation         it is alone with it; a show that
     *                 a race on purpose: forEachWaiter                                        races reads either value
     *   buriedCount   atomic addition                      atomic addition; CAS to 0: sweep   one sweeper for each count
     *   sweepAt       volatile: count                      atomic addition; volatile: sweep   a bound, UR-1
     *   cellRef       plain: canceller                     plain: see Waiter                  see Waiter
     */

    /**
     * The number of gone nodes that is always tolerated: enough to make a sweep of few nodes rare. Tests shrink it.
     */
    static final int SWEEP_THRESHOLD = Tuning.positive("dev.cqs.stackSweepThreshold", 32, 1 << 12);

    private static final VarHandle TOP;
    private static final VarHandle BURIED_COUNT;
    private static final VarHandle SWEEP_AT;
    private static final VarHandle BELOW;
    private static final VarHandle GONE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(UnfairRendezvous.class, "top", Node.class);
            BURIED_COUNT = lookup.findVarHandle(UnfairRendezvous.class, "buriedCount", int.class);
            SWEEP_AT = lookup.findVarHandle(UnfairRendezvous.class, "sweepAt", int.class);
            BELOW = lookup.findVarHandle(Node.class, "below", Node.class);
            GONE = lookup.findVarHandle(Node.class, "gone", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Changed by CAS. */
    volatile @Nullable Node top;

    /** At least the nodes that have ended below the top since the last sweep began; atomic addition, and set to 0 by CAS. */
    volatile int buriedCount;

    /** The count that starts a sweep; set at the end of a sweep, and lowered by atomic addition. */
    private volatile int sweepAt = SWEEP_THRESHOLD;

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        UnfairRendezvous stack = new UnfairRendezvous();
        Node node = new Node(stack, Side.SENDER, null);
        TOP.compareAndSet(stack, node, node);
        BELOW.set(node, (Node) null);
        BELOW.compareAndSet(node, node, node);
        BURIED_COUNT.compareAndSet(stack, (int) BURIED_COUNT.getAndAdd(stack, 1), 0);
        SWEEP_AT.getAndAdd(stack, -1);
        GONE.compareAndSet(node, false, true);
    }

    // Matching

    @Override
    public @Nullable Waiter tryMatch(Side side) {
        Objects.requireNonNull(side, "side");
        for (; ; ) {
            Node seen = top;
            Node alive = pass(seen);
            if (alive == null || alive.side == side) {
                if (alive == seen || confirm(seen, alive)) {
                    return null;
                }
            } else {
                Waiter matched = match(seen, alive);
                if (matched != null) {
                    return matched;
                }
            }
        }
    }

    @Override
    public @Nullable Waiter matchOrEnqueue(Side side, Waiter waiter) {
        Objects.requireNonNull(side, "side");
        if (waiter.cellRef != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
        Node mine = new Node(this, side, waiter);
        for (; ; ) {
            Node seen = top;
            Node alive = pass(seen);
            if (alive == null || alive.side == side) {
                if (push(mine, seen, alive)) {
                    return null;
                }
            } else {
                Waiter matched = match(seen, alive);
                if (matched != null) {
                    return matched;
                }
            }
        }
    }

    /** The waiter in the node that is alive, or null if another operation was faster. */
    private @Nullable Waiter match(@Nullable Node seen, Node alive) {
        return alive == seen || TOP.compareAndSet(this, seen, alive) ? end(alive) : null;
    }

    /** This node or the first below it that is not gone. */
    private static @Nullable Node pass(@Nullable Node node) {
        while (node != null && node.gone) {
            node = node.below;
        }
        return node;
    }

    /** Whether the top has not changed since it was seen. One node that is gone may stay there; several are taken off. */
    @SuppressWarnings("NullAway") // what is not alive itself is not null
    private boolean confirm(@Nullable Node seen, @Nullable Node alive) {
        return seen.below == alive ? top == seen : TOP.compareAndSet(this, seen, alive);
    }

    /** Puts the node over the one that is alive, if the top is still the one seen. Counts what it has buried: UR-1. */
    @SuppressWarnings("NullAway") // no operation has marked it yet
    boolean push(Node mine, @Nullable Node seen, @Nullable Node alive) {
        BELOW.set(mine, alive); // plain, both: published by the CAS
        mine.waiter.cellRef = mine;
        if (!TOP.compareAndSet(this, seen, mine)) {
            mine.waiter.cellRef = null;
            return false;
        }
        if (alive != null && alive == seen && alive.gone) { // after the CAS, against remove()
            count();
        }
        return true;
    }

    /** The waiter that was in this node, or null if another operation was faster. */
    private @Nullable Waiter end(Node node) {
        Waiter waiter = node.mark();
        if (waiter != null) {
            remove(node);
        }
        return waiter;
    }

    @Override
    public boolean cancel(Waiter waiter) {
        return waiter.cellRef instanceof Node node && node.stack == this && node.cancel(waiter);
    }

    // Cleaning

    /** What is left to do about a node that is gone: UR-1. */
    void remove(Node node) {
        if (top != node) { // after the mark, against push()
            count();
            return;
        }
        lowerSweepAt();
        Node below = node.below;
        if (below != null && below.gone) {
            firstAlive(); // else the node is left to the next caller
        }
    }

    private void count() {
        int counted = (int) BURIED_COUNT.getAndAdd(this, 1) + 1;
        if (counted >= sweepAt && BURIED_COUNT.compareAndSet(this, counted, 0)) { // or another operation counts on
            sweep();
        }
    }

    /** The first node that was not gone; the nodes above it are off. */
    private @Nullable Node firstAlive() {
        for (; ; ) {
            Node seen = top;
            Node alive = pass(seen);
            if (alive == seen || TOP.compareAndSet(this, seen, alive)) {
                return alive;
            }
        }
    }

    private void lowerSweepAt() {
        if (sweepAt > SWEEP_THRESHOLD) {
            SWEEP_AT.getAndAdd(this, -1);
        }
    }

    private void sweep() {
        int left = 0;
        for (Node at = firstAlive(); at != null; ) {
            Node next = at.below;
            Node alive = pass(next);
            if (alive == next || BELOW.compareAndSet(at, next, alive)) {
                left++;
                at = alive;
            }
        }
        sweepAt = Math.max(SWEEP_THRESHOLD, left / 2);
    }

    @Override
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Objects.requireNonNull(action, "action");
        for (Node at = top; at != null; at = at.below) {
            Waiter waiter = at.waiter;
            if (waiter != null && !at.gone) {
                action.accept(waiter);
            }
        }
    }

    /** Holds a waiter. */
    static final class Node extends CellRef {
        final UnfairRendezvous stack;
        final Side side;

        /**
         * Set to null, plainly, by the operation that has marked the node. forEachWaiter() races with that, and reads either
         * a waiter that may just be leaving, or null, where none waits any more.
         */
        @Nullable
        Waiter waiter;

        volatile @Nullable Node below;

        /** Whether this node has ended; set once, by CAS. */
        volatile boolean gone;

        Node(UnfairRendezvous stack, Side side, @Nullable Waiter waiter) {
            this.stack = stack;
            this.side = side;
            this.waiter = waiter;
        }

        /** Ends this node; the waiter that was in it, or null if another operation was faster. */
        @SuppressWarnings("NullAway") // the waiter is there until the mark
        @Nullable
        Waiter mark() {
            if (!GONE.compareAndSet(this, false, true)) {
                return null;
            }
            Waiter ended = waiter;
            waiter = null;
            ended.cellRef = null;
            return ended;
        }

        @Override
        boolean cancel(Waiter waiter) {
            return stack.end(this) != null;
        }

        @Override
        boolean isAmongFirst(int index) {
            Node seen = stack.top;
            return seen == this || seen == null || seen.gone && seen.below == this;
        }
    }
}
