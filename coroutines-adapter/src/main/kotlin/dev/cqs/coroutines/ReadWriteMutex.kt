package dev.cqs.coroutines

import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * A fair read-write lock for coroutines: any number of readers hold it together, or one writer holds it alone.
 *
 * **Order.** Phase-fair: where both wait, readers and writers take turns. A writer that waits stops later readers. When a
 * writer leaves, all readers that wait by then enter together; when they have left, the next writer enters. So a reader waits
 * for at most one writer, no matter how many wait. Writers are served in FIFO order. The functions that do not suspend
 * overtake no waiter.
 *
 * **Cancellation.** All suspending functions are cancellable, with prompt cancellation: if the job is cancelled while
 * the function waits, or after it was granted the lock and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException] and the lock goes to the next in line. If the first
 * waiting writer is cancelled while readers hold the lock, then the readers that it has stopped enter at once. Cancellation
 * takes constant time, however many requests wait, and later holders do not pay for it. A function that need not suspend does
 * not check for cancellation. Prompt cancellation needs a dispatcher: in a context without one, a coroutine that is cancelled
 * after it was granted the lock goes on with it.
 *
 * **Ownership.** Not reentrant, whichever thread runs the coroutine. Any coroutine may unlock. A write lock that a thread
 * holds is unlocked by that thread, through its view; read locks are not distinguished.
 *
 * **Deadlocks.** Nothing distinguishes the coroutine that holds the lock from another one. So a coroutine that waits for
 * itself is not told: it suspends until it is cancelled. It waits for itself if it
 * - writes, and locks again for writing or for reading;
 * - reads, and locks for writing: there is no upgrade;
 * - reads, and locks for reading again after a writer has begun to wait. This passes every test in which no writer comes then.
 *
 * So a function that locks the same lock must not be called from inside [read] or [write]; pass it the data it needs. To
 * write after reading, leave [read] first, and look again inside [write], because another coroutine may have written in
 * between. To read after writing without a gap, [downgrade].
 * ```
 * val known = lock.read { table[key] }
 * return known ?: lock.write { table.getOrPut(key) { make(key) } }      // looks again
 * ```
 * [tryWriteLock] and [tryReadLock] without a timeout never wait, and with one they end.
 *
 * **Memory.** Actions before [writeUnlock] or [downgrade] happen-before actions of all later holders, and actions before
 * [readUnlock] happen-before actions of later writers.
 *
 * **Sharing.** [core] is the same lock without a way to wait. Threads use it through
 * `dev.cqs.threads.ReentrantReadWriteLock` and wait in the same queues. Inside a coroutine do not wait through that view: it
 * blocks the thread of the dispatcher, which the holders of the lock may need to go on.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param core the lock that this is a view of; all its views share the holders and the queues
 * @sample dev.cqs.coroutines.samples.readWriteMutex
 * @see read
 * @see write
 */
public class ReadWriteMutex(public val core: dev.cqs.sync.ReadWriteMutex) {
    init {
        prepareWaiting()
    }

    /** Creates a free lock. */
    public constructor() : this(dev.cqs.sync.ReadWriteMutex())

    /** Whether the lock is held for writing at this moment. */
    public val isWriteLocked: Boolean get() = core.isWriteLocked

    /** How many read locks are held at this moment, including locks granted to coroutines that do not run yet. */
    public val readLockCount: Int get() = core.readLockCount()

    /** Whether the lock was [closed][close]. */
    public val isClosed: Boolean get() = core.isClosed

    /** How many requests wait to read at this moment, of coroutines, threads and futures together. */
    public val waitingReaders: Int get() = core.waitingReaders()

    /** How many requests wait to write at this moment, of coroutines, threads and futures together. */
    public val waitingWriters: Int get() = core.waitingWriters()

    /**
     * Takes a read lock, and suspends while a writer holds the lock, or an earlier writer waits.
     *
     * Cancellable, with prompt cancellation; see [ReadWriteMutex].
     *
     * @throws Error if there are more read locks than an [Int] can count
     * @see read
     */
    public suspend fun readLock() {
        if (!tryReadLock()) return core.awaitReadLock()
    }

    /**
     * Takes a read lock if no writer holds the lock or waits for it; does not suspend.
     *
     * @return whether the caller holds it
     * @throws Error if there are more read locks than an [Int] can count
     */
    public fun tryReadLock(): Boolean = unlessClosed { core.tryReadLock() }

    /**
     * Takes a read lock, and suspends for no longer than [timeout], in the same order as [readLock]. With a timeout of zero
     * or less it does not suspend. The time is that of the dispatcher, as for
     * [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { readLock() }` it cannot lose a lock that is granted as the time runs out: the result says
     * whether the caller holds it.
     *
     * Cancellable, with prompt cancellation; see [ReadWriteMutex].
     *
     * @return whether the caller holds a read lock
     * @throws Error if there are more read locks than an [Int] can count
     */
    public suspend fun tryReadLock(timeout: Duration): Boolean =
        tryReadLock() || timed(timeout, { core.awaitReadLock() }, { core.unlockRead() })

    /**
     * Gives a read lock up. If it was the last one, the first writer that waits enters.
     *
     * @throws IllegalStateException if there is no read lock to give up; nothing is then changed
     */
    public fun readUnlock(): Unit = core.unlockRead()

    /**
     * Takes the write lock, and suspends until it is this request's turn and no other caller holds the lock.
     *
     * Cancellable, with prompt cancellation; see [ReadWriteMutex].
     *
     * @see write
     */
    public suspend fun writeLock() {
        if (!tryWriteLock()) return core.awaitWriteLock()
    }

    /**
     * Takes the write lock if the lock is free; does not suspend.
     *
     * @return whether the caller holds it
     */
    public fun tryWriteLock(): Boolean = unlessClosed { core.tryWriteLock() }

    /**
     * Takes the write lock, and suspends for no longer than [timeout], in the same order as [writeLock]. With a timeout of
     * zero or less it does not suspend. When a writer gives up, the readers that it has stopped enter.
     *
     * As with [tryReadLock], the time is that of the dispatcher, and no lock is lost.
     *
     * Cancellable, with prompt cancellation; see [ReadWriteMutex].
     *
     * @return whether the caller holds the write lock
     */
    public suspend fun tryWriteLock(timeout: Duration): Boolean =
        tryWriteLock() || timed(timeout, { core.awaitWriteLock() }, { core.unlockWrite() })

    /**
     * Gives the write lock up: to all readers that wait, or if there are none, to the first writer.
     *
     * @throws IllegalStateException if the lock is not held for writing, or a thread holds it so; nothing is then changed
     */
    public fun writeUnlock() {
        checkNotOfThread()
        core.unlockWrite()
    }

    /**
     * Turns the write lock into a read lock, so that no other writer comes between. All readers that wait enter as well.
     * From then on the caller owes a [readUnlock] instead of the [writeUnlock]; so this is not for use inside [write].
     *
     * @throws IllegalStateException if the lock is not held for writing, or a thread holds it so; nothing is then changed
     * @sample dev.cqs.coroutines.samples.downgrade
     */
    public fun downgrade() {
        checkNotOfThread()
        core.downgrade()
    }

    /**
     * Closes the lock for good. Requests that wait, and requests that come later, fail with [cause], or with
     * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Threads and futures get a `ClosedException` in any
     * case, with this cause. The holders unlock and [downgrade] as before. A coroutine that waits on a [Condition] fails when
     * it holds the write lock again.
     *
     * @return `false` if it was closed before; it then keeps its first cause
     */
    public fun close(cause: Throwable? = null): Boolean = core.close(cause)

    private fun checkNotOfThread() {
        val thread = core.owner()
        check(thread == null) {
            "This lock is held for writing by the thread ${thread?.name}, which has to unlock it through its view for threads"
        }
    }

    override fun toString(): String = core.toString()
}

/**
 * The view for coroutines of a read-write lock that other callers share, threads among them. All wait for it in the same
 * queues.
 */
public fun dev.cqs.sync.ReadWriteMutex.asReadWriteMutex(): ReadWriteMutex = ReadWriteMutex(this)

/**
 * Runs [action] with a read lock, which it gives up at the end, however that comes.
 *
 * Cancellable while it waits, with prompt cancellation; see [ReadWriteMutex]. The action is then not run.
 *
 * @return what the action returns
 * @throws Error if there are more read locks than an [Int] can count
 */
@OptIn(ExperimentalContracts::class)
public suspend inline fun <T> ReadWriteMutex.read(action: () -> T): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    readLock()
    try {
        return action()
    } finally {
        readUnlock()
    }
}

/**
 * Runs [action] with the write lock, which it gives up at the end, however that comes.
 *
 * Cancellable while it waits, with prompt cancellation; see [ReadWriteMutex]. The action is then not run.
 *
 * @return what the action returns
 */
@OptIn(ExperimentalContracts::class)
public suspend inline fun <T> ReadWriteMutex.write(action: () -> T): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    writeLock()
    try {
        return action()
    } finally {
        writeUnlock()
    }
}

/** Suspends until a read lock is granted; [T] is always [Unit], as for the other primitives. */
private suspend fun <T> dev.cqs.sync.ReadWriteMutex.awaitReadLock(): T =
    suspendCancellableCoroutine<T> { continuation ->
        val unit = continuation.ofUnit()
        val waiter = ReadWaiter(unit)
        request(waiter, unit) { readLock(waiter, TheWaiterItself) }
    }

/** The same for the write lock. */
private suspend fun <T> dev.cqs.sync.ReadWriteMutex.awaitWriteLock(): T =
    suspendCancellableCoroutine<T> { continuation ->
        val unit = continuation.ofUnit()
        val waiter = WriteWaiter(unit)
        request(waiter, unit) { writeLock(waiter, TheWaiterItself) }
    }

private class ReadWaiter(continuation: CancellableContinuation<Unit>) : CoroutineWaiter(continuation) {
    override fun giveBack(primitive: Any) = primitive.known<dev.cqs.sync.ReadWriteMutex>().unlockRead()
}

private class WriteWaiter(continuation: CancellableContinuation<Unit>) : CoroutineWaiter(continuation) {
    override fun giveBack(primitive: Any) = primitive.known<dev.cqs.sync.ReadWriteMutex>().unlockWrite()
}
