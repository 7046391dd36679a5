package dev.cqs.sync;

/** What a {@link dev.cqs.Waiter} at a {@link CyclicBarrier} is resumed with. */
public enum BarrierResult {
    /** All parties have arrived: its owner goes on. */
    PASSED,
    /** The barrier is broken, or was reset: its owner fails. */
    BROKEN,
    /**
     * All parties have arrived, its owner as the last of them, and the action is to be run for them: its owner calls {@link
     * CyclicBarrier#runAction}, or if it does not run on, {@link CyclicBarrier#abortAction}, exactly once.
     */
    RUN_ACTION
}
