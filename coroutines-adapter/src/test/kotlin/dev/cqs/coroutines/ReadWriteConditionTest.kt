package dev.cqs.coroutines

import kotlin.concurrent.thread
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

/** Conditions of a write lock. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class ReadWriteConditionTest {
    private val manualDispatcher = ManualDispatcher()
    private val lock = ReadWriteMutex()
    private val condition = lock.newCondition()
    private val order = ArrayList<String>()

    /** A writer that waits for a signal. */
    private inner class Writer(val name: String) {
        var thrown: Throwable? = null
        val job = CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) {
            lock.write {
                thrown = runCatching { condition.await() }.exceptionOrNull()
                assertTrue(lock.isWriteLocked)
                order += name
            }
        }
    }

    private fun assertIdle(vararg expected: String) {
        assertEquals(expected.toList(), order)
        assertTrue(lock.tryWriteLock())
        lock.writeUnlock()
        assertEquals(0, condition.queueLength)
    }

    @Test
    fun awaitReleasesTheWriteLockAndReacquiresItAfterTheSignal() {
        val writers = listOf(Writer("first"), Writer("second"))
        assertFalse(lock.isWriteLocked)
        assertEquals(2, condition.queueLength)
        assertTrue(lock.tryReadLock())
        lock.readUnlock()
        assertTrue(lock.tryWriteLock())
        condition.signal()
        manualDispatcher.run()
        assertEquals(1, lock.waitingWriters)
        lock.writeUnlock()
        assertTrue(lock.isWriteLocked, "handed over")
        manualDispatcher.run()
        assertEquals(listOf("first"), order)
        assertTrue(lock.tryWriteLock())
        condition.signalAll()
        lock.writeUnlock()
        manualDispatcher.run()
        writers.forEach { assertNull(it.thrown) }
        assertIdle("first", "second")
    }

    @Test
    fun aCancelledAwaitThrowsHoldingTheWriteLockAndTheSignalIsNotLost() {
        for (moment in 0..2) {
            order.clear()
            val cancelled = Writer("cancelled")
            val next = Writer("next")
            assertTrue(lock.tryWriteLock())
            if (moment == 0) cancelled.job.cancel()
            if (moment == 0) manualDispatcher.run()
            condition.signal()
            if (moment == 1) cancelled.job.cancel()
            if (moment == 1) manualDispatcher.run()
            lock.writeUnlock()
            if (moment == 2) cancelled.job.cancel()
            manualDispatcher.run()
            assertInstanceOf(CancellationException::class.java, cancelled.thrown)
            assertNull(next.thrown)
            assertIdle("cancelled", "next")
        }
    }

    @Test
    fun theConditionNeedsTheWriteLockOfACoroutine() {
        fun failure(operation: suspend () -> Unit): String {
            var thrown: Throwable? = null
            startInPlace { thrown = runCatching { operation() }.exceptionOrNull() }
            return assertInstanceOf(IllegalStateException::class.java, thrown).message!!
        }
        val operations =
            listOf<suspend () -> Unit>({ condition.await() }, { condition.signal() }, { condition.signalAll() })
        operations.forEach { assertEquals("The write lock of this condition is not locked", failure(it)) }
        assertTrue(lock.tryReadLock())
        operations.forEach { assertEquals("The write lock of this condition is not locked", failure(it)) }
        lock.readUnlock()
        val forThreads = dev.cqs.threads.ReentrantReadWriteLock.viewOf(lock.core)
        forThreads.writeLock().lock()
        val here = "The write lock of this condition is locked by the thread ${Thread.currentThread().name}"
        operations.forEach { assertEquals(here, failure(it)) }
        assertEquals(1, forThreads.writeHoldCount)
        forThreads.writeLock().unlock()
    }

    @Test
    fun aThreadAndACoroutineSignalEachOther() {
        val forThreads = dev.cqs.threads.ReentrantReadWriteLock.viewOf(lock.core)
        val ofThreads = forThreads.writeLock().conditionViewOf(condition.core)
        assertSame(condition.core, condition.core.asCondition().core)
        val writer = Writer("coroutine")
        val thread = thread {
            forThreads.writeLock().lock()
            ofThreads.signal()
            ofThreads.awaitUninterruptibly()
            synchronized(order) { order += "thread" }
            forThreads.writeLock().unlock()
        }
        awaitThat("it was signalled") { manualDispatcher.size == 1 }
        manualDispatcher.run()
        assertNull(writer.thrown)
        assertTrue(lock.tryWriteLock())
        condition.signal()
        lock.writeUnlock()
        thread.join()
        assertIdle("coroutine", "thread")
    }
}
