package dev.cqs.coroutines

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

/** Views of one core agree, and toString shows its state. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class ViewTest {
    private val manualDispatcher = ManualDispatcher()

    private fun start(block: suspend () -> Unit): Job = CoroutineScope(manualDispatcher).launch {
        block()
    }.also { manualDispatcher.run() }

    @Test
    fun viewsOfOneMutexAgree() {
        val core = dev.cqs.sync.Mutex()
        val (one, other) = List(2) { core.asMutex() }
        assertSame(core, one.core)
        assertTrue(one.tryLock("me"))
        assertTrue(core.isLocked && other.isLocked && other.holdsLock("me"))
        assertThrows(IllegalStateException::class.java) { other.tryLock("me") }
        val waiting = start { other.lock("you") }
        assertEquals(listOf(1, 1, 1), listOf(core.queueLength(), one.queueLength, other.queueLength))
        other.unlock("me")
        assertTrue(one.holdsLock("you"))
        manualDispatcher.run()
        assertTrue(waiting.isCompleted)
        assertTrue(one.close())
        assertTrue(core.isClosed && other.isClosed)
        assertEquals(one.toString(), other.toString())
    }

    @Test
    fun viewsOfOneSemaphoreAgree() {
        val core = dev.cqs.sync.Semaphore.bounded(3)
        val (one, other) = List(2) { core.asSemaphore() }
        assertSame(core, one.core)
        assertTrue(one.tryAcquire(2))
        assertEquals(listOf(1, 1), listOf(core.availablePermits(), other.availablePermits))
        val waiting = start { other.acquire(2) }
        assertEquals(listOf(1, 1, 1), listOf(core.queueLength(), one.queueLength, other.queueLength))
        other.release()
        manualDispatcher.run()
        assertTrue(waiting.isCompleted)
        assertTrue(one.close())
        assertTrue(core.isClosed && other.isClosed)
        assertEquals(one.toString(), other.toString())
    }

    @Test
    fun aCoreWithoutAMaximumHasNone() {
        val semaphore = dev.cqs.sync.Semaphore(1).asSemaphore()
        semaphore.release(5)
        assertEquals(6, semaphore.availablePermits)
        assertTrue(semaphore.tryAcquire(6))
    }

    @Test
    fun aCoreMayBeginWithADebt() {
        val semaphore = dev.cqs.sync.Semaphore(-1).asSemaphore()
        assertEquals(-1, semaphore.availablePermits)
        val waiting = start { semaphore.acquire() }
        semaphore.release()
        manualDispatcher.run()
        assertFalse(waiting.isCompleted)
        semaphore.release()
        manualDispatcher.run()
        assertTrue(waiting.isCompleted)
    }

    @Test
    fun toStringOfASemaphoreShowsPermitsAndWaiters() {
        val semaphore = Semaphore(3, 1)
        assertTrue("2 of 3 permits, 0 waiting" in semaphore.toString(), semaphore.toString())
        val waiting = start { semaphore.acquire(3) }
        assertTrue("2 of 3 permits, 1 waiting" in semaphore.toString(), semaphore.toString())
        assertFalse("closed" in semaphore.toString(), semaphore.toString())
        waiting.cancel()
        manualDispatcher.run()
        semaphore.close()
        assertTrue("2 of 3 permits, 0 waiting, closed" in semaphore.toString(), semaphore.toString())
    }

    @Test
    fun toStringOfAMutexShowsTheHolderAndTheWaiters() {
        val mutex = Mutex()
        assertTrue("unlocked, 0 waiting" in mutex.toString(), mutex.toString())
        assertTrue(mutex.tryLock("me"))
        start { mutex.lock("you") }
        assertTrue("locked by me, 1 waiting" in mutex.toString(), mutex.toString())
        mutex.unlock("me")
        assertTrue("locked by you, 0 waiting" in mutex.toString(), mutex.toString())
        mutex.close()
        mutex.unlock("you")
        assertTrue("unlocked, 0 waiting, closed" in mutex.toString(), mutex.toString())
        assertTrue("[locked, 0" in Mutex(locked = true).toString(), Mutex(locked = true).toString())
    }
}
