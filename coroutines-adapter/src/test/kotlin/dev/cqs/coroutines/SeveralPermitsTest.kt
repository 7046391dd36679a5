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

/** Requests of different sizes on one semaphore; see [WaitingContractTest] for what holds for any size. */
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class SeveralPermitsTest {
    private val crank = ManualDispatcher()

    /** The sizes of the requests that were granted, in their order. */
    private val granted = mutableListOf<Int>()

    private fun Semaphore.request(permits: Int): Job {
        val job = CoroutineScope(crank).launch {
            acquire(permits)
            granted += permits
        }
        crank.run()
        return job
    }

    private fun Semaphore.putBack(permits: Int) {
        release(permits)
        crank.run()
    }

    private fun cancel(job: Job) {
        job.cancel()
        crank.run()
        assertTrue(job.isCancelled)
    }

    private fun Semaphore.expect(free: Int, waiting: Int, vararg grants: Int) {
        assertEquals(grants.toList(), granted)
        assertEquals(free, availablePermits)
        assertEquals(waiting, queueLength)
    }

    @Test
    fun takesAllAtOnceOrNothing() {
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
        assertTrue(semaphore.tryAcquire(2)) { "it may take what is free while others wait" }
        assertFalse(semaphore.tryAcquire())
        semaphore.expect(free = 0, waiting = 1)
        semaphore.putBack(2)
        semaphore.expect(free = 2, waiting = 1)
        semaphore.putBack(3)
        semaphore.expect(free = 1, waiting = 0, 4)
    }

    @Test
    fun aLargeRequestIsNotOvertakenByTheSmallOnesBehindIt() {
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
    fun requestsForNoPermitsWaitForTheirTurn() {
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
    fun theCancelledHeadLetsThoseBehindItInThatNowFit() {
        val semaphore = Semaphore(4, 2)
        val large = semaphore.request(4)
        repeat(3) { semaphore.request(1) }
        cancel(large)
        semaphore.expect(free = 0, waiting = 1, 1, 1)
    }

    @Test
    fun aCancelledRequestInTheMiddleLetsNobodyIn() {
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
    fun grantedAndThenCancelledAllPermitsGoToTheNext() {
        val semaphore = Semaphore(5, 5)
        val cancelled = semaphore.request(3)
        semaphore.request(2)
        semaphore.request(1)
        semaphore.request(1)
        semaphore.release(3)
        cancelled.cancel() // granted, not dispatched
        crank.run()
        semaphore.expect(free = 0, waiting = 1, 2, 1)
    }

    @Test
    fun grantedAndThenCancelledAllPermitsAreFreeIfNobodyWaits() {
        val semaphore = Semaphore(5, 5)
        val cancelled = listOf(semaphore.request(3), semaphore.request(0), semaphore.request(1))
        semaphore.release(5)
        assertEquals(1, semaphore.availablePermits)
        cancelled.forEach { it.cancel() }
        crank.run()
        semaphore.expect(free = 5, waiting = 0)
    }

    // Bad arguments

    @Test
    fun negativeNumbersAndMoreThanThereIsAreRefusedAndChangeNothing() {
        val ways = listOf<suspend Semaphore.(Int) -> Any>(
            { acquire(it) },
            { tryAcquire(it) },
            { tryAcquire(it, 1.hours) },
            { tryAcquire(it, Duration.ZERO) },
            { withPermits(it) { throw AssertionError("not inside") } },
        )
        for (semaphore in inBothForms()) {
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
        for (semaphore in inBothForms()) {
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

    /** With two of three permits free: as made, and after a request for several has waited. */
    private fun inBothForms(): List<Semaphore> {
        val used = Semaphore(3, 1)
        cancel(used.request(3))
        return listOf(Semaphore(3, 1), used)
    }

    // withPermits

    @Test
    fun withPermitsTakesSoManyAndPutsThemBack() = runBlocking {
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
    fun withPermitsPutsNothingBackIfItWasCancelledWhileItWaited() {
        val semaphore = Semaphore(2, 1)
        var thrown: Throwable? = null
        val job = CoroutineScope(crank).launch {
            thrown = runCatching { semaphore.withPermits(2) { throw AssertionError("not inside") } }.exceptionOrNull()
        }
        crank.run()
        cancel(job)
        assertTrue(thrown is CancellationException)
        semaphore.expect(free = 1, waiting = 0)
    }

    // Looking

    @Test
    fun theQueueLengthCountsRequestsOfAnySize() {
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
