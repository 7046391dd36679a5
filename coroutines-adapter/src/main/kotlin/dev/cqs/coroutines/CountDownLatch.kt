package dev.cqs.coroutines

import kotlin.time.Duration

/**
 * A latch that opens, for good, when it has been counted down to zero.
 *
 * **Order.** Those who wait are resumed first in, first out.
 *
 * **Cancellation.** Waiting is cancellable, with prompt cancellation. Giving up costs the same however many wait, and the
 * last [countDown] does not pay for it.
 *
 * **Memory.** What is done before a [countDown] happens-before what is done after [await].
 *
 * **Sharing.** [core] is the same latch without a way to wait. Threads use it through `dev.cqs.threads.CountDownLatch`.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param core the latch that this is a face of
 */
public class CountDownLatch(public val core: dev.cqs.sync.CountDownLatch) {
    /**
     * Creates a latch.
     *
     * @param count how often it has to be counted down until it opens
     * @throws IllegalArgumentException if [count] is negative
     */
    public constructor(count: Int) : this(dev.cqs.sync.CountDownLatch(count))

    /** How often the latch still has to be counted down. */
    public val count: Int get() = core.count()

    /** Whether the count has reached zero. */
    public val isOpen: Boolean get() = core.isOpen

    /** How many requests wait at this moment, of coroutines and threads together. */
    public val queueLength: Int get() = core.queueLength()

    /** Takes one off the count, and opens the latch if it was the last. Does nothing if the latch is open. */
    public fun countDown(): Unit = core.countDown()

    /**
     * Suspends until the count is zero.
     *
     * Cancellable, with prompt cancellation. Does not check for cancellation if the latch is open.
     */
    public suspend fun await() {
        if (!core.isOpen) return latchSteps.await(core, 1)
    }

    /**
     * Suspends until the count is zero, for no longer than [timeout]; with a timeout of zero or less it does not suspend.
     *
     * Cancellable, with prompt cancellation.
     *
     * @return whether the count is zero
     */
    public suspend fun await(timeout: Duration): Boolean =
        core.isOpen || timed(timeout, { latchSteps.await(core, 1) }, {})

    override fun toString(): String = core.toString()
}

/** The face for coroutines of a latch that others use as well, threads among them. */
public fun dev.cqs.sync.CountDownLatch.asCountDownLatch(): CountDownLatch = CountDownLatch(this)
