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
 * The queue itself, with two cells per segment. In ASYNC mode, because in SYNC mode it is up to the timing whether
 * a cell is broken.
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
    val waiter = ChoosyWaiter(continuation)
    suspend(waiter)
    waiter.leaveOnCancellation()
}

/**
 * The n-th value goes to the n-th waiter. Nobody is cancelled: which resume then fails depends on when each takes its
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
 * Cancelled waiters are skipped. All values are the same here: one that was delegated to a canceller may come to
 * its owner after a later one.
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

    /** What a primitive does that looks at the head before it decides. */
    @Operation(nonParallelGroup = "server")
    fun serveFirst(): Boolean {
        while (true) {
            val first = queue.firstWaiter() ?: return false
            if (queue.claim(first) && queue.handOver(first, GIVEN)) return true
        }
    }
}
