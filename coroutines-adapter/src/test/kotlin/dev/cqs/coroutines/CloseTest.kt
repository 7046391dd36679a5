package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CancellationException
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

/** One that the library does not copy to add to its stack trace, so that it arrives itself. */
class Broken(val why: Any = Any()) : Exception()

/** What happens to those who wait, who come later, and who are inside, when an object is closed. */
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class CloseTest {
    private companion object {
        const val OURS = "dev.cqs.coroutines.Cases#closable"
        const val KINDS = "dev.cqs.coroutines.Cases#closableKinds"
    }

    private val cause = Broken()

    @ParameterizedTest
    @MethodSource(OURS)
    fun thoseWhoWaitFailWithTheCause(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visits = stage.queue(40)
        assertTrue(stage.target.close(cause))
        assertEquals(0, stage.target.queueLength)
        visits.forEach { it.waits() } // the dispatcher has them
        stage.crank.run()
        visits.forEach { assertSame(cause, it.failure()) }
        assertEquals(0, stage.target.free)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun thoseWhoComeLaterFailWithTheCauseWhetherItIsFreeOrNot(case: Case) {
        for (free in listOf(true, false)) {
            val stage = Stage(case)
            if (!free) stage.target.take()
            stage.target.close(cause)
            assertSame(cause, stage.visit().failure())
            stage.target.timeout = Duration.ZERO
            assertSame(cause, stage.visit().failure())
            assertSame(cause, runCatching { stage.target.tryTakeOne() }.exceptionOrNull())
            assertEquals(0, stage.crank.size)
            assertEquals(0, stage.target.queueLength)
            assertEquals(if (free) case.entry.permits else 0, stage.target.free)
        }
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun withoutACauseTheyFailWithAClosedException(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val waiting = stage.visit()
        assertTrue(stage.target.close(null))
        stage.crank.run()
        for (visit in listOf(waiting, stage.visit())) {
            assertEquals(ClosedException::class.java, visit.failure().javaClass)
            assertTrue("is closed" in visit.failure().message!!)
            assertTrue(case.entry.noun in visit.failure().message!!)
        }
        val thrown = runCatching { stage.target.tryTakeOne() }.exceptionOrNull()
        assertEquals(ClosedException::class.java, thrown?.javaClass)
        assertNull(thrown?.cause)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun theFirstCauseStays(case: Case) {
        for (first in listOf(cause, null)) {
            val stage = Stage(case)
            stage.target.take()
            assertTrue(stage.target.close(first))
            assertFalse(stage.target.close(Broken()))
            assertFalse(stage.target.close(null))
            if (first != null) {
                assertSame(first, stage.visit().failure())
            } else {
                assertEquals(ClosedException::class.java, stage.visit().failure().javaClass)
            }
        }
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun whoIsInsideLeavesAsBefore(case: Case) {
        val stage = Stage(case)
        val inside = Job()
        val visit = stage.visit { inside.join() }
        val waiting = stage.visit()
        stage.target.close(cause)
        stage.crank.run()
        assertSame(cause, waiting.failure())
        assertEquals(0, stage.target.free)
        inside.complete()
        stage.crank.run()
        visit.hasVisited()
        assertEquals(case.entry.permits, stage.target.free)
        assertSame(cause, stage.visit().failure())
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closableAndLimited")
    fun afterTheCloseMoreThanThereWasIsNotPutBackEither(case: Case) {
        val stage = Stage(case)
        stage.target.close(cause)
        assertEquals(
            IllegalStateException::class.java,
            runCatching {
                stage.target.giveBack()
            }.exceptionOrNull()?.javaClass,
        )
        assertEquals(case.entry.permits, stage.target.free)
        assertSame(cause, stage.visit().failure())
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun whoWasGrantedBeforeTheCloseEnters(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val granted = stage.visit()
        val waiting = stage.visit()
        stage.target.giveBack()
        stage.target.close(cause)
        stage.crank.run()
        granted.hasVisited()
        assertSame(cause, waiting.failure())
        assertEquals(case.entry.permits, stage.target.free)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun grantedBeforeTheCloseAndThenCancelledItIsGivenBack(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val granted = stage.visit()
        stage.target.giveBack()
        stage.target.close(cause)
        granted.job.cancel()
        stage.crank.run()
        granted.isCancelled()
        assertEquals(case.entry.permits, stage.target.free)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun cancelledBeforeOrAfterTheCloseNothingIsGivenBack(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val before = stage.visit()
        val after = stage.visit()
        before.job.cancel()
        stage.target.close(cause)
        after.job.cancel() // not dispatched yet
        stage.crank.run()
        before.isCancelled()
        assertSame(cause, after.failure())
        assertEquals(0, stage.target.free)
        stage.target.giveBack()
        assertEquals(case.entry.permits, stage.target.free)
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun aCloseThatRacesWithGrantsLeavesNobodyBehind(case: Case) {
        val duel = Duel()
        repeat(100) {
            val target = Target(case)
            target.take()
            val visits = List(4) { Visit(target, Dispatchers.Default, mode = UNDISPATCHED) }
            duel.fight({ target.giveBack() }, { assertTrue(target.close(cause)) })
            runBlocking { visits.map { it.job }.joinAll() }
            visits.forEach { if (it.entered) it.hasVisited() else assertSame(cause, it.failure()) }
            assertEquals(0, target.queueLength)
            assertEquals(case.entry.permits, target.free)
            duel.hasWon(visits.last().entered)
        }
        duel.bothHaveWon()
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun aCloseThatRacesWithArrivalsLeavesNobodyBehind(case: Case) {
        val duel = Duel()
        repeat(100) {
            val target = Target(case)
            target.take()
            lateinit var visit: Visit
            duel.fight({ visit = Visit(target, Dispatchers.Default, mode = UNDISPATCHED) }, { target.close(cause) })
            runBlocking { visit.job.join() }
            assertSame(cause, visit.failure())
            assertEquals(0, target.queueLength)
            assertEquals(0, target.free)
        }
    }

    @Test
    fun isClosedSaysSo() {
        val mutex = Mutex()
        val semaphore = Semaphore(1)
        val readWrite = ReadWriteMutex()
        assertFalse(mutex.isClosed || semaphore.isClosed || readWrite.isClosed)
        assertTrue(mutex.close() && semaphore.close() && readWrite.close())
        assertTrue(mutex.isClosed && semaphore.isClosed && readWrite.isClosed)
        assertTrue(mutex.core.isClosed && semaphore.core.isClosed && readWrite.core.isClosed)
    }

    @Test
    fun readersThatWaitOrComeFailAndThoseInsideLeave() {
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
    fun aWriterTurnsIntoAReaderAfterTheClose() {
        val lock = ReadWriteMutex()
        assertTrue(lock.tryWriteLock())
        lock.close(cause)
        lock.downgrade()
        assertSame(cause, runCatching { lock.tryReadLock() }.exceptionOrNull())
        lock.readUnlock()
        assertFalse(lock.isWriteLocked || lock.readLockCount > 0)
    }

    @Test
    fun aCoroutineThatWaitsOnAConditionFailsHoldingTheWriteLock() {
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
    fun aHeldMutexIsUnlockedAfterItsCloseUnderTheSameRules() {
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
