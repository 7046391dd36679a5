package dev.cqs.internal;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.Waiter;
import dev.cqs.sync.WeightedWaiter;

/**
 * Checks what a factory has made, while the request can still be taken back: for semaphores and mutexes in either mode, and
 * for pools. The latch and the read-write lock, where a weight means nothing, only check that the waiter is new.
 */
public final class NewWaiter {
    private NewWaiter() {}

    /**
     * Checks everything that could go wrong with the waiter later.
     *
     * @param permits how many the request is for, or one element of a pool
     * @throws NullPointerException if there is no waiter
     * @throws IllegalStateException if it is in a queue already
     * @throws IllegalArgumentException if it waits for another number of permits
     */
    public static void check(Waiter waiter, int permits) {
        CancellableQueueSynchronizer.checkNew(waiter);
        int weight = weightOf(waiter);
        if (weight != permits) {
            throw new IllegalArgumentException("the weight of the waiter must be " + permits
                    + ", which the request is for, but is " + weight + ": " + waiter);
        }
    }

    /** How many permits it waits for. */
    public static int weightOf(Waiter waiter) {
        return waiter instanceof WeightedWaiter weighted ? weighted.weight() : 1;
    }
}
