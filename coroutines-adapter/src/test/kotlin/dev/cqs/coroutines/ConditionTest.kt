package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import dev.cqs.threads.ReentrantLock
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CancellationException
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

/** Conditions for coroutines on a [ManualDispatcher]. */
@Timeout(60)
class ConditionTest {
    private val manualDispatcher = ManualDispatcher()
    private val uncaught = ArrayList<Throwable>()
    private val scope =
        CoroutineScope(manualDispatcher + SupervisorJob() + CoroutineExceptionHandler { _, e -> uncaught += e })
    private val mutex = Mutex()
    private val condition = mutex.newCondition()
    private val order = ArrayList<String>()

    @AfterEach
    fun noExceptionWasUncaught() {
        assertEquals(emptyList<Throwable>(), uncaught)
    }

    // Signals

    @Test
    fun awaitReleasesTheMutexAndReacquiresItAfterTheSignal() {
        val visit = waiting("visit")
        assertFalse(mutex.isLocked)
        assertEquals(1, condition.queueLength)
        hold {
            condition.signal()
            manualDispatcher.run()
            visit.waits() // it waits for the mutex
            assertEquals(0, condition.queueLength)
            assertEquals(1, mutex.queueLength)
        }
        assertTrue(mutex.isLocked) { "the mutex was handed over" }
        visit.waits() // it is dispatched and has not run
        manualDispatcher.run()
        visit.returned()
        assertIdle()
    }

    @Test
    fun eachSignalGoesToTheCoroutineThatHasWaitedLongest() {
        val visits = List(40) { waiting("visit $it") }
        for ((i, visit) in visits.withIndex()) {
            hold { condition.signal() }
            manualDispatcher.run()
            visit.returned()
            visits.drop(i + 1).forEach { it.waits() }
        }
        assertIdle()
    }

    @Test
    fun signalAllReachesAllInFifoOrder() {
        val visits = List(40) { waiting("visit $it") }
        hold { condition.signalAll() }
        manualDispatcher.run()
        visits.forEach { it.returned() }
        assertEquals(visits.map { it.name }, order)
        assertIdle()
    }

    @Test
    fun aSignalledCoroutineQueuesBehindEarlierRequestsForTheMutex() {
        waiting("signalled")
        hold {
            locking("before")
            condition.signal()
            locking("after")
        }
        manualDispatcher.run()
        assertEquals(listOf("before", "signalled", "after"), order)
        assertIdle()
    }

    @Test
    fun aSignalWithoutAWaiterIsLost() {
        hold {
            condition.signal()
            condition.signalAll()
        }
        val visit = waiting("visit")
        visit.waits()
        hold { condition.signal() }
        manualDispatcher.run()
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
        manualDispatcher.run()
        visit.returned() // it has unlocked with its token
        assertFalse(mutex.holdsLock(token))
        assertIdle()
    }

    @Test
    fun toStringShowsTheWaitersAndViewsOfOneCoreAgree() {
        val visit = waiting("visit")
        val other = condition.core.asCondition()
        assertEquals(1, other.queueLength)
        assertEquals("Condition[1 waiting]", other.toString())
        assertSame(mutex.core, condition.core.mutex())
        hold { other.signal() }
        manualDispatcher.run()
        visit.returned()
        assertEquals("Condition[0 waiting]", condition.toString())
    }

    // Cancellation

    /** The moment of the cancellation. */
    enum class Moment { BEFORE_THE_SIGNAL, QUEUED_FOR_THE_MUTEX, GRANTED }

    @ParameterizedTest
    @EnumSource
    fun aCancelledAwaitThrowsHoldingTheMutexAndTheSignalIsNotLost(moment: Moment) {
        for (token in listOf(null, Any())) {
            val first = waiting("first", token)
            val next = waiting("next")
            hold {
                if (moment == Moment.BEFORE_THE_SIGNAL) {
                    first.job.cancel()
                    manualDispatcher.run()
                    first.waits() // it waits for the mutex
                }
                condition.signal()
                if (moment == Moment.QUEUED_FOR_THE_MUTEX) {
                    first.job.cancel()
                    manualDispatcher.run()
                    first.waits()
                    assertEquals(1, condition.queueLength)
                }
                first.waits()
                next.waits()
            }
            if (moment == Moment.GRANTED) first.job.cancel()
            manualDispatcher.run()
            first.threwCancellation()
            next.returned()
            assertIdle()
        }
    }

    @ParameterizedTest
    @EnumSource
    fun aCancelledAwaitQueuesForTheMutexAndCannotBeCancelledAgain(moment: Moment) {
        val first = waiting("first")
        hold {
            locking("before")
            if (moment != Moment.BEFORE_THE_SIGNAL) condition.signal()
            first.job.cancel()
            manualDispatcher.run()
            locking("after")
            first.job.cancel(CancellationException("again"))
            manualDispatcher.run()
            first.waits()
        }
        manualDispatcher.run()
        first.threwCancellation()
        assertEquals(listOf("before", "first", "after"), order)
        assertIdle()
    }

    @Test
    fun anAwaitOfACancelledCoroutineThrowsHoldingTheMutex() {
        val visit = AcquiringCoroutine("visit", null) { it.job.cancel() }
        manualDispatcher.run()
        visit.threwCancellation()
        assertIdle()
    }

    @Test
    fun signalsSkipCancelledWaiters() {
        val visits = List(100) { waiting("visit $it") }
        val (cancelled, others) = visits.partition { it.number % 3 != 0 }
        hold {
            cancelled.forEach { it.job.cancel() }
            assertEquals(others.size, condition.queueLength)
            others.forEach { _ -> condition.signal() }
            assertEquals(0, condition.queueLength)
        }
        manualDispatcher.run()
        cancelled.forEach { it.threwCancellation() }
        others.forEach { it.returned() }
        assertIdle()
    }

    /** If no waiter is left to take the signal, it is lost and delays no coroutine. */
    @Test
    fun theSignalOfACancelledWaiterGoesToTheNextWaiterIfThereIsOne() {
        val visits = List(3) { waiting("visit $it") }
        val last = waiting("last")
        hold {
            condition.signal()
            visits.forEach { it.job.cancel() }
        }
        manualDispatcher.run()
        visits.forEach { it.threwCancellation() }
        last.returned()

        val lonely = waiting("lonely")
        hold {
            condition.signal()
            lonely.job.cancel()
        }
        manualDispatcher.run()
        lonely.threwCancellation()
        assertIdle()
        waiting("late").waits()
    }

    @Test
    fun aTimeoutEndsTheWaitHoldingTheMutex() = runBlocking {
        for (other in listOf(false, true)) {
            mutex.withLock {
                val holder = if (other) launch(start = CoroutineStart.UNDISPATCHED) { locked { delay(20) } } else null
                assertNull(withTimeoutOrNull(10) { condition.await() })
                assertTrue(mutex.isLocked)
                assertFalse(mutex.tryLock())
                assertTrue(holder == null || holder.isCompleted) { "the holder had it first" }
            }
            assertIdle()
        }
    }

    // Use

    @Test
    fun aConditionIsWaitedForInALoopInsideWithLock() {
        var ready = false
        val job = scope.launch {
            mutex.withLock {
                while (!ready) condition.await()
                order += "ready"
            }
        }
        manualDispatcher.run()
        hold { condition.signal() } // too early, so it waits again
        manualDispatcher.run()
        assertEquals(1, condition.queueLength)
        hold {
            ready = true
            condition.signal()
        }
        manualDispatcher.run()
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
            assertTrue(e.message!!.startsWith(expected)) {
                "${e.message}"
            } // the debug mode of coroutines appends to the thread's name
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
        awaitThat("the condition of the test holds") { condition.queueLength == 2 }
        waiting("coroutine 2")
        lock.lock()
        assertEquals(3, lock.getWaitQueueLength(forThreads))
        forThreads.signal() // a thread signals a coroutine
        lock.unlock()
        manualDispatcher.run()
        hold { condition.signalAll() } // a coroutine signals a thread, which hands the mutex to a coroutine
        awaitThat("the condition of the test holds") { manualDispatcher.size > 0 }
        manualDispatcher.run()
        awaitThat("the condition of the test holds") { !parked.isAlive }
        assertEquals(listOf("coroutine 1", "thread, 2 holds", "coroutine 2"), order)
        assertIdle()
    }

    /** Without a dispatcher, each coroutine continues inside the unlock of the one before. */
    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun handOffsBetweenManyCoroutinesOnOneThreadDoNotGrowTheStack(unconfined: Boolean) {
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
    fun manySignalsBetweenTwoCoroutinesOnOneThreadDoNotGrowTheStack(unconfined: Boolean) {
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
    fun closingEndsAllWaitsAndEachCoroutineReacquiresTheMutex() {
        val visits = listOf(waiting("first"), waiting("second", token = "a token"), waiting("third"))
        hold {
            mutex.close(Shutdown())
            manualDispatcher.run()
            visits.forEach { it.waits() } // it waits for the mutex
            assertEquals(0, condition.queueLength)
            assertEquals(3, mutex.queueLength)
        }
        manualDispatcher.run()
        visits.forEach { it.threw<Shutdown>() }
        assertEquals(listOf("first", "second", "third"), order)
        assertIdle()
    }

    @Test
    fun closingAFreeMutexWithoutACauseEndsTheWaits() {
        val visit = waiting("visit")
        mutex.close()
        manualDispatcher.run()
        visit.threw<ClosedException>()
        assertIdle()
    }

    @Test
    fun aWaitSignalledBeforeTheCloseReturns() {
        val signalled = waiting("signalled")
        val failed = waiting("failed")
        hold {
            condition.signal()
            mutex.close(Shutdown())
            condition.signalAll() // no waiter is left
        }
        manualDispatcher.run()
        signalled.returned()
        failed.threw<Shutdown>()
        assertIdle()
    }

    /**
     * The cancellation comes before the close, or while it waits for the mutex, or when it has the mutex and has not
     * run.
     */
    @ParameterizedTest
    @ValueSource(strings = ["before", "waits for the mutex", "has the mutex"])
    fun aCancelledAwaitHoldsTheClosedMutexWhenItThrows(moment: String) {
        val visit = waiting("visit")
        val next = waiting("next")
        hold {
            if (moment == "before") visit.job.cancel()
            mutex.close(Shutdown())
            if (moment == "waits for the mutex") visit.job.cancel()
            manualDispatcher.run()
            visit.waits()
        }
        if (moment == "has the mutex") visit.job.cancel()
        assertTrue(mutex.isLocked)
        manualDispatcher.run()
        visit.threwCancellation()
        next.threw<Shutdown>()
        assertEquals(setOf("visit", "next"), order.toSet())
        assertIdle()
    }

    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun aWaitThatBeginsAfterTheCloseFailsAtOnceAndKeepsTheMutex(hasCause: Boolean) {
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
        manualDispatcher.run()
        assertTrue(if (hasCause) thrown is Shutdown else thrown is ClosedException) { "$thrown" }
        assertIdle()
    }

    // Helpers

    private suspend fun locked(action: suspend () -> Unit) = mutex.withLock { action() }

    /** Runs [action] in a coroutine that holds the mutex. */
    private fun hold(action: () -> Unit) {
        assertTrue(mutex.tryLock())
        enter()
        action()
        exit()
        mutex.unlock()
    }

    private var inside = 0

    /** Checks mutual exclusion: at most one coroutine is between [enter] and [exit]. */
    private fun enter() = assertEquals(1, ++inside, "holders")

    private fun exit() = assertEquals(0, --inside, "holders")

    private fun assertIdle() {
        assertFalse(mutex.isLocked)
        assertEquals(0, mutex.queueLength)
        assertEquals(0, condition.queueLength)
        assertEquals(0, manualDispatcher.size)
    }

    private fun waiting(name: String, token: Any? = null): AcquiringCoroutine {
        val visit = AcquiringCoroutine(name, token) {}
        manualDispatcher.run()
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
        manualDispatcher.run()
        assertEquals(before + 1, mutex.queueLength)
    }

    /** A coroutine that waits for a signal once. */
    private inner class AcquiringCoroutine(
        val name: String,
        private val token: Any?,
        private val before: (AcquiringCoroutine) -> Unit,
    ) {
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
}
