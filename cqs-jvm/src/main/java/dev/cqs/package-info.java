/**
 * The queue of waiters under all primitives, for people who build their own: {@link
 * dev.cqs.CancellableQueueSynchronizer} decides who is next, a {@link dev.cqs.Waiter} knows how its owner waits.
 */
package dev.cqs;
