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

/** Very many coroutines wait and give up; the next release does not meet them, and nothing is left of them. */
@Tag("slow")
class ManyCoroutinesTest {
    @Test
    fun aMillionCancelledCoroutinesLeaveNothingInASemaphore() {
        val semaphore = Semaphore(1, acquiredPermits = 1)
        leaveNothing(MILLION, semaphore.core, {
            semaphore.queueLength
        }, { semaphore.acquire() }) { semaphore.release() }
        assertEquals(0, semaphore.availablePermits)
        semaphore.release() // for the live one
        assertEquals(1, semaphore.availablePermits)
    }

    @Test
    fun manyCancelledCoroutinesLeaveNothingInAMutex() {
        val mutex = Mutex(locked = true)
        leaveNothing(MANY, mutex.core, { mutex.queueLength }, { mutex.lock() }) { mutex.unlock() }
        assertTrue(mutex.isLocked)
        mutex.unlock() // for the live one
        assertFalse(mutex.isLocked)
    }

    /** The other form of the permits has a queue of its own. */
    @Test
    fun manyCancelledCoroutinesLeaveNothingInASemaphoreForSeveralPermits() {
        val semaphore = Semaphore(2, acquiredPermits = 2)
        leaveNothing(MANY, semaphore.core, { semaphore.queueLength }, { semaphore.acquire(2) }) { semaphore.release(2) }
        assertEquals(0, semaphore.availablePermits)
        semaphore.release(2) // for the live one
        assertEquals(2, semaphore.availablePermits)
    }

    /** So many wait for what is taken, and one behind them. They are cancelled, and it gets what is released. */
    private fun leaveNothing(
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
        assertTrue(liveHeap() - before > 100L * many, "the heap shows those who wait")

        crowd.cancel()
        assertTrue(crowd.coroutineContext.job.children.none())
        assertEquals(1, waiting())
        val met = reachableFrom(core)
        assertTrue(met <= FEW) { "the release may meet $met objects" }
        release()
        assertEquals(1, granted)
        assertTrue(live.isCompleted)
        assertEquals(0, waiting())
        untilTheHeapIsBelow(before + LITTLE)
    }

    /** The collector may keep for one more time what it has just moved. */
    private fun untilTheHeapIsBelow(bound: Long) {
        val start = System.nanoTime()
        while (liveHeap() > bound) {
            assertTrue(System.nanoTime() - start < PATIENCE) { "${liveHeap() - bound} bytes too much" }
        }
    }

    private fun liveHeap(): Long {
        System.gc()
        return ManagementFactory.getMemoryMXBean().heapMemoryUsage.used
    }

    /** How many objects can be reached through the fields of this library's classes, those of others included. */
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

        /** The queues with one or two segments each and their arrays and markers, and the live waiter. */
        const val FEW = 20

        /** A byte per coroutine of the million; the classes that a test loads take a part of it. */
        const val LITTLE = MILLION

        val PATIENCE = TimeUnit.SECONDS.toNanos(30)
    }
}
