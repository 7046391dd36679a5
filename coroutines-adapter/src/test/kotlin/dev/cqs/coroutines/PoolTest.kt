package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import dev.cqs.threads.BlockingPool
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestCoroutineScheduler
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/**
 * Elements of a pool, under cancellation, timeouts and closing. The contract of waiting is in [WaitingContractTest].
 */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class PoolTest {
    private val manualDispatcher = ManualDispatcher()
    private val pool = Pool.queue<Any>()

    private fun <T> start(dispatcher: CoroutineDispatcher = manualDispatcher, body: suspend () -> T): Deferred<T> =
        CoroutineScope(dispatcher).async(start = UNDISPATCHED) { body() }

    private fun drained(pool: Pool<Any> = this.pool): List<Any> = ArrayList<Any>().also { pool.drain(it::add) }

    @Test
    fun aQueueLendsElementsInFifoOrderAndAStackInLifoOrder() {
        for ((pool, expected) in listOf(Pool.queue<Any>() to listOf(1, 2, 3), Pool.stack<Any>() to listOf(3, 2, 1))) {
            listOf(1, 2, 3).forEach { pool.put(it) }
            assertEquals(3, pool.size)
            assertEquals(expected, listOf(start { pool.take() }.getCompleted(), pool.tryTake(), pool.tryTake()))
            assertNull(pool.tryTake())
            assertEquals(0, pool.size)
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun waitersGetElementsInFifoOrder(stack: Boolean) {
        val pool = if (stack) Pool.stack<Any>() else Pool.queue()
        val takers = List(100) { start { pool.take() } }
        assertEquals(100, pool.queueLength)
        assertNull(pool.tryTake())
        val elements = List(100) { Any() }
        elements.forEach { pool.put(it) }
        assertEquals(0, pool.size, "all elements were handed over")
        assertNull(pool.tryTake(), "though no waiter has run")
        manualDispatcher.run()
        takers.forEachIndexed { i, taker -> assertSame(elements[i], taker.getCompleted()) }
    }

    @Test
    fun theSameObjectMayBeInThePoolSeveralTimes() {
        repeat(3) { pool.put("same") }
        assertEquals(listOf("same", "same", "same"), drained())
    }

    @Test
    fun useLendsAnElementAndPutsItBackHoweverItEnds() {
        val element = Any()
        pool.put(element)
        val used = start {
            pool.use {
                assertSame(element, it)
                assertEquals(0, pool.size)
                "result"
            }
        }
        assertEquals("result", used.getCompleted())
        val failed = Broken()
        val failing = start { pool.use { throw failed } }
        assertSame(failed, failing.getCompletionExceptionOrNull())
        assertEquals(listOf(element), drained())
    }

    // Cancellation

    @Test
    fun anElementHandedToACancelledCoroutineGoesToTheNext() {
        val takers = List(5) { start { pool.take() } }
        val element = Any()
        pool.put(element)
        for (taker in takers.dropLast(1)) {
            assertEquals(1, manualDispatcher.size)
            taker.cancel() // after the grant and before it runs
            manualDispatcher.turn()
            assertInstanceOf(CancellationException::class.java, taker.getCompletionExceptionOrNull())
            assertEquals(0, pool.size)
        }
        manualDispatcher.run()
        assertSame(element, takers.last().getCompleted())
        assertEquals(listOf<Any>(), drained())
    }

    @Test
    fun anElementHandedToACancelledCoroutineIsBackInThePoolOnce() {
        for (pool in listOf(Pool.queue<Any>(), Pool.stack())) {
            val element = Any()
            repeat(10) {
                val taker = start { pool.take() }
                pool.put(element)
                taker.cancel()
                manualDispatcher.run()
                assertEquals(1, pool.size)
                assertSame(element, pool.tryTake())
            }
            assertEquals(0, pool.size)
        }
    }

    @Test
    fun elementsPutAfterACancellationAndBeforeItsDispatchGoToOthers() {
        val takers = List(3) { start { pool.take() } }
        takers[1].cancel()
        val elements = List(3) { Any() }
        elements.forEach { pool.put(it) }
        manualDispatcher.run()
        assertSame(elements[0], takers[0].getCompleted())
        assertSame(elements[1], takers[2].getCompleted())
        assertEquals(listOf(elements[2]), drained())
    }

    @Test
    fun anElementThatIsPutAsTheTimeoutPassesIsNotLost() {
        val scheduler = TestCoroutineScheduler()
        val taker = start(StandardTestDispatcher(scheduler)) { pool.tryTake(1.seconds) }
        scheduler.advanceTimeBy(1.seconds)
        val element = Any()
        pool.put(element)
        assertEquals(0, pool.size)
        scheduler.runCurrent() // the timeout passes first
        assertNull(taker.getCompleted())
        assertEquals(listOf(element), drained())
    }

    @Test
    fun anElementThatIsPutInTimeIsTheResult() {
        val taker = start { pool.tryTake(3600.seconds) }
        val element = Any()
        pool.put(element)
        manualDispatcher.run()
        assertSame(element, taker.getCompleted())
        assertEquals(0, pool.size)
    }

    @Test
    fun aCancellationBetweenTheGrantOfATimedWaitAndItsReturnGivesTheElementBack() {
        val interceptor = Interceptor(keeps = true)
        val taker = CoroutineScope(interceptor).async(start = UNDISPATCHED) { pool.tryTake(3600.seconds) }
        val element = Any()
        pool.put(element)
        val resumption = interceptor.kept.remove()
        taker.cancel()
        resumption.resume()
        assertInstanceOf(CancellationException::class.java, taker.getCompletionExceptionOrNull())
        assertEquals(listOf(element), drained())
    }

    // Closing

    @Test
    fun aClosedPoolKeepsElementsForDrain() {
        val cause = Broken()
        pool.put(1)
        assertEquals(1, start { pool.take() }.getCompleted())
        val waiting = start { pool.take() }
        assertTrue(pool.close(cause))
        assertFalse(pool.close())
        assertTrue(pool.isClosed)
        manualDispatcher.run()
        assertSame(cause, waiting.getCompletionExceptionOrNull())
        assertSame(cause, start { pool.tryTake(1.seconds) }.getCompletionExceptionOrNull())
        pool.put(1)
        pool.put(2)
        assertEquals(2, pool.size)
        assertSame(cause, assertThrows(Broken::class.java) { pool.tryTake() })
        assertEquals(listOf<Any>(1, 2), drained())
        assertEquals(0, pool.size)
    }

    @Test
    fun anElementOfACancelledCoroutineIsLeftForDrain() {
        val taker = start { pool.take() }
        val element = Any()
        pool.put(element)
        assertTrue(pool.close())
        taker.cancel()
        manualDispatcher.run()
        assertEquals(listOf(element), drained())
    }

    @Test
    fun aDrainWhoseActionThrowsLeavesTheOthersInThePool() {
        (1..3).forEach { pool.put(it) }
        assertThrows(Broken::class.java) { pool.drain { if (it == 2) throw Broken() } }
        assertEquals(listOf<Any>(3), drained())
        pool.put(4)
        assertEquals(1, pool.drain { })
    }

    // Views

    @Test
    fun viewsOfOnePoolAgree() {
        val other = pool.core.asPool()
        assertSame(pool.core, other.core)
        other.put(1)
        assertEquals(1, pool.size)
        assertEquals(pool.toString(), other.toString())
        assertTrue("1 idle, 0 waiting" in pool.toString(), pool.toString())
        assertEquals(1, pool.tryTake())
        start { other.take() }
        assertEquals(1, pool.queueLength)
        pool.close()
        assertTrue(other.isClosed)
    }

    /** Each caller gets the element that was put for it. Cancelled callers get none. */
    @Test
    fun callersOfAllKindsWaitInOneFifoQueue() {
        val blocking = BlockingPool.viewOf(pool.core)
        val kinds = SharedKind.entries.filter {
            it != SharedKind.NAMED_COROUTINE &&
                (it != SharedKind.VIRTUAL || SharedKind.hasVirtual)
        }
        for (first in kinds) {
            for (second in kinds) {
                val order = listOf(first, second, first, second)
                val (results, cancels) = order.map { taker(it, blocking) }.unzip()
                cancels[0]()
                awaitThat("the first has left the queue") { pool.queueLength == 3 }
                val elements = List(3) { Any() }
                elements.forEach { pool.put(it) }
                elements.forEachIndexed { i, element -> assertSame(element, results[i + 1].get(PATIENCE, SECONDS)) }
                assertEquals(listOf<Any>(), drained())
            }
        }
    }

    /** Starts a caller that must wait. Returns its future and a function that cancels it. */
    private fun taker(kind: SharedKind, blocking: BlockingPool<Any>): Pair<CompletableFuture<Any>, () -> Unit> {
        val before = enqueued()
        val result = CompletableFuture<Any>()
        val cancel: () -> Unit = when {
            kind.isThread -> {
                val thread = kind.start { runCatching { result.complete(blocking.take()) } }
                thread::interrupt
            }

            kind.isCoroutine -> {
                val job = CoroutineScope(Dispatchers.Default).launch { result.complete(pool.take()) }
                ({ job.cancel() })
            }

            else -> {
                val future = blocking.takeAsync()
                future.thenAccept { result.complete(it) }
                ({ future.cancel(true) })
            }
        }
        awaitThat("the caller is in the queue") { enqueued() == before + 1 }
        return result to cancel
    }

    private fun enqueued(): Int {
        var count = 0
        pool.core.forEachWaiter { count++ }
        return count
    }

    @Test
    fun threadsAndFuturesFailWithAClosedExceptionOfTheCause() {
        val cause = Broken()
        pool.close(cause)
        val blocking = BlockingPool.viewOf(pool.core)
        assertSame(cause, assertThrows(ClosedException::class.java) { blocking.take() }.cause)
        assertTrue(blocking.takeAsync().isCompletedExceptionally)
    }

    @Test
    fun aThreadCanBeAnElementAndSoCanAnException() {
        for (element in listOf(Thread.currentThread(), CancellationException(), Unit)) {
            val taker = start { pool.take() }
            pool.put(element)
            manualDispatcher.run()
            assertSame(element, taker.getCompleted())
        }
    }
}
