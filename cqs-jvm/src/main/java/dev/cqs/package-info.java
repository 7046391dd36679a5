/**
 * The queue of waiters under all primitives, for authors of their own primitives: {@link
 * dev.cqs.CancellableQueueSynchronizer} decides who is next, a {@link dev.cqs.Waiter} knows how its owner waits.
 */
@NullMarked
package dev.cqs;

import org.jspecify.annotations.NullMarked;
