package dev.cqs.coroutines

import java.lang.management.ManagementFactory
import java.lang.reflect.Modifier
import java.util.ArrayDeque
import java.util.Collections
import java.util.IdentityHashMap
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/**
 * Very many coroutines wait and are cancelled. The next release does not visit them, and they leave no memory behind.
 */
@Tag("slow")
class ManyCoroutinesTest {
    @Test
    fun aMillionCancelledCoroutinesLeaveNoMemoryInASemaphore() {
        val semaphore = Semaphore(1, acquiredPermits = 1)
        assertLeaveNoMemory(MILLION, semaphore.core, {
            semaphore.queueLength
        }, { semaphore.acquire() }) { semaphore.release() }
        assertEquals(0, semaphore.availablePermits)
        semaphore.release() // serves the live coroutine
        assertEquals(1, semaphore.availablePermits)
    }

    @Test
    fun manyCancelledCoroutinesLeaveNoMemoryInAMutex() {
        val mutex = Mutex(locked = true)
        assertLeaveNoMemory(MANY, mutex.core, { mutex.queueLength }, { mutex.lock() }) { mutex.unlock() }
        assertTrue(mutex.isLocked)
        mutex.unlock() // serves the live coroutine
        assertFalse(mutex.isLocked)
    }

    /** Weighted mode has a queue of its own. */
    @Test
    fun manyCancelledCoroutinesLeaveNoMemoryInWeightedMode() {
        val semaphore = Semaphore(2, acquiredPermits = 2)
        assertLeaveNoMemory(MANY, semaphore.core, {
            semaphore.queueLength
        }, { semaphore.acquire(2) }) { semaphore.release(2) }
        assertEquals(0, semaphore.availablePermits)
        semaphore.release(2) // serves the live coroutine
        assertEquals(2, semaphore.availablePermits)
    }

    /**
     * [many] coroutines wait, and a live one behind them. They are cancelled, and the live one is served by the
     * release.
     */
    private fun assertLeaveNoMemory(
        many: Int,
        core: Any,
        waiting: () -> Int,
        acquire: suspend () -> Unit,
        release: () -> Unit,
    ) {
        val crowd = CoroutineScope(Dispatchers.Unconfined)
        var granted = 0
        fun start(scope: CoroutineScope) = scope.launch(start = CoroutineStart.UNDISPATCHED) {
            acquire()
            granted++
        }
        val before = liveHeap()
        repeat(many) { start(crowd) }
        val live = start(CoroutineScope(Dispatchers.Unconfined))
        assertEquals(many + 1, waiting())
        assertTrue(liveHeap() - before > 100L * many, "the waiting coroutines are on the heap")

        crowd.cancel()
        assertTrue(crowd.coroutineContext.job.children.none())
        assertEquals(1, waiting())
        val visited = reachableFrom(core)
        assertTrue(visited <= FEW) { "the release may visit $visited objects" }
        release()
        assertEquals(1, granted)
        assertTrue(live.isCompleted)
        assertEquals(0, waiting())
        untilTheHeapIsBelow(before + LITTLE)
    }

    /** One collection may not be enough: the collector may keep objects that it has just moved. */
    private fun untilTheHeapIsBelow(bound: Long) {
        val start = System.nanoTime()
        while (liveHeap() > bound) {
            assertTrue(System.nanoTime() - start < PATIENCE) { "${liveHeap() - bound} bytes above the bound" }
        }
    }

    private fun liveHeap(): Long {
        System.gc()
        return ManagementFactory.getMemoryMXBean().heapMemoryUsage.used
    }

    /** The number of objects that the root reaches through fields of this library's classes. */
    private fun reachableFrom(root: Any): Int {
        val seen = Collections.newSetFromMap(IdentityHashMap<Any, Boolean>())
        val open = ArrayDeque<Any>()
        fun visit(found: Any?) {
            if (found != null && seen.add(found)) open.push(found)
        }
        visit(root)
        while (open.isNotEmpty()) {
            val at = open.pop()
            if (at is Array<*>) at.forEach(::visit)
            generateSequence<Class<*>>(at.javaClass) { it.superclass }
                .takeWhile { it.name.startsWith("dev.cqs.") }
                .flatMap { it.declaredFields.asSequence() }
                .filterNot { Modifier.isStatic(it.modifiers) || it.type.isPrimitive }
                .forEach { field -> visit(field.apply { isAccessible = true }.get(at)) }
        }
        return seen.size
    }

    private companion object {
        const val MILLION = 1_000_000
        const val MANY = 100_000

        /** Objects: the queues with one or two segments each, their arrays and marks, and the live waiter. */
        const val FEW = 20

        /** One byte for each of the million coroutines. Classes that the test loads use a part of it. */
        const val LITTLE = MILLION

        val PATIENCE = TimeUnit.SECONDS.toNanos(30)
    }
}
