package dev.cqs.coroutines

import kotlin.time.Duration
import kotlinx.coroutines.selects.SelectClause2

/**
 * A fair mutual exclusion lock for coroutines: a [kotlinx.coroutines.sync.Mutex], and more.
 *
 * **Order.** FIFO: [unlock] hands the mutex to the request that has waited longest.
 *
 * **Cancellation.** All suspending functions are cancellable, with prompt cancellation: if the job is cancelled while
 * the function waits, or after it was granted the mutex and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException] and the mutex goes to the next in line. Cancellation takes
 * constant time, however many requests wait, and later owners do not pay for it. A function that need not suspend does not
 * check for cancellation. Prompt cancellation needs a dispatcher: in a context without one, a coroutine that is cancelled
 * after it was granted the mutex goes on with it.
 *
 * **Ownership.** Not reentrant: a coroutine that locks twice waits for itself. A holder can name itself by a token, any
 * object, which is compared by identity; then only the same token unlocks, or none. A token is on record for the
 * coroutine that holds the mutex and for no other: from the moment at which the mutex is granted until it is unlocked. A
 * coroutine that was cancelled as it was granted the mutex leaves no token behind when its call has returned. Functions
 * that look at the token, and [unlock], may spin for the moment in which it is written or taken off. A number or a time
 * is no token: to pass one does not compile.
 *
 * **Memory.** Actions before [unlock] happen-before actions of the next holder after it has got the mutex, be it a
 * coroutine, a thread or the holder of a future.
 *
 * **Sharing.** [core] is the same mutex without a way to wait. Threads use it through `dev.cqs.threads.Mutex` or
 * `dev.cqs.threads.ReentrantLock` and wait in the same queue. A mutex that a thread holds is unlocked by that thread,
 * through its view.
 * Inside a coroutine do not wait through those views: they block the thread of the dispatcher, which the holder may need to
 * go on.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @sample dev.cqs.coroutines.samples.mutex
 */
public sealed interface Mutex : kotlinx.coroutines.sync.Mutex {
    /** The mutex without a way to wait, which views of all kinds share. */
    public val core: dev.cqs.sync.Mutex

    /** How many requests wait at this moment, of coroutines, threads and futures together. */
    public val queueLength: Int

    /** Whether the mutex was [closed][close]. */
    public val isClosed: Boolean

    /**
     * Takes the mutex, and suspends for no longer than [timeout], in the same line as [lock]. With a timeout of zero
     * or less it does not suspend. The time is that of the dispatcher, as for
     * [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { lock() }` it cannot lose a mutex that is granted as the time runs out: the result says
     * whether the caller holds it. A variable that is declared as the library's `Mutex` does not have this function: on it
     * `tryLock(timeout)` takes the time for a token.
     *
     * Cancellable, with prompt cancellation; see [Mutex].
     *
     * @param owner a token for the holder, or `null`
     * @return whether the caller holds the mutex
     * @throws IllegalStateException if the mutex is held under this token already
     */
    public suspend fun tryLock(timeout: Duration, owner: Any? = null): Boolean

    // The functions with a token would take a number or a time for a token, which is never the same token twice.

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(
        NO_TOKEN,
        ReplaceWith("tryLock(timeout.milliseconds)", "kotlin.time.Duration.Companion.milliseconds"),
        DeprecationLevel.ERROR,
    )
    public fun tryLock(timeout: Int): Boolean = notAToken(timeout)

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(
        NO_TOKEN,
        ReplaceWith("tryLock(timeout.milliseconds)", "kotlin.time.Duration.Companion.milliseconds"),
        DeprecationLevel.ERROR,
    )
    public fun tryLock(timeout: Long): Boolean = notAToken(timeout)

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(
        NO_TOKEN,
        ReplaceWith("tryLock(timeout.toKotlinDuration())", "kotlin.time.toKotlinDuration"),
        DeprecationLevel.ERROR,
    )
    public fun tryLock(timeout: java.time.Duration): Boolean = notAToken(timeout)

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(NO_TOKEN, ReplaceWith("tryLock(timeout)"), DeprecationLevel.ERROR)
    public fun lock(timeout: Duration): Unit = notAToken(timeout)

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(
        NO_TOKEN,
        ReplaceWith("tryLock(timeout.milliseconds)", "kotlin.time.Duration.Companion.milliseconds"),
        DeprecationLevel.ERROR,
    )
    public fun lock(timeout: Int): Unit = notAToken(timeout)

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(
        NO_TOKEN,
        ReplaceWith("tryLock(timeout.milliseconds)", "kotlin.time.Duration.Companion.milliseconds"),
        DeprecationLevel.ERROR,
    )
    public fun lock(timeout: Long): Unit = notAToken(timeout)

    /** Does not compile: [timeout] would be a token, not a time. */
    @Deprecated(
        NO_TOKEN,
        ReplaceWith("tryLock(timeout.toKotlinDuration())", "kotlin.time.toKotlinDuration"),
        DeprecationLevel.ERROR,
    )
    public fun lock(timeout: java.time.Duration): Unit = notAToken(timeout)

    /**
     * Closes the mutex for good. Requests that wait, and requests that come later, fail with [cause], or with
     * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Threads and futures get a `ClosedException` in
     * any case, with this cause. The holder may unlock it as before. A coroutine that waits on a [Condition] fails when it
     * holds the mutex again.
     *
     * @return `false` if it was closed before; it then keeps its first cause
     */
    public fun close(cause: Throwable? = null): Boolean

    /**
     * Not supported, and deprecated in the interface: the select clauses of the library cannot be implemented outside
     * of it.
     *
     * @throws UnsupportedOperationException always
     */
    @Deprecated("Select clauses cannot be implemented outside of kotlinx.coroutines")
    override val onLock: SelectClause2<Any?, kotlinx.coroutines.sync.Mutex>
        get() = throw UnsupportedOperationException(
            "this mutex has no onLock: select clauses cannot be implemented outside of kotlinx.coroutines; " +
                "use lock(), or tryLock() with a timeout",
        )
}

private const val NO_TOKEN =
    "The argument would be a token for the owner, not a time. To wait for no longer than a time, use " +
        "tryLock with a kotlin.time.Duration, in a coroutine: tryLock(50.milliseconds)"

/** For callers in Java, whose compiler only warns. */
private fun notAToken(timeout: Any): Nothing = throw IllegalArgumentException(
    "$timeout is neither a timeout nor a token here; use tryLock with a kotlin.time.Duration",
)

/**
 * Creates a fair mutex.
 *
 * @param locked whether it is locked from the beginning; it then has no owner, and any caller may unlock it
 */
public fun Mutex(locked: Boolean = false): Mutex {
    val core = dev.cqs.sync.Mutex()
    if (locked) core.tryLock()
    return core.asMutex()
}

/**
 * The view for coroutines of a mutex that other callers share, threads among them. All wait for it in one queue. All views of
 * one core agree on its holder.
 *
 * @sample dev.cqs.coroutines.samples.shared
 */
public fun dev.cqs.sync.Mutex.asMutex(): Mutex = MutexView(this)

private class MutexView(override val core: dev.cqs.sync.Mutex) : Mutex {
    init {
        prepareWaiting()
    }

    override val isLocked get() = core.isLocked
    override val queueLength get() = core.queueLength()
    override val isClosed get() = core.isClosed

    override suspend fun lock(owner: Any?) {
        if (!tryLock(owner)) return core.awaitLock(owner)
    }

    override suspend fun tryLock(timeout: Duration, owner: Any?): Boolean =
        tryLock(owner) || timed(timeout, { core.awaitLock(owner) }, { core.unlock() })

    override fun tryLock(owner: Any?): Boolean =
        unlessClosed { if (owner == null) core.tryLock() else core.tryLockWithToken(owner) }

    override fun holdsLock(owner: Any) = core.isLockedWithToken(owner)

    override fun unlock(owner: Any?) {
        val thread = core.owner()
        check(thread == null) {
            "This mutex is locked by the thread ${thread?.name}, which has to unlock it through its view for threads"
        }
        if (owner == null) core.unlock() else core.unlockWithToken(owner)
    }

    override fun close(cause: Throwable?) = core.close(cause)

    override fun toString() = core.toString()
}
