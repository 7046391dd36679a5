/**
 * The steps of waiting on our own primitives, for the adapters alone.
 *
 * <p>Waiting is two steps, so that the fast path makes no object: {@linkplain dev.cqs.spi.Steps#reserve
 * reserve}, and only if that was not granted, make a waiter and {@linkplain dev.cqs.spi.Steps#enqueue enqueue}
 * it. A request that was reserved and cannot be enqueued must be {@linkplain dev.cqs.spi.Steps#abandon
 * abandoned}, or it would be counted for ever.
 */
package dev.cqs.spi;
