package dev.cqs.coroutines

import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration

/**
 * A fair counting semaphore for coroutines: a [kotlinx.coroutines.sync.Semaphore], and more.
 *
 * **Order.** FIFO, for requests of any size. A request for several permits gets all of them at once, holds none while it
 * waits, and is not overtaken by smaller requests behind it. Only [tryAcquire] without a timeout may take permits that are
 * free while requests wait.
 *
 * **Cancellation.** All suspending functions are cancellable, with prompt cancellation: if the job is cancelled while
 * the function waits, or after it was granted its permits and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException] and the permits go to the next in line. Cancellation takes
 * constant time, however many requests wait, and later owners do not pay for it. A function that need not suspend does not
 * check for cancellation. Prompt cancellation needs a dispatcher: in a context without one, a coroutine that is cancelled
 * after it was granted its permits goes on with them.
 *
 * **Memory.** Actions before a [release] happen-before actions after an acquisition of one of the permits.
 *
 * **Sharing.** [core] is the same semaphore without a way to wait. Threads use it through `dev.cqs.threads.Semaphore`
 * and wait in the same queue. Inside a coroutine do not wait through that view: it blocks the thread of the dispatcher,
 * which the holders of the permits may need to go on.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @sample dev.cqs.coroutines.samples.semaphore
 * @see withPermits
 */
public sealed interface Semaphore : kotlinx.coroutines.sync.Semaphore {
    /** The semaphore without a way to wait, which views of all kinds share. */
    public val core: dev.cqs.sync.Semaphore

    /**
     * The number of permits, free or out, until a [resize]. `Int.MAX_VALUE` if the [core] was made without a maximum.
     */
    public val maximum: Int

    /** How many requests wait at this moment, of coroutines, threads and futures together. */
    public val queueLength: Int

    /** Whether the semaphore was [closed][close]. */
    public val isClosed: Boolean

    /**
     * Takes [permits] permits, all at once, and suspends until it is this request's turn and they are free. A request
     * for zero permits waits for its turn as well.
     *
     * Cancellable, with prompt cancellation; see [Semaphore].
     *
     * @throws IllegalArgumentException if [permits] is negative, or more than there are
     */
    public suspend fun acquire(permits: Int)

    /**
     * Takes [permits] permits if they are free, all of them or none; does not suspend. It may overtake requests that
     * wait for more than are free.
     *
     * @return whether the caller holds them
     * @throws IllegalArgumentException if [permits] is negative, or more than there are
     */
    public fun tryAcquire(permits: Int): Boolean

    /**
     * Takes a permit, and suspends for no longer than [timeout], in the same FIFO order as [acquire]. With a timeout of zero
     * or less it neither suspends nor overtakes a request. The time is that of the dispatcher, as for
     * [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { acquire() }` it cannot lose a permit that is granted as the time runs out: the result
     * says whether the caller holds it.
     *
     * Cancellable, with prompt cancellation; see [Semaphore].
     *
     * @return whether the caller holds a permit
     * @sample dev.cqs.coroutines.samples.timeout
     */
    public suspend fun tryAcquire(timeout: Duration): Boolean

    /**
     * Takes [permits] permits, all at once, and suspends for no longer than [timeout], in the same FIFO order as [acquire].
     * With a timeout of zero or less it neither suspends nor overtakes a request. If it gives up, requests behind it are
     * served as far as the free permits suffice.
     *
     * Cancellable, with prompt cancellation; see [Semaphore].
     *
     * @return whether the caller holds them
     * @throws IllegalArgumentException if [permits] is negative, or more than there are
     */
    public suspend fun tryAcquire(permits: Int, timeout: Duration): Boolean

    /**
     * Puts [permits] permits back; the requests that have waited longest get them, as far as they suffice.
     *
     * @throws IllegalArgumentException if [permits] is negative
     * @throws IllegalStateException if that would exceed the number of permits; nothing is then put back
     */
    public fun release(permits: Int)

    /**
     * Changes the number of permits, free or out, to [permits]. Permits that are gained go to waiting requests. Permits that
     * are lost are taken from the free ones; what is missing becomes a debt, which later releases pay before any request is
     * served; `availablePermits` is negative until then. The release of a permit that was acquired is never refused.
     *
     * From now on a request for more permits than there are fails with [IllegalArgumentException]. So does one that waits
     * already, when its turn comes, unless the semaphore has grown again by then. A closed semaphore stays closed.
     *
     * @throws IllegalArgumentException if [permits] is not positive
     * @throws IllegalStateException if the [core] was made without a maximum
     */
    public fun resize(permits: Int)

    /**
     * Closes the semaphore for good. Requests that wait, and requests that come later, fail with [cause], or with
     * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Threads and futures get a `ClosedException` in any
     * case, with this cause. Holders may put their permits back as before.
     *
     * @return `false` if it was closed before; it then keeps its first cause
     * @sample dev.cqs.coroutines.samples.close
     */
    public fun close(cause: Throwable? = null): Boolean
}

/**
 * Creates a fair semaphore.
 *
 * @param permits how many permits there are, until a [resize][Semaphore.resize]; a release beyond that fails
 * @param acquiredPermits how many of them are taken already
 * @throws IllegalArgumentException if [permits] is not positive, or [acquiredPermits] is not between zero and [permits]
 */
public fun Semaphore(permits: Int, acquiredPermits: Int = 0): Semaphore {
    requirePositive(permits)
    require(acquiredPermits in 0..permits) {
        "acquiredPermits must be between 0 and $permits, the number of permits, but is $acquiredPermits"
    }
    return dev.cqs.sync.Semaphore.bounded(permits, acquiredPermits).asSemaphore()
}

private fun requirePositive(permits: Int) =
    require(permits > 0) { "A semaphore has at least one permit, but permits is $permits" }

/**
 * The view for coroutines of a semaphore that other callers share, threads among them. All wait for its permits in one
 * queue. While the core has a debt, `availablePermits` is negative.
 *
 * @sample dev.cqs.coroutines.samples.shared
 */
public fun dev.cqs.sync.Semaphore.asSemaphore(): Semaphore = SemaphoreView(this)

/**
 * Runs [action] with [permits] permits of this semaphore and puts them back at the end, however it ends.
 *
 * Cancellable while it waits, with prompt cancellation; see [Semaphore]. The action is then not run.
 *
 * @return what the action returns
 * @throws IllegalArgumentException if [permits] is negative, or more than there are
 */
@OptIn(ExperimentalContracts::class)
public suspend inline fun <T> Semaphore.withPermits(permits: Int, action: () -> T): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    acquire(permits)
    try {
        return action()
    } finally {
        release(permits)
    }
}

private class SemaphoreView(override val core: dev.cqs.sync.Semaphore) : Semaphore {
    init {
        prepareWaiting()
    }

    override val availablePermits get() = core.availablePermits()
    override val maximum get() = core.maximum()
    override val queueLength get() = core.queueLength()
    override val isClosed get() = core.isClosed

    override suspend fun acquire() {
        if (!reserve(1)) return core.awaitPermits(1)
    }

    override suspend fun acquire(permits: Int) {
        if (!reserve(permits)) return core.awaitPermits(permits)
    }

    private fun reserve(permits: Int) = unlessClosed { core.tryAcquireFairly(permits) }

    override fun tryAcquire() = unlessClosed { core.tryAcquire() }

    override fun tryAcquire(permits: Int) = unlessClosed { core.tryAcquire(permits) }

    override suspend fun tryAcquire(timeout: Duration) = tryAcquire(1, timeout)

    override suspend fun tryAcquire(permits: Int, timeout: Duration): Boolean =
        reserve(permits) || timed(timeout, { core.awaitPermits(permits) }, { core.release(permits) })

    override fun release() = core.release()

    override fun release(permits: Int) = core.release(permits)

    override fun resize(permits: Int) {
        requirePositive(permits)
        core.resize(permits)
    }

    override fun close(cause: Throwable?) = core.close(cause)

    override fun toString() = core.toString()
}
