package dev.cqs.pool;

import org.jspecify.annotations.Nullable;

/**
 * Where a {@link Pool} keeps its idle elements. Any number of threads may insert and remove at the same time. No
 * element is null.
 */
abstract class ElementStore<E> {
    /** Adds an element; retries if memory is exhausted. */
    abstract void insert(E element);

    /**
     * Removes an element. The caller has already reserved one: the elements inserted so far, less those removed, are never
     * fewer than the calls of this method that are under way (POOL-1).
     */
    abstract E takeReserved();

    /** Removes an element, or answers null if there is none. */
    abstract @Nullable E poll();
}
