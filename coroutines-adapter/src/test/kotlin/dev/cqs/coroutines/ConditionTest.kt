package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import dev.cqs.threads.ReentrantLock
import java.util.ArrayDeque
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource

/** Conditions for coroutines, with a dispatcher that the test turns by hand. */
@Timeout(60)
class ConditionTest {
    private val crank = HandCrank()
    private val uncaught = ArrayList<Throwable>()
    private val scope = CoroutineScope(crank + SupervisorJob() + CoroutineExceptionHandler { _, e -> uncaught += e })
    private val mutex = Mutex()
    private val condition = mutex.newCondition()
    private val order = ArrayList<String>()

    @AfterEach
    fun nothingWasUncaught() {
        assertEquals(emptyList<Throwable>(), uncaught)
    }

    // Signals

    @Test
    fun awaitGivesTheMutexUpAndHasItAgainAfterTheSignal() {
        val visit = waiting("visit")
        assertFalse(mutex.isLocked)
        assertEquals(1, condition.queueLength)
        hold {
            condition.signal()
            crank.run()
            visit.waits() // for the mutex
            assertEquals(0, condition.queueLength)
            assertEquals(1, mutex.queueLength)
        }
        assertTrue(mutex.isLocked) { "it was handed over" }
        visit.waits() // for the dispatcher
        crank.run()
        visit.returned()
        assertIdle()
    }

    @Test
    fun eachSignalGoesToTheOneThatHasWaitedLongest() {
        val visits = List(40) { waiting("visit $it") }
        for ((i, visit) in visits.withIndex()) {
            hold { condition.signal() }
            crank.run()
            visit.returned()
            visits.drop(i + 1).forEach { it.waits() }
        }
        assertIdle()
    }

    @Test
    fun signalAllReachesAllInTheirOrder() {
        val visits = List(40) { waiting("visit $it") }
        hold { condition.signalAll() }
        crank.run()
        visits.forEach { it.returned() }
        assertEquals(visits.map { it.name }, order)
        assertIdle()
    }

    @Test
    fun whoWasSignalledStandsBehindThoseWhoWaitForTheMutex() {
        waiting("signalled")
        hold {
            locking("before")
            condition.signal()
            locking("after")
        }
        crank.run()
        assertEquals(listOf("before", "signalled", "after"), order)
        assertIdle()
    }

    @Test
    fun aSignalForNobodyIsForgotten() {
        hold {
            condition.signal()
            condition.signalAll()
        }
        val visit = waiting("visit")
        visit.waits()
        hold { condition.signal() }
        crank.run()
        visit.returned()
    }

    @Test
    fun theTokenOfTheHolderIsKept() {
        val token = Any()
        val visit = waiting("visit", token)
        assertFalse(mutex.holdsLock(token))
        hold {
            assertFalse(mutex.holdsLock(token))
            condition.signal()
        }
        crank.run()
        visit.returned() // having unlocked with its token
        assertFalse(mutex.holdsLock(token))
        assertIdle()
    }

    @Test
    fun theViewSaysHowManyWaitAndViewsOfOneCoreAgree() {
        val visit = waiting("visit")
        val other = condition.core.asCondition()
        assertEquals(1, other.queueLength)
        assertEquals("Condition[1 waiting]", other.toString())
        assertSame(mutex.core, condition.core.mutex())
        hold { other.signal() }
        crank.run()
        visit.returned()
        assertEquals("Condition[0 waiting]", condition.toString())
    }

    // Cancellation

    /** When the cancellation comes. */
    enum class Moment { BEFORE_THE_SIGNAL, QUEUED_FOR_THE_MUTEX, GRANTED }

    @ParameterizedTest
    @EnumSource
    fun whoIsCancelledThrowsWithTheMutexHeldAndTheSignalIsNotLost(moment: Moment) {
        for (token in listOf(null, Any())) {
            val first = waiting("first", token)
            val next = waiting("next")
            hold {
                if (moment == Moment.BEFORE_THE_SIGNAL) {
                    first.job.cancel()
                    crank.run()
                    first.waits() // for the mutex
                }
                condition.signal()
                if (moment == Moment.QUEUED_FOR_THE_MUTEX) {
                    first.job.cancel()
                    crank.run()
                    first.waits()
                    assertEquals(1, condition.queueLength)
                }
                first.waits()
                next.waits()
            }
            if (moment == Moment.GRANTED) first.job.cancel()
            crank.run()
            first.threwCancellation()
            next.returned()
            assertIdle()
        }
    }

    @ParameterizedTest
    @EnumSource
    fun whoIsCancelledWaitsBehindOthersForTheMutexAndCannotBeCancelledAgain(moment: Moment) {
        val first = waiting("first")
        hold {
            locking("before")
            if (moment != Moment.BEFORE_THE_SIGNAL) condition.signal()
            first.job.cancel()
            crank.run()
            locking("after")
            first.job.cancel(CancellationException("again"))
            crank.run()
            first.waits()
        }
        crank.run()
        first.threwCancellation()
        assertEquals(listOf("before", "first", "after"), order)
        assertIdle()
    }

    @Test
    fun whoWasCancelledBeforehandThrowsWithTheMutexHeld() {
        val visit = Visit("visit", null) { it.job.cancel() }
        crank.run()
        visit.threwCancellation()
        assertIdle()
    }

    @Test
    fun signalsPassThoseWhoWereCancelled() {
        val visits = List(100) { waiting("visit $it") }
        val (cancelled, others) = visits.partition { it.number % 3 != 0 }
        hold {
            cancelled.forEach { it.job.cancel() }
            assertEquals(others.size, condition.queueLength)
            others.forEach { _ -> condition.signal() }
            assertEquals(0, condition.queueLength)
        }
        crank.run()
        cancelled.forEach { it.threwCancellation() }
        others.forEach { it.returned() }
        assertIdle()
    }

    /** None of them is left to take it, so the signal is forgotten, and keeps nobody from going on. */
    @Test
    fun theSignalOfTheCancelledGoesOnUntilSomebodyTakesItOrNobodyWaits() {
        val visits = List(3) { waiting("visit $it") }
        val last = waiting("last")
        hold {
            condition.signal()
            visits.forEach { it.job.cancel() }
        }
        crank.run()
        visits.forEach { it.threwCancellation() }
        last.returned()

        val lonely = waiting("lonely")
        hold {
            condition.signal()
            lonely.job.cancel()
        }
        crank.run()
        lonely.threwCancellation()
        assertIdle()
        waiting("late").waits()
    }

    @Test
    fun aTimeoutEndsTheWaitWithTheMutexHeld() = runBlocking {
        for (other in listOf(false, true)) {
            mutex.withLock {
                val holder = if (other) launch(start = CoroutineStart.UNDISPATCHED) { locked { delay(20) } } else null
                assertNull(withTimeoutOrNull(10) { condition.await() })
                assertTrue(mutex.isLocked)
                assertFalse(mutex.tryLock())
                assertTrue(holder == null || holder.isCompleted) { "the other one had it first" }
            }
            assertIdle()
        }
    }

    // How it is used

    @Test
    fun aConditionIsWaitedForInALoopInsideWithLock() {
        var ready = false
        val job = scope.launch {
            mutex.withLock {
                while (!ready) condition.await()
                order += "ready"
            }
        }
        crank.run()
        hold { condition.signal() } // too early: it waits again
        crank.run()
        assertEquals(1, condition.queueLength)
        hold {
            ready = true
            condition.signal()
        }
        crank.run()
        assertEquals(listOf("ready"), order)
        assertTrue(job.isCompleted)
        assertIdle()
    }

    @Test
    fun awaitAndSignalNeedTheMutexOfACoroutine() {
        val calls = listOf<suspend () -> Unit>({ condition.await() }, { condition.signal() }, { condition.signalAll() })
        for (call in calls) {
            val e = assertThrows<IllegalStateException> { runBlocking { call() } }
            assertEquals("The mutex of this condition is not locked", e.message)
        }
        val byThread = ReentrantLock.viewOf(mutex.core)
        byThread.lock()
        for (call in calls) {
            val e = assertThrows<IllegalStateException> { runBlocking { call() } }
            val expected = "The mutex of this condition is locked by the thread ${Thread.currentThread().name}"
            assertTrue(e.message!!.startsWith(expected)) { "${e.message}" } // a coroutine adds its name to the thread's
            assertEquals(0, condition.queueLength)
            assertEquals(1, byThread.holdCount)
        }
        byThread.unlock()
        assertIdle()
    }

    @Test
    fun threadsAndCoroutinesWaitInOneQueue() {
        val lock = ReentrantLock.viewOf(mutex.core)
        val forThreads = lock.conditionViewOf(condition.core)
        waiting("coroutine 1")
        val parked = thread(isDaemon = true) {
            lock.lock()
            lock.lock()
            forThreads.await()
            synchronized(order) { order += "thread, ${lock.holdCount} holds" }
            lock.unlock()
            lock.unlock()
        }
        until { condition.queueLength == 2 }
        waiting("coroutine 2")
        lock.lock()
        assertEquals(3, lock.getWaitQueueLength(forThreads))
        forThreads.signal() // a thread to a coroutine
        lock.unlock()
        crank.run()
        hold { condition.signalAll() } // a coroutine to a thread, and that hands over to a coroutine
        until { crank.size > 0 }
        crank.run()
        until { !parked.isAlive }
        assertEquals(listOf("coroutine 1", "thread, 2 holds", "coroutine 2"), order)
        assertIdle()
    }

    /** Without a dispatcher each runs on inside the unlock of the one before. */
    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun theStackDoesNotGrowHoweverManyHandOverInPlace(unconfined: Boolean) {
        val many = 20_000
        var served = 0
        val body: suspend () -> Unit = {
            mutex.lock()
            condition.await()
            served++
            mutex.unlock()
        }
        repeat(many) { startInPlace(unconfined, body) }
        assertEquals(many, condition.queueLength)
        hold { condition.signalAll() }
        assertEquals(many, served)
        assertIdle()
    }

    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun theStackDoesNotGrowHoweverOftenTwoWakeEachOtherInPlace(unconfined: Boolean) {
        val rounds = 20_000
        val conditions = listOf(condition, mutex.newCondition())
        var turn = 0
        var over = 0
        for (self in 0..1) {
            startInPlace(unconfined) {
                mutex.lock()
                repeat(rounds) {
                    while (turn != self) conditions[self].await()
                    turn = 1 - self
                    conditions[1 - self].signal()
                }
                over++
                mutex.unlock()
            }
        }
        assertEquals(2, over)
        assertIdle()
    }

    private fun startInPlace(unconfined: Boolean, body: suspend () -> Unit) {
        if (unconfined) {
            scope.launch(Dispatchers.Unconfined) { body() }
        } else {
            body.startCoroutine(Continuation(EmptyCoroutineContext) { it.getOrThrow() })
        }
    }

    // Closing

    private class Shutdown : Exception("shut down")

    @Test
    fun closingEndsAllWaitsAndEachCoroutineHasTheMutexInItsTurn() {
        val visits = listOf(waiting("first"), waiting("second", token = "a token"), waiting("third"))
        hold {
            mutex.close(Shutdown())
            crank.run()
            visits.forEach { it.waits() } // for the mutex
            assertEquals(0, condition.queueLength)
            assertEquals(3, mutex.queueLength)
        }
        crank.run()
        visits.forEach { it.threw<Shutdown>() }
        assertEquals(listOf("first", "second", "third"), order)
        assertIdle()
    }

    @Test
    fun closingAFreeMutexEndsTheWaitsWithoutACauseToo() {
        val visit = waiting("visit")
        mutex.close()
        crank.run()
        visit.threw<ClosedException>()
        assertIdle()
    }

    @Test
    fun whoWasSignalledBeforeTheClosingReturns() {
        val signalled = waiting("signalled")
        val failed = waiting("failed")
        hold {
            condition.signal()
            mutex.close(Shutdown())
            condition.signalAll() // for nobody
        }
        crank.run()
        signalled.returned()
        failed.threw<Shutdown>()
        assertIdle()
    }

    /** Before the closing it has given up; after it, it waits for the mutex, or has it and has not run on. */
    @ParameterizedTest
    @ValueSource(strings = ["before", "waits for the mutex", "has the mutex"])
    fun whoIsCancelledHoldsAClosedMutexWhenItThrows(moment: String) {
        val visit = waiting("visit")
        val next = waiting("next")
        hold {
            if (moment == "before") visit.job.cancel()
            mutex.close(Shutdown())
            if (moment == "waits for the mutex") visit.job.cancel()
            crank.run()
            visit.waits()
        }
        if (moment == "has the mutex") visit.job.cancel()
        assertTrue(mutex.isLocked)
        crank.run()
        visit.threwCancellation()
        next.threw<Shutdown>()
        assertEquals(setOf("visit", "next"), order.toSet())
        assertIdle()
    }

    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun aWaitThatBeginsAfterTheClosingFailsAtOnceAndKeepsTheMutex(hasCause: Boolean) {
        lateinit var thrown: Throwable
        scope.launch {
            mutex.withLock("a token") {
                mutex.close(if (hasCause) Shutdown() else null)
                enter()
                thrown = assertThrows<Exception> { runBlocking { condition.await() } }
                assertTrue(mutex.holdsLock("a token"))
                exit()
            }
        }
        crank.run()
        assertTrue(if (hasCause) thrown is Shutdown else thrown is ClosedException) { "$thrown" }
        assertIdle()
    }

    // Helpers

    private suspend fun locked(action: suspend () -> Unit) = mutex.withLock { action() }

    /** Does this as the holder of the mutex. */
    private fun hold(action: () -> Unit) {
        assertTrue(mutex.tryLock())
        enter()
        action()
        exit()
        mutex.unlock()
    }

    private var inside = 0

    /** Whoever comes here has the mutex, if at most one is here at any time. */
    private fun enter() = assertEquals(1, ++inside, "holders")

    private fun exit() = assertEquals(0, --inside, "holders")

    private fun assertIdle() {
        assertFalse(mutex.isLocked)
        assertEquals(0, mutex.queueLength)
        assertEquals(0, condition.queueLength)
        assertEquals(0, crank.size)
    }

    private fun waiting(name: String, token: Any? = null): Visit {
        val visit = Visit(name, token) {}
        crank.run()
        visit.waits()
        return visit
    }

    private fun locking(name: String) {
        val before = mutex.queueLength
        scope.launch {
            mutex.lock()
            enter()
            order += name
            exit()
            mutex.unlock()
        }
        crank.run()
        assertEquals(before + 1, mutex.queueLength)
    }

    /** A coroutine that waits for a signal once. */
    private inner class Visit(val name: String, private val token: Any?, private val before: (Visit) -> Unit) {
        val number = name.substringAfter(' ', "0").toInt()
        var thrown: Throwable? = null
        var isOver = false

        val job = scope.launch { visit() }

        private suspend fun visit() {
            mutex.lock(token)
            enter()
            before(this)
            exit()
            try {
                condition.await()
            } catch (e: Throwable) {
                thrown = e
            }
            enter()
            synchronized(order) { order += name }
            exit()
            assertTrue(token == null || mutex.holdsLock(token))
            mutex.unlock(token)
            isOver = true
            (thrown as? CancellationException)?.let { throw it }
        }

        fun waits() = assertFalse(isOver || job.isCompleted) { "$name should wait" }

        fun returned() {
            assertTrue(isOver) { "$name should have returned" }
            assertNull(thrown)
        }

        inline fun <reified T : Throwable> threw() {
            assertTrue(isOver) { "$name should have ended" }
            assertTrue(thrown is T) { "$name has thrown $thrown" }
            assertFalse(job.isCancelled)
        }

        fun threwCancellation() {
            assertTrue(isOver) { "$name should have ended" }
            assertTrue(thrown is CancellationException) { "$name has thrown $thrown" }
            assertTrue(job.isCancelled)
        }
    }

    private fun until(condition: () -> Boolean) {
        val start = System.nanoTime()
        while (!condition()) {
            assertTrue(System.nanoTime() - start < 30_000_000_000) { "it has not come true" }
            LockSupport.parkNanos(100_000)
        }
    }

    /** A dispatcher that runs a task only when it is told to, in the thread that tells it. */
    private class HandCrank : CoroutineDispatcher() {
        private val tasks = ArrayDeque<Runnable>()

        val size get() = synchronized(tasks) { tasks.size }

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            synchronized(tasks) { tasks += block }
        }

        fun run() {
            while (true) (synchronized(tasks) { tasks.poll() } ?: return).run()
        }
    }
}
