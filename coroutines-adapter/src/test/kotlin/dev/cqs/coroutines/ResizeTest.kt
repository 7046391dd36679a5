package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** A semaphore whose number of permits changes while coroutines wait for it, by every way to acquire. */
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class ResizeTest {
    companion object {
        /** Each begins with as many permits as it takes. */
        @JvmStatic
        fun semaphores() = Cases.ours().filter { it.entry.ofSemaphore }

        @JvmStatic
        fun large() = semaphores().filter { it.entry.permits > 1 }
    }

    @Test
    fun theMaximumIsTheNumberOfPermitsUntilAResize() {
        val semaphore = Semaphore(3, acquiredPermits = 2)
        assertEquals(3, semaphore.maximum)
        semaphore.resize(1)
        assertEquals(1, semaphore.maximum)
        assertEquals(-1, semaphore.availablePermits)
        semaphore.resize(5)
        assertEquals(5, semaphore.maximum)
        assertEquals(Int.MAX_VALUE, dev.cqs.sync.Semaphore(3).asSemaphore().maximum)
    }

    private fun Visit.isTooLarge() {
        val thrown = failure()
        assertEquals(IllegalArgumentException::class.java, thrown.javaClass)
        assertTrue("permits were asked for" in thrown.message!!, thrown.message)
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun growingServesThoseWhoWait(case: Case) {
        val stage = Stage(case)
        val n = case.entry.permits
        stage.target.take()
        val visits = stage.queue(3)
        stage.target.ourSemaphore.resize(2 * n)
        stage.crank.run() // the first has gone again, and with what it had the others have been there
        visits.forEach { it.hasVisited() }
        assertEquals(n, stage.target.free)
        assertEquals(0, stage.target.queueLength)
        stage.target.giveBack()
        assertEquals(2 * n, stage.target.free)
        assertThrows(IllegalStateException::class.java) { stage.target.ourSemaphore.release() }
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun aDebtIsPaidFirst(case: Case) {
        val stage = Stage(case)
        val n = case.entry.permits
        val semaphore = stage.target.ourSemaphore
        semaphore.resize(n + 2)
        repeat(n + 2) { assertTrue(semaphore.tryAcquire()) }
        val visit = stage.visit()
        semaphore.resize(n)
        assertEquals(-2, semaphore.availablePermits)
        semaphore.release(2)
        stage.crank.run()
        visit.waits()
        assertEquals(0, semaphore.availablePermits)
        semaphore.release(n)
        stage.crank.run()
        visit.hasVisited()
        assertEquals(n, semaphore.availablePermits)
    }

    @ParameterizedTest
    @MethodSource("large")
    fun oneThatWaitsForTooManyFailsWhenItsTurnComes(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val first = stage.visit()
        val second = stage.visit()
        stage.target.ourSemaphore.resize(1)
        stage.crank.run()
        first.isTooLarge()
        second.isTooLarge()
        assertEquals(1 - case.entry.permits, stage.target.free)
        stage.visit().isTooLarge()
        stage.target.giveBack()
        assertEquals(1, stage.target.free)
        stage.target.ourSemaphore.resize(case.entry.permits)
        stage.visit().hasVisited()
    }

    @ParameterizedTest
    @MethodSource("large")
    fun cancelledBeforeOrAfterItWasRefusedItGivesNothingBack(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val before = stage.visit()
        val after = stage.visit()
        before.job.cancel()
        stage.target.ourSemaphore.resize(1)
        after.job.cancel() // not dispatched yet
        stage.crank.run()
        before.isCancelled()
        after.isTooLarge()
        assertEquals(1 - case.entry.permits, stage.target.free)
        assertEquals(0, stage.target.queueLength)
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun grantedByGrowingAndThenCancelledThePermitsGoToTheNext(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val granted = stage.visit()
        val next = stage.visit()
        stage.target.ourSemaphore.resize(2 * case.entry.permits)
        granted.job.cancel()
        stage.crank.run()
        granted.isCancelled()
        next.hasVisited()
        assertEquals(case.entry.permits, stage.target.free)
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun aResizeThatRacesWithArrivalsRefusesNoReleaseAndLosesNobody(case: Case) {
        val duel = Duel()
        val n = case.entry.permits
        repeat(100) { turn ->
            val target = Target(case)
            val semaphore = target.ourSemaphore
            semaphore.resize(2 * n)
            target.take()
            lateinit var visits: List<Deferred<Boolean>>
            duel.fight(
                { visits = List(3) { target.visited() } },
                { semaphore.resize(n) },
            )
            target.giveBack()
            assertEquals(listOf(true, true, true), runBlocking { visits.awaitAll() })
            assertEquals(n, target.free, "turn $turn")
            assertEquals(0, target.queueLength)
        }
    }

    private fun Target.visited() = CoroutineScope(Dispatchers.Default).async(start = UNDISPATCHED) {
        var inside = false
        entry.visit(this@visited) { inside = true } && inside
    }

    @Test
    fun badNumbersOfPermitsAreRefused() {
        val semaphore = Semaphore(2)
        for (permits in listOf(0, -1)) {
            val thrown = assertThrows(IllegalArgumentException::class.java) { semaphore.resize(permits) }
            assertTrue("$permits" in thrown.message!!, thrown.message)
        }
        val unbounded = dev.cqs.sync.Semaphore(2).asSemaphore()
        assertThrows(IllegalStateException::class.java) { unbounded.resize(3) }
        assertEquals(2, semaphore.availablePermits)
        assertEquals(2, unbounded.availablePermits)
    }

    @Test
    fun theLargestNumberOfPermitsCanBeResizedAsWell() {
        val semaphore = Semaphore(Int.MAX_VALUE)
        semaphore.resize(3)
        assertEquals(3, semaphore.availablePermits)
        assertEquals(3, semaphore.core.maximum())
    }

    @Test
    fun aClosedSemaphoreStaysClosed() {
        val semaphore = Semaphore(2)
        semaphore.close()
        semaphore.resize(5)
        assertTrue(semaphore.isClosed)
        assertThrows(ClosedException::class.java) { semaphore.tryAcquire() }
        assertFalse(semaphore.close())
        assertEquals(5, semaphore.availablePermits)
    }
}
