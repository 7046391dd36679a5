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

/** A pool that makes its elements. What holds for waiting, whatever is waited for, is tested with the other objects. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class ResourcePoolTest {
    /** Tells elements apart. */
    private class Element

    private val crank = ManualDispatcher()
    private val made = ArrayList<Element>()
    private val destroyed = ArrayList<Element>()
    private var now = 0L
    private var valid: (Element) -> Boolean = { true }

    /** What is done before an element is made. */
    private var making: suspend () -> Unit = {}

    private fun pool(maximum: Int = 2, stack: Boolean = false): ResourcePool<Element> =
        dev.cqs.pool.ResourcePool.builder<Element>(maximum)
            .apply { if (stack) stack() }
            .validator { valid(it) }
            .destroyer { destroyed += it }
            .evictAfter(Duration.ofNanos(100))
            .nanoTime { now }
            .build()
            .asResourcePool {
                making()
                Element().also { made += it }
            }

    private fun <T> start(context: CoroutineContext = EmptyCoroutineContext, body: suspend () -> T): Deferred<T> =
        CoroutineScope(crank + context).async(start = UNDISPATCHED) { body() }

    /** How many places nobody has. */
    private fun places(pool: ResourcePool<*>) = pool.core.available()

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
        crank.run()
        assertSame(second, waiting.getCompleted())
        assertEquals(listOf(first, second), made)
    }

    @Test
    fun nobodyWaitsForOneWhoMakesAnElement() {
        val pool = pool()
        val open = CompletableDeferred<Unit>()
        making = { open.await() }
        val maker = start { pool.take() }
        assertFalse(maker.isCompleted)
        making = {}
        val other = start { pool.take() }.getCompleted()
        assertEquals(listOf(1, 0), listOf(pool.size, places(pool)))
        pool.put(other)
        assertSame(other, start { pool.take() }.getCompleted())
        open.complete(Unit)
        crank.run()
        assertNotSame(other, maker.getCompleted())
        assertEquals(2, pool.size)
    }

    @Test
    fun theFactoryRunsInTheContextOfTheOneWhoIsToHaveTheElement() {
        val names = ArrayList<String?>()
        val pool = ResourcePool(1) {
            names += currentCoroutineContext()[CoroutineName]?.name
            Any()
        }
        val first = start(CoroutineName("first")) { pool.take() }.getCompleted()
        start(CoroutineName("second")) { pool.take() }
        pool.invalidate(first)
        crank.run()
        assertEquals(listOf<String?>("first", "second"), names)
    }

    @Test
    fun whatTheFactoryThrowsGoesToTheOneWhoAsksAndItsPlaceToTheNext() {
        val pool = pool(1)
        val failure = Broken()
        val open = CompletableDeferred<Unit>()
        making = {
            open.await()
            making = {}
            throw failure
        }
        val failing = start { pool.take() }
        val next = start { pool.take() }
        assertNull(start { pool.tryTake() }.getCompleted())
        open.complete(Unit)
        crank.run()
        assertSame(failure, failing.getCompletionExceptionOrNull())
        assertSame(made.single(), next.getCompleted())
        pool.put(next.getCompleted())
        assertEquals(1, places(pool))
    }

    @Test
    fun whoIsCancelledWhileItMakesAnElementGivesThePlaceBack() {
        for (ask in listOf<suspend ResourcePool<Element>.() -> Element?>({
            take()
        }, { tryTake() }, { tryTake(1.seconds) })) {
            val pool = pool(1)
            making = { CompletableDeferred<Unit>().await() }
            val maker = start { pool.ask() }
            assertFalse(maker.isCompleted)
            val next = start { pool.take() }
            maker.cancel()
            making = {}
            crank.run()
            cancelled(maker)
            pool.put(next.getCompleted())
            assertEquals(1, places(pool))
            assertEquals(0, pool.queueLength)
        }
    }

    @Test
    fun anElementThatThePoolHasAlreadyIsRefused() {
        val same = Any()
        val pool = ResourcePool(2) { same }
        assertSame(same, start { pool.take() }.getCompleted())
        assertInstanceOf(IllegalStateException::class.java, start { pool.take() }.getCompletionExceptionOrNull())
        assertEquals(1, places(pool))
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
    fun theFactoryOfTheCoreMakesTheElementsIfTheViewHasNone() {
        val core = dev.cqs.pool.ResourcePool.builder(1) { Element().also { made += it } }.build()
        val pool = core.asResourcePool()
        assertSame(core, pool.core)
        val element = start { pool.take() }.getCompleted()
        assertSame(made.single(), element)
        val failing = dev.cqs.pool.ResourcePool.builder<Any>(1) { throw Broken() }.build().asResourcePool()
        assertInstanceOf(Broken::class.java, start { failing.take() }.getCompletionExceptionOrNull())
        assertEquals(1, places(failing))
    }

    // Cancellation

    @Test
    fun aPlaceHandedToACancelledOneGoesToTheNextWithItsElement() {
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val takers = List(3) { start { pool.take() } }
        pool.put(element)
        for (taker in takers.dropLast(1)) {
            taker.cancel() // after the grant, before it runs
            crank.turn()
            cancelled(taker)
            assertEquals(0, places(pool))
        }
        crank.run()
        assertSame(element, takers.last().getCompleted())
        assertEquals(1, made.size)
    }

    @Test
    fun aPlaceHandedToACancelledOneIsBackInThePoolOnce() {
        val pool = pool(1)
        var element = start { pool.take() }.getCompleted()
        repeat(5) {
            val taker = start { pool.take() }
            if (it % 2 == 0) pool.put(element) else pool.invalidate(element)
            taker.cancel()
            crank.run()
            cancelled(taker)
            assertEquals(1, places(pool))
            element = start { pool.take() }.getCompleted()
            assertEquals(0, places(pool))
        }
    }

    /** A place that comes back is to disappear if there is one too many, and its element is to be destroyed. */
    @Test
    fun aPlaceThatACancelledOneGivesBackAfterAResizeOrACloseDisappears() {
        for (close in listOf(true, false)) {
            destroyed.clear()
            val pool = pool(2)
            val elements = List(2) { start { pool.take() }.getCompleted() }
            val taker = start { pool.take() }
            pool.put(elements[0])
            if (close) pool.close() else pool.resize(1)
            assertEquals(listOf<Element>(), destroyed)
            taker.cancel()
            crank.run()
            cancelled(taker)
            assertEquals(listOf(elements[0]), destroyed)
            pool.put(elements[1])
            assertEquals(if (close) listOf(0, 2) else listOf(1, 1), listOf(pool.size, destroyed.size))
        }
    }

    @Test
    fun aPlaceThatComesAsTheTimeRunsOutIsNotLost() {
        val scheduler = TestCoroutineScheduler()
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val taker = CoroutineScope(StandardTestDispatcher(scheduler)).async(start = UNDISPATCHED) {
            pool.tryTake(1.seconds)
        }
        scheduler.advanceTimeBy(1.seconds)
        pool.put(element)
        assertEquals(0, places(pool))
        scheduler.runCurrent() // the end of the time comes first
        assertNull(taker.getCompleted())
        assertEquals(1, places(pool))
        assertSame(element, start { pool.take() }.getCompleted())
    }

    /** It limits the wait for the place alone. */
    @Test
    fun theTimeThatTheFactoryTakesIsNotLimited() {
        val scheduler = TestCoroutineScheduler()
        val pool = pool(1)
        val open = CompletableDeferred<Unit>()
        making = { open.await() }
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
    fun theTimeThatTheFactoryTakesIsNotLimitedAfterAWaitEither() {
        val scheduler = TestCoroutineScheduler()
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val open = CompletableDeferred<Unit>()
        making = { open.await() }
        val maker = CoroutineScope(StandardTestDispatcher(scheduler)).async(start = UNDISPATCHED) {
            pool.tryTake(1.seconds)
        }
        pool.invalidate(element)
        scheduler.advanceTimeBy(2.seconds)
        assertFalse(maker.isCompleted)
        open.complete(Unit)
        scheduler.runCurrent()
        assertSame(made[1], maker.getCompleted())
        assertEquals(0, places(pool))
    }

    // Giving back

    @Test
    fun useLendsAnElementAndPutsItBackHoweverItEnds() {
        val pool = pool(1)
        assertEquals("result", start { pool.use { "result" } }.getCompleted())
        val failure = Broken()
        assertSame(failure, start { pool.use { throw failure } }.getCompletionExceptionOrNull())
        assertEquals(listOf(1, 1, 1), listOf(made.size, pool.idle, places(pool)))
    }

    @Test
    fun anActionMayInvalidateOrPutItsElementItself() {
        val pool = pool(1)
        start { pool.use { pool.invalidate(it) } }.getCompleted()
        assertEquals(made, destroyed)
        assertEquals(listOf(0, 1), listOf(pool.size, places(pool)))
        start { pool.use { pool.put(it) } }.getCompleted()
        assertEquals(listOf(1, 1), listOf(pool.idle, places(pool)))
        assertEquals(2, made.size)
    }

    @Test
    fun anInvalidatedElementMakesRoomForTheNext() {
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val next = start { pool.take() }
        pool.invalidate(element)
        crank.run()
        assertEquals(listOf(element), destroyed)
        assertSame(made[1], next.getCompleted())
    }

    @Test
    fun whatIsNotLentIsNotTakenBack() {
        val pool = pool(1)
        val element = start { pool.take() }.getCompleted()
        val before = listOf(pool.size, places(pool))
        assertThrows(IllegalArgumentException::class.java) { pool.put(Element()) }
        assertThrows(IllegalArgumentException::class.java) { pool.invalidate(Element()) }
        assertEquals(before, listOf(pool.size, places(pool)))
        pool.put(element)
        assertThrows(IllegalStateException::class.java) { pool.put(element) }
        assertThrows(IllegalStateException::class.java) { pool.invalidate(element) }
        assertEquals(listOf(1, 1, 1), listOf(pool.size, pool.idle, places(pool)))
    }

    // Care

    @Test
    fun elementsThatAreNotValidAreReplaced() {
        val pool = pool(1)
        start { pool.use { } }
        valid = { false }
        val element = start { pool.take() }.getCompleted()
        assertEquals(listOf(made[0]), destroyed)
        assertSame(made[1], element)
    }

    @Test
    fun whatTheValidatorThrowsGoesToTheOneWhoAsksAndThePlaceIsFree() {
        val pool = pool(1)
        start { pool.use { } }
        val failure = Broken()
        valid = { throw failure }
        assertSame(failure, start { pool.take() }.getCompletionExceptionOrNull())
        assertEquals(1, places(pool))
        assertEquals(1, destroyed.size)
    }

    @Test
    fun elementsThatAreIdleForTooLongAreDestroyed() {
        val pool = pool(2)
        start { pool.use { } }
        now += 100
        assertEquals(1, pool.evictIdle())
        assertEquals(made, destroyed)
        assertEquals(listOf(0, 2), listOf(pool.size, places(pool)))
    }

    @Test
    fun elementsThatAreIdleForTooLongAreDestroyedWheneverSomebodyAsks() {
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
            assertEquals(elements.take(2).toSet(), destroyed.toSet(), "below the one that was lent")
            assertEquals(1, pool.size)
        }
    }

    @Test
    fun aResizeDestroysWhatIsTooMuchAndMakesRoom() {
        val pool = pool(2)
        val elements = List(2) { start { pool.take() }.getCompleted() }
        pool.resize(1)
        assertEquals(1, pool.maximum)
        pool.put(elements[0])
        assertEquals(listOf(elements[0]), destroyed)
        val waiting = start { pool.take() }
        pool.resize(2)
        crank.run()
        assertSame(made[2], waiting.getCompleted())
    }

    @Test
    fun saysWhatIsLentToWhom() {
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
    fun aCloseFailsThoseWhoWaitAndDestroysTheElements() {
        val pool = pool(2)
        val lent = start { pool.take() }.getCompleted()
        val other = start { pool.take() }.getCompleted()
        val waiting = start { pool.take() }
        val cause = Broken()
        assertTrue(pool.close(cause))
        assertFalse(pool.close())
        assertTrue(pool.isClosed)
        crank.run()
        assertSame(cause, waiting.getCompletionExceptionOrNull())
        assertSame(cause, start { pool.tryTake() }.getCompletionExceptionOrNull())
        pool.put(lent)
        pool.invalidate(other)
        assertEquals(listOf(lent, other), destroyed)
        assertEquals(0, pool.size)
    }

    @Test
    fun aCloseWhileAnElementIsMadeLetsItsBorrowerUseItAndThenDestroysIt() {
        val pool = pool(1)
        val open = CompletableDeferred<Unit>()
        making = { open.await() }
        val maker = start { pool.use { "used" } }
        pool.close()
        open.complete(Unit)
        crank.run()
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
        crank.run()
        assertSame(element, coroutine.getCompleted())
        assertEquals(1, pool.queueLength)
        pool.put(element)
        thread.join()
        assertEquals(listOf(element), made)
        assertEquals(1, pool.idle)
    }

    @Test
    fun threadsDoNotMakeWhatCoroutinesMakeBySuspending() {
        val pool = pool(1)
        val forThreads = dev.cqs.threads.ResourcePool.viewOf(pool.core)
        assertThrows(IllegalStateException::class.java) { forThreads.take() }
        assertEquals(1, places(pool))
        start { pool.use { } }
        assertSame(made.single(), forThreads.take())
    }

    @Test
    fun facesOfOnePoolAgree() {
        val pool = pool(2)
        val other = pool.core.asResourcePool()
        start { pool.take() }
        assertEquals(listOf(1, 0), listOf(other.size, other.idle))
        assertEquals(pool.toString(), other.toString())
        assertTrue("1 of 2, 0 idle, 0 waiting" in pool.toString(), pool.toString())
    }
}
