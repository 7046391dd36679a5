package dev.cqs.coroutines

import dev.cqs.coroutines.SharedEnd.GRANTED
import java.util.Collections
import java.util.Random
import java.util.stream.Stream
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.MethodSource

/** Callers of all kinds wait for one object in one FIFO queue. */
class CrossRuntimeOrderTest {
    companion object {
        /** All pairs of kinds on all targets. */
        @JvmStatic
        fun pairs(): Stream<Arguments> = SharedTarget.entries.flatMap { target ->
            SharedKind.of(target).flatMap { one -> SharedKind.of(target).map { Arguments.of(target, one, it) } }
        }.stream()
    }

    @Test
    fun virtualThreadsAreTestedIfThisJavaHasThem() {
        assertEquals(Runtime.version().feature() >= 21, SharedKind.VIRTUAL in SharedKind.of(SharedTarget.MUTEX))
        for (kind in SharedKind.of(SharedTarget.MUTEX).filter { it.isThread }) {
            val core = SharedTarget.MUTEX.make()
            core.hold()
            val request = SharedRequest.queued(core, kind, 1)
            core.release()
            request.leaves()
            assertEquals(kind == SharedKind.VIRTUAL, SharedKind.isVirtual(request.ranOn!!))
            core.assertIdle()
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun theFirstOfTwoIsServedFirst(target: SharedTarget, one: SharedKind, other: SharedKind) {
        for (n in target.sizes) {
            val core = target.make()
            core.hold()
            val first = SharedRequest.queued(core, one, target.sizes.first())
            val second = SharedRequest.queued(core, other, n)
            assertEquals(2, core.queueLength)
            core.release()
            first.endsWith(GRANTED)
            second.stillWaits()
            assertEquals(1, core.enqueued(), "the second is in the queue")
            first.leaves()
            second.leaves()
            core.assertIdle()
        }
    }

    /** One caller of each kind, in all orders. */
    @ParameterizedTest
    @EnumSource
    fun oneCallerOfEachKindIsServedInAnyOrderOfArrival(target: SharedTarget) {
        for (order in permutations(SharedKind.of(target))) {
            assertServedInOrder(target, order)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun longMixedQueuesAreServedInFifoOrder(target: SharedTarget) {
        val random = Random(target.ordinal.toLong())
        val kinds = SharedKind.of(target)
        repeat(3) {
            assertServedInOrder(target, List(80) { kinds[random.nextInt(kinds.size)] }) // several segments
        }
    }

    private fun assertServedInOrder(target: SharedTarget, kinds: List<SharedKind>) {
        val core = target.make()
        core.hold()
        val order = Collections.synchronizedList(ArrayList<SharedRequest>())
        val requests = kinds.mapIndexed { i, kind ->
            SharedRequest.queued(core, kind, target.sizes[i % target.sizes.size]) { order.add(it) }
        }
        assertEquals(kinds.size, core.queueLength)
        core.release()
        for (request in requests) {
            request.leaves()
        }
        assertEquals(requests, order)
        core.assertIdle()
    }

    @Test
    fun smallRequestsDoNotOvertakeALargeOneOfAnotherKind() {
        val kinds = SharedKind.of(SharedTarget.WEIGHTED)
        for (large in kinds) {
            for (small in kinds) {
                val core = SharedSemaphore(dev.cqs.sync.Semaphore.bounded(3, 2))
                val three = SharedRequest.queued(core, large, 3)
                val one = SharedRequest.queued(core, small, 1)
                assertTrue(!core.isFree)
                three.stillWaits()
                one.stillWaits() // though one permit is free
                three.cancel()
                three.endsWith(SharedEnd.CANCELLED)
                one.leaves()
                core.leaveThread(2)
                core.assertIdle()
            }
        }
    }

    private fun <T> permutations(items: List<T>): List<List<T>> = if (items.isEmpty()) {
        listOf(items)
    } else {
        items.flatMap { first -> permutations(items - first).map { listOf(first) + it } }
    }
}
