package dev.cqs.coroutines

import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

/** Requests of different weights on one semaphore. What holds for all weights is in [WaitingContractTest]. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class SeveralPermitsTest {
    private val manualDispatcher = ManualDispatcher()

    /** The weights of the granted requests, in the order of the grants. */
    private val granted = mutableListOf<Int>()

    private fun Semaphore.request(permits: Int): Job {
        val job = CoroutineScope(manualDispatcher).launch {
            acquire(permits)
            granted += permits
        }
        manualDispatcher.run()
        return job
    }

    private fun Semaphore.putBack(permits: Int) {
        release(permits)
        manualDispatcher.run()
    }

    private fun cancel(job: Job) {
        job.cancel()
        manualDispatcher.run()
        assertTrue(job.isCancelled)
    }

    private fun Semaphore.expect(free: Int, waiting: Int, vararg grants: Int) {
        assertEquals(grants.toList(), granted)
        assertEquals(free, availablePermits)
        assertEquals(waiting, queueLength)
    }

    @Test
    fun aRequestTakesAllItsPermitsOrNone() {
        val semaphore = Semaphore(5, 3)
        semaphore.request(3)
        semaphore.expect(free = 2, waiting = 1)
        semaphore.putBack(1)
        semaphore.expect(free = 0, waiting = 0, 3)
    }

    @Test
    fun aWaitingRequestHoldsNothing() {
        val semaphore = Semaphore(5, 3)
        semaphore.request(4)
        assertTrue(semaphore.tryAcquire(2)) { "tryAcquire may barge" }
        assertFalse(semaphore.tryAcquire())
        semaphore.expect(free = 0, waiting = 1)
        semaphore.putBack(2)
        semaphore.expect(free = 2, waiting = 1)
        semaphore.putBack(3)
        semaphore.expect(free = 1, waiting = 0, 4)
    }

    @Test
    fun aLargeRequestIsNotOvertakenByLaterSmallOnes() {
        val semaphore = Semaphore(4, 2)
        semaphore.request(3)
        semaphore.request(1)
        semaphore.request(2)
        semaphore.expect(free = 2, waiting = 3)
        semaphore.putBack(1)
        semaphore.expect(free = 0, waiting = 2, 3)
        semaphore.putBack(3)
        semaphore.expect(free = 0, waiting = 0, 3, 1, 2)
    }

    @Test
    fun aLargeRequestBehindSmallOnesWaitsForThem() {
        val semaphore = Semaphore(3, 3)
        semaphore.request(1)
        semaphore.request(1)
        semaphore.request(3)
        semaphore.request(1)
        semaphore.putBack(3)
        semaphore.expect(free = 1, waiting = 2, 1, 1)
        semaphore.putBack(2)
        semaphore.expect(free = 0, waiting = 1, 1, 1, 3)
        semaphore.putBack(1)
        semaphore.expect(free = 0, waiting = 0, 1, 1, 3, 1)
    }

    @Test
    fun requestsForNoPermitsWaitInFifoOrder() {
        val semaphore = Semaphore(1)
        semaphore.request(0)
        semaphore.expect(free = 1, waiting = 0, 0)
        semaphore.request(1)
        semaphore.request(1)
        val cancelled = semaphore.request(0)
        semaphore.request(0)
        semaphore.expect(free = 0, waiting = 3, 0, 1)
        cancel(cancelled)
        semaphore.expect(free = 0, waiting = 2, 0, 1)
        semaphore.putBack(1)
        semaphore.expect(free = 0, waiting = 0, 0, 1, 1, 0)
    }

    @Test
    fun aReleaseOfSeveralServesSeveral() {
        val semaphore = Semaphore(4, 4)
        repeat(5) { semaphore.request(1) }
        semaphore.putBack(3)
        semaphore.expect(free = 0, waiting = 2, 1, 1, 1)
    }

    @Test
    fun aReleaseOfNoneDoesNothing() {
        val semaphore = Semaphore(2, 1)
        semaphore.release(0)
        semaphore.request(2)
        semaphore.putBack(0)
        semaphore.expect(free = 1, waiting = 1)
    }

    // Cancellation

    @Test
    fun aCancelledHeadLetsLaterRequestsBeServed() {
        val semaphore = Semaphore(4, 2)
        val large = semaphore.request(4)
        repeat(3) { semaphore.request(1) }
        cancel(large)
        semaphore.expect(free = 0, waiting = 1, 1, 1)
    }

    @Test
    fun aCancelledRequestInTheMiddleServesNoOther() {
        val semaphore = Semaphore(4, 2)
        semaphore.request(4)
        val middle = semaphore.request(3)
        semaphore.request(1)
        cancel(middle)
        semaphore.expect(free = 2, waiting = 2)
        semaphore.putBack(2)
        semaphore.expect(free = 0, waiting = 1, 4)
    }

    @Test
    fun permitsGrantedToACancelledCoroutineGoToTheNext() {
        val semaphore = Semaphore(5, 5)
        val cancelled = semaphore.request(3)
        semaphore.request(2)
        semaphore.request(1)
        semaphore.request(1)
        semaphore.release(3)
        cancelled.cancel() // granted, and has not run yet
        manualDispatcher.run()
        semaphore.expect(free = 0, waiting = 1, 2, 1)
    }

    @Test
    fun permitsGrantedToACancelledCoroutineAreFreeIfNoOtherWaits() {
        val semaphore = Semaphore(5, 5)
        val cancelled = listOf(semaphore.request(3), semaphore.request(0), semaphore.request(1))
        semaphore.release(5)
        assertEquals(1, semaphore.availablePermits)
        cancelled.forEach { it.cancel() }
        manualDispatcher.run()
        semaphore.expect(free = 5, waiting = 0)
    }

    // Bad arguments

    @Test
    fun negativeAndTooLargeNumbersAreRefusedAndChangeNothing() {
        val ways = listOf<suspend Semaphore.(Int) -> Any>(
            { acquire(it) },
            { tryAcquire(it) },
            { tryAcquire(it, 1.hours) },
            { tryAcquire(it, Duration.ZERO) },
            { withPermits(it) { throw AssertionError("not inside") } },
        )
        for (semaphore in inBothModes()) {
            for (permits in listOf(-1, Int.MIN_VALUE, 4, Int.MAX_VALUE)) {
                for (way in ways) {
                    val thrown = runBlocking { runCatching { semaphore.way(permits) }.exceptionOrNull() }
                    assertEquals(IllegalArgumentException::class.java, thrown?.javaClass)
                    assertTrue(permits.toString() in thrown!!.message!!, thrown.message)
                    semaphore.expect(free = 2, waiting = 0)
                }
            }
        }
    }

    @Test
    fun badReleasesAreRefusedAndChangeNothing() {
        for (semaphore in inBothModes()) {
            for (permits in listOf(-1, Int.MIN_VALUE)) {
                val thrown = assertThrows(IllegalArgumentException::class.java) { semaphore.release(permits) }
                assertTrue(permits.toString() in thrown.message!!, thrown.message)
                semaphore.expect(free = 2, waiting = 0)
            }
            for (permits in listOf(2, 3, Int.MAX_VALUE)) {
                val thrown = assertThrows(IllegalStateException::class.java) { semaphore.release(permits) }
                assertTrue("3" in thrown.message!!, thrown.message)
                semaphore.expect(free = 2, waiting = 0)
            }
            semaphore.release(1)
            semaphore.expect(free = 3, waiting = 0)
        }
    }

    /** Two semaphores with two of three permits free, in unit mode and in weighted mode. */
    private fun inBothModes(): List<Semaphore> {
        val used = Semaphore(3, 1)
        cancel(used.request(3))
        return listOf(Semaphore(3, 1), used)
    }

    // withPermits

    @Test
    fun withPermitsAcquiresAndReleasesThePermits() = runBlocking {
        val semaphore = Semaphore(5)
        val value = Any()
        assertSame(value, semaphore.withPermits(3) { value.also { assertEquals(2, semaphore.availablePermits) } })
        assertEquals(5, semaphore.availablePermits)
        val failure = Error()
        assertSame(failure, runCatching { semaphore.withPermits(3) { throw failure } }.exceptionOrNull())
        assertEquals(5, semaphore.availablePermits)
        for (turn in 1..2) {
            semaphore.withPermits(2) { continue }
        }
        assertEquals(5, semaphore.availablePermits)
        assertEquals(0, semaphore.withPermits(0) { 0 })
    }

    @Test
    fun withPermitsReleasesNothingIfItWasCancelledWhileItWaited() {
        val semaphore = Semaphore(2, 1)
        var thrown: Throwable? = null
        val job = CoroutineScope(manualDispatcher).launch {
            thrown = runCatching { semaphore.withPermits(2) { throw AssertionError("not inside") } }.exceptionOrNull()
        }
        manualDispatcher.run()
        cancel(job)
        assertTrue(thrown is CancellationException)
        semaphore.expect(free = 1, waiting = 0)
    }

    // Queries

    @Test
    fun theQueueLengthCountsRequestsOfAllWeights() {
        val semaphore = Semaphore(2, 2)
        val jobs = listOf(1, 2, 0, 1).mapIndexed { index, permits ->
            assertEquals(index, semaphore.queueLength)
            semaphore.request(permits)
        }
        assertEquals(4, semaphore.queueLength)
        cancel(jobs[1])
        assertEquals(3, semaphore.queueLength)
        semaphore.putBack(2)
        semaphore.expect(free = 0, waiting = 0, 1, 0, 1)
    }
}
