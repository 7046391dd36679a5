package dev.cqs;

import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

/** The unfair meeting point: who came last is met first. */
final class UnfairRendezvous implements Rendezvous {
    /*
     * Overview.
     *
     * A linked stack of nodes. All who wait in it are of one side, so its top says which:
     *
     *      top                      top                       top
     *       |                        |                         |
     *       v                        v                         v
     *      [ S3 ]                   [ S3, gone ]              [ S4 ]
     *      [ S2 ]            =>     [ S2 ]             =>     [ S2 ]
     *      [ S1, gone ]             [ S1, gone ]              [ S1, gone ]
     *
     *               S3 is met: CAS of `gone`    S4 comes: CAS of the top, in the place of S3
     *
     * A node ends by one CAS of its `gone`, of one who meets it or of one who cancels it. After that it is off the stack in
     * all but the links. At the top it is left until the next comes: who waits pushes its own node in its place, who meets
     * the one below takes it off, and only who finds nobody leaves it, if it is one alone. Below the top it is passed.
     *
     * How this differs from the dual stack of the paper. There one of the other side first pushes a node of its own, to
     * keep others from pushing while it matches the one below, and all who come then help it. Here it marks the node that
     * it has seen at the top. Another may have pushed a node over it by then: that one came later, so last in is still
     * first out of those who were there at the look. And it is marked before it is taken off: with the node taken off
     * first, it could be cancelled in between, and a meet() that has found the stack empty meanwhile would have found
     * nobody although one waited.
     *
     * There, too, a cancelled node is searched from the top by each who cancels, at a cost that grows with the height. Here
     * a node that is at the top when it ends is left to the next who comes, whose one CAS of the top it does not make two;
     * only if more are gone next to it, they are taken off, all by one CAS. Others are only counted: who counts the last of
     * `bound` sets the count to zero, unlinks all that are gone in a walk through the stack, and sets `bound` to half the
     * number of nodes it leaves, or LEAST. Each that ends at the top lowers it by one. So ending takes constant time on the
     * average, paid by those who come and leave; and, as long as nobody leaves while a sweep walks, those that are gone
     * below the top are fewer than those who wait, or LEAST: let a sweep leave w, and since then t end at the top and c
     * below it; while c < w / 2 - t, we have c < w - t - c, and that many wait, besides those who have come.
     *
     *   I1  A node that has ended is counted after it is marked, if it is not at the top then. If it is, nobody pushes over
     *       it who sees the mark. One who has looked before may do so, and looks at it once more after that, and counts it.
     *       Store before load on both sides: the mark, then the look at the top, in remove(), against the CAS of the top,
     *       then the look at the mark, in push(). A sweep unlinks all below the top that were marked before it began. So
     *       there are fewer of them than `bound`, and one for each thread in the middle of ending one or of pushing, and
     *       another `bound` for each in the middle of a sweep, and those that were brought back, see below. Those who
     *       leave during a sweep do not lower what it sets, so `bound` is at most half the greatest height that the last
     *       sweep has seen. The count may be too high: a node may be counted by both, or though it has lowered `bound`,
     *       or when the next has already taken its place. Then the next sweep is a little early.
     *
     * One who takes the top off, having read the way before a sweep, may bring nodes that are gone to the top again. The
     * next who comes takes them off; or, if its look was before, buries them until the next sweep.
     *
     * `below` is written before the node is published. Afterwards it is changed by CAS, only over nodes that are gone for
     * good, so that whoever reads an old value reads a way with a detour.
     *
     * Linearization. enter() that waits: at the CAS that pushes its node. meet() and enter() that meet somebody: at their
     * look at the top where they saw the node, or at the CAS that made it the top, the last before they marked it. Nobody
     * can tell the difference: who came to that node in between would have marked it. meet() that meets nobody: at its look
     * at the top, if that was not gone. If it was, at the CAS that takes it off, or at the second look, which finds the
     * same top: those below are the same then, or fewer, and those that it has passed were gone before. After the first
     * look alone one may have come, and only then the one whom meet() has passed may have left. cancel(): at the CAS of
     * `gone`.
     *
     * Progress. Lock-free: an operation repeats only because another has pushed, marked, taken off or unlinked. Several may
     * sweep at once. Cancelling is wait-free but for the sweep and taking off the top.
     *
     * Reclamation. Links lead from newer to older nodes alone, so that a dead node does not keep what comes after it. One
     * that is gone drops its waiter.
     *
     * Ordering. A waiter is published by the CAS that pushes its node, and read after the look at the top, or at the links
     * below, by the one who marks the node. All other accesses are volatile: primitives rely on a total order of "enter,
     * then look at my state" against "change the state, then look at those who wait".
     */

    /**
     * Nodes that are gone and may always be there: enough to make a sweep of few nodes rare. Tests shrink it to sweep often.
     */
    static final int LEAST = Tuning.positive("dev.cqs.stackSweepThreshold", 32, 1 << 12);

    private static final VarHandle TOP;
    private static final VarHandle ENDED;
    private static final VarHandle BOUND;
    private static final VarHandle BELOW;
    private static final VarHandle GONE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(UnfairRendezvous.class, "top", Node.class);
            ENDED = lookup.findVarHandle(UnfairRendezvous.class, "ended", int.class);
            BOUND = lookup.findVarHandle(UnfairRendezvous.class, "bound", int.class);
            BELOW = lookup.findVarHandle(Node.class, "below", Node.class);
            GONE = lookup.findVarHandle(Node.class, "gone", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Changed by CAS. */
    volatile Node top;

    /** As many as have ended below the top since the last sweep began, or more; atomic addition, and set to 0 by CAS. */
    volatile int ended;

    /** When to sweep; set at the end of a sweep, and lowered by atomic addition. */
    private volatile int bound = LEAST;

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        UnfairRendezvous stack = new UnfairRendezvous();
        Node node = new Node(stack, Side.SENDER, null);
        TOP.compareAndSet(stack, node, node);
        BELOW.set(node, (Node) null);
        BELOW.compareAndSet(node, node, node);
        ENDED.compareAndSet(stack, (int) ENDED.getAndAdd(stack, 1), 0);
        BOUND.getAndAdd(stack, -1);
        GONE.compareAndSet(node, false, true);
    }

    // Meeting

    @Override
    public Waiter meet(Side side) {
        Objects.requireNonNull(side, "side");
        for (; ; ) {
            Node seen = top;
            Node alive = pass(seen);
            if (alive == null || alive.side == side) {
                if (alive == seen || confirm(seen, alive)) {
                    return null;
                }
            } else {
                Waiter met = meet(seen, alive);
                if (met != null) {
                    return met;
                }
            }
        }
    }

    @Override
    public Waiter enter(Side side, Waiter waiter) {
        Objects.requireNonNull(side, "side");
        if (waiter.place != null) {
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
                Waiter met = meet(seen, alive);
                if (met != null) {
                    return met;
                }
            }
        }
    }

    /** The one who waits in the node that is alive, or null if another was faster. */
    private Waiter meet(Node seen, Node alive) {
        return alive == seen || TOP.compareAndSet(this, seen, alive) ? end(alive) : null;
    }

    /** This node or the first below it that is not gone. */
    private static Node pass(Node node) {
        while (node != null && node.gone) {
            node = node.below;
        }
        return node;
    }

    /** Whether the top has not changed since it was seen. One that is gone may stay there; several are taken off. */
    private boolean confirm(Node seen, Node alive) {
        return seen.below == alive ? top == seen : TOP.compareAndSet(this, seen, alive);
    }

    /** Puts the node over the one that is alive, if the top is still the one seen. Counts what it has buried: I1. */
    boolean push(Node mine, Node seen, Node alive) {
        BELOW.set(mine, alive); // plain, both: published by the CAS
        mine.waiter.place = mine;
        if (!TOP.compareAndSet(this, seen, mine)) {
            mine.waiter.place = null;
            return false;
        }
        if (alive != null && alive == seen && alive.gone) { // after the CAS, against remove()
            count();
        }
        return true;
    }

    /** Whoever was waiting in this node, or null if another was faster. */
    private Waiter end(Node node) {
        Waiter waiter = node.mark();
        if (waiter != null) {
            remove(node);
        }
        return waiter;
    }

    @Override
    public boolean takeOut(Waiter waiter) {
        return waiter.place instanceof Node node && node.stack == this && node.takeOut(waiter);
    }

    // Cleaning

    /** What is left to do about a node that is gone: I1. */
    void remove(Node node) {
        if (top != node) { // after the mark, against push()
            count();
            return;
        }
        lowerBound();
        Node below = node.below;
        if (below != null && below.gone) {
            firstAlive(); // else the node is left to the next who comes
        }
    }

    private void count() {
        int counted = (int) ENDED.getAndAdd(this, 1) + 1;
        if (counted >= bound && ENDED.compareAndSet(this, counted, 0)) { // or another counts on
            sweep();
        }
    }

    /** The first that was not gone; those above it are off. */
    private Node firstAlive() {
        for (; ; ) {
            Node seen = top;
            Node alive = pass(seen);
            if (alive == seen || TOP.compareAndSet(this, seen, alive)) {
                return alive;
            }
        }
    }

    private void lowerBound() {
        if (bound > LEAST) {
            BOUND.getAndAdd(this, -1);
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
        bound = Math.max(LEAST, left / 2);
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

    /** One who waits. */
    static final class Node extends CellRef {
        final UnfairRendezvous stack;
        final Side side;

        /**
         * Set to null, plainly, by who has marked the node. One who shows all races with that, and sees either: a waiter that
         * may just be leaving, or null, where nobody waits any more.
         */
        Waiter waiter;

        volatile Node below;

        /** Whether this has ended; set once, by CAS. */
        volatile boolean gone;

        Node(UnfairRendezvous stack, Side side, Waiter waiter) {
            this.stack = stack;
            this.side = side;
            this.waiter = waiter;
        }

        /** Ends this; whoever was waiting, or null if another was faster. */
        Waiter mark() {
            if (!GONE.compareAndSet(this, false, true)) {
                return null;
            }
            Waiter ended = waiter;
            waiter = null;
            ended.place = null;
            return ended;
        }

        @Override
        boolean takeOut(Waiter waiter) {
            return stack.end(this) != null;
        }

        @Override
        boolean isAmongFirst(int index) {
            Node seen = stack.top;
            return seen == this || seen == null || seen.gone && seen.below == this;
        }
    }
}
