package dev.cqs.spi;

import dev.cqs.sync.Pool;
import dev.cqs.sync.ResourcePool;

/**
 * The steps of borrowing from a pool of resources. What is waited for is a {@link PoolSlot}; the one who has got it then gets
 * the element out of it, or makes one. Nobody else waits for that.
 *
 * <pre>{@code
 * steps.tidy(pool);
 * Slot<E> slot = ...;                                  // from slots(pool), by the steps of a Pool
 * E element = steps.lend(pool, slot, borrower);
 * if (element == null) {                               // the slot is used up, and the caller may make an element
 *     E made;
 *     try {
 *         made = ...;                                  // may suspend, may fail
 *     } catch (Throwable t) {
 *         steps.fail(pool);
 *         throw t;
 *     }
 *     element = steps.fill(pool, made, borrower);
 * }
 * }</pre>
 *
 * <p>Whoever has a slot passes it to exactly one of {@link #lend}, {@link #lendOrMake} and {@link #free}. Where {@code
 * lend} has answered {@code null}, it is followed by exactly one of {@link #fill} and {@link #fail}.
 */
public abstract class ResourceSteps {
    /** For the pools of this library. */
    protected ResourceSteps() {}

    /** The slots of the pool, for which to wait. */
    public abstract <E> Pool<PoolSlot<E>> slots(ResourcePool<E> pool);

    /**
     * What a pool does whenever it is used, before anybody waits: it evicts what has been idle for too long, and frees the
     * places of elements that were dropped. Cheap if nothing is due.
     */
    public abstract void tidy(ResourcePool<?> pool);

    /**
     * Lends an idle element that is valid. What the validator throws is passed on, and the place is free then.
     *
     * @param borrower who borrows it, for reports
     * @return the element, or {@code null} if the caller is to make one
     */
    public abstract <E> E lend(ResourcePool<E> pool, PoolSlot<E> slot, String borrower);

    /**
     * Lends an element that was made.
     *
     * @return the element
     * @throws NullPointerException if it is {@code null}; the place is free then
     * @throws IllegalStateException if the pool has this element already; the place is free then
     */
    public abstract <E> E fill(ResourcePool<E> pool, E made, String borrower);

    /** Frees the place of an element that could not be made. */
    public abstract void fail(ResourcePool<?> pool);

    /**
     * Lends an idle element that is valid, or one that the factory of the pool makes now. What it throws is passed on, and
     * the place is free then.
     *
     * @throws IllegalStateException if an element is to be made and the pool has no factory; the place is free then
     */
    public abstract <E> E lendOrMake(ResourcePool<E> pool, PoolSlot<E> slot, String borrower);

    /** Gives a slot back that was not used: its taker was cancelled after it had been handed over, say. */
    public abstract <E> void free(ResourcePool<E> pool, PoolSlot<E> slot);

    /** Puts an element back, unless it was put back, and is not lent again, or invalidated before; for the end of its use. */
    public abstract <E> void putIfLent(ResourcePool<E> pool, E element);
}
