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

/** The token of a mutex between the grant to a coroutine and its resumption. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class TokenTest {
    private val core = CoreMutex()
    private val mutex = core.asMutex()
    private val token = Any()

    /** Runs an action of the test right before the resumer resumes the coroutine. */
    private val interceptor = HookedInterceptor()

    @Test
    fun aCoroutineCancelledAsItIsGrantedTheMutexLeavesNoToken() {
        assertTrue(mutex.tryLock())
        val cancelled = waiting { mutex.lock(token) }
        lateinit var next: Job
        interceptor.before = {
            assertFalse(mutex.holdsLock(token)) { "the coroutine is not resumed yet" }
            cancelled.cancel()
            assertTrue(cancelled.isCompleted)
            assertFalse(mutex.holdsLock(token))
            assertFalse(mutex.tryLock(token)) { "the mutex is being given back" }
            assertThrows(IllegalStateException::class.java) { mutex.unlock(token) }
            assertTrue("[locked, 0 waiting]" in mutex.toString(), mutex.toString())
            next = CoroutineScope(Dispatchers.Unconfined).launch { mutex.lock(token) }
            assertFalse(next.isCompleted) { "the next coroutine waits" }
        }
        mutex.unlock()
        assertTrue(next.isCompleted)
        assertTrue(mutex.holdsLock(token))
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
    }

    @Test
    fun aTimedTryLockThatTimesOutAsItIsGrantedTheMutexLeavesNoToken() {
        assertTrue(mutex.tryLock())
        var result: Boolean? = null
        val job = waiting { result = mutex.tryLock(10.milliseconds, token) }
        interceptor.before = {
            interceptor.time.advanceTimeBy(11)
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
    fun theTokenIsTheOwnerWhenTheCoroutineRuns() {
        assertTrue(mutex.tryLock())
        val job = waiting {
            mutex.lock(token)
            assertTrue(mutex.holdsLock(token)) { "the coroutine runs inside the resume" }
            assertThrows(IllegalStateException::class.java) { mutex.tryLock(token) }
        }
        mutex.unlock()
        assertTrue(job.isCompleted && !job.isCancelled)
        assertTrue(mutex.holdsLock(token))
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
    }

    @Test
    fun theTokenIsTheOwnerFromTheGrantUntilThePromptCancellationGivesBack() {
        val manualDispatcher = ManualDispatcher()
        assertTrue(mutex.tryLock())
        val job = CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) { mutex.lock(token) }
        mutex.unlock()
        assertTrue(mutex.holdsLock(token)) { "the coroutine is granted the mutex and does not run yet" }
        assertThrows(IllegalStateException::class.java) { mutex.tryLock(token) }
        job.cancel()
        assertTrue(mutex.holdsLock(token))
        manualDispatcher.run()
        assertTrue(job.isCompleted)
        assertFalse(mutex.isLocked)
        assertFalse(mutex.holdsLock(token))
    }

    @Test
    fun aMutexUnlockedByAnotherCallerIsNotGivenBackAgain() {
        for (owner in listOf(null, token)) {
            val manualDispatcher = ManualDispatcher()
            assertTrue(mutex.tryLock())
            val job = CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) { mutex.lock(token) }
            mutex.unlock()
            mutex.unlock(owner) // instead of the coroutine
            assertTrue(mutex.tryLock("next"))
            job.cancel()
            manualDispatcher.run()
            assertTrue(job.isCompleted)
            assertTrue(mutex.holdsLock("next"))
            mutex.unlock("next")
        }
    }

    @Test
    fun theTokenIsTheOwnerAfterAWaitOnACondition() {
        val condition = mutex.newCondition()
        val manualDispatcher = ManualDispatcher()
        val job = CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) {
            mutex.lock(token)
            condition.await()
            assertTrue(mutex.holdsLock(token))
            mutex.unlock(token)
        }
        assertFalse(mutex.isLocked)
        assertTrue(mutex.tryLock())
        condition.signal()
        mutex.unlock()
        assertTrue(mutex.holdsLock(token)) { "the coroutine is granted the mutex and does not run yet" }
        manualDispatcher.run()
        assertTrue(job.isCompleted && !job.isCancelled)
        assertFalse(mutex.isLocked)
    }

    @Test
    fun aClosedMutexKeepsItsOwner() {
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
        val job = CoroutineScope(interceptor).launch { block() }
        assertEquals(1, mutex.queueLength)
        return job
    }

    /** An interceptor that resumes in place, with a virtual clock of its own. */
    @OptIn(InternalCoroutinesApi::class)
    private class HookedInterceptor(private val timer: TestDispatcher = StandardTestDispatcher()) :
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
