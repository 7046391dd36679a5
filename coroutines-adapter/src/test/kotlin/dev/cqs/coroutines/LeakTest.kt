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

/** What an object of ours keeps reachable, told by walking the objects, not by asking the collector. */
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class LeakTest {
    private companion object {
        const val OURS = "dev.cqs.coroutines.Cases#ours"
        const val MANY = 100_000

        /** The object, its state of weighted mode, two queues with two or three segments each, with their arrays. */
        const val FEW = 40

        /** More than one segment. */
        const val QUEUE = 50
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun thoseWhoWaitAreReachable(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        stage.queue(QUEUE)
        assertEquals(QUEUE, reachable(stage.target).count { it is Waiter })
        assertEquals(QUEUE, reachable(stage.target).count { it is CancellableContinuation<*> })
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun theCancelledAreNotReachable(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val first = stage.visit()
        val visits = stage.queue(QUEUE)
        stage.visit()
        visits.forEach { it.job.cancel() }
        stage.crank.run()
        keeps(stage.target, waiters = 2, visits)
        first.job.cancel()
        stage.crank.run()
        keeps(stage.target, waiters = 1, visits + first)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun theGrantedAreNotReachable(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visits = stage.queue(QUEUE)
        val last = stage.visit()
        stage.target.giveBack()
        keeps(stage.target, waiters = QUEUE, listOf(), isGranted = true)
        while (!visits.last().isOver) stage.crank.turn()
        keeps(stage.target, waiters = 0, visits, isGranted = true)
        stage.crank.run()
        keeps(stage.target, waiters = 0, visits + last)
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun theGrantedAndThenCancelledAreNotReachable(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visits = stage.queue(QUEUE)
        stage.target.giveBack()
        for (visit in visits) {
            visit.job.cancel()
            stage.crank.turn() // hands over to the next
            visit.isCancelled()
        }
        keeps(stage.target, waiters = 0, visits)
        stage.assertIdle()
    }

    @OptIn(ExperimentalCoroutinesApi::class)
    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#timed")
    fun theTimedOutAreNotReachable(case: Case) {
        val scheduler = TestCoroutineScheduler()
        val target = Target(case)
        target.take()
        target.timeout = 1.seconds
        val visits = List(QUEUE) { Visit(target, StandardTestDispatcher(scheduler)).start() }
        scheduler.runCurrent()
        assertEquals(QUEUE, reachable(target).count { it is Waiter })
        scheduler.advanceUntilIdle()
        visits.forEach { it.isRefused() }
        keeps(target, waiters = 0, visits)
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closable")
    fun thoseFailedByACloseAreNotReachable(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visits = stage.queue(QUEUE)
        stage.target.close(null)
        keeps(stage.target, waiters = 0, visits)
        stage.crank.run()
        visits.forEach { it.failure() }
    }

    /** Costs little: it has no stack trace, and no constructor that the library could use to make a copy. */
    private class Cheap(val why: Any) : CancellationException() {
        override fun fillInStackTrace() = this
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#ourKinds")
    fun manyCancelledLeaveNothing(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val head = stage.visit()
        repeat(MANY / QUEUE) {
            stage.queue(QUEUE).forEach { it.job.cancel(Cheap(it)) }
            stage.crank.run()
        }
        assertTrue(reachable(stage.target).size <= FEW + 2 * 32) { "${reachable(stage.target).size} objects" }
        stage.target.giveBack()
        stage.crank.run()
        head.hasVisited()
        stage.assertIdle()
        assertTrue(reachable(stage.target).size <= FEW) { "${reachable(stage.target).size} objects" }
    }

    @ParameterizedTest
    @MethodSource(OURS)
    fun whoIsOutAgainDoesNotKeepTheObjectNorItsQueue(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visit = stage.visit()
        val waiter = reachable(stage.target).single { it is Waiter }
        visit.job.cancel()
        stage.crank.run()
        assertFalse(reachable(waiter).any { it === stage.target.core })
    }

    // Those that wait beside others

    @Test
    fun readersThatAreCancelledOrGrantedAreNotReachable() {
        val crank = ManualDispatcher()
        val lock = ReadWriteMutex()
        fun waiters() = reachable(lock).count { it is Waiter }
        assertTrue(lock.tryWriteLock())
        val readers = List(QUEUE) { CoroutineScope(crank).launch(start = UNDISPATCHED) { lock.read { } } }
        assertEquals(QUEUE, waiters())
        readers.take(QUEUE / 2).forEach { it.cancel() }
        crank.run()
        assertEquals(QUEUE - QUEUE / 2, waiters())
        lock.writeUnlock()
        assertEquals(0, waiters())
        readers.last().cancel()
        crank.run()
        assertEquals(0, waiters())
        assertEquals(0, lock.readLockCount)
    }

    // Elements

    private class Element

    @Test
    fun elementsThatWereTakenAreNotReachable() {
        for (pool in listOf(Pool.queue<Element>(), Pool.stack())) {
            val crank = ManualDispatcher()
            fun elements() = reachable(pool).count { it is Element }
            val takers = List(QUEUE) { CoroutineScope(crank).launch(start = UNDISPATCHED) { pool.take() } }
            repeat(2 * QUEUE) { pool.put(Element()) }
            assertEquals(QUEUE, elements())
            takers.take(5).forEach { it.cancel() } // what they were given comes back
            crank.run()
            assertEquals(QUEUE + 5, elements())
            while (pool.tryTake() != null) continue
            assertEquals(0, elements())
        }
    }

    /** Coroutines that are cancelled and not run yet keep themselves alive, but the queue does not. */
    @Test
    fun thoseWhoHaveLeftASynchronousQueueAreNotReachableNorTheirElements() {
        for (queue in listOf(SynchronousQueue.fair<Element>(), SynchronousQueue.unfair())) {
            val crank = ManualDispatcher()
            fun start(body: suspend () -> Unit) = CoroutineScope(crank).launch(start = UNDISPATCHED) { body() }
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
            crank.run()
        }
    }

    @Test
    fun anIteratorKeepsAnElementUntilItIsTaken() {
        val crank = ManualDispatcher()
        val queue = SynchronousQueue.fair<Element>()
        val iterator = queue.iterator()
        val go = Job()
        CoroutineScope(crank).launch(start = UNDISPATCHED) {
            iterator.hasNext()
            go.join()
            iterator.next()
        }
        assertTrue(queue.trySend(Element()))
        crank.run()
        assertEquals(1, reachable(iterator).count { it is Element })
        go.complete()
        crank.run()
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
     * Checks that this number of waiters is kept, and none of these coroutines. A mutex that was granted under a token has
     * the waiter on record until it is unlocked, but not its continuation.
     */
    private fun keeps(target: Target, waiters: Int, gone: List<Visit>, isGranted: Boolean = false) {
        val reachable = reachable(target)
        val free = if (target.entry.ofHandOff) target.free else 0 // somebody waits with the element
        val holders = if (isGranted && target.entry.owned) 1 else 0
        assertEquals(waiters + free + holders, reachable.count { it is Waiter })
        assertEquals(waiters + free, reachable.count { it is CancellableContinuation<*> })
        gone.forEach { assertFalse(it.inside in reachable) { "its token" } }
    }

    private fun reachable(target: Target) = reachable(target.entered)

    /** The objects that can be reached from a root through the fields of this library's classes; tokens are an end. */
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
