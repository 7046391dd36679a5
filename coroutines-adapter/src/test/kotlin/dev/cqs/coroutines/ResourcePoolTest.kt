package dev.cqs.coroutines

import java.time.Duration
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestCoroutineScheduler
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

/** Pools that make their elements. The contract of waiting is in [WaitingContractTest]. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class ResourcePoolTest {
    /** An element, compared by identity. */
    private class Element

    private val manualDispatcher = ManualDispatcher()
    private val made = ArrayList<Element>()
    private val destroyed = ArrayList<Element>()
    private var now = 0L
    private var valid: (Element) -> Boolean = { true }

    /** What the factory does before it makes an element. */
    private var beforeMake: suspend () -> Unit = {}

    private fun pool(maximum: Int = 2, stack: Boolean = false): ResourcePool<Element> =
        dev.cqs.pool.ResourcePool.builder<Element>(maximum)
            .apply { if (stack) stack() }
            .validator { valid(it) }
            .destroyer { destroyed += it }
            .evictAfter(Duration.ofNanos(100))
            .nanoTime { now }
            .build()
            .asResourcePool {
                beforeMake()
                Element().also { made += it }
            }

    private fun <T> start(context: CoroutineContext = EmptyCoroutineContext, body: suspend () -> T): Deferred<T> =
        CoroutineScope(manualDispatcher + context).async(start = UNDISPATCHED) { body() }

    /** The number of free slots. */
    private fun freeSlots(pool: ResourcePool<*>) = pool.core.available()

    private fun cancelled(deferred: Deferred<*>) {
        assertInstanceOf(CancellationException::class.java, deferred.getCompletionExceptionOrNull())
    }

    // Making

    @Test
    fun elementsAreMadeOnDemandUpToTheMaximumAndLentAgain() {
        val pool = pool()
        assertEquals(listOf(2, 0, 0), listOf(pool.maximum, pool.size, pool.idle))
        val first = start { pool.take() }.getCompleted()
        pool.put(first)
        assertEquals(listOf(1, 1), listOf(pool.size, pool.idle))
        assertSame(first, start { pool.tryTake() }.getCompleted())
        val second = start { pool.tryTake(1.seconds) }.getCompleted()
        assertNotSame(first, second)
        assertNull(start { pool.tryTake() }.getCompleted())
        val waiting = start { pool.take() }
        assertEquals(1, pool.queueLength)
        pool.put(second!!)
        manualDispatcher.run()
        assertSame(second, waiting.getCompleted())
        assertEquals(listOf(first, second), made)
    }

    @Test
    fun aFactoryThatSuspendsDelaysNoOtherBorrower() {
        val pool = pool()
        val open = CompletableDeferred<Unit>()
        beforeMake = { open.await() }
        val maker = start { pool.take() }
        assertFalse(maker.isCompleted)
        beforeMake = {}
        val other = start { pool.take() }.getCompleted()
        assertEquals(listOf(1, 0), listOf(pool.size, freeSlots(pool)))
        pool.put(other)
        assertSame(other, start { pool.take() }.getCompleted())
        open.complete(Unit)
        manualDispatcher.run()
        assertNotSame(other, maker.getCompleted())
        assertEquals(2, pool.size)
    }

    @Test
    fun theFactoryRunsInTheContextOfTheBorrower() {
        val names = ArrayList<String?>()
        val pool = ResourcePool(1) {
            names += currentCoroutineContext()[CoroutineName]?.name
            Any()
        }
        val first = start(CoroutineName("first")) { pool.take() }.getCompleted()
        start(CoroutineName("second")) { pool.take() }
        pool.invalidate(first)
        manualDispatcher.run()
        assertEquals(listOf<String?>("first", "second"), names)
    }

    @Test
    fun anExceptionOfTheFactoryIsThrownInTheBorrowerAndTheSlotGoesToTheNext() {
        val pool = pool(1)
        val failure = Broken()
        val open = CompletableDeferred<Unit>()
        beforeMake = {
            open.await()
            beforeMake = {}
            throw failure
        }
        val failing = start { pool.take() }
        val next = start { pool.take() }
        assertNull(start { pool.tryTake() }.getCompleted())
        open.complete(Unit)
        manualDispatcher.run()
        assertSame(failure, failing.getCompletionExceptionOrNull())
        assertSame(made.single(), next.getCompleted())
        pool.put(next.getCompleted())
        assertEquals(1, freeSlots(pool))
    }

    @Test
    fun aBorrowerCancelledInTheFactoryGivesTheSlotBack() {
        for (ask in listOf<suspend ResourcePool<Element>.() -> Element?>({
            take()
        }, { tryTake() }, { tryTake(1.seconds) })) {
            val pool = pool(1)
            beforeMake = { CompletableDeferred<Unit>().await() }
            val maker = start { pool.ask() }
            assertFalse(maker.isCompleted)
            val next = start { pool.take() }
            maker.cancel()
            beforeMake = {}
            manualDispatcher.run()
            cancelled(maker)
            pool.put(next.getCompleted())
            assertEquals(1, freeSlots(pool))
            assertEquals(0, pool.queueLength)
        }
    }

    @Test
    fun anElementThatThePoolHasAlreadyIsRefused() {
        val same = Any()
        val pool = ResourcePool(2) { same }
        assertSame(same, start { pool.take() }.getCompleted())
        assertInstanceOf(IllegalStateException::class.java, start { pool.take() }.getCompletionExceptionOrNull())
        assertEquals(1, freeSlots(pool))
        assertEquals(1, pool.size)
    }

    @Test
    fun aMaximumThatIsNotPositiveIsRefused() {
        assertThrows(IllegalArgumentException::class.java) { ResourcePool(0) { Any() } }
        val pool = pool()
        assertThrows(IllegalArgumentException::class.java) { pool.resize(0) }
        assertEquals(2, pool.maximum)
    }

    @Test
    fun theFactoryOfTheCoreIsUsedIfTheViewHasNone() {
        val core = dev.cqs.pool.ResourcePool.builder(1) { Element().also { made += it } }.build()
        val pool = core.asResourcePool()
        assertSame(core, pool.core)
        val element = start { pool.take() }.getCompleted()
        assertSame(made.single(), element)
        val failing = dev.cqs.pool.ResourcePool.builder<Any>(1) { throw Broken() }.build().asResourcePool()
        assertInstanceOf(Broken::class.java, start { failing.take() }.getCompletionExceptionOrNull())
        assertEquals(1, freeSlots(failing))
    }

    // Cancellation

    @Test
    fun aSlotHandedToACancelledCoroutineGoesToTheNextWithItsElement() {
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val takers = List(3) { start { pool.take() } }
        pool.put(element)
        for (taker in takers.dropLast(1)) {
            taker.cancel() // after the grant and before it runs
            manualDispatcher.turn()
            cancelled(taker)
            assertEquals(0, freeSlots(pool))
        }
        manualDispatcher.run()
        assertSame(element, takers.last().getCompleted())
        assertEquals(1, made.size)
    }

    @Test
    fun aSlotHandedToACancelledCoroutineIsBackInThePoolOnce() {
        val pool = pool(1)
        var element = start { pool.take() }.getCompleted()
        repeat(5) {
            val taker = start { pool.take() }
            if (it % 2 == 0) pool.put(element) else pool.invalidate(element)
            taker.cancel()
            manualDispatcher.run()
            cancelled(taker)
            assertEquals(1, freeSlots(pool))
            element = start { pool.take() }.getCompleted()
            assertEquals(0, freeSlots(pool))
        }
    }

    /** A surplus slot that is returned is removed, and its element destroyed. */
    @Test
    fun aSlotThatACancelledCoroutineReturnsAfterAResizeOrACloseIsRemoved() {
        for (close in listOf(true, false)) {
            destroyed.clear()
            val pool = pool(2)
            val elements = List(2) { start { pool.take() }.getCompleted() }
            val taker = start { pool.take() }
            pool.put(elements[0])
            if (close) pool.close() else pool.resize(1)
            assertEquals(listOf<Element>(), destroyed)
            taker.cancel()
            manualDispatcher.run()
            cancelled(taker)
            assertEquals(listOf(elements[0]), destroyed)
            pool.put(elements[1])
            assertEquals(if (close) listOf(0, 2) else listOf(1, 1), listOf(pool.size, destroyed.size))
        }
    }

    @Test
    fun aSlotThatIsReturnedAsTheTimeoutPassesIsNotLost() {
        val scheduler = TestCoroutineScheduler()
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val taker = CoroutineScope(StandardTestDispatcher(scheduler)).async(start = UNDISPATCHED) {
            pool.tryTake(1.seconds)
        }
        scheduler.advanceTimeBy(1.seconds)
        pool.put(element)
        assertEquals(0, freeSlots(pool))
        scheduler.runCurrent() // the timeout passes first
        assertNull(taker.getCompleted())
        assertEquals(1, freeSlots(pool))
        assertSame(element, start { pool.take() }.getCompleted())
    }

    /** The timeout limits the wait for a slot, not the factory. */
    @Test
    fun theTimeoutDoesNotLimitTheFactory() {
        val scheduler = TestCoroutineScheduler()
        val pool = pool(1)
        val open = CompletableDeferred<Unit>()
        beforeMake = { open.await() }
        val maker = CoroutineScope(StandardTestDispatcher(scheduler)).async(start = UNDISPATCHED) {
            pool.tryTake(1.seconds)
        }
        scheduler.advanceTimeBy(2.seconds)
        assertFalse(maker.isCompleted)
        open.complete(Unit)
        scheduler.runCurrent()
        assertSame(made.single(), maker.getCompleted())
    }

    @Test
    fun theTimeoutDoesNotLimitTheFactoryAfterAWait() {
        val scheduler = TestCoroutineScheduler()
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val open = CompletableDeferred<Unit>()
        beforeMake = { open.await() }
        val maker = CoroutineScope(StandardTestDispatcher(scheduler)).async(start = UNDISPATCHED) {
            pool.tryTake(1.seconds)
        }
        pool.invalidate(element)
        scheduler.advanceTimeBy(2.seconds)
        assertFalse(maker.isCompleted)
        open.complete(Unit)
        scheduler.runCurrent()
        assertSame(made[1], maker.getCompleted())
        assertEquals(0, freeSlots(pool))
    }

    // Returning

    @Test
    fun useLendsAnElementAndPutsItBackHoweverItEnds() {
        val pool = pool(1)
        assertEquals("result", start { pool.use { "result" } }.getCompleted())
        val failure = Broken()
        assertSame(failure, start { pool.use { throw failure } }.getCompletionExceptionOrNull())
        assertEquals(listOf(1, 1, 1), listOf(made.size, pool.idle, freeSlots(pool)))
    }

    @Test
    fun anActionMayInvalidateOrPutItsElement() {
        val pool = pool(1)
        start { pool.use { pool.invalidate(it) } }.getCompleted()
        assertEquals(made, destroyed)
        assertEquals(listOf(0, 1), listOf(pool.size, freeSlots(pool)))
        start { pool.use { pool.put(it) } }.getCompleted()
        assertEquals(listOf(1, 1), listOf(pool.idle, freeSlots(pool)))
        assertEquals(2, made.size)
    }

    @Test
    fun theSlotOfAnInvalidatedElementGoesToTheNext() {
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val next = start { pool.take() }
        pool.invalidate(element)
        manualDispatcher.run()
        assertEquals(listOf(element), destroyed)
        assertSame(made[1], next.getCompleted())
    }

    @Test
    fun onlyALentElementCanBePut() {
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val before = listOf(pool.size, freeSlots(pool))
        assertThrows(IllegalArgumentException::class.java) { pool.put(Element()) }
        assertThrows(IllegalArgumentException::class.java) { pool.invalidate(Element()) }
        assertEquals(before, listOf(pool.size, freeSlots(pool)))
        pool.put(element)
        assertThrows(IllegalStateException::class.java) { pool.put(element) }
        assertThrows(IllegalStateException::class.java) { pool.invalidate(element) }
        assertEquals(listOf(1, 1, 1), listOf(pool.size, pool.idle, freeSlots(pool)))
    }

    // Validation, eviction, resizing

    @Test
    fun invalidElementsAreReplaced() {
        val pool = pool(1)
        start { pool.use { } }
        valid = { false }
        val element = start { pool.take() }.getCompleted()
        assertEquals(listOf(made[0]), destroyed)
        assertSame(made[1], element)
    }

    @Test
    fun anExceptionOfTheValidatorIsThrownInTheBorrowerAndTheSlotIsFree() {
        val pool = pool(1)
        start { pool.use { } }
        val failure = Broken()
        valid = { throw failure }
        assertSame(failure, start { pool.take() }.getCompletionExceptionOrNull())
        assertEquals(1, freeSlots(pool))
        assertEquals(1, destroyed.size)
    }

    @Test
    fun elementsThatAreIdleForTooLongAreDestroyed() {
        val pool = pool(2)
        start { pool.use { } }
        now += 100
        assertEquals(1, pool.evictIdle())
        assertEquals(made, destroyed)
        assertEquals(listOf(0, 2), listOf(pool.size, freeSlots(pool)))
    }

    @Test
    fun everyBorrowDestroysElementsThatAreIdleForTooLong() {
        for (ask in listOf<suspend ResourcePool<Element>.() -> Element?>({
            take()
        }, { tryTake() }, { tryTake(1.seconds) })) {
            val pool = pool(3, stack = true)
            val elements = List(3) { start { pool.take() }.getCompleted() }
            elements.take(2).forEach { pool.put(it) }
            now += 60
            pool.put(elements[2])
            now += 60
            destroyed.clear()
            assertSame(elements[2], start { pool.ask() }.getCompleted())
            assertEquals(elements.take(2).toSet(), destroyed.toSet(), "the elements below the lent one")
            assertEquals(1, pool.size)
        }
    }

    @Test
    fun aResizeDestroysSurplusElementsOrServesWaiters() {
        val pool = pool(2)
        val elements = List(2) { start { pool.take() }.getCompleted() }
        pool.resize(1)
        assertEquals(1, pool.maximum)
        pool.put(elements[0])
        assertEquals(listOf(elements[0]), destroyed)
        val waiting = start { pool.take() }
        pool.resize(2)
        manualDispatcher.run()
        assertSame(made[2], waiting.getCompleted())
    }

    @Test
    fun lentShowsTheElementsAndTheirBorrowers() {
        val pool = pool(2)
        val first = start(CoroutineName("first")) { pool.take() }.getCompleted()
        now += 7
        val second = start { pool.take() }.getCompleted()
        val lent = pool.lent().associateBy { it.element }
        assertEquals(setOf<Element?>(first, second), lent.keys)
        assertEquals(listOf("first", "coroutine"), listOf(lent[first]!!.borrower, lent[second]!!.borrower))
        assertEquals(Duration.ofNanos(7), lent[first]!!.since)
        pool.put(first)
        start(CoroutineName("third")) { pool.take() }
        assertEquals(setOf("coroutine", "third"), pool.lent().map { it.borrower }.toSet())
    }

    // Closing

    @Test
    fun aCloseFailsWaitersAndDestroysTheElements() {
        val pool = pool(2)
        val lent = start { pool.take() }.getCompleted()
        val other = start { pool.take() }.getCompleted()
        val waiting = start { pool.take() }
        val cause = Broken()
        assertTrue(pool.close(cause))
        assertFalse(pool.close())
        assertTrue(pool.isClosed)
        manualDispatcher.run()
        assertSame(cause, waiting.getCompletionExceptionOrNull())
        assertSame(cause, start { pool.tryTake() }.getCompletionExceptionOrNull())
        pool.put(lent)
        pool.invalidate(other)
        assertEquals(listOf(lent, other), destroyed)
        assertEquals(0, pool.size)
    }

    @Test
    fun anElementMadeDuringTheCloseIsLentAndDestroyedOnReturn() {
        val pool = pool(1)
        val open = CompletableDeferred<Unit>()
        beforeMake = { open.await() }
        val maker = start { pool.use { "used" } }
        pool.close()
        open.complete(Unit)
        manualDispatcher.run()
        assertEquals("used", maker.getCompleted())
        assertEquals(made, destroyed)
        assertEquals(1, made.size)
    }

    // Views

    @Test
    fun threadsAndCoroutinesBorrowTheSameElementsInOneQueue() {
        val core = dev.cqs.pool.ResourcePool.builder(1) { Element().also { made += it } }.build()
        val pool = core.asResourcePool()
        val forThreads = dev.cqs.threads.ResourcePool.viewOf(core)
        val element = forThreads.take()
        val coroutine = start { pool.take() }
        val thread = SharedKind.PLATFORM.start { forThreads.put(forThreads.take()) }
        awaitThat("it waits") { pool.queueLength == 2 }
        forThreads.put(element)
        manualDispatcher.run()
        assertSame(element, coroutine.getCompleted())
        assertEquals(1, pool.queueLength)
        pool.put(element)
        thread.join()
        assertEquals(listOf(element), made)
        assertEquals(1, pool.idle)
    }

    @Test
    fun threadsCannotUseAFactoryThatSuspends() {
        val pool = pool(1)
        val forThreads = dev.cqs.threads.ResourcePool.viewOf(pool.core)
        assertThrows(IllegalStateException::class.java) { forThreads.take() }
        assertEquals(1, freeSlots(pool))
        start { pool.use { } }
        assertSame(made.single(), forThreads.take())
    }

    @Test
    fun viewsOfOnePoolAgree() {
        val pool = pool(2)
        val other = pool.core.asResourcePool()
        start { pool.take() }
        assertEquals(listOf(1, 0), listOf(other.size, other.idle))
        assertEquals(pool.toString(), other.toString())
        assertTrue("1 of 2, 0 idle, 0 waiting" in pool.toString(), pool.toString())
    }
}
