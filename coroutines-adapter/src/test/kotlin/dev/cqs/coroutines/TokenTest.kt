package dev.cqs.coroutines

import dev.cqs.sync.Mutex as CoreMutex
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Delay
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestDispatcher
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

/** For whom a token is on record while the mutex is on its way to a coroutine. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class TokenTest {
    private val core = CoreMutex()
    private val mutex = core.asMutex()
    private val token = Any()

    /** Acts when the resumer looks where to resume, right before it does. */
    private val place = Place()

    @Test
    fun aCoroutineThatIsCancelledAsItIsGrantedTheMutexLeavesNoToken() {
        assertTrue(mutex.tryLock())
        val cancelled = waiting { mutex.lock(token) }
        lateinit var next: Job
        place.before = {
            assertFalse(mutex.holdsLock(token)) { "it is not resumed yet" }
            cancelled.cancel()
            assertTrue(cancelled.isCompleted)
            assertFalse(mutex.holdsLock(token))
            assertFalse(mutex.tryLock(token)) { "it is on its way back" }
            assertThrows(IllegalStateException::class.java) { mutex.unlock(token) }
            assertTrue("[locked, 0 waiting]" in mutex.toString(), mutex.toString())
            next = CoroutineScope(Dispatchers.Unconfined).launch { mutex.lock(token) }
            assertFalse(next.isCompleted) { "it waits for its turn" }
        }
        mutex.unlock()
        assertTrue(next.isCompleted)
        assertTrue(mutex.holdsLock(token))
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
    }

    @Test
    fun aTimedTryThatAnswersFalseAsItIsGrantedTheMutexLeavesNoToken() {
        assertTrue(mutex.tryLock())
        var result: Boolean? = null
        val job = waiting { result = mutex.tryLock(10.milliseconds, token) }
        place.before = {
            place.time.advanceTimeBy(11)
            assertTrue(job.isCompleted)
            assertEquals(false, result)
            assertFalse(mutex.holdsLock(token))
            assertFalse(mutex.tryLock(token))
        }
        mutex.unlock()
        assertEquals(false, result)
        assertTrue(mutex.tryLock(token))
    }

    @Test
    fun theTokenIsOnRecordWhenTheCoroutineRuns() {
        assertTrue(mutex.tryLock())
        val job = waiting {
            mutex.lock(token)
            assertTrue(mutex.holdsLock(token)) { "it runs within the resume" }
            assertThrows(IllegalStateException::class.java) { mutex.tryLock(token) }
        }
        mutex.unlock()
        assertTrue(job.isCompleted && !job.isCancelled)
        assertTrue(mutex.holdsLock(token))
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
    }

    @Test
    fun theTokenIsOnRecordFromTheGrantUntilTheGiveBackOfAPromptCancellation() {
        val crank = ManualDispatcher()
        assertTrue(mutex.tryLock())
        val job = CoroutineScope(crank).launch(start = UNDISPATCHED) { mutex.lock(token) }
        mutex.unlock()
        assertTrue(mutex.holdsLock(token)) { "it is granted, but does not run yet" }
        assertThrows(IllegalStateException::class.java) { mutex.tryLock(token) }
        job.cancel()
        assertTrue(mutex.holdsLock(token))
        crank.run()
        assertTrue(job.isCompleted)
        assertFalse(mutex.isLocked)
        assertFalse(mutex.holdsLock(token))
    }

    @Test
    fun whatWasUnlockedByAnotherIsNotGivenBackAgain() {
        for (owner in listOf(null, token)) {
            val crank = ManualDispatcher()
            assertTrue(mutex.tryLock())
            val job = CoroutineScope(crank).launch(start = UNDISPATCHED) { mutex.lock(token) }
            mutex.unlock()
            mutex.unlock(owner) // for the coroutine
            assertTrue(mutex.tryLock("next"))
            job.cancel()
            crank.run()
            assertTrue(job.isCompleted)
            assertTrue(mutex.holdsLock("next"))
            mutex.unlock("next")
        }
    }

    @Test
    fun theTokenIsOnRecordOfACoroutineThatComesBackFromACondition() {
        val condition = mutex.newCondition()
        val crank = ManualDispatcher()
        val job = CoroutineScope(crank).launch(start = UNDISPATCHED) {
            mutex.lock(token)
            condition.await()
            assertTrue(mutex.holdsLock(token))
            mutex.unlock(token)
        }
        assertFalse(mutex.isLocked)
        assertTrue(mutex.tryLock())
        condition.signal()
        mutex.unlock()
        assertTrue(mutex.holdsLock(token)) { "it is granted, but does not run yet" }
        crank.run()
        assertTrue(job.isCompleted && !job.isCancelled)
        assertFalse(mutex.isLocked)
    }

    @Test
    fun aClosedMutexKeepsItsRecord() {
        assertTrue(mutex.tryLock(token))
        mutex.close()
        assertTrue(mutex.holdsLock(token))
        assertThrows(IllegalStateException::class.java) { mutex.unlock("another") }
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
        assertNull(core.ownerToken())
        assertThrows(IllegalStateException::class.java) { mutex.unlock(token) }
    }

    private fun waiting(block: suspend () -> Unit): Job {
        val job = CoroutineScope(place).launch { block() }
        assertEquals(1, mutex.queueLength)
        return job
    }

    /** Resumes in place, on a time of its own. */
    @OptIn(InternalCoroutinesApi::class)
    private class Place(private val timer: TestDispatcher = StandardTestDispatcher()) :
        AbstractCoroutineContextElement(ContinuationInterceptor),
        ContinuationInterceptor,
        Delay by timer {
        val time get() = timer.scheduler
        var before: (() -> Unit)? = null

        override fun <T> interceptContinuation(continuation: Continuation<T>) = continuation

        override fun <E : CoroutineContext.Element> get(key: CoroutineContext.Key<E>): E? {
            before?.also { before = null }?.invoke()
            return super<AbstractCoroutineContextElement>.get(key)
        }
    }
}
