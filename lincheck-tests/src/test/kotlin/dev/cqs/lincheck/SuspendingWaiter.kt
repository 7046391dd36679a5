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
 * A coroutine that waits. Its cell in the queue decides between a resume and a cancellation. If that says
 * "resumed" and the continuation is cancelled all the same, then [giveBack] gets what was handed over.
 */
internal open class SuspendingWaiter(
    private val continuation: CancellableContinuation<Any>,
    private val giveBack: (Any) -> Unit,
) : Waiter() {
    override fun tryResume(value: Any): Boolean {
        continuation.resume(value) { _, given, _ -> giveBack(given) }
        return true
    }

    /** A race that this loses against a resume is settled by [giveBack]. */
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

/** A coroutine that tells the queue if it was cancelled before it was resumed, and so gives nothing back. */
internal class ChoosyWaiter(private val continuation: CancellableContinuation<Any>) : Waiter() {
    override fun tryResume(value: Any): Boolean {
        var gone = false
        continuation.resume(value) { _, _, _ -> gone = true }
        return !gone
    }

    fun leaveOnCancellation() = continuation.invokeOnCancellation { cancel() }
}

/** Waits for a permit that was not granted at once. [enqueue] answers `false` if it was granted meanwhile. */
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

/** Takes the mutex, waiting for it as a coroutine; one that is cancelled promptly unlocks it. */
internal suspend fun Mutex.await() = awaitUnlessGranted(1, { unlock() }) { lock(it) { _, make -> make() } }

/** Takes [n] permits, waiting for them as a coroutine; one that is cancelled promptly releases them. */
internal suspend fun Semaphore.await(n: Int = 1) =
    awaitUnlessGranted(n, { release(n) }) { acquire(n, it) { _, make -> make() } }

/** Takes a read lock, waiting for it as a coroutine; one that is cancelled promptly gives it up. */
internal suspend fun ReadWriteMutex.awaitRead() = awaitUnlessGranted(1, {
    unlockRead()
}) { readLock(it) { _, make -> make() } }

/** The same for the write lock. */
internal suspend fun ReadWriteMutex.awaitWrite() = awaitUnlessGranted(1, {
    unlockWrite()
}) { writeLock(it) { _, make -> make() } }

/** Waits for the latch as a coroutine. */
internal suspend fun CountDownLatch.await() = awaitUnlessGranted(1, {}) { await(it) { _, make -> make() } }

/** Waits as a coroutine for what [ask] asks for; the primitive has the waiter made, unless it grants the request at once. */
private suspend inline fun awaitUnlessGranted(
    n: Int,
    noinline giveBack: () -> Unit,
    crossinline ask: (() -> SuspendingWaiter) -> SuspendingWaiter?,
) {
    suspendCancellableCoroutine { continuation ->
        val waiter = ask { newWaiter(continuation, n, giveBack) }
        if (waiter != null) {
            waiter.leaveOnCancellation()
        } else {
            continuation.resume(Unit) { _, _, _ -> giveBack() }
        }
    }
}

/**
 * Prompt cancellation is the work of a dispatcher: it looks whether the job was cancelled between the resume and
 * the dispatch, and then calls what `resume` was given for that case. Lincheck cancels the job of a continuation
 * that was resumed, but it has no dispatcher. This does in its stead what that would do.
 */
internal fun standInForDispatcher(continuation: CancellableContinuation<*>, giveBack: () -> Unit) {
    continuation.context[Job]!!.invokeOnCompletion { giveBack() }
}
