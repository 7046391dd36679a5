package dev.cqs.sync;

/** Implemented by a {@link dev.cqs.Waiter} that waits for several permits at once. */
public interface WeightedWaiter {
    /** {@return how many permits it waits for; the same on each call, never negative} */
    int weight();
}
