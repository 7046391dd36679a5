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

/** Threads, virtual threads and coroutines meet at one queue. */
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class CrossRuntimeHandOffTest {
    companion object {
        private val kinds = SharedKind.entries.filter { it == SharedKind.COROUTINE || it.isThread && (it != SharedKind.VIRTUAL || SharedKind.hasVirtual) }

        /** All pairs of kinds, at a fair queue and at an unfair one. */
        @JvmStatic
        fun pairs(): Stream<Arguments> = listOf(true, false).flatMap { fair ->
            kinds.flatMap { one -> kinds.map { Arguments.of(fair, one, it) } }
        }.stream()
    }

    private class Place(fair: Boolean) {
        val undelivered: MutableList<Int> = java.util.Collections.synchronizedList(ArrayList())
        val core: dev.cqs.sync.SynchronousQueue<Int> =
            if (fair) dev.cqs.sync.SynchronousQueue.fair() else dev.cqs.sync.SynchronousQueue.unfair()
        val forThreads: dev.cqs.threads.SynchronousQueue<Int> = dev.cqs.threads.SynchronousQueue.viewOf(core)
        val forCoroutines = core.asSynchronousQueue { undelivered += it }

        fun installed(): Int {
            var count = 0
            core.forEachWaiter { count++ }
            return count
        }
    }

    /** A caller, its result, and how it gives up. */
    private class Caller<T>(val result: CompletableFuture<T>, val giveUp: () -> Unit) {
        fun get(): T = result.get(PATIENCE, SECONDS)

        fun failure(): Throwable = assertThrows(ExecutionException::class.java) { get() }.cause!!
    }

    private fun <T> call(kind: SharedKind, coroutine: suspend () -> T, thread: () -> T): Caller<T> {
        val result = CompletableFuture<T>()
        if (kind.isThread) {
            val started = kind.start { complete(result) { thread() } }
            return Caller(result, started::interrupt)
        }
        val job = CoroutineScope(Dispatchers.Default).launch { complete(result) { coroutine() } }
        return Caller(result, job::cancel)
    }

    private inline fun <T> complete(result: CompletableFuture<T>, body: () -> T) {
        try {
            result.complete(body())
        } catch (e: Throwable) {
            result.completeExceptionally(e)
        }
    }

    private fun Place.sender(kind: SharedKind, element: Int, timed: Boolean = false): Caller<Boolean> =
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

    private fun Place.receiver(kind: SharedKind, timed: Boolean = false): Caller<Int?> =
        call(kind, { if (timed) forCoroutines.tryReceive(1.hours) else forCoroutines.receive() }) {
            if (timed) forThreads.poll(1, HOURS) else forThreads.take()
        }

    private fun <T> Place.queued(start: () -> Caller<T>): Caller<T> {
        val before = installed()
        val caller = start()
        awaitThat("it is in the queue") { installed() == before + 1 }
        return caller
    }

    @ParameterizedTest
    @MethodSource("pairs")
    fun callersOfAnyTwoKindsMeetWhoeverComesFirst(fair: Boolean, sending: SharedKind, receiving: SharedKind) {
        val place = Place(fair)
        for (timed in listOf(true, false)) {
            val waitingReceiver = place.queued { place.receiver(receiving, timed) }
            assertTrue(place.sender(sending, 1, timed).get())
            assertEquals(1, waitingReceiver.get())
            val waitingSender = place.queued { place.sender(sending, 2, timed) }
            assertEquals(2, place.receiver(receiving, timed).get())
            assertTrue(waitingSender.get())
        }
        assertEquals(0, place.installed())
        assertEquals(listOf<Int>(), place.undelivered)
    }

    @Test
    fun thoseWhoWaitAreServedInOneOrderWhateverTheirKind() {
        val random = Random(1)
        val place = Place(fair = true)
        val order = kinds + List(40) { kinds[random.nextInt(kinds.size)] } // several segments
        val receivers = order.map { kind -> place.queued { place.receiver(kind) } }
        receivers[3].giveUp()
        awaitThat("it has left") { place.installed() == order.size - 1 }
        val served = receivers - receivers[3]
        served.indices.forEach { assertTrue(place.core.offer(it)) }
        served.forEachIndexed { i, receiver -> assertEquals(i, receiver.get()) }

        val senders = order.mapIndexed { i, kind -> place.queued { place.sender(kind, i) } }
        senders[3].giveUp()
        awaitThat("it has left") { place.installed() == order.size - 1 }
        assertEquals(order.indices - 3, List(order.size - 1) { place.core.poll() })
        assertNull(place.core.poll())
        (senders - senders[3]).forEach { assertTrue(it.get()) }
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun aCloseFailsAllKindsAndTheElementsOfCoroutinesAreReported(fair: Boolean) {
        for (cause in listOf(null, Broken())) {
            val sending = Place(fair)
            val senders = kinds.map { kind -> sending.queued { sending.sender(kind, kind.ordinal) } }
            val receiving = Place(fair)
            val receivers = kinds.map { kind -> receiving.queued { receiving.receiver(kind) } }
            for (place in listOf(sending, receiving)) assertTrue(place.core.close(cause))
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

    /** The thread has sent it, and knows nothing of the cancellation. */
    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun whatAThreadHandsToACoroutineThatIsCancelledIsReported(fair: Boolean) {
        for (receive in listOf<suspend SynchronousQueue<Int>.() -> Any?>({ receive() }, { tryReceive(1.hours) }, { iterator().next() })) {
            val place = Place(fair)
            val crank = ManualDispatcher()
            val receiver = CoroutineScope(crank).async(start = UNDISPATCHED) { receive(place.forCoroutines) }
            place.forThreads.put(1)
            receiver.cancel()
            assertFalse(receiver.isCompleted)
            crank.run()
            assertTrue(receiver.isCancelled)
            assertEquals(listOf(1), place.undelivered)
        }
    }
}
