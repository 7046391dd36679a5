package dev.cqs.coroutines

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.withPermit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The contract of `kotlinx.coroutines.sync.Semaphore` without waiters. The contract of waiting is in
 * [WaitingContractTest].
 */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class SemaphoreContractTest {

    @ParameterizedTest
    @EnumSource
    fun hasAtLeastOnePermit(factory: Factory) {
        for (permits in listOf(0, -1, Int.MIN_VALUE)) {
            val thrown = assertThrows(IllegalArgumentException::class.java) { factory.semaphore(permits) }
            assertTrue(permits.toString() in thrown.message!!, thrown.message)
            assertThrows(IllegalArgumentException::class.java) { factory.semaphore(permits, permits) }
        }
        assertEquals(1, factory.semaphore(1).availablePermits)
        assertEquals(Int.MAX_VALUE, factory.semaphore(Int.MAX_VALUE).availablePermits)
    }

    @ParameterizedTest
    @EnumSource
    fun theAcquiredPermitsAreBetweenZeroAndAll(factory: Factory) {
        for (acquired in listOf(-1, 4, Int.MIN_VALUE, Int.MAX_VALUE)) {
            val thrown = assertThrows(IllegalArgumentException::class.java) { factory.semaphore(3, acquired) }
            assertTrue("3" in thrown.message!!, thrown.message)
        }
        for (acquired in 0..3) {
            assertEquals(3 - acquired, factory.semaphore(3, acquired).availablePermits)
        }
        assertEquals(0, factory.semaphore(Int.MAX_VALUE, Int.MAX_VALUE).availablePermits)
    }

    @ParameterizedTest
    @EnumSource
    fun permitsAreTakenAndPutBackOneByOne(factory: Factory) = runBlocking {
        val semaphore = factory.semaphore(4)
        for (left in 3 downTo 0) {
            if (left % 2 == 0) semaphore.acquire() else assertTrue(semaphore.tryAcquire())
            assertEquals(left, semaphore.availablePermits)
        }
        assertFalse(semaphore.tryAcquire())
        assertEquals(0, semaphore.availablePermits)
        for (left in 1..4) {
            semaphore.release()
            assertEquals(left, semaphore.availablePermits)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun acquiredPermitsCanBeReleased(factory: Factory) {
        val semaphore = factory.semaphore(3, 2)
        repeat(2) { semaphore.release() }
        assertEquals(3, semaphore.availablePermits)
        assertThrows(IllegalStateException::class.java) { semaphore.release() }
    }

    @ParameterizedTest
    @EnumSource
    fun aReleaseAboveTheMaximumFailsAndChangesNothing(factory: Factory) {
        for (permits in listOf(1, 3, Int.MAX_VALUE)) {
            if (permits == Int.MAX_VALUE && factory == Factory.KOTLINX) continue // its counter overflows
            val semaphore = factory.semaphore(permits)
            repeat(3) {
                val thrown = assertThrows(IllegalStateException::class.java) { semaphore.release() }
                assertTrue(permits.toString() in thrown.message!!, thrown.message)
                assertEquals(permits, semaphore.availablePermits)
            }
            assertTrue(semaphore.tryAcquire())
            assertEquals(permits - 1, semaphore.availablePermits)
            semaphore.release()
            assertEquals(permits, semaphore.availablePermits)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun aReleaseAboveTheMaximumGrantsNoPermit(factory: Factory) {
        val semaphore = factory.semaphore(2)
        assertThrows(IllegalStateException::class.java) { semaphore.release() }
        repeat(2) { assertTrue(semaphore.tryAcquire()) }
        assertFalse(semaphore.tryAcquire())
    }

    @ParameterizedTest
    @EnumSource
    fun anyCoroutineMayRelease(factory: Factory) = runBlocking {
        val semaphore = factory.semaphore(1)
        launch { semaphore.acquire() }.join()
        launch { semaphore.release() }.join()
        assertEquals(1, semaphore.availablePermits)
    }

    @ParameterizedTest
    @EnumSource
    fun asManyCoroutinesEnterAsThereArePermits(factory: Factory) {
        val manualDispatcher = ManualDispatcher()
        val semaphore = factory.semaphore(3)
        var inside = 0
        val scope = CoroutineScope(manualDispatcher)
        val jobs = List(5) {
            scope.launch {
                semaphore.acquire()
                inside++
            }
        }
        manualDispatcher.run()
        assertEquals(3, inside)
        assertEquals(0, semaphore.availablePermits)
        semaphore.release()
        manualDispatcher.run()
        assertEquals(4, inside)
        semaphore.release()
        semaphore.release()
        manualDispatcher.run()
        assertEquals(5, inside)
        assertEquals(1, semaphore.availablePermits)
        assertTrue(jobs.all { it.isCompleted })
    }

    @ParameterizedTest
    @EnumSource
    fun withPermitReturnsWhatTheActionReturns(factory: Factory) = runBlocking {
        val semaphore = factory.semaphore(2)
        val value = Any()
        assertSame(value, semaphore.withPermit { value.also { assertEquals(1, semaphore.availablePermits) } })
        assertNull(semaphore.withPermit { null })
        assertEquals(2, semaphore.availablePermits)
    }

    @ParameterizedTest
    @EnumSource
    fun withPermitReleasesAfterAnExceptionOrANonLocalReturn(factory: Factory) = runBlocking {
        val semaphore = factory.semaphore(2)
        val failure = Error()
        assertSame(failure, runCatching { semaphore.withPermit { throw failure } }.exceptionOrNull())
        assertEquals(2, semaphore.availablePermits)
        for (turn in 1..2) {
            semaphore.withPermit { continue }
        }
        assertEquals(2, semaphore.availablePermits)
    }
}
