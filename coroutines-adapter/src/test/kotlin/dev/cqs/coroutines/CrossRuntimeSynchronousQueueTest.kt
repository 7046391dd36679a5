package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import java.util.Random
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit.HOURS
import java.util.concurrent.TimeUnit.SECONDS
import java.util.stream.Stream
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
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
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.MethodSource
import org.junit.jupiter.params.provider.ValueSource

/** Platform threads, virtual threads and coroutines hand elements to each other through one synchronous queue. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class CrossRuntimeSynchronousQueueTest {
    companion object {
        private val kinds = SharedKind.entries.filter { it == SharedKind.COROUTINE || it.isThread && (it != SharedKind.VIRTUAL || SharedKind.hasVirtual) }

        /** All pairs of kinds, on a fair and on an unfair queue. */
        @JvmStatic
        fun pairs(): Stream<Arguments> = listOf(true, false).flatMap { fair ->
            kinds.flatMap { one -> kinds.map { Arguments.of(fair, one, it) } }
        }.stream()
    }

    private class SharedQueue(fair: Boolean) {
        val undelivered: MutableList<Int> = java.util.Collections.synchronizedList(ArrayList())
        val core: dev.cqs.sync.SynchronousQueue<Int> =
            if (fair) dev.cqs.sync.SynchronousQueue.fair() else dev.cqs.sync.SynchronousQueue.unfair()
        val forThreads: dev.cqs.threads.SynchronousQueue<Int> = dev.cqs.threads.SynchronousQueue.viewOf(core)
        val forCoroutines = core.asSynchronousQueue { undelivered += it }

        fun enqueued(): Int {
            var count = 0
            core.forEachWaiter { count++ }
            return count
        }
    }

    /** A call, its result, and how to cancel it. */
    private class SharedCall<T>(val result: CompletableFuture<T>, val cancel: () -> Unit) {
        fun get(): T = result.get(PATIENCE, SECONDS)

        fun failure(): Throwable = assertThrows(ExecutionException::class.java) { get() }.cause!!
    }

    private fun <T> call(kind: SharedKind, coroutine: suspend () -> T, thread: () -> T): SharedCall<T> {
        val result = CompletableFuture<T>()
        if (kind.isThread) {
            val started = kind.start { complete(result) { thread() } }
            return SharedCall(result, started::interrupt)
        }
        val job = CoroutineScope(Dispatchers.Default).launch { complete(result) { coroutine() } }
        return SharedCall(result, job::cancel)
    }

    private inline fun <T> complete(result: CompletableFuture<T>, body: () -> T) {
        try {
            result.complete(body())
        } catch (e: Throwable) {
            result.completeExceptionally(e)
        }
    }

    private fun SharedQueue.sender(kind: SharedKind, element: Int, timed: Boolean = false): SharedCall<Boolean> =
        call(kind, {
            if (timed) {
                forCoroutines.trySend(element, 1.hours)
            } else {
                forCoroutines.send(element)
                true
            }
        }) {
            if (timed) {
                forThreads.offer(element, 1, HOURS)
            } else {
                forThreads.put(element)
                true
            }
        }

    private fun SharedQueue.receiver(kind: SharedKind, timed: Boolean = false): SharedCall<Int?> =
        call(kind, { if (timed) forCoroutines.tryReceive(1.hours) else forCoroutines.receive() }) {
            if (timed) forThreads.poll(1, HOURS) else forThreads.take()
        }

    private fun <T> SharedQueue.queued(start: () -> SharedCall<T>): SharedCall<T> {
        val before = enqueued()
        val caller = start()
        awaitThat("the caller is in the queue") { enqueued() == before + 1 }
        return caller
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun callersOfAnyTwoKindsMatchInEitherOrder(fair: Boolean, sending: SharedKind, receiving: SharedKind) {
        val queue = SharedQueue(fair)
        for (timed in listOf(true, false)) {
            val waitingReceiver = queue.queued { queue.receiver(receiving, timed) }
            assertTrue(queue.sender(sending, 1, timed).get())
            assertEquals(1, waitingReceiver.get())
            val waitingSender = queue.queued { queue.sender(sending, 2, timed) }
            assertEquals(2, queue.receiver(receiving, timed).get())
            assertTrue(waitingSender.get())
        }
        assertEquals(0, queue.enqueued())
        assertEquals(listOf<Int>(), queue.undelivered)
    }

    @Test
    fun waitersOfAllKindsAreServedInOneFifoOrder() {
        val random = Random(1)
        val queue = SharedQueue(fair = true)
        val order = kinds + List(40) { kinds[random.nextInt(kinds.size)] } // several segments
        val receivers = order.map { kind -> queue.queued { queue.receiver(kind) } }
        receivers[3].cancel()
        awaitThat("the cancelled caller has left the queue") { queue.enqueued() == order.size - 1 }
        val served = receivers - receivers[3]
        served.indices.forEach { assertTrue(queue.core.offer(it)) }
        served.forEachIndexed { i, receiver -> assertEquals(i, receiver.get()) }

        val senders = order.mapIndexed { i, kind -> queue.queued { queue.sender(kind, i) } }
        senders[3].cancel()
        awaitThat("the cancelled caller has left the queue") { queue.enqueued() == order.size - 1 }
        assertEquals(order.indices - 3, List(order.size - 1) { queue.core.poll() })
        assertNull(queue.core.poll())
        (senders - senders[3]).forEach { assertTrue(it.get()) }
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun aCloseFailsAllKindsAndTheElementsOfCoroutinesAreReported(fair: Boolean) {
        for (cause in listOf(null, Broken())) {
            val sending = SharedQueue(fair)
            val senders = kinds.map { kind -> sending.queued { sending.sender(kind, kind.ordinal) } }
            val receiving = SharedQueue(fair)
            val receivers = kinds.map { kind -> receiving.queued { receiving.receiver(kind) } }
            for (queue in listOf(sending, receiving)) assertTrue(queue.core.close(cause))
            for (callers in listOf(senders, receivers)) {
                kinds.zip(callers) { kind, caller ->
                    val failure = caller.failure()
                    when {
                        kind.isThread -> assertSame(cause, assertInstanceOf(ClosedException::class.java, failure).cause)
                        cause == null -> assertInstanceOf(ClosedException::class.java, failure)
                        else -> assertSame(cause, failure)
                    }
                }
            }
            assertEquals(listOf(SharedKind.COROUTINE.ordinal), sending.undelivered)
            assertEquals(listOf<Int>(), receiving.undelivered)
        }
    }

    /** The thread has sent the element, and does not learn of the cancellation. */
    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun anElementThatAThreadSendsToACancelledCoroutineIsReported(fair: Boolean) {
        for (receive in listOf<suspend SynchronousQueue<Int>.() -> Any?>({ receive() }, { tryReceive(1.hours) }, { iterator().next() })) {
            val queue = SharedQueue(fair)
            val manualDispatcher = ManualDispatcher()
            val receiver = CoroutineScope(manualDispatcher).async(start = UNDISPATCHED) { receive(queue.forCoroutines) }
            queue.forThreads.put(1)
            receiver.cancel()
            assertFalse(receiver.isCompleted)
            manualDispatcher.run()
            assertTrue(receiver.isCancelled)
            assertEquals(listOf(1), queue.undelivered)
        }
    }
}
