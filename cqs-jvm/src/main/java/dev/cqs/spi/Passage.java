package dev.cqs.spi;

/** What a waiter at a barrier is resumed with. */
public enum Passage {
    /** All parties have come: go on. */
    TRIPPED,
    /** The barrier is broken: fail. */
    BROKEN,
    /** All parties have come, and the owner of this waiter, the last of them, is to {@linkplain BarrierSteps#run run} the action. */
    RUN
}
