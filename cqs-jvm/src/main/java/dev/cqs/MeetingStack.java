package dev.cqs;

import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

/** The unfair meeting point: who came last is met first. */
final class MeetingStack implements MeetingPoint {
    /*
     * Overview.
     *
     * A linked stack of nodes. All who wait in it are of one side. One of the other side does not take the top off at once,
     * but first covers it:
     *
     *      top                 top                                top
     *       |                   |                                  |
     *       v                   v                                  v
     *      [ S3 ]             [ cover ]                           [ S1 ]
     *        |                   |      match of S3 := cover
     *      [ S2, gone ]   =>   [ S3 ]           =>                        S3 and the cover are off, and
     *        |                   |                                        with them all between
     *      [ S1 ]              [ S2, gone ]
     *                            |
     *                          [ S1 ]
     *
     * While a cover is on top nobody can push; whoever comes helps to finish first: to find the first below that is
     * not cancelled, to match it by CAS of its `match` from null to the cover, and to take off both. If all below are
     * cancelled, the cover comes off alone, with them, and its owner starts again.
     *
     * Why the cover. With the node at the top taken off first and matched second, it could be cancelled in between, and
     * a meet() that has found the stack empty meanwhile would have found nobody although one waited. With the node
     * matched first and taken off second, others could push between the look at the top and the match, and last in
     * would not be first out.
     *
     * How this differs from the dual stack of the paper. There a cancelled node is searched from the top, at a cost that
     * grows with the height, by each who cancels. Here one that is at the top is taken off, with all cancelled ones next to
     * it, and others are only counted: who counts the last of `bound` sets the count to zero, unlinks all cancelled ones
     * in a walk through the stack, and sets `bound` to half the number of nodes it leaves, or LEAST. Each that leaves by
     * the top, matched or cancelled, lowers it by one. So cancelling takes constant time on the average, paid by those who
     * come and leave; and the cancelled nodes are fewer than those who wait, or LEAST. For let a sweep leave w, and since
     * then t leave by the top and c be cancelled below it: as long as c < w / 2 - t, we have c < w - t - c, and that many
     * wait, besides those who have come.
     *
     *   I1  A cancelled node is taken off the top by who cancels it, or counted after it is marked. A sweep unlinks all
     *       below the top that were marked before it began. So there are fewer of them than `bound`, and one for each
     *       thread in the middle of a cancellation, and another `bound` for each in the middle of a sweep.
     *   I2  A node that was cancelled when it became the top is buried by nobody: who pushes looks first.
     *
     * I2 is for those that a sweep has unlinked in vain: a match that has read the way before may bring them to the top
     * again, where the next who comes takes them off. If a push buries a node that is cancelled after that look, then who
     * cancels fails to take it off, and counts it (I1).
     *
     * `below` of a node, or of a cover, is written before it is published. Afterwards it is changed by CAS, only over nodes
     * that are cancelled for good, so that whoever reads an old value reads a way with a detour. `below` of a cover, with
     * which all helpers begin, stays once it is matched: what is below it then is not cancelled. So a cover matches one.
     *
     * Linearization. enter() that waits: at the CAS that pushes its node. meet() and enter() that meet somebody: at the CAS
     * of the match, with nobody between the cover and the matched one who is not cancelled. meet() that meets nobody: at
     * the read of the top. cancel(): at the CAS of the match to GONE.
     *
     * Progress. Lock-free: an operation repeats only because another has pushed, covered, taken off or unlinked, and finishes
     * a cover itself. Several may sweep at once. Cancelling is wait-free but for the sweep and taking off the top.
     *
     * Reclamation. Links lead from newer to older nodes alone, so that a dead node does not keep what comes after it. A
     * cancelled node drops its waiter.
     *
     * Ordering. A waiter is published by the CAS that pushes its node, and read after the acquire of the top by those who
     * cover it. All other accesses are volatile: primitives rely on a total order of "enter, then look at my state" against
     * "change the state, then look at those who wait".
     */

    /** Cancelled nodes that may always be there: enough to make a sweep of few nodes rare. Tests shrink it to sweep often. */
    static final int LEAST = Tuning.positive("dev.cqs.leastGone", 32, 1 << 12);

    private static final VarHandle TOP;
    private static final VarHandle GONE_COUNT;
    private static final VarHandle BOUND;
    private static final VarHandle BELOW;
    private static final VarHandle MATCH;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(MeetingStack.class, "top", Node.class);
            GONE_COUNT = lookup.findVarHandle(MeetingStack.class, "gone", int.class);
            BOUND = lookup.findVarHandle(MeetingStack.class, "bound", int.class);
            BELOW = lookup.findVarHandle(Node.class, "below", Node.class);
            MATCH = lookup.findVarHandle(Node.class, "match", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The match of a node that is cancelled. */
    private static final Node GONE = new Node(null, null, null);

    /** Changed by CAS. */
    volatile Node top;

    /** Nodes cancelled below the top since the last sweep began; atomic addition, and set to 0 by CAS. */
    private volatile int gone;

    /** When to sweep; set at the end of a sweep, and lowered by atomic addition. */
    private volatile int bound = LEAST;

    // Meeting

    @Override
    public Waiter meet(Side side) {
        Objects.requireNonNull(side, "side");
        for (; ; ) {
            Node seen = top;
            if (seen == null) {
                return null;
            }
            if (!settled(seen)) {
                continue;
            }
            if (seen.side == side) {
                return null;
            }
            Waiter met = cover(seen);
            if (met != null) {
                return met;
            }
        }
    }

    @Override
    public Waiter enter(Side side, Waiter waiter) {
        Objects.requireNonNull(side, "side");
        if (waiter.place != null) {
            throw new IllegalStateException("the waiter is in a queue already: " + waiter);
        }
        Node mine = null;
        for (; ; ) {
            Node seen = top;
            if (seen != null && !settled(seen)) {
                continue;
            }
            if (seen == null || seen.side == side) {
                if (mine == null) {
                    mine = new Node(this, side, waiter);
                }
                BELOW.set(mine, seen); // plain, both: published by the CAS
                waiter.place = mine;
                if (TOP.compareAndSet(this, seen, mine)) {
                    return null;
                }
                waiter.place = null; // cover() may throw
            } else {
                Waiter met = cover(seen);
                if (met != null) {
                    return met;
                }
            }
        }
    }

    /** Whether one who waits is at the top here; otherwise helps to make it so. */
    private boolean settled(Node seen) {
        if (seen.isCover()) {
            match(seen);
            return false;
        }
        if (seen.isGone()) {
            takeOff(seen);
            return false;
        }
        return true;
    }

    /** Covers the top and takes out the first below; null if another was faster, or nobody was left there. */
    private Waiter cover(Node seen) {
        Node cover = new Node(null, null, null);
        BELOW.set(cover, seen); // plain: published by the CAS
        if (!TOP.compareAndSet(this, seen, cover)) {
            return null;
        }
        Node matched = match(cover);
        if (matched == null) {
            return null;
        }
        lowerBound();
        Waiter met = matched.waiter;
        met.place = null;
        return met;
    }

    /** Finishes what the owner of the cover has begun; whom the cover matches, or null. */
    Node match(Node cover) {
        for (Node at = cover.below; at != null; at = cover.below) {
            if (MATCH.compareAndSet(at, null, cover) || at.match == cover) {
                TOP.compareAndSet(this, cover, at.below);
                return at;
            }
            BELOW.compareAndSet(cover, at, at.below); // cancelled
        }
        TOP.compareAndSet(this, cover, null);
        return null;
    }

    // Cancelling

    @Override
    public boolean takeOut(Waiter waiter) {
        return waiter.place instanceof Node node && node.stack == this && node.takeOut(waiter);
    }

    /** Takes a cancelled node off, or counts it: I1. */
    private void remove(Node node) {
        if (top == node && takeOff(node)) {
            firstAlive(); // those next to it
            lowerBound();
            return;
        }
        int counted = (int) GONE_COUNT.getAndAdd(this, 1) + 1;
        if (counted >= bound && GONE_COUNT.compareAndSet(this, counted, 0)) { // or another counts on
            sweep();
        }
    }

    private void lowerBound() {
        if (bound > LEAST) {
            BOUND.getAndAdd(this, -1);
        }
    }

    private boolean takeOff(Node gone) {
        return TOP.compareAndSet(this, gone, gone.below);
    }

    /** The top, when those at the top that are cancelled are off. */
    private Node firstAlive() {
        Node seen = top;
        while (seen != null && seen.isGone()) {
            takeOff(seen);
            seen = top;
        }
        return seen;
    }

    private void sweep() {
        int left = 0;
        for (Node at = firstAlive(); at != null; ) {
            Node next = at.below;
            Node alive = next;
            while (alive != null && alive.isGone()) {
                alive = alive.below;
            }
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
            if (waiter != null && at.match == null) {
                action.accept(waiter);
            }
        }
    }

    /** One who waits, or a cover. */
    static final class Node extends Place {
        final MeetingStack stack;

        /** Null in a cover. */
        final Side side;

        /** Set to null, plainly, once cancelled; who matches a node does so before that. */
        Waiter waiter;

        volatile Node below;

        /** Null, or the cover that has matched this, or GONE; changed once, by CAS. */
        private volatile Node match;

        Node(MeetingStack stack, Side side, Waiter waiter) {
            this.stack = stack;
            this.side = side;
            this.waiter = waiter;
        }

        boolean isCover() {
            return side == null;
        }

        boolean isGone() {
            return match == GONE;
        }

        @Override
        boolean takeOut(Waiter waiter) {
            if (!MATCH.compareAndSet(this, null, GONE)) {
                return false;
            }
            waiter.place = null;
            this.waiter = null;
            stack.remove(this);
            return true;
        }

        @Override
        boolean isAmongFirst(int index) {
            Node seen = stack.top;
            return seen == this || seen == null || seen.isCover();
        }
    }
}
