package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** An exception that kotlinx.coroutines cannot copy for stack-trace recovery, so that the very same object arrives. */
class Broken(val why: Any = Any()) : Exception()

/** What a close means for waiters, later requests and holders. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class CloseTest {
    private companion object {
        const val OURS = "dev.cqs.coroutines.Cases#closable"
        const val KINDS = "dev.cqs.coroutines.Cases#closableKinds"
    }

    private val cause = Broken()

    @ParameterizedTest
    @MethodSource(OURS)
    fun waitersFailWithTheCause(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visits = fixture.queue(40)
        assertTrue(fixture.target.close(cause))
        assertEquals(0, fixture.target.queueLength)
        visits.forEach { it.waits() } // they are dispatched and have not run
        fixture.manualDispatcher.run()
        visits.forEach { assertSame(cause, it.failure()) }
        assertEquals(0, fixture.target.free)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun laterRequestsFailWithTheCauseWhetherTheTargetIsFreeOrNot(case: Case) {
        for (free in listOf(true, false)) {
            val fixture = AcquiringFixture(case)
            if (!free) fixture.target.take()
            fixture.target.close(cause)
            assertSame(cause, fixture.visit().failure())
            fixture.target.timeout = Duration.ZERO
            assertSame(cause, fixture.visit().failure())
            assertSame(cause, runCatching { fixture.target.tryTakeOne() }.exceptionOrNull())
            assertEquals(0, fixture.manualDispatcher.size)
            assertEquals(0, fixture.target.queueLength)
            assertEquals(if (free) case.entry.permits else 0, fixture.target.free)
        }
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun withoutACauseRequestsFailWithAClosedException(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val waiting = fixture.visit()
        assertTrue(fixture.target.close(null))
        fixture.manualDispatcher.run()
        for (visit in listOf(waiting, fixture.visit())) {
            assertEquals(ClosedException::class.java, visit.failure().javaClass)
            assertTrue("is closed" in visit.failure().message!!)
            assertTrue(case.entry.noun in visit.failure().message!!)
        }
        val thrown = runCatching { fixture.target.tryTakeOne() }.exceptionOrNull()
        assertEquals(ClosedException::class.java, thrown?.javaClass)
        assertNull(thrown?.cause)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun theCauseOfTheFirstCloseStays(case: Case) {
        for (first in listOf(cause, null)) {
            val fixture = AcquiringFixture(case)
            fixture.target.take()
            assertTrue(fixture.target.close(first))
            assertFalse(fixture.target.close(Broken()))
            assertFalse(fixture.target.close(null))
            if (first != null) {
                assertSame(first, fixture.visit().failure())
            } else {
                assertEquals(ClosedException::class.java, fixture.visit().failure().javaClass)
            }
        }
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun aHolderReleasesAsBefore(case: Case) {
        val fixture = AcquiringFixture(case)
        val inside = Job()
        val visit = fixture.visit { inside.join() }
        val waiting = fixture.visit()
        fixture.target.close(cause)
        fixture.manualDispatcher.run()
        assertSame(cause, waiting.failure())
        assertEquals(0, fixture.target.free)
        inside.complete()
        fixture.manualDispatcher.run()
        visit.hasVisited()
        assertEquals(case.entry.permits, fixture.target.free)
        assertSame(cause, fixture.visit().failure())
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closableAndLimited")
    fun aReleaseAboveTheMaximumIsRefusedAfterTheCloseToo(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.close(cause)
        assertEquals(
            IllegalStateException::class.java,
            runCatching {
                fixture.target.giveBack()
            }.exceptionOrNull()?.javaClass,
        )
        assertEquals(case.entry.permits, fixture.target.free)
        assertSame(cause, fixture.visit().failure())
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun aCoroutineGrantedBeforeTheCloseEnters(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val granted = fixture.visit()
        val waiting = fixture.visit()
        fixture.target.giveBack()
        fixture.target.close(cause)
        fixture.manualDispatcher.run()
        granted.hasVisited()
        assertSame(cause, waiting.failure())
        assertEquals(case.entry.permits, fixture.target.free)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun aGrantBeforeTheCloseToACancelledCoroutineIsGivenBack(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val granted = fixture.visit()
        fixture.target.giveBack()
        fixture.target.close(cause)
        granted.job.cancel()
        fixture.manualDispatcher.run()
        granted.isCancelled()
        assertEquals(case.entry.permits, fixture.target.free)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun aCancellationBeforeOrAfterTheCloseGivesNothingBack(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val before = fixture.visit()
        val after = fixture.visit()
        before.job.cancel()
        fixture.target.close(cause)
        after.job.cancel() // it has failed, and has not run yet
        fixture.manualDispatcher.run()
        before.isCancelled()
        assertSame(cause, after.failure())
        assertEquals(0, fixture.target.free)
        fixture.target.giveBack()
        assertEquals(case.entry.permits, fixture.target.free)
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun aCloseThatRacesWithGrantsLeavesNoWaiter(case: Case) {
        val race = PairedRace()
        repeat(100) {
            val target = Target(case)
            target.take()
            val visits = List(4) { AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED) }
            race.race({ target.giveBack() }, { assertTrue(target.close(cause)) })
            runBlocking { visits.map { it.job }.joinAll() }
            visits.forEach { if (it.entered) it.hasVisited() else assertSame(cause, it.failure()) }
            assertEquals(0, target.queueLength)
            assertEquals(case.entry.permits, target.free)
            race.hasWon(visits.last().entered)
        }
        race.assertBothHaveWon()
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun aCloseThatRacesWithArrivalsLeavesNoWaiter(case: Case) {
        val race = PairedRace()
        repeat(100) {
            val target = Target(case)
            target.take()
            lateinit var visit: AcquiringCoroutine
            race.race({
                visit = AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED)
            }, { target.close(cause) })
            runBlocking { visit.job.join() }
            assertSame(cause, visit.failure())
            assertEquals(0, target.queueLength)
            assertEquals(0, target.free)
        }
    }

    @Test
    fun isClosedIsTrueAfterTheClose() {
        val mutex = Mutex()
        val semaphore = Semaphore(1)
        val readWrite = ReadWriteMutex()
        assertFalse(mutex.isClosed || semaphore.isClosed || readWrite.isClosed)
        assertTrue(mutex.close() && semaphore.close() && readWrite.close())
        assertTrue(mutex.isClosed && semaphore.isClosed && readWrite.isClosed)
        assertTrue(mutex.core.isClosed && semaphore.core.isClosed && readWrite.core.isClosed)
    }

    @Test
    fun waitingAndLaterReadersFailAndHoldersUnlock() {
        val lock = ReadWriteMutex()
        assertTrue(lock.tryReadLock())
        val failures = mutableListOf<Throwable?>()
        startInPlace { failures += runCatching { lock.writeLock() }.exceptionOrNull() }
        startInPlace { failures += runCatching { lock.readLock() }.exceptionOrNull() }
        startInPlace { failures += runCatching { lock.tryReadLock(1.hours) }.exceptionOrNull() }
        assertEquals(listOf(1, 2), listOf(lock.waitingWriters, lock.waitingReaders))
        assertTrue(lock.close(cause))
        startInPlace { failures += runCatching { lock.readLock() }.exceptionOrNull() }
        startInPlace { failures += runCatching { lock.tryReadLock(1.hours) }.exceptionOrNull() }
        startInPlace { failures += runCatching { lock.read { } }.exceptionOrNull() }
        failures += runCatching { lock.tryReadLock() }.exceptionOrNull()
        assertEquals(List(7) { cause }, failures)
        lock.readUnlock()
        assertEquals(listOf(0, 0, 0), listOf(lock.readLockCount, lock.waitingWriters, lock.waitingReaders))
        assertFalse(lock.isWriteLocked)
    }

    @Test
    fun aWriterDowngradesAfterTheClose() {
        val lock = ReadWriteMutex()
        assertTrue(lock.tryWriteLock())
        lock.close(cause)
        lock.downgrade()
        assertSame(cause, runCatching { lock.tryReadLock() }.exceptionOrNull())
        lock.readUnlock()
        assertFalse(lock.isWriteLocked || lock.readLockCount > 0)
    }

    @Test
    fun aCoroutineOnAConditionFailsAndHoldsTheWriteLock() {
        val lock = ReadWriteMutex()
        val condition = lock.newCondition()
        var failure: Throwable? = null
        startInPlace {
            lock.write {
                failure = runCatching { condition.await() }.exceptionOrNull()
                assertTrue(lock.isWriteLocked)
            }
        }
        assertEquals(1, condition.queueLength)
        lock.close(cause)
        assertSame(cause, failure)
        assertFalse(lock.isWriteLocked)
    }

    @Test
    fun unlockOfAClosedMutexHasTheSameRules() {
        val mutex = Mutex()
        assertTrue(mutex.tryLock("me"))
        assertTrue(mutex.close(cause))
        assertTrue(mutex.isLocked && mutex.holdsLock("me"))
        assertEquals(
            IllegalStateException::class.java,
            runCatching {
                mutex.unlock("you")
            }.exceptionOrNull()?.javaClass,
        )
        assertTrue(mutex.holdsLock("me"))
        mutex.unlock("me")
        assertFalse(mutex.isLocked || mutex.holdsLock("me"))
        assertSame(cause, runCatching { mutex.tryLock("me") }.exceptionOrNull())
        assertFalse(mutex.isLocked || mutex.holdsLock("me"))
    }
}
