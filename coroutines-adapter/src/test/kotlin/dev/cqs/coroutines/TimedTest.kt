package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestCoroutineScheduler
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.advanceUntilIdle
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** Waits with a timeout. All tests but one run in virtual time. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class TimedTest {
    private companion object {
        const val TIMED = "dev.cqs.coroutines.Cases#timed"
    }

    private val scheduler = TestCoroutineScheduler()
    private val dispatcher = StandardTestDispatcher(scheduler)

    private fun Target.visit(timeout: Duration = this.timeout): AcquiringCoroutine {
        this.timeout = timeout
        return AcquiringCoroutine(this, dispatcher).start().also { scheduler.runCurrent() }
    }

    private fun Target.isIdle(free: Int) {
        assertEquals(free, this.free)
        assertEquals(0, queueLength)
    }

    // Timeouts that do not wait

    @ParameterizedTest
    @MethodSource(TIMED)
    fun timeoutsOfZeroAndLessDoNotSuspend(case: Case) {
        for (timeout in listOf(Duration.ZERO, (-1).nanoseconds, (-1).days, -Duration.INFINITE)) {
            val target = Target(case)
            target.timeout = timeout
            AcquiringCoroutine(target, ManualDispatcher(), mode = UNDISPATCHED).hasVisited()
            target.take()
            AcquiringCoroutine(target, ManualDispatcher(), mode = UNDISPATCHED).isRefused()
            target.isIdle(free = 0)
        }
    }

    @Test
    fun timeoutsOfZeroDoNotBarge() = runTest {
        val semaphore = Semaphore(3, 1)
        launch { semaphore.acquire(3) }
        runCurrent()
        assertFalse(semaphore.tryAcquire(Duration.ZERO))
        assertFalse(semaphore.tryAcquire(2, Duration.ZERO))
        assertEquals(2, semaphore.availablePermits)
        assertTrue(semaphore.tryAcquire())
        semaphore.release(2)
    }

    @Test
    fun timeoutsOfZeroWithTheTokenOfTheHolderFail() = runTest {
        val mutex = Mutex()
        assertTrue(mutex.tryLock(Duration.ZERO, "me"))
        val thrown = runCatching { mutex.tryLock(Duration.ZERO, "me") }.exceptionOrNull()
        assertEquals(IllegalStateException::class.java, thrown?.javaClass)
        assertFalse(mutex.tryLock(Duration.ZERO, "you"))
        assertTrue(mutex.holdsLock("me"))
    }

    // Timeouts that wait

    @ParameterizedTest
    @MethodSource(TIMED)
    fun returnsFalseWhenTheTimeoutHasPassedAndNotEarlier(case: Case) {
        val target = Target(case)
        target.take()
        val visit = target.visit(1.seconds)
        scheduler.advanceTimeBy(1.seconds)
        visit.waits() // the next task is the timeout
        scheduler.runCurrent()
        visit.isRefused()
        target.isIdle(free = 0)
        target.giveBack()
        target.isIdle(case.entry.permits)
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun isServedUntilTheTimeoutPasses(case: Case) {
        val target = Target(case)
        target.take()
        val visit = target.visit(1.seconds)
        scheduler.advanceTimeBy(999.milliseconds)
        scheduler.runCurrent()
        visit.waits()
        target.giveBack()
        scheduler.runCurrent()
        visit.hasVisited()
        assertEquals(999, scheduler.currentTime)
        target.isIdle(case.entry.permits)
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun theLongestTimeoutsWait(case: Case) {
        for (timeout in listOf(Duration.INFINITE, Long.MAX_VALUE.nanoseconds, 1_000_000.days)) {
            val target = Target(case)
            target.take()
            val visit = target.visit(timeout)
            scheduler.advanceTimeBy(365.days)
            visit.waits()
            target.giveBack()
            scheduler.runCurrent()
            visit.hasVisited()
        }
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun timedOutWaitersDoNotChangeTheOrderOfTheOthers(case: Case) {
        for (position in listOf(0, 2, 4)) {
            val target = Target(case)
            target.take()
            val order = mutableListOf<Int>()
            val visits = List(5) { number ->
                target.timeout = if (number == position) 1.seconds else 1.days
                AcquiringCoroutine(target, dispatcher) { order += number }.start().also { scheduler.runCurrent() }
            }
            scheduler.advanceTimeBy(2.seconds)
            visits[position].isRefused()
            assertEquals(4, target.queueLength)
            target.giveBack()
            scheduler.runCurrent()
            assertEquals((0..4) - position, order)
            target.isIdle(case.entry.permits)
        }
    }

    @Test
    fun aTimedOutLargeRequestLetsLaterOnesBeServed() {
        val semaphore = Semaphore(3, 1)
        runTest {
            val large = launch { assertFalse(semaphore.tryAcquire(3, 1.seconds)) }
            runCurrent()
            val small = launch { assertTrue(semaphore.tryAcquire(2, 1.days)) }
            runCurrent()
            assertFalse(small.isCompleted)
            large.join()
            small.join()
            assertEquals(1000, currentTime)
            assertEquals(0, semaphore.availablePermits)
        }
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun worksInARunTest(case: Case) = runTest {
        val target = Target(case)
        target.take()
        target.timeout = 1.days
        assertFalse(case.entry.visit(target) {})
        assertEquals(1.days.inWholeMilliseconds, currentTime)
        launch {
            delay(1.seconds)
            target.giveBack()
        }
        assertTrue(case.entry.visit(target) {})
        assertEquals((1.days + 1.seconds).inWholeMilliseconds, currentTime)
        advanceUntilIdle()
        target.isIdle(case.entry.permits)
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun worksInRealTime(case: Case) = runBlocking {
        val target = Target(case)
        target.take()
        target.timeout = 5.milliseconds
        assertFalse(case.entry.visit(target) {})
        target.isIdle(free = 0)
    }

    // Races of the timeout with other ends

    private fun Target.giveBackAt(time: Duration) {
        CoroutineScope(dispatcher).launch {
            delay(time)
            giveBack()
        }
        scheduler.runCurrent()
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun aTimeoutBeforeTheGrantWins(case: Case) {
        val target = Target(case)
        target.take()
        val visit = target.visit(1.seconds)
        val next = target.visit(1.days)
        target.giveBackAt(1.seconds)
        scheduler.advanceTimeBy(2.seconds)
        visit.isRefused()
        next.hasVisited()
        target.isIdle(case.entry.permits)
    }

    /** Without queues: a receiver keeps its element, see [SynchronousQueueTest]. */
    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#timedAndGivingBack")
    fun aTimeoutBetweenTheGrantAndItsDispatchWinsAndGivesBack(case: Case) {
        val target = Target(case)
        target.take()
        target.giveBackAt(1.seconds)
        val visit = target.visit(1.seconds)
        val next = target.visit(1.days)
        scheduler.advanceTimeBy(2.seconds)
        visit.isRefused()
        next.hasVisited()
        target.isIdle(case.entry.permits)
    }

    /** In real time. The resumption is held back until the timeout has passed. */
    @ParameterizedTest
    @MethodSource(TIMED)
    fun aTimeoutAfterTheDispatchLoses(case: Case) {
        val interceptor = Interceptor(keeps = true)
        var timeout = 1.milliseconds
        while (true) {
            val target = Target(case)
            target.take()
            target.timeout = timeout
            val visit = AcquiringCoroutine(target, interceptor, mode = UNDISPATCHED)
            target.giveBack()
            val resumption = if (visit.isOver) null else interceptor.next()
            if (resumption?.isSuccess == true) {
                awaitThat("the timeout has passed") { !resumption.context[Job]!!.isActive }
                resumption.resume()
                visit.hasVisited()
                target.isIdle(case.entry.permits)
                return
            }
            resumption?.resume()
            // The timeout passed too early. A receiver may have been handed the element all the same, and then has it.
            if (case.entry.ofHandOff && visit.entered) visit.hasVisited() else visit.isRefused()
            timeout *= 2
        }
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun aCancellationAfterTheDispatchAndBeforeTheReturnGivesBack(case: Case) {
        val interceptor = Interceptor(keeps = true)
        val target = Target(case)
        target.take()
        val visit = AcquiringCoroutine(target, interceptor, mode = UNDISPATCHED)
        target.giveBack()
        val resumption = interceptor.next()
        visit.waits()
        visit.job.cancel()
        resumption.resume()
        visit.isCancelled()
        target.isIdle(case.entry.permits)
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun aTimeoutOfTheCallerIsNotMistakenForItsOwn(case: Case) = runTest {
        val target = Target(case)
        target.take()
        target.timeout = 2.seconds
        val thrown = runCatching { withTimeout(1.seconds) { case.entry.visit(target) {} } }.exceptionOrNull()
        assertInstanceOf(TimeoutCancellationException::class.java, thrown)
        assertEquals(1000, currentTime)
        target.isIdle(free = 0)
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#timedAndClosable")
    fun aCloseFailsTimedWaitersAndCancelsTheirTimeouts(case: Case) = runTest {
        val target = Target(case)
        target.take()
        target.timeout = 1.days
        launch {
            delay(1.seconds)
            target.close(null)
        }
        val thrown = runCatching { case.entry.visit(target) {} }.exceptionOrNull()
        assertInstanceOf(ClosedException::class.java, thrown)
        advanceUntilIdle()
        assertEquals(1000, currentTime)
    }
}

private fun Interceptor.next() = checkNotNull(kept.poll(PATIENCE, TimeUnit.SECONDS)) { "a resumption was expected" }
