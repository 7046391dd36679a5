package dev.cqs.spi;

import dev.cqs.Waiter;
import dev.cqs.sync.Pool;

/**
 * The two steps of waiting for an element of a pool.
 *
 * <pre>{@code
 * for (;;) {
 *     E element = steps.reserve(pool);
 *     if (element != null) return element;
 *     Waiter waiter = ...;                            // abandon(pool) if this throws
 *     if (steps.enqueue(pool, waiter)) break;
 * }
 * // wait until the waiter is resumed, or cancel it
 * }</pre>
 *
 * <p>An element that was handed over and cannot be used any more, because its coroutine was cancelled meanwhile,
 * say, is {@linkplain Pool#put put} back like any other.
 */
public abstract class PoolSteps {
    /** For the pools of this library. */
    protected PoolSteps() {}

    /**
     * Takes an idle element if there is one; otherwise counts the request as waiting. To take one without waiting
     * there is {@link Pool#tryTake}, which overtakes nobody either.
     *
     * @return the element, or {@code null} if the request now is to {@link #enqueue} or to {@link #abandon}
     * @throws dev.cqs.sync.ClosedException if the pool is closed
     */
    public abstract <E> E reserve(Pool<E> pool);

    /**
     * Puts the waiter of a reserved request into the queue. It is resumed with an element, or with a {@link Closed}.
     *
     * @return {@code false} if the place in the queue was lost: reserve again
     */
    public abstract boolean enqueue(Pool<?> pool, Waiter waiter);

    /** Gives up a reserved request that has not been enqueued. */
    public abstract void abandon(Pool<?> pool);
}
