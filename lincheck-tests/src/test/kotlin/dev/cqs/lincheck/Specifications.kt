package dev.cqs.lincheck

import dev.cqs.sync.ClosedException
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine

/*
 * The sequential specifications of the primitives. By their equality Lincheck sees that two sequences of operations
 * lead to the same state.
 */

/**
 * A semaphore: a number of free permits and a list of requests with their weights. The head waits for all its permits.
 * Only try-operations, queries and adjustments may overtake it.
 */
abstract class FifoSemaphore(private var free: Int, private var maximum: Int = Int.MAX_VALUE) {
    private class Request(val need: Int, val continuation: CancellableContinuation<Unit>?) {
        var granted = false
    }

    private val waiting = ArrayList<Request>()
    private var closed = false

    suspend fun acquire() = acquire(1)

    fun tryAcquire() = tryAcquire(1)

    fun release() = release(1)

    suspend fun acquire(need: Int) {
        if (closed) throw closedException()
        if (need > maximum) throw tooLarge()
        if (waiting.isEmpty() && tryAcquire(need)) return
        suspendCancellableCoroutine { continuation ->
            val request = Request(need, continuation)
            standInForDispatcher(continuation) { if (request.granted) release(need) }
            waiting += request
            continuation.invokeOnCancellation { remove(request) }
        }
    }

    /** Begins a request that [cancelRequest] cancels. */
    fun beginRequest(): Boolean {
        if (waiting.isEmpty() && tryAcquire(2)) return false
        waiting += Request(2, null)
        return true
    }

    fun cancelRequest() = remove(waiting.firstOrNull())

    fun drainsAny() = drainPermits() > 0

    fun isAnyFree() = free > 0

    fun tryAcquire(need: Int): Boolean {
        if (closed) throw closedException()
        if (need > maximum) throw tooLarge()
        if (free < need) return false
        free -= need
        return true
    }

    fun release(n: Int) {
        check(n.toLong() + free <= maximum) { "above the maximum" }
        free += n
        serve()
    }

    suspend fun acquireTwo() = acquire(2)

    fun releaseTwo() = release(2)

    fun reducePermit() {
        free--
    }

    fun drainPermits(): Int {
        val drained = if (maximum == Int.MAX_VALUE) free else maxOf(free, 0)
        free -= drained
        return drained
    }

    fun resize(n: Int) {
        free += n - maximum
        maximum = n
        serve()
    }

    fun maximum() = maximum

    fun availablePermits() = free

    fun close(): Boolean {
        waiting.forEach { it.continuation?.resumeWithException(closedException()) }
        waiting.clear()
        return !closed.also { closed = true }
    }

    private fun closedException() = ClosedException("closed", null)

    private fun tooLarge() = IllegalArgumentException("more than the maximum")

    private fun serve() {
        while (waiting.isNotEmpty() && (waiting[0].need <= free || waiting[0].need > maximum)) {
            val head = waiting.removeAt(0)
            if (head.need > maximum) {
                head.continuation?.resumeWithException(tooLarge())
                continue
            }
            free -= head.need
            head.granted = true
            head.continuation?.resume(Unit) { _, _, _ -> release(head.need) }
        }
    }

    private fun remove(request: Request?) = waiting.remove(request).also { serve() }

    override fun equals(other: Any?) = other is FifoSemaphore && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(free, maximum, closed, waiting.map { it.need })
}

class OnePermit : FifoSemaphore(1)

class TwoPermits : FifoSemaphore(2)

class AtMostOnePermit : FifoSemaphore(1, maximum = 1)

class AtMostTwoPermits : FifoSemaphore(2, maximum = 2)

/** A semaphore whose threads release only what they have acquired. */
class HeldPermits {
    private val permits = AtMostTwoPermits()
    private val held = HashMap<Int, Int>()

    suspend fun acquire(thread: Int, n: Int) {
        permits.acquire(n)
        held.merge(thread, n, Int::plus)
    }

    fun release(thread: Int): Int = (held.remove(thread) ?: 0).also { permits.release(it) }

    fun resize(n: Int) = permits.resize(n)

    override fun equals(other: Any?) = other is HeldPermits && permits == other.permits && held == other.held

    override fun hashCode() = 31 * permits.hashCode() + held.hashCode()
}

/** A mutex whose threads unlock only what they have locked. */
class FifoMutex {
    private val permit = OnePermit()
    private val holders = HashSet<Int>()

    suspend fun lock(thread: Int) {
        permit.acquire()
        holders += thread
    }

    fun tryLock(thread: Int) = permit.tryAcquire().also { if (it) holders += thread }

    fun tryLockAsThread(thread: Int) = tryLock(thread)

    fun close() = permit.close()

    fun unlock(thread: Int): Boolean = holders.remove(thread).also { if (it) permit.release() }

    override fun equals(other: Any?) = other is FifoMutex && permit == other.permit && holders == other.holders

    override fun hashCode() = 31 * permit.hashCode() + holders.hashCode()
}

/** The queue: the n-th resume goes to the n-th suspend. */
class Cells {
    private val waiting = ArrayList<CancellableContinuation<Any>>()
    private val values = ArrayList<Any>()

    suspend fun suspend(): Any =
        if (values.isNotEmpty()) values.removeAt(0) else suspendCancellableCoroutine<Any> { waiting.add(it) }

    fun resume(value: Int): Boolean {
        if (waiting.isEmpty()) values += value else waiting.removeAt(0).resume(value) { _, _, _ -> }
        return true
    }

    fun resumeTwo(value: Int): Int {
        resume(value)
        resume(value)
        return 2
    }

    override fun equals(other: Any?) = other is Cells && values == other.values && waiting.size == other.waiting.size

    override fun hashCode() = 31 * values.hashCode() + waiting.size
}

/** The queue with SMART cancellation: cancelled waiters are skipped. */
class Waiters {
    private val waiting = ArrayList<CancellableContinuation<Any>>()
    private var values = 0

    suspend fun suspend(): Any {
        if (values > 0) {
            values--
            return GIVEN
        }
        return suspendCancellableCoroutine { continuation ->
            waiting += continuation
            continuation.invokeOnCancellation { waiting -= continuation }
        }
    }

    fun abandon() {}

    fun resume() {
        if (!serveFirst()) values++
    }

    fun resumeTwo() {
        resume()
        resume()
    }

    fun serveFirst(): Boolean {
        if (waiting.isEmpty()) return false
        waiting.removeAt(0).resume(GIVEN) { _, _, _ -> }
        return true
    }

    override fun equals(other: Any?) = other is Waiters && values == other.values && waiting.size == other.waiting.size

    override fun hashCode() = 31 * values + waiting.size
}

internal const val GIVEN = "given"

class Counter {
    private var value = 0

    fun increment() = ++value

    fun read() = value

    fun readInTime() {}

    override fun equals(other: Any?) = other is Counter && value == other.value

    override fun hashCode() = value
}

/** An empty specification, for operations that a validation function checks at the end. */
@Suppress("UNUSED_PARAMETER")
class NoResults {
    fun beginRequest(thread: Int, n: Int) {}

    fun beginUnitRequest(thread: Int) {}

    fun cancelRequest(thread: Int) {}

    fun putBack(thread: Int) {}

    fun resize(n: Int) {}

    fun release(thread: Int, n: Int) {}

    fun tryAcquire(thread: Int, n: Int) {}

    fun drainPermits(thread: Int) {}

    fun reducePermit(thread: Int) {}

    override fun equals(other: Any?) = other is NoResults

    override fun hashCode() = 0
}
