package dev.cqs.lincheck

import dev.cqs.CancellableQueueSynchronizer
import dev.cqs.CancellationMode.SIMPLE
import dev.cqs.CancellationMode.SMART
import dev.cqs.ResumeMode.ASYNC
import dev.cqs.Waiter
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The queue itself, with two cells in a segment. In ASYNC mode only: in SYNC mode the timing decides whether a cell is
 * broken.
 */
class QueueTest {
    @ParameterizedTest
    @EnumSource
    fun simple(strategy: Strategy) = strategy.verify(SimpleQueue::class, Cells::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun smart(strategy: Strategy) = strategy.verify(SmartQueue::class, Waiters::class, obstructionFree = true)
}

private suspend fun CancellableQueueSynchronizer<Any>.await(): Any = suspendCancellableCoroutine { continuation ->
    val waiter = RefusingWaiter(continuation)
    suspend(waiter)
    waiter.leaveOnCancellation()
}

/**
 * The n-th value goes to the n-th waiter. Without cancellation: which resume fails then depends on when each takes its
 * cell, and not only on their order.
 */
class SimpleQueue {
    private val queue = object : CancellableQueueSynchronizer<Any>(ASYNC, SIMPLE) {}

    @Operation(cancellableOnSuspension = false)
    suspend fun suspend() = queue.await()

    @Operation
    fun resume(@Param(gen = IntGen::class, conf = "1:9") value: Int) = queue.resume(value)

    @Operation
    fun resumeTwo(@Param(gen = IntGen::class, conf = "1:9") value: Int) = queue.resume(value, 2)
}

/**
 * Cancelled waiters are skipped. All values are equal: a value that is delegated to a canceller may reach its waiter
 * after a later one.
 */
class SmartQueue {
    private val queue = object : CancellableQueueSynchronizer<Any>(ASYNC, SMART) {
        override fun onCancellation(waiter: Waiter?) = true

        override fun giveBack(value: Any) {
            resume(value)
        }
    }

    @Operation
    suspend fun suspend() = queue.await()

    @Operation
    fun abandon() = queue.abandon()

    @Operation
    fun resume() {
        queue.resume(GIVEN)
    }

    @Operation
    fun resumeTwo() {
        queue.resume(GIVEN, 2)
    }

    /** Does what a primitive does that reads the head before it decides. */
    @Operation(nonParallelGroup = "server")
    fun serveFirst(): Boolean {
        while (true) {
            val first = queue.firstWaiter() ?: return false
            if (queue.claim(first) && queue.handOver(first, GIVEN)) return true
        }
    }
}
