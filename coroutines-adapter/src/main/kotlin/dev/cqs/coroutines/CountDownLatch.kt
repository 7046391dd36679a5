package dev.cqs.coroutines

import kotlin.time.Duration

/**
 * A latch that opens, for good, when it has been counted down to zero.
 *
 * **Order.** Waiters are resumed in FIFO order.
 *
 * **Cancellation.** Waiting is cancellable, with prompt cancellation: if the job is cancelled while [await] waits, or after
 * the latch was opened and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException]. Cancellation takes constant time, however many requests
 * wait, and the last [countDown] does not pay for it. A call that need not suspend does not check for cancellation. Prompt
 * cancellation needs a dispatcher: in a context without one, a coroutine that is cancelled after the latch was opened goes on.
 *
 * **Memory.** Actions before a [countDown] that takes one off the count happen-before actions after a successful [await], of
 * coroutines and threads alike.
 *
 * **Sharing.** [core] is the same latch without a way to wait. Threads use it through `dev.cqs.threads.CountDownLatch`.
 * Inside a coroutine do not wait through that view: it blocks the thread of the dispatcher, which the coroutines that count
 * down may need.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param core the latch that this is a view of; all its views share the count
 * @sample dev.cqs.coroutines.samples.latch
 */
public class CountDownLatch(public val core: dev.cqs.sync.CountDownLatch) {
    init {
        prepareWaiting()
    }

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
     * Cancellable, with prompt cancellation; see [CountDownLatch].
     */
    public suspend fun await() {
        if (!core.isOpen) return core.awaitOpening()
    }

    /**
     * Suspends until the count is zero, for no longer than [timeout]; with a timeout of zero or less it does not suspend.
     * The time is that of the dispatcher, as for [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Cancellable, with prompt cancellation; see [CountDownLatch].
     *
     * @return whether the count is zero
     */
    public suspend fun await(timeout: Duration): Boolean = core.isOpen || timed(timeout, { core.awaitOpening() }, {})

    override fun toString(): String = core.toString()
}

/** The view for coroutines of a latch that other callers share, threads among them. */
public fun dev.cqs.sync.CountDownLatch.asCountDownLatch(): CountDownLatch = CountDownLatch(this)
