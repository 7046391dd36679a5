package dev.cqs.spi;

import dev.cqs.Waiter;

/**
 * The two steps of waiting on a primitive of the kind {@code P}.
 *
 * <pre>{@code
 * for (;;) {
 *     int ticket = steps.reserve(semaphore, n);
 *     if (ticket == Steps.GRANTED) return;
 *     Waiter waiter = ...;                            // abandon(semaphore, ticket) if this throws
 *     if (steps.enqueue(semaphore, waiter, ticket)) break;
 * }
 * // wait until the waiter is resumed, or cancel it
 * }</pre>
 */
public abstract class Steps<P> {
    /** What {@link #reserve} answers if the caller need not wait. */
    public static final int GRANTED = 0;

    /** For the primitives of this library. */
    protected Steps() {}

    /**
     * Takes {@code n} permits if that is possible at once and overtakes nobody; otherwise counts the request
     * as waiting.
     *
     * @param n not negative; 1 for primitives without permits
     * @return {@link #GRANTED}, or a ticket to pass to {@link #enqueue} or {@link #abandon}
     * @throws dev.cqs.sync.ClosedException if the primitive is closed
     */
    public abstract int reserve(P primitive, int n);

    /**
     * Takes {@code n} permits if that is possible at once and overtakes nobody; otherwise does nothing.
     *
     * @param n not negative; 1 for primitives without permits
     * @return whether the permits were taken
     * @throws dev.cqs.sync.ClosedException if the primitive is closed
     */
    public abstract boolean tryReserve(P primitive, int n);

    /**
     * Puts the waiter of a reserved request into the queue. A waiter for another number of permits than one
     * must be a {@link WeightedWaiter}. It is resumed with the primitive itself, which is where to put back what
     * its owner cannot use any more, or with a {@link WaitFailure}.
     *
     * @return {@code false} if the place in the queue was lost: reserve again
     */
    public abstract boolean enqueue(P primitive, Waiter waiter, int ticket);

    /** Gives up a reserved request that has not been enqueued. */
    public abstract void abandon(P primitive, int ticket);
}
