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

/** A semaphore whose maximum changes while coroutines wait for it, by every function that acquires. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class ResizeTest {
    companion object {
        /** Each semaphore begins with as many permits as the function takes. */
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

    private fun AcquiringCoroutine.isTooLarge() {
        val thrown = failure()
        assertEquals(IllegalArgumentException::class.java, thrown.javaClass)
        assertTrue("permits were asked for" in thrown.message!!, thrown.message)
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun growingServesWaiters(case: Case) {
        val fixture = AcquiringFixture(case)
        val n = case.entry.permits
        fixture.target.take()
        val visits = fixture.queue(3)
        fixture.target.ourSemaphore.resize(2 * n)
        fixture.manualDispatcher.run() // the first has released, and its permits have served the others
        visits.forEach { it.hasVisited() }
        assertEquals(n, fixture.target.free)
        assertEquals(0, fixture.target.queueLength)
        fixture.target.giveBack()
        assertEquals(2 * n, fixture.target.free)
        assertThrows(IllegalStateException::class.java) { fixture.target.ourSemaphore.release() }
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun aDebtIsPaidBeforeWaitersAreServed(case: Case) {
        val fixture = AcquiringFixture(case)
        val n = case.entry.permits
        val semaphore = fixture.target.ourSemaphore
        semaphore.resize(n + 2)
        repeat(n + 2) { assertTrue(semaphore.tryAcquire()) }
        val visit = fixture.visit()
        semaphore.resize(n)
        assertEquals(-2, semaphore.availablePermits)
        semaphore.release(2)
        fixture.manualDispatcher.run()
        visit.waits()
        assertEquals(0, semaphore.availablePermits)
        semaphore.release(n)
        fixture.manualDispatcher.run()
        visit.hasVisited()
        assertEquals(n, semaphore.availablePermits)
    }

    @ParameterizedTest
    @MethodSource("large")
    fun aRequestThatIsTooLargeFailsWhenItIsTheHead(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val first = fixture.visit()
        val second = fixture.visit()
        fixture.target.ourSemaphore.resize(1)
        fixture.manualDispatcher.run()
        first.isTooLarge()
        second.isTooLarge()
        assertEquals(1 - case.entry.permits, fixture.target.free)
        fixture.visit().isTooLarge()
        fixture.target.giveBack()
        assertEquals(1, fixture.target.free)
        fixture.target.ourSemaphore.resize(case.entry.permits)
        fixture.visit().hasVisited()
    }

    @ParameterizedTest
    @MethodSource("large")
    fun aCancellationBeforeOrAfterARefusalGivesNothingBack(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val before = fixture.visit()
        val after = fixture.visit()
        before.job.cancel()
        fixture.target.ourSemaphore.resize(1)
        after.job.cancel() // it has failed, and has not run yet
        fixture.manualDispatcher.run()
        before.isCancelled()
        after.isTooLarge()
        assertEquals(1 - case.entry.permits, fixture.target.free)
        assertEquals(0, fixture.target.queueLength)
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun permitsThatAResizeGrantsToACancelledCoroutineGoToTheNext(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val granted = fixture.visit()
        val next = fixture.visit()
        fixture.target.ourSemaphore.resize(2 * case.entry.permits)
        granted.job.cancel()
        fixture.manualDispatcher.run()
        granted.isCancelled()
        next.hasVisited()
        assertEquals(case.entry.permits, fixture.target.free)
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    fun aResizeThatRacesWithArrivalsRefusesNoReleaseAndLosesNoWaiter(case: Case) {
        val race = PairedRace()
        val n = case.entry.permits
        repeat(100) { turn ->
            val target = Target(case)
            val semaphore = target.ourSemaphore
            semaphore.resize(2 * n)
            target.take()
            lateinit var visits: List<Deferred<Boolean>>
            race.race(
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
    fun theLargestNumberOfPermitsCanBeResized() {
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
