/**
 * What the adapters, and they alone, need of our own primitives: above all, the steps of waiting.
 *
 * <p>Waiting is two steps, so that the fast path makes no object: {@linkplain dev.cqs.spi.Steps#reserve
 * reserve}, and only if that was not granted, make a waiter and {@linkplain dev.cqs.spi.Steps#enqueue enqueue}
 * it. A request that was reserved and cannot be enqueued must be {@linkplain dev.cqs.spi.Steps#abandon
 * abandoned}, or it would be counted for ever.
 *
 * <p>Beside the steps there is what both sides need to understand each other: what a waiter may be handed, the record of
 * who holds a mutex, and the trampoline for waiters that run their owner's code in place.
 */
package dev.cqs.spi;
