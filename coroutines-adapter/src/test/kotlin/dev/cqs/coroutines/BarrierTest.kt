package dev.cqs.coroutines

import java.util.concurrent.BrokenBarrierException
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class BarrierTest {
    private val manualDispatcher = ManualDispatcher()

    /** What the next action does. */
    private var insideNextAction = {}
    private var runs = 0
    private val barrier = CyclicBarrier(2) {
        runs++
        insideNextAction.also { insideNextAction = {} }()
    }

    /** A call and its result. */
    private class Call {
        lateinit var job: Job
        var result: Any? = null
    }

    /** Starts a call, which runs until it suspends. */
    private fun call(barrier: CyclicBarrier = this.barrier, parent: Job = SupervisorJob()): Call {
        val call = Call()
        call.job = CoroutineScope(manualDispatcher + parent).launch(start = CoroutineStart.UNDISPATCHED) {
            call.result = try {
                barrier.await()
            } catch (e: Throwable) {
                e
            }
        }
        return call
    }

    private fun assertBroken(vararg calls: Call) =
        calls.forEach { assertTrue(it.result is BrokenBarrierException) { "${it.result}" } }

    private fun assertCancelled(call: Call) = assertTrue(call.result is CancellationException) { "${call.result}" }

    @Test
    fun fewerThanOnePartyAreRefused() {
        for (parties in listOf(0, -1)) {
            assertThrows(IllegalArgumentException::class.java) { CyclicBarrier(parties) }
        }
    }

    @Test
    fun awaitReturnsTheArrivalIndex() {
        val three = CyclicBarrier(3)
        assertEquals(3, three.parties)
        repeat(3) {
            val first = call(three)
            val second = call(three)
            assertEquals(2, three.waiting)
            assertEquals(0, call(three).result)
            assertNull(first.result)
            manualDispatcher.run()
            assertEquals(2, first.result)
            assertEquals(1, second.result)
            assertEquals(0, three.waiting)
        }
    }

    @Test
    fun theLastPartyRunsTheActionBeforeTheOthersContinue() {
        val first = call()
        insideNextAction = {
            manualDispatcher.run()
            assertNull(first.result)
        }
        assertEquals(0, call().result)
        manualDispatcher.run()
        assertEquals(1, first.result)
        assertEquals(1, runs)
    }

    @Test
    fun thePartyThatCompletesARoundDuringAnActionRunsTheNextActionAfterwards() {
        val first = call()
        val later = ArrayList<Call>()
        insideNextAction = { repeat(3) { later += call() } }
        assertEquals(0, call().result)
        assertEquals(1, runs)
        manualDispatcher.run()
        assertEquals(2, runs)
        assertEquals(listOf(1, 1, 0, null), listOf(first, later[0], later[1], later[2]).map { it.result })
    }

    @Test
    fun insideTheActionAllPartiesWaitAndAResetBreaksTheRound() {
        val first = call()
        insideNextAction = {
            assertEquals(2, barrier.waiting)
            barrier.reset()
            assertEquals(0, barrier.waiting)
            manualDispatcher.run()
            assertNull(first.result)
        }
        assertEquals(0, call().result)
        manualDispatcher.run()
        assertBroken(first)
        assertFalse(barrier.isBroken)
        val next = call()
        insideNextAction = { assertEquals(2, barrier.waiting) }
        assertEquals(0, call().result)
        manualDispatcher.run()
        assertEquals(1, next.result)
    }

    @Test
    fun anExceptionOfTheActionIsThrownInItsPartyAndBreaksTheBarrier() {
        val failure = IllegalStateException("failure")
        val first = call()
        insideNextAction = { throw failure }
        assertSame(failure, call().result)
        manualDispatcher.run()
        assertBroken(first, call())
        assertTrue(barrier.isBroken)
        assertWholeAfterReset()
    }

    @Test
    fun anExceptionOfALaterActionIsThrownInThePartyThatRunsIt() {
        call()
        val later = ArrayList<Call>()
        val failure = IllegalStateException("failure")
        insideNextAction = {
            repeat(3) { later += call() }
            insideNextAction = { throw failure }
        }
        assertEquals(0, call().result)
        manualDispatcher.run()
        assertBroken(later[0], later[2])
        assertSame(failure, later[1].result)
        assertWholeAfterReset()
    }

    // Cancellation

    @Test
    fun aPartyThatIsCancelledWhileItWaitsBreaksTheBarrier() {
        val three = CyclicBarrier(3)
        val calls = listOf(call(three), call(three))
        calls[0].job.cancel()
        assertTrue(three.isBroken)
        manualDispatcher.run()
        assertCancelled(calls[0])
        assertBroken(calls[1], call(three))
        three.reset()
        assertFalse(three.isBroken)
    }

    @Test
    fun aPartyThatArrivesCancelledBreaksTheBarrierIfItMustWait() {
        val first = call()
        val cancelled = Job().apply { cancel() }
        val last = call(parent = cancelled)
        manualDispatcher.run()
        assertEquals(1, first.result)
        assertEquals(0, last.result)
        val other = call(parent = cancelled)
        assertTrue(barrier.isBroken)
        manualDispatcher.run()
        assertCancelled(other)
        assertWholeAfterReset()
    }

    @Test
    fun aTimeoutBreaksTheBarrier() = runBlocking {
        assertNull(withTimeoutOrNull(1.milliseconds) { barrier.await() })
        assertTrue(barrier.isBroken)
        barrier.reset()
        assertFalse(barrier.isBroken)
    }

    @Test
    fun aPartyCancelledAfterItsRoundIsCompleteFailsAlone() {
        val first = call()
        assertEquals(0, call().result)
        first.job.cancel()
        manualDispatcher.run()
        assertCancelled(first)
        assertFalse(barrier.isBroken)
        assertWholeAfterReset()
    }

    @Test
    fun aPartyThatIsCancelledBeforeItRunsTheActionBreaksTheBarrier() {
        val first = call()
        val later = ArrayList<Call>()
        insideNextAction = { repeat(3) { later += call() } }
        assertEquals(0, call().result)
        later[1].job.cancel() // it was resumed to run the action
        assertEquals(false, barrier.isBroken)
        manualDispatcher.run()
        assertEquals(1, first.result)
        assertCancelled(later[1])
        assertBroken(later[0], later[2])
        assertTrue(barrier.isBroken)
        assertEquals(1, runs)
        assertWholeAfterReset()
    }

    @Test
    fun aPartyCancelledDuringAnEarlierActionBreaksTheRoundsBehindThatAction() {
        val first = call()
        insideNextAction = {
            val later = List(3) { call() }
            later[1].job.cancel()
            assertTrue(barrier.isBroken)
            manualDispatcher.run()
            assertCancelled(later[1])
            assertBroken(later[0], later[2])
        }
        assertEquals(0, call().result)
        manualDispatcher.run()
        assertEquals(1, first.result)
        assertWholeAfterReset()
    }

    @Test
    fun aPartyCancelledDuringItsActionFailsAlone() {
        val first = call()
        insideNextAction = { first.job.cancel() }
        assertEquals(0, call().result)
        manualDispatcher.run()
        assertCancelled(first)
        assertFalse(barrier.isBroken)
        assertWholeAfterReset()
    }

    /** After a cancellation the barrier is broken, and no party passes a broken barrier. */
    @Test
    fun eitherTheCancellationOrTheLastPartyWins() {
        val race = PairedRace()
        repeat(200) {
            val two = CyclicBarrier(2)
            val scope = CoroutineScope(Dispatchers.Default)
            val first = scope.async(start = CoroutineStart.UNDISPATCHED) { two.await() }
            lateinit var last: Deferred<Result<Int>>
            var wasBroken = false
            race.race(
                {
                    first.cancel()
                    wasBroken = two.isBroken
                },
                { last = scope.async(start = CoroutineStart.UNDISPATCHED) { runCatching { two.await() } } },
            )
            runBlocking { first.join() }
            val passed = runBlocking { last.await() }
            assertEquals(passed.isFailure, wasBroken)
            assertEquals(passed.isFailure, two.isBroken)
            assertEquals(0, two.waiting)
            if (passed.isSuccess) {
                assertEquals(0, passed.getOrThrow())
            } else {
                assertTrue(passed.exceptionOrNull() is BrokenBarrierException) { "$passed" }
            }
            race.hasWon(passed.isFailure)
        }
        race.assertBothHaveWon()
    }

    /** The party that must run the action needs the thread on which the others arrive. */
    @Test
    fun manyPartiesArriveOnOneThreadBeforeTheNextActionRuns() {
        val first = call()
        val later = ArrayList<Call>()
        insideNextAction = { repeat(4) { later += call() } }
        assertEquals(0, call().result)
        assertEquals(1, runs)
        repeat(2_000) { later += call() }
        manualDispatcher.run()
        assertEquals(1, first.result)
        assertEquals(1_003, runs)
        assertEquals(listOf(1, 0), later.map { it.result }.distinct())
        assertFalse(barrier.isBroken)
    }

    @Test
    fun aResetFailsWaitingParties() {
        val first = call()
        barrier.reset()
        manualDispatcher.run()
        assertBroken(first)
        assertWholeAfterReset()
    }

    private fun assertWholeAfterReset() {
        barrier.reset()
        repeat(3) {
            val first = call()
            assertEquals(1, barrier.waiting)
            assertEquals(0, call().result)
            manualDispatcher.run()
            assertEquals(1, first.result)
        }
    }

    // Many parties

    @Test
    fun manyPartiesOnOneThreadDoNotGrowTheStack() {
        for (start in listOf<(suspend () -> Unit) -> Unit>(
            { startInPlace(it) },
            { body -> CoroutineScope(Dispatchers.Unconfined).launch { body() } },
        )) {
            val all = CyclicBarrier(COROUTINES + 1)
            val pairs = List(COROUTINES) { CyclicBarrier(2) }
            var done = 0
            for (i in 0 until COROUTINES) {
                start {
                    pairs[i].await()
                    if (i + 1 < COROUTINES) pairs[i + 1].await() // resumes the next party on this thread
                    all.await()
                    done++
                }
            }
            start { pairs[0].await() }
            assertEquals(COROUTINES, all.waiting)
            start { all.await() }
            assertEquals(COROUTINES, done)
        }
    }

    @Tag("slow")
    @Test
    fun threadsAndCoroutinesArePartiesOfTheSameRounds() {
        val rounds = 5_000
        var actions = 0
        val core = dev.cqs.sync.CyclicBarrier(4) { actions++ }
        val forThreads = dev.cqs.threads.CyclicBarrier.viewOf(core)
        val forCoroutines = core.asCyclicBarrier()
        assertSame(core, forCoroutines.core)
        val passages = AtomicIntegerArray(4)
        val threads = List(2) {
            Thread { repeat(rounds) { passages.incrementAndGet(forThreads.await()) } }.apply { start() }
        }
        runBlocking(Dispatchers.Default) {
            coroutineScope {
                repeat(2) { launch { repeat(rounds) { passages.incrementAndGet(forCoroutines.await()) } } }
            }
        }
        threads.forEach { it.join() }
        assertEquals(rounds, actions)
        assertEquals(List(4) { rounds }, List(4) { passages.get(it) })
        assertFalse(core.isBroken)
    }
}
