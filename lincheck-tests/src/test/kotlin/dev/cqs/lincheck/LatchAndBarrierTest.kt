package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.sync.BarrierResult
import dev.cqs.sync.CountDownLatch
import dev.cqs.sync.CyclicBarrier
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The latch and the barrier of the core. */
@Tag("slow")
class LatchAndBarrierTest {
    @ParameterizedTest
    @EnumSource
    fun latch(strategy: Strategy) =
        strategy.verify(LatchOfTwo::class, SequentialLatchOfTwo::class, obstructionFree = true, scenarios = 4)

    /** A latch whose count is striped. */
    @ParameterizedTest
    @EnumSource
    fun latchWithStripes(strategy: Strategy) =
        strategy.verify(LatchOfFour::class, SequentialLatchOfFour::class, obstructionFree = true, scenarios = 4) {
            openedByOneOfThree()
        }

    /** Three threads, so that a round begins while parties of an earlier one have not returned yet. */
    @ParameterizedTest
    @EnumSource
    fun barrierForTwo(strategy: Strategy) =
        strategy.verify(BarrierForTwo::class, SequentialBarrierForTwo::class, obstructionFree = true, scenarios = 4)

    @ParameterizedTest
    @EnumSource
    fun barrierForThree(strategy: Strategy) =
        strategy.verify(BarrierForThree::class, SequentialBarrierForThree::class, scenarios = 4)

    @ParameterizedTest
    @EnumSource
    fun barrierForTwoWithAction(strategy: Strategy) =
        strategy.verify(BarrierForTwoWithAction::class, SequentialBarrierForTwo::class, scenarios = 4)

    /** A party that arrives while the action runs waits, and then runs the next action. */
    @ParameterizedTest
    @EnumSource
    fun barrierForOneWithAction(strategy: Strategy) =
        strategy.verify(BarrierForOneWithAction::class, SequentialBarrierForOne::class, scenarios = 3)

    @ParameterizedTest
    @EnumSource
    fun barrierWithCancelledParties(strategy: Strategy) =
        strategy.verify(CancelledParties::class, SequentialParties::class, scenarios = 4) { lastPartyAroundAReset() }
}

/** One count-down more than the count, with a waiter and a query. */
private fun Options<*, *>.openedByOneOfThree() {
    addCustomScenario {
        initial { repeat(2) { actor(LatchOfFour::countDown) } }
        parallel {
            thread {
                actor(LatchOfFour::countDown)
                actor(LatchOfFour::isOpen)
            }
            thread {
                actor(LatchOfFour::countDown)
                actor(LatchOfFour::await)
            }
            thread {
                actor(LatchOfFour::count)
                actor(LatchOfFour::countDown)
                actor(LatchOfFour::count)
            }
        }
    }
}

/** A party that is the last of its round may find that a reset has begun another round. */
private fun Options<*, *>.lastPartyAroundAReset() {
    addCustomScenario {
        initial {
            actor(CancelledParties::come, 1)
            actor(CancelledParties::come, 1)
        }
        parallel {
            thread { actor(CancelledParties::come, 2) }
            thread { actor(CancelledParties::reset) }
        }
        post { actor(CancelledParties::come, 1) }
    }
}

abstract class LatchOperations(count: Int) {
    private val latch = CountDownLatch(count)

    @Operation(promptCancellation = true)
    suspend fun await() = latch.await()

    @Operation
    fun countDown() = latch.countDown()

    @Operation
    fun count() = latch.count()

    @Operation
    fun isOpen() = latch.isOpen
}

class LatchOfTwo : LatchOperations(2)

class LatchOfFour : LatchOperations(4)

abstract class SequentialLatch(private var count: Int) {
    private val waiting = ArrayList<CancellableContinuation<Unit>>()

    suspend fun await() {
        if (count > 0) {
            suspendCancellableCoroutine { continuation ->
                waiting += continuation
                continuation.invokeOnCancellation { waiting -= continuation }
            }
        }
    }

    fun countDown() {
        if (count > 0 && --count == 0) {
            waiting.forEach { it.resume(Unit) { _, _, _ -> } }
            waiting.clear()
        }
    }

    fun count() = count

    fun isOpen() = count == 0

    override fun equals(other: Any?) =
        other is SequentialLatch && count == other.count && waiting.size == other.waiting.size

    override fun hashCode() = 31 * count + waiting.size
}

class SequentialLatchOfTwo : SequentialLatch(2)

class SequentialLatchOfFour : SequentialLatch(4)

/** The result of an arrival at a broken barrier, instead of its index. */
private const val BROKEN = -1

private class BarrierWaiter(private val continuation: CancellableContinuation<BarrierResult>) : Waiter() {
    override fun tryResume(value: Any): Boolean {
        continuation.resume(value as BarrierResult) { _, _, _ -> }
        return true
    }
}

/**
 * Without cancellation. The round may be completed between the cancellation of a coroutine and the step with which that
 * would break the barrier. No caller can distinguish this from a cancellation after the resume. Lincheck can, and its
 * specifications have no cancellation after a resume.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
abstract class BarrierOperations(parties: Int, withAction: Boolean) {
    internal val barrier = if (withAction) CyclicBarrier(parties, ::act) else CyclicBarrier(parties)
    private val rounds = IntArray(THREADS + 1)

    @Volatile
    private var acting = false
    private var actions = 0

    private fun act() {
        check(!acting) { "actions overlap" }
        acting = true
        actions++
        acting = false
    }

    @Operation(cancellableOnSuspension = false)
    suspend fun await(@Param(name = "thread") thread: Int): Int = pass().also { if (it == 0) rounds[thread]++ }

    private suspend fun pass(): Int {
        if (barrier.tryArrive()) return 0
        var index = 0
        val result = suspendCancellableCoroutine { continuation -> index = barrier.arrive(BarrierWaiter(continuation)) }
        if (result == BarrierResult.BROKEN) return BROKEN
        if (result == BarrierResult.RUN_ACTION) barrier.runAction()
        return index
    }

    @Operation
    fun isBroken() = barrier.isBroken

    /** Checks that each round has run its action once. */
    internal fun checkActions() = check(actions == rounds.sum()) { "$actions actions in ${rounds.sum()} rounds" }
}

abstract class BreakableBarrier(parties: Int, withAction: Boolean) : BarrierOperations(parties, withAction) {
    @Operation
    fun reset() = barrier.reset()

    @Operation
    fun abort() = barrier.abort()
}

class BarrierForTwo : BreakableBarrier(2, false)

class BarrierForThree : BreakableBarrier(3, false)

class BarrierForTwoWithAction : BreakableBarrier(2, true) {
    @Validate
    fun eachRoundHasItsAction() = checkActions()
}

/** Without resets: in the specification no party of this barrier ever waits, so none could fail. */
class BarrierForOneWithAction : BarrierOperations(1, true) {
    @Validate
    fun eachRoundHasItsAction() = checkActions()
}

/**
 * Parties that arrive and are cancelled without a coroutine, as threads are. Their outcomes are decided by the word of
 * the barrier and their cells.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
class CancelledParties {
    private class Waiting : Waiter() {
        var result: Any? = null
        var gone = false

        override fun tryResume(value: Any): Boolean {
            check(result == null) { "resumed twice" }
            result = value
            return true
        }

        fun leave() = cancel()
    }

    private val barrier = CyclicBarrier(3)
    private val waiters = Array(THREADS + 1) { ArrayList<Waiting>() }
    private val rounds = IntArray(THREADS + 1)

    @Operation
    fun come(@Param(name = "thread") thread: Int): Int {
        val waiter = Waiting()
        val index = barrier.arrive(waiter)
        if (index > 0) {
            waiters[thread] += waiter
        } else if (waiter.result == BarrierResult.BROKEN) {
            return BROKEN
        } else {
            check(waiter.result == BarrierResult.PASSED) { "the last party has not passed" }
            rounds[thread]++
        }
        return index
    }

    /** Cancels the last party of this thread. */
    @Operation
    fun cancelRequest(@Param(name = "thread") thread: Int): Boolean {
        val waiter = waiters[thread].lastOrNull() ?: return false
        return waiter.leave().also { if (it) waiter.gone = true }
    }

    @Operation
    fun reset() = barrier.reset()

    @Operation
    fun isBroken() = barrier.isBroken

    @Validate
    fun everyPartyHasItsOutcome() {
        var passed = 0
        var waiting = 0
        for (thread in waiters) {
            for (waiter in thread) {
                check(!waiter.gone || waiter.result == null) { "a cancelled party is resumed" }
                if (waiter.result == BarrierResult.PASSED) passed++
                if (waiter.result == null && !waiter.gone) waiting++
            }
        }
        check(passed == 2 * rounds.sum()) { "$passed have passed with ${rounds.sum()} others" }
        check(waiting == barrier.waiting()) { "$waiting wait, instead of ${barrier.waiting()}" }
    }
}

class SequentialParties {
    private var waiting = emptyList<Int>()
    private val last = HashMap<Int, Int>()
    private var number = 0
    private var broken = false

    fun come(thread: Int): Int {
        if (broken) return BROKEN
        if (waiting.size == 2) {
            waiting = emptyList()
            return 0
        }
        waiting = waiting + ++number
        last[thread] = number
        return 3 - waiting.size
    }

    fun cancelRequest(thread: Int): Boolean {
        if (last[thread] !in waiting) return false
        waiting = emptyList()
        broken = true
        return true
    }

    fun reset() {
        waiting = emptyList()
        broken = false
    }

    fun isBroken() = broken

    /** For each thread, the position of its last party, if that waits. */
    private fun places() = last.mapValues { waiting.indexOf(it.value) }.filterValues { it >= 0 }

    private fun parts() = Triple(broken, waiting.size, places())

    override fun equals(other: Any?) = other is SequentialParties && parts() == other.parts()

    override fun hashCode() = parts().hashCode()
}

/** The specification: a list of waiting parties, and whether the barrier is broken. */
@Suppress("UNUSED_PARAMETER")
abstract class SequentialBarrier(private val parties: Int) {
    private val waiting = ArrayList<CancellableContinuation<Boolean>>()
    private var broken = false

    suspend fun await(thread: Int): Int {
        if (broken) return BROKEN
        val index = parties - 1 - waiting.size
        if (index == 0) {
            end(true)
            return 0
        }
        val passed = suspendCancellableCoroutine { waiting += it }
        return if (passed) index else BROKEN
    }

    fun abort(): Boolean {
        end(false)
        return !broken.also { broken = true }
    }

    fun reset() {
        end(false)
        broken = false
    }

    fun isBroken() = broken

    private fun end(passed: Boolean) {
        waiting.forEach { it.resume(passed) { _, _, _ -> } }
        waiting.clear()
    }

    override fun equals(other: Any?) =
        other is SequentialBarrier && broken == other.broken && waiting.size == other.waiting.size

    override fun hashCode() = 2 * waiting.size + if (broken) 1 else 0
}

class SequentialBarrierForOne : SequentialBarrier(1)

class SequentialBarrierForTwo : SequentialBarrier(2)

class SequentialBarrierForThree : SequentialBarrier(3)
