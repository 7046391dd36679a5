package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.sync.CountDownLatch
import dev.cqs.sync.Mutex
import dev.cqs.sync.ReadWriteMutex
import dev.cqs.sync.Semaphore
import dev.cqs.sync.WeightedWaiter
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Job
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * A waiter of a coroutine. Its cell decides between a resume and a cancellation. If it is resumed and the continuation
 * is cancelled all the same, [giveBack] gets what was handed over.
 */
internal open class SuspendingWaiter(
    private val continuation: CancellableContinuation<Any>,
    private val giveBack: (Any) -> Unit,
) : Waiter() {
    override fun tryResume(value: Any): Boolean {
        continuation.resume(value) { _, given, _ -> giveBack(given) }
        return true
    }

    /** Cancels the waiter when its coroutine is cancelled. If a resume was first, [giveBack] is called instead. */
    fun leaveOnCancellation(onceLeft: () -> Unit = {}) = continuation.invokeOnCancellation { if (cancel()) onceLeft() }
}

internal class WeightedSuspendingWaiter(
    continuation: CancellableContinuation<Any>,
    giveBack: (Any) -> Unit,
    private val weight: Int,
) : SuspendingWaiter(continuation, giveBack),
    WeightedWaiter {
    override fun weight() = weight
}

/** A waiter that refuses its resume if its coroutine was cancelled before, and so gives nothing back. */
internal class RefusingWaiter(private val continuation: CancellableContinuation<Any>) : Waiter() {
    override fun tryResume(value: Any): Boolean {
        var gone = false
        continuation.resume(value) { _, _, _ -> gone = true }
        return !gone
    }

    fun leaveOnCancellation() = continuation.invokeOnCancellation { cancel() }
}

/** Waits for a permit that was not granted at once. [enqueue] returns `false` if it was granted meanwhile. */
internal suspend inline fun awaitPermits(
    n: Int,
    noinline giveBack: () -> Unit,
    crossinline enqueue: (Waiter) -> Boolean,
) {
    suspendCancellableCoroutine { continuation ->
        val waiter = newWaiter(continuation, n, giveBack)
        if (enqueue(waiter)) {
            waiter.leaveOnCancellation()
        } else {
            continuation.resume(Unit) { _, _, _ -> giveBack() }
        }
    }
}

private fun newWaiter(continuation: CancellableContinuation<Any>, n: Int, giveBack: () -> Unit): SuspendingWaiter {
    standInForDispatcher(continuation, giveBack)
    return if (n == 1) {
        SuspendingWaiter(continuation) { giveBack() }
    } else {
        WeightedSuspendingWaiter(continuation, { giveBack() }, n)
    }
}

/** Locks the mutex in a coroutine. After a prompt cancellation the coroutine unlocks it. */
internal suspend fun Mutex.await() = awaitUnlessGranted(1, { unlock() }) { lock(it) { _, make -> make() } }

/** Acquires [n] permits in a coroutine. After a prompt cancellation the coroutine releases them. */
internal suspend fun Semaphore.await(n: Int = 1) =
    awaitUnlessGranted(n, { release(n) }) { acquire(n, it) { _, make -> make() } }

/** Takes a read lock in a coroutine. After a prompt cancellation the coroutine releases it. */
internal suspend fun ReadWriteMutex.awaitRead() = awaitUnlessGranted(1, {
    unlockRead()
}) { readLock(it) { _, make -> make() } }

/** Takes the write lock in a coroutine. After a prompt cancellation the coroutine releases it. */
internal suspend fun ReadWriteMutex.awaitWrite() = awaitUnlessGranted(1, {
    unlockWrite()
}) { writeLock(it) { _, make -> make() } }

/** Waits for the latch in a coroutine. */
internal suspend fun CountDownLatch.await() = awaitUnlessGranted(1, {}) { await(it) { _, make -> make() } }

/**
 * Makes a request in a coroutine and waits for its grant. The primitive calls the factory, unless it grants the request
 * at once.
 */
private suspend inline fun awaitUnlessGranted(
    n: Int,
    noinline giveBack: () -> Unit,
    crossinline beginRequest: (() -> SuspendingWaiter) -> SuspendingWaiter?,
) {
    suspendCancellableCoroutine { continuation ->
        val waiter = beginRequest { newWaiter(continuation, n, giveBack) }
        if (waiter != null) {
            waiter.leaveOnCancellation()
        } else {
            continuation.resume(Unit) { _, _, _ -> giveBack() }
        }
    }
}

/**
 * Does what a dispatcher does for prompt cancellation: if the job was cancelled between the resume and the dispatch, it
 * calls the handler that was passed to `resume`. Lincheck cancels the job of a resumed continuation, but has no
 * dispatcher.
 */
internal fun standInForDispatcher(continuation: CancellableContinuation<*>, giveBack: () -> Unit) {
    continuation.context[Job]!!.invokeOnCompletion { giveBack() }
}
