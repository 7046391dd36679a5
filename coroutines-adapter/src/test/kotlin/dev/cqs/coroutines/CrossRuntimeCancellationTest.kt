package dev.cqs.coroutines

import dev.cqs.Trampoline
import dev.cqs.coroutines.SharedEnd.CANCELLED
import dev.cqs.coroutines.SharedEnd.GRANTED
import dev.cqs.coroutines.SharedEnd.REFUSED
import java.util.Random
import java.util.concurrent.CyclicBarrier
import java.util.stream.Stream
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.MethodSource

/** A caller of one kind is cancelled, and what it waited for goes to a caller of another kind. */
class CrossRuntimeCancellationTest {
    companion object {
        @JvmStatic
        fun pairs() = CrossRuntimeOrderTest.pairs()

        /** All pairs whose first is a coroutine. */
        @JvmStatic
        fun afterCoroutines(): Stream<Arguments> = pairs().filter { (it.get()[1] as SharedKind).isCoroutine }

        /** All pairs whose first is a future. */
        @JvmStatic
        fun afterFutures(): Stream<Arguments> = pairs().filter { it.get()[1] == SharedKind.FUTURE }

        private const val SOON = 10_000_000L
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun theNextIsServedWhenTheHeadIsCancelled(target: SharedTarget, victimKind: SharedKind, nextKind: SharedKind) {
        val core = target.make()
        core.hold()
        val victim = SharedRequest.queued(core, victimKind, target.sizes.last())
        val next = SharedRequest.queued(core, nextKind, target.sizes.first())
        victim.cancel()
        victim.endsWith(CANCELLED)
        awaitThat("the head has left the queue") { core.queueLength == 1 && core.enqueued() == 1 }
        next.stillWaits()
        core.release()
        next.leaves()
        core.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun othersAreServedWhenAWaiterInTheMiddleIsCancelled(
        target: SharedTarget,
        victimKind: SharedKind,
        otherKind: SharedKind,
    ) {
        val core = target.make()
        core.hold()
        val first = SharedRequest.queued(core, otherKind, target.sizes.first())
        val victim = SharedRequest.queued(core, victimKind, target.sizes.last())
        val last = SharedRequest.queued(core, otherKind, target.sizes.last())
        core.release()
        first.endsWith(GRANTED)
        victim.cancel()
        victim.endsWith(CANCELLED)
        last.stillWaits()
        first.leaves()
        last.leaves()
        core.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun theNextIsServedWhenTheHeadTimesOut(target: SharedTarget, victimKind: SharedKind, nextKind: SharedKind) {
        val core = target.make()
        core.hold()
        val victim = SharedRequest(core, victimKind, target.sizes.last(), nanos = SOON)
        awaitThat("the first is in the queue") { victim.end != null || core.enqueued() == 1 }
        val next = SharedRequest(core, nextKind, target.sizes.first())
        victim.endsWith(REFUSED)
        awaitThat("the next is alone in the queue") { core.queueLength == 1 && core.enqueued() == 1 }
        next.stillWaits()
        core.release()
        next.leaves()
        core.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun aTimeoutThatIsLongEnoughDoesNotPassForAnyKind(target: SharedTarget, one: SharedKind, other: SharedKind) {
        val core = target.make()
        core.hold()
        val hour = 3_600_000_000_000L
        val first = SharedRequest(core, one, target.sizes.first(), hour).awaitEnqueuedAfter(0)
        val second = SharedRequest(core, other, target.sizes.last(), hour).awaitEnqueuedAfter(1)
        core.release()
        first.leaves()
        second.leaves()
        core.assertIdle()
    }

    @ParameterizedTest
    @EnumSource
    fun theOrderIsKeptWhenHalfOfALongQueueIsCancelled(target: SharedTarget) {
        val random = Random(target.ordinal.toLong())
        val kinds = SharedKind.of(target)
        val core = target.make()
        core.hold()
        val order = java.util.Collections.synchronizedList(ArrayList<SharedRequest>())
        val all = List(100) {
            SharedRequest.queued(core, kinds[random.nextInt(kinds.size)], target.sizes.random()) { order.add(it) }
        }
        val (victims, others) = all.shuffled(kotlin.random.Random(1)).chunked(50)
        victims.forEach { it.cancel() }
        victims.forEach { it.endsWith(CANCELLED) }
        awaitThat("the cancelled ones have left the queue") { core.queueLength == 50 }
        core.release()
        val served = all.filter { it in others }
        served.forEach { it.leaves() }
        assertEquals(served, order)
        core.assertIdle()
    }

    // At the moment of the grant

    @ParameterizedTest
    @MethodSource("afterCoroutines")
    fun aCoroutineCancelledAfterItsGrantAndBeforeItRunsPassesItOn(
        target: SharedTarget,
        victimKind: SharedKind,
        nextKind: SharedKind,
    ) {
        val core = target.make()
        core.hold()
        val dispatcher = ManualDispatcher()
        val victim = SharedRequest(core, victimKind, target.sizes.last(), dispatcher = dispatcher)
        assertTrue(dispatcher.size > 0, "a task is dispatched")
        dispatcher.run()
        victim.awaitEnqueuedAfter(0)
        val next = SharedRequest.atRest(core, nextKind, target.sizes.first())
        core.release()
        assertEquals(1, core.enqueued(), "the first is granted and dispatched")
        victim.cancel()
        victim.stillWaits()
        next.stillWaits()
        assertTrue(dispatcher.size > 0, "a task is dispatched")
        dispatcher.run()
        victim.endsWith(CANCELLED)
        next.leaves()
        core.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("afterFutures")
    fun aFutureCancelledAfterItsGrantAndBeforeItsCompletionPassesItOn(
        target: SharedTarget,
        victimKind: SharedKind,
        nextKind: SharedKind,
    ) {
        val core = target.make()
        core.hold()
        val victim = SharedRequest.queued(core, victimKind, target.sizes.last())
        val next = SharedRequest.atRest(core, nextKind, target.sizes.first())
        Trampoline.run {
            core.release()
            assertEquals(1, core.enqueued(), "the first is granted, and is completed next")
            victim.cancel()
            victim.endsWith(CANCELLED)
            next.stillWaits()
        }
        next.leaves()
        core.assertIdle()
    }

    /**
     * The side that wins a round starts later in the next, so that the rounds reach the point at which either may win.
     */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("pairs")
    fun theNextIsServedWhetherTheCancellationOrTheGrantWins(
        target: SharedTarget,
        victimKind: SharedKind,
        nextKind: SharedKind,
    ) {
        var handicap = 0L
        var step = 1_000L
        var last: SharedEnd? = null
        val core = target.make()
        repeat(20) {
            core.hold()
            val victim = SharedRequest.queued(core, victimKind, target.sizes.last())
            val next = SharedRequest.queued(core, nextKind, target.sizes.first())
            val together = CyclicBarrier(2)
            val releaser = SharedKind.PLATFORM.start {
                together.await()
                spinFor(handicap)
                core.release()
            }
            together.await()
            spinFor(-handicap)
            victim.cancel()
            releaser.join()
            awaitThat("the race is over") { victim.end != null }
            if (victim.end == GRANTED) victim.leaves() else victim.endsWith(CANCELLED)
            next.leaves()
            core.assertIdle()
            step = if (victim.end == last) minOf(2 * step, 50_000) else 1_000
            handicap += if (victim.end == GRANTED) step else -step
            last = victim.end
        }
    }

    private fun spinFor(nanos: Long) {
        val start = System.nanoTime()
        while (System.nanoTime() - start < nanos) Thread.onSpinWait()
    }
}
