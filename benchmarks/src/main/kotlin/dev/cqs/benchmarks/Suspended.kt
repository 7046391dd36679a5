package dev.cqs.benchmarks

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import org.openjdk.jol.info.GraphLayout

/** The memory of suspended coroutines, each with a body of a single call. */
object Suspended {
    private const val MANY = 100_000

    /**
     * The bytes that a coroutine retains while it waits for a semaphore, beyond those that it retains in a suspension
     * without a queue. All objects are counted that are reachable from the parent job.
     */
    @JvmStatic
    fun bytesInSemaphore(whose: String): Double {
        val semaphore = Peers.semaphore(whose, 1, 1)
        return bytesOf { semaphore.acquire() } - bare(semaphore)
    }

    @JvmStatic
    fun bytesInMutex(whose: String): Double {
        val mutex = Peers.mutex(whose, true)
        return bytesOf { mutex.lock() } - bare(mutex)
    }

    /** The bytes without a queue. The body references [something], as the others do. */
    private fun bare(something: Any) = bytesOf { suspendCancellableCoroutine { check(something !== it) } }

    private fun bytesOf(body: suspend CoroutineScope.() -> Unit): Double {
        val one = bytes(suspended(1, body))
        return (bytes(suspended(1 + MANY, body)) - one).toDouble() / MANY
    }

    private fun bytes(root: Any) = GraphLayout.parseInstance(root).totalSize()

    private fun suspended(count: Int, body: suspend CoroutineScope.() -> Unit): Job {
        val scope = CoroutineScope(ManualDispatcher())
        repeat(count) { scope.launch(start = CoroutineStart.UNDISPATCHED, block = body) }
        return scope.coroutineContext.job
    }
}

/**
 * A program in which a million coroutines wait for one semaphore. With [CANCEL], all are cancelled before any of them
 * continues. It succeeds if the heap is large enough.
 */
object MillionSuspended {
    const val WAIT: String = "wait"

    const val CANCEL: String = "cancel"

    private const val MILLION = 1_000_000

    @JvmStatic
    fun main(args: Array<String>) {
        val (whose, then) = args
        val semaphore = Peers.semaphore(whose, 1, 1)
        val dispatcher = ManualDispatcher()
        val scope = CoroutineScope(dispatcher)
        repeat(MILLION) { scope.launch(start = CoroutineStart.UNDISPATCHED) { semaphore.acquire() } }
        check(scope.coroutineContext.job.children.first().isActive)
        if (then == CANCEL) {
            scope.cancel()
            dispatcher.runNext()
            check(scope.coroutineContext.job.children.none())
            semaphore.release()
            check(semaphore.tryAcquire())
        }
        println("$MILLION did $then")
    }
}
