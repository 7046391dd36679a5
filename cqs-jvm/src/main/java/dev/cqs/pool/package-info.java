/**
 * Pools, of elements and of resources: a caller waits for an object here, not for a permit. As with the primitives of {@link
 * dev.cqs.sync}, a pool does not know how a caller waits, and serves threads, coroutines and futures in one FIFO queue.
 *
 * <pre>
 *     ResourcePool --- PoolSlot         how many resources there may be, who borrows them, when they are checked and destroyed
 *          |
 *          |  slots
 *          v
 *        Pool                           how many elements are idle, or how many requests wait
 *          |
 *          v
 *     ElementStore                      which idle element is next: the oldest (ElementQueue), the latest (ElementStack)
 * </pre>
 */
@NullMarked
package dev.cqs.pool;

import org.jspecify.annotations.NullMarked;
