package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import java.util.concurrent.atomic.AtomicIntegerArray
import java.util.concurrent.atomic.LongAdder
import java.util.stream.Stream
import kotlin.coroutines.CoroutineContext
import kotlin.random.Random
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.MethodSource
import org.junit.jupiter.params.provider.ValueSource

/**
 * The textbook's bounded buffer, with cancellation at any moment. One lost signal would leave a coroutine waiting for
 * ever.
 */
@Tag("slow")
class ConditionStressTest {
    private companion object {
        const val ELEMENTS = 8_000
        const val SIDE = 4
        const val ROUNDS = 2_000

        @JvmStatic
        fun buffers(): Stream<Arguments> = Stream.of(1, 2, 4).flatMap { capacity ->
            Stream.of("Default", "Unconfined").map { Arguments.of(capacity, it) }
        }
    }

    @ParameterizedTest
    @MethodSource("buffers")
    fun everyElementPassesExactlyOnceWhileCoroutinesAreCancelled(capacity: Int, dispatcher: String) = runBlocking {
        val buffer = Buffer(capacity)
        val context = if (dispatcher == "Default") Dispatchers.Default else Dispatchers.Unconfined
        withTimeout(60_000) {
            for (self in 0 until SIDE) {
                launch(Dispatchers.Default) {
                    val random = Random(self)
                    for (element in self until ELEMENTS step SIDE) {
                        var put = false
                        while (!put) cancelledNowAndThen(random, context) { buffer.put(element) { put = true } }
                    }
                }
                launch(Dispatchers.Default) {
                    val random = Random(SIDE + self)
                    var left = ELEMENTS / SIDE
                    while (left > 0) cancelledNowAndThen(random, context) { buffer.take { left-- } }
                }
            }
        }
        for (element in 0 until ELEMENTS) assertEquals(1, buffer.seen[element], "element $element")
        buffer.assertIdle()
    }

    /** Coroutines wait, signal and are cancelled, until one of them or a thread closes the mutex. */
    @ParameterizedTest
    @ValueSource(strings = ["Default", "Unconfined"])
    fun everyCoroutineHoldsTheMutexAfterAWaitThatRacesWithTheClose(dispatcher: String) = runBlocking {
        val context = if (dispatcher == "Default") Dispatchers.Default else Dispatchers.Unconfined
        val closed = LongAdder()
        val cancelled = LongAdder()
        withTimeout(60_000) {
            repeat(ROUNDS) { runRound(it, context, closed, cancelled) }
        }
        assertTrue(closed.sum() >= 3 * ROUNDS) { "all but one of each round fail: $closed" }
        assertTrue(cancelled.sum() > 0) { "some were cancelled" }
    }

    private suspend fun runRound(number: Int, context: CoroutineContext, closed: LongAdder, cancelled: LongAdder) {
        val mutex = Mutex()
        val condition = mutex.newCondition()
        var inside = 0
        suspend fun visit(random: Random) = mutex.withLock {
            assertEquals(1, ++inside)
            if (random.nextInt(4) == 0) condition.signal()
            try {
                inside--
                condition.await()
            } finally {
                assertEquals(1, ++inside) { "it holds the mutex" }
                assertTrue(mutex.isLocked)
                inside--
            }
        }
        coroutineScope {
            for (self in 0 until 4) {
                val random = Random(4 * number + self)
                val job = launch(context) {
                    try {
                        while (true) visit(random)
                    } catch (e: ClosedException) {
                        closed.increment()
                    } catch (e: CancellationException) {
                        cancelled.increment()
                        throw e
                    }
                }
                if (self == 2) {
                    launch(Dispatchers.Default) {
                        repeat(Random(number).nextInt(8)) { yield() }
                        job.cancel()
                    }
                }
            }
            launch(Dispatchers.Default) {
                repeat(Random(number).nextInt(8)) { yield() }
                mutex.close()
            }
        }
        assertFalse(mutex.isLocked)
        assertEquals(0, inside + mutex.queueLength + condition.queueLength)
    }

    private suspend fun cancelledNowAndThen(random: Random, context: CoroutineContext, action: suspend () -> Unit) =
        coroutineScope {
            val job = launch(context) { action() }
            if (random.nextInt(4) > 0) {
                repeat(random.nextInt(8)) { yield() }
                job.cancel()
            }
            job.join()
        }

    private class Buffer(private val capacity: Int) {
        val seen = AtomicIntegerArray(ELEMENTS)
        private val mutex = Mutex()
        private val notEmpty = mutex.newCondition()
        private val notFull = mutex.newCondition()
        private val elements = ArrayDeque<Int>()
        private val cancelled = LongAdder()

        suspend fun put(element: Int, onPut: () -> Unit) = mutex.withLock {
            while (elements.size == capacity) await(notFull)
            elements += element
            assertTrue(elements.size <= capacity)
            onPut()
            notEmpty.signal()
        }

        suspend fun take(onTake: () -> Unit) = mutex.withLock {
            while (elements.isEmpty()) await(notEmpty)
            seen.incrementAndGet(elements.removeFirst())
            onTake()
            notFull.signal()
        }

        private suspend fun await(condition: Condition) {
            try {
                condition.await()
            } catch (e: CancellationException) {
                cancelled.increment()
                throw e
            }
        }

        fun assertIdle() {
            assertTrue(elements.isEmpty())
            assertFalse(mutex.isLocked)
            assertEquals(0, mutex.queueLength + notEmpty.queueLength + notFull.queueLength)
            assertTrue(cancelled.sum() > 0) { "waits were cancelled" }
        }
    }
}
