package dev.cqs.coroutines

import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Starts a coroutine without a dispatcher and a job, which is resumed in place. */
internal fun startInPlace(body: suspend () -> Unit) = body.startCoroutine(object : Continuation<Unit> {
    override val context = EmptyCoroutineContext

    override fun resumeWith(result: Result<Unit>) = result.getOrThrow()
})

@Timeout(60)
class LatchTest {
    private val latch = CountDownLatch(2)
    private val manualDispatcher = ManualDispatcher()
    private val passed = ArrayList<Int>()

    private fun launchWaiter(number: Int): Job = CoroutineScope(manualDispatcher).launch {
        latch.await()
        passed += number
    }.also { manualDispatcher.run() }

    private fun open() = repeat(2) { latch.countDown() }

    @Test
    fun waitersAreResumedInFifoOrderWhenTheCountIsZero() {
        repeat(100) { launchWaiter(it) }
        assertEquals(100, latch.queueLength)
        latch.countDown()
        manualDispatcher.run()
        assertEquals(emptyList<Int>(), passed)
        assertEquals(1, latch.count)
        assertFalse(latch.isOpen)
        latch.countDown()
        assertTrue(latch.isOpen)
        manualDispatcher.run()
        assertEquals(List(100) { it }, passed)
    }

    @Test
    fun awaitDoesNotSuspendIfTheCountIsZero() {
        open()
        latch.countDown()
        assertEquals(0, latch.count)
        var done = 0
        startInPlace { latch.await().also { done++ } }
        startInPlace { if (latch.await(Duration.ZERO)) done++ }
        startInPlace { if (latch.await(1.hours)) done++ }
        assertEquals(3, done)
    }

    @Test
    fun aNegativeCountIsRefused() {
        assertThrows(IllegalArgumentException::class.java) { CountDownLatch(-1) }
    }

    @Test
    fun aTimeoutEndsItsOwnWaitOnly() = runBlocking {
        for (timeout in listOf(Duration.ZERO, -Duration.INFINITE, 1.milliseconds)) assertFalse(latch.await(timeout))
        val other = async { latch.await(Duration.INFINITE) }
        yield()
        assertFalse(latch.await(1.milliseconds))
        assertEquals(1, latch.queueLength)
        open()
        assertTrue(other.await())
    }

    @Test
    fun aCancelledWaiterDoesNotAffectTheOthers() {
        val jobs = List(3) { launchWaiter(it) }
        jobs[1].cancel()
        assertEquals(2, latch.queueLength)
        open()
        manualDispatcher.run()
        assertEquals(listOf(0, 2), passed)
        assertTrue(jobs[1].isCompleted)
    }

    @Test
    fun aWaiterCancelledAfterItsResumeAndBeforeItRunsThrows() {
        val job = launchWaiter(0)
        launchWaiter(1)
        open()
        job.cancel()
        manualDispatcher.run()
        assertEquals(listOf(1), passed)
        assertTrue(latch.isOpen)
        assertEquals(0, latch.queueLength)
    }

    @Test
    fun manyCoroutinesOnOneThreadDoNotGrowTheStack() {
        for (start in listOf<(suspend () -> Unit) -> Unit>(
            { startInPlace(it) },
            { body -> CoroutineScope(Dispatchers.Unconfined).launch { body() } },
        )) {
            val latches = List(COROUTINES + 1) { CountDownLatch(1) }
            val all = CountDownLatch(1)
            var done = 0
            for (i in 0 until COROUTINES) {
                start {
                    latches[i].await()
                    latches[i + 1].countDown() // resumes the next coroutine on this thread
                    all.await()
                    done++
                }
            }
            latches[0].countDown()
            assertTrue(latches[COROUTINES].isOpen)
            assertEquals(COROUTINES, all.queueLength)
            all.countDown()
            assertEquals(COROUTINES, done)
        }
    }

    @Test
    fun threadsAndCoroutinesWaitForOneCore() {
        val core = dev.cqs.sync.CountDownLatch(3)
        val forThreads = dev.cqs.threads.CountDownLatch.viewOf(core)
        val forCoroutines = core.asCountDownLatch()
        assertSame(core, forCoroutines.core)
        val thread = Thread { forThreads.await() }
        thread.start()
        runBlocking(Dispatchers.Default) {
            val waiting = List(10) { async { forCoroutines.await(1.hours) } }
            val gone = launch { forCoroutines.await() }
            while (core.queueLength() < 12) yield()
            gone.cancelAndJoin()
            assertEquals(11, core.queueLength())
            forThreads.countDown()
            forCoroutines.countDown()
            core.countDown()
            assertTrue(waiting.awaitAll().all { it })
        }
        thread.join()
    }
}

internal const val COROUTINES = 100_000
