package dev.cqs.spi;

import dev.cqs.Waiter;
import dev.cqs.sync.CyclicBarrier;

/** The steps of waiting at a barrier. */
public abstract class BarrierSteps {
    /** What {@link #arrive} answers if the caller has to wait and has no waiter. */
    public static final int WAITS = -1;

    /** What {@link #arrive} answers if the barrier is broken. */
    public static final int BROKEN = -2;

    /** What {@link #arrive} answers to the last party of a round: it is through. */
    public static final int PASSED = -3;

    /** For the barrier of this library. */
    protected BarrierSteps() {}

    /**
     * Arrives at the barrier. The last one of a round runs the action, lets the others go on, and does not wait; what the
     * action throws goes to the caller, and the barrier is broken.
     *
     * @param waiter enqueued unless the caller is the last one; {@code null} to arrive only as the last one
     * @return how many parties are missing behind this one, if its waiter was enqueued; zero if it is to be resumed with
     *     {@link Passage#RUN}. Or {@link #PASSED}, {@link #BROKEN}, or {@link #WAITS}
     */
    public abstract int arrive(CyclicBarrier barrier, Waiter waiter);

    /**
     * Breaks the barrier on behalf of a party that does not wait any longer, unless its round is complete.
     *
     * @return {@code false} if it was resumed, or is about to be
     */
    public abstract boolean giveUp(CyclicBarrier barrier, Waiter waiter);

    /** Breaks the barrier on behalf of a party that does not even begin to wait; {@code false} if it is broken already. */
    public abstract boolean refuse(CyclicBarrier barrier);

    /**
     * Runs the action for a party that was resumed with {@link Passage#RUN}, and lets the others go on.
     *
     * @param fit {@code false} if the party cannot run it any more: then the barrier breaks
     * @return {@code false} if the barrier is broken
     */
    public abstract boolean run(CyclicBarrier barrier, boolean fit);
}
