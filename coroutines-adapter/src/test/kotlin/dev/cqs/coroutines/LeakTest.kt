package dev.cqs.coroutines

import dev.cqs.Waiter
import java.lang.reflect.Modifier
import java.util.Collections
import java.util.IdentityHashMap
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestCoroutineScheduler
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** What our objects keep reachable. The tests walk the objects; they do not depend on the garbage collector. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class LeakTest {
    private companion object {
        const val OURS = "dev.cqs.coroutines.Cases#ours"
        const val MANY = 100_000

        /**
         * Objects: the primitive, its state of weighted mode, and two queues with two or three segments and their
         * arrays each.
         */
        const val FEW = 40

        /** More than one segment. */
        const val QUEUE = 50
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun waitersAreReachable(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        fixture.queue(QUEUE)
        assertEquals(QUEUE, reachable(fixture.target).count { it is Waiter })
        assertEquals(QUEUE, reachable(fixture.target).count { it is CancellableContinuation<*> })
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun cancelledWaitersAreNotReachable(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val first = fixture.visit()
        val visits = fixture.queue(QUEUE)
        fixture.visit()
        visits.forEach { it.job.cancel() }
        fixture.manualDispatcher.run()
        keeps(fixture.target, waiters = 2, visits)
        first.job.cancel()
        fixture.manualDispatcher.run()
        keeps(fixture.target, waiters = 1, visits + first)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun grantedWaitersAreNotReachable(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visits = fixture.queue(QUEUE)
        val last = fixture.visit()
        fixture.target.giveBack()
        keeps(fixture.target, waiters = QUEUE, listOf(), isGranted = true)
        while (!visits.last().isOver) fixture.manualDispatcher.turn()
        keeps(fixture.target, waiters = 0, visits, isGranted = true)
        fixture.manualDispatcher.run()
        keeps(fixture.target, waiters = 0, visits + last)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun waitersCancelledAfterTheirGrantAreNotReachable(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visits = fixture.queue(QUEUE)
        fixture.target.giveBack()
        for (visit in visits) {
            visit.job.cancel()
            fixture.manualDispatcher.turn() // hands the grant to the next
            visit.isCancelled()
        }
        keeps(fixture.target, waiters = 0, visits)
        fixture.assertIdle()
    }

    @OptIn(ExperimentalCoroutinesApi::class)
    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#timed")
    fun timedOutWaitersAreNotReachable(case: Case) {
        val scheduler = TestCoroutineScheduler()
        val target = Target(case)
        target.take()
        target.timeout = 1.seconds
        val visits = List(QUEUE) { AcquiringCoroutine(target, StandardTestDispatcher(scheduler)).start() }
        scheduler.runCurrent()
        assertEquals(QUEUE, reachable(target).count { it is Waiter })
        scheduler.advanceUntilIdle()
        visits.forEach { it.isRefused() }
        keeps(target, waiters = 0, visits)
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closable")
    fun waitersThatFailedByACloseAreNotReachable(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visits = fixture.queue(QUEUE)
        fixture.target.close(null)
        keeps(fixture.target, waiters = 0, visits)
        fixture.manualDispatcher.run()
        visits.forEach { it.failure() }
    }

    /** A cheap exception: it has no stack trace, and kotlinx.coroutines cannot copy it. */
    private class Cheap(val why: Any) : CancellationException() {
        override fun fillInStackTrace() = this
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#ourKinds")
    fun manyCancelledWaitersLeaveFewObjects(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val head = fixture.visit()
        repeat(MANY / QUEUE) {
            fixture.queue(QUEUE).forEach { it.job.cancel(Cheap(it)) }
            fixture.manualDispatcher.run()
        }
        assertTrue(reachable(fixture.target).size <= FEW + 2 * 32) { "${reachable(fixture.target).size} objects" }
        fixture.target.giveBack()
        fixture.manualDispatcher.run()
        head.hasVisited()
        fixture.assertIdle()
        assertTrue(reachable(fixture.target).size <= FEW) { "${reachable(fixture.target).size} objects" }
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun aFinishedCoroutineDoesNotReachTheObjectOrItsQueue(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visit = fixture.visit()
        val waiter = reachable(fixture.target).single { it is Waiter }
        visit.job.cancel()
        fixture.manualDispatcher.run()
        assertFalse(reachable(waiter).any { it === fixture.target.core })
    }

    // Readers

    @Test
    fun readersThatAreCancelledOrGrantedAreNotReachable() {
        val manualDispatcher = ManualDispatcher()
        val lock = ReadWriteMutex()
        fun waiters() = reachable(lock).count { it is Waiter }
        assertTrue(lock.tryWriteLock())
        val readers = List(QUEUE) { CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) { lock.read { } } }
        assertEquals(QUEUE, waiters())
        readers.take(QUEUE / 2).forEach { it.cancel() }
        manualDispatcher.run()
        assertEquals(QUEUE - QUEUE / 2, waiters())
        lock.writeUnlock()
        assertEquals(0, waiters())
        readers.last().cancel()
        manualDispatcher.run()
        assertEquals(0, waiters())
        assertEquals(0, lock.readLockCount)
    }

    // Elements

    private class Element

    @Test
    fun elementsThatWereTakenAreNotReachable() {
        for (pool in listOf(Pool.queue<Element>(), Pool.stack())) {
            val manualDispatcher = ManualDispatcher()
            fun elements() = reachable(pool).count { it is Element }
            val takers = List(QUEUE) { CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) { pool.take() } }
            repeat(2 * QUEUE) { pool.put(Element()) }
            assertEquals(QUEUE, elements())
            takers.take(5).forEach { it.cancel() } // their elements go back to the pool
            manualDispatcher.run()
            assertEquals(QUEUE + 5, elements())
            while (pool.tryTake() != null) continue
            assertEquals(0, elements())
        }
    }

    /** A cancelled coroutine that has not run yet is kept by its dispatcher, and not by the queue. */
    @Test
    fun finishedCallersOfASynchronousQueueAndTheirElementsAreNotReachable() {
        for (queue in listOf(SynchronousQueue.fair<Element>(), SynchronousQueue.unfair())) {
            val manualDispatcher = ManualDispatcher()
            fun start(body: suspend () -> Unit) =
                CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) { body() }
            fun kept() = reachable(queue).let { all -> listOf(all.count { it is Waiter }, all.count { it is Element }) }
            val senders = List(QUEUE) { start { queue.send(Element()) } }
            assertEquals(listOf(QUEUE, QUEUE), kept())
            senders.drop(QUEUE / 2).forEach { it.cancel() }
            assertEquals(listOf(QUEUE / 2, QUEUE / 2), kept())
            while (queue.tryReceive() != null) continue
            assertEquals(listOf(0, 0), kept())
            val receivers = List(QUEUE) { start { if (it % 2 == 0) queue.receive() else queue.iterator().next() } }
            receivers.take(QUEUE / 2).forEach { it.cancel() }
            assertEquals(listOf(QUEUE - QUEUE / 2, 0), kept())
            while (queue.trySend(Element())) continue
            assertEquals(listOf(0, 0), kept())
            manualDispatcher.run()
        }
    }

    @Test
    fun anIteratorKeepsAnElementUntilItIsTaken() {
        val manualDispatcher = ManualDispatcher()
        val queue = SynchronousQueue.fair<Element>()
        val iterator = queue.iterator()
        val go = Job()
        CoroutineScope(manualDispatcher).launch(start = UNDISPATCHED) {
            iterator.hasNext()
            go.join()
            iterator.next()
        }
        assertTrue(queue.trySend(Element()))
        manualDispatcher.run()
        assertEquals(1, reachable(iterator).count { it is Element })
        go.complete()
        manualDispatcher.run()
        assertEquals(
            listOf(0, 0),
            listOf(
                reachable(iterator).count {
                    it is Element
                },
                reachable(iterator).count { it is Waiter },
            ),
        )
    }

    /**
     * Checks that the target reaches [waiters] waiters, and none of the coroutines in [gone]. A mutex that was granted
     * with a token references the waiter as its owner until it is unlocked, but not its continuation.
     */
    private fun keeps(target: Target, waiters: Int, gone: List<AcquiringCoroutine>, isGranted: Boolean = false) {
        val reachable = reachable(target)
        val free = if (target.entry.ofHandOff) target.free else 0 // a sender waits with the element
        val holders = if (isGranted && target.entry.owned) 1 else 0
        assertEquals(waiters + free + holders, reachable.count { it is Waiter })
        assertEquals(waiters + free, reachable.count { it is CancellableContinuation<*> })
        gone.forEach { assertFalse(it.inside in reachable) { "its token" } }
    }

    private fun reachable(target: Target) = reachable(target.entered)

    /** The objects that a root reaches through fields of this library's classes. Tokens are not followed. */
    private fun reachable(root: Any): Set<Any> {
        val seen = Collections.newSetFromMap(IdentityHashMap<Any, Boolean>())
        val open = ArrayDeque<Any>()
        fun visit(found: Any?) {
            if (found != null && seen.add(found)) open += found
        }
        visit(root)
        while (open.isNotEmpty()) {
            val found = open.removeLast()
            if (found is Array<*>) found.forEach { visit(it) }
            if (found !is Function<*> || found is Waiter) fields(found.javaClass).forEach { visit(it.get(found)) }
        }
        return seen
    }

    private fun fields(type: Class<*>) = generateSequence(type) { it.superclass }
        .takeWhile { it.name.startsWith("dev.cqs.") }
        .flatMap { it.declaredFields.asSequence() }
        .filter { !Modifier.isStatic(it.modifiers) && !it.type.isPrimitive }
        .onEach { it.isAccessible = true }
}
