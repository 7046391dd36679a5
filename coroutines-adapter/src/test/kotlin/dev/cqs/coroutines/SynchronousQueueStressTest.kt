package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** Each element is received, reported as undelivered, or kept by its sender: exactly one of these. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(6 * PATIENCE)
class SynchronousQueueStressTest {
    private companion object {
        const val ROUNDS = 300
        const val ROOM = 1 shl 17
    }

    /** Records the end of each element. */
    private class Book(fair: Boolean) {
        private val made = AtomicInteger()
        private val sent = AtomicIntegerArray(ROOM)
        private val received = AtomicIntegerArray(ROOM)
        private val undelivered = AtomicIntegerArray(ROOM)
        private val kept = AtomicIntegerArray(ROOM)

        val queue: SynchronousQueue<Int> =
            if (fair) {
                SynchronousQueue.fair {
                    undelivered.incrementAndGet(it)
                }
            } else {
                SynchronousQueue.unfair { undelivered.incrementAndGet(it) }
            }
        val forThreads: dev.cqs.threads.SynchronousQueue<Int> = dev.cqs.threads.SynchronousQueue.viewOf(queue.core)

        inline fun send(send: (Int) -> Boolean) {
            val element = made.getAndIncrement()
            if (send(element)) sent.incrementAndGet(element) else kept.incrementAndGet(element)
        }

        /** Sends by a thread. Threads have no callback, so an exception leaves the element with its sender. */
        fun sendAsThread(send: (Int) -> Boolean) = send { element ->
            try {
                send(element)
            } catch (e: Throwable) {
                kept.incrementAndGet(element)
                throw e
            }
        }

        fun receive(element: Int?) {
            if (element != null) received.incrementAndGet(element)
        }

        fun isReceived(element: Int) = received.get(element) == 1

        fun assertBalanced() {
            assertEquals(listOf(0, 0), listOf(queue.waitingSenders, queue.waitingReceivers))
            for (element in 0 until made.get()) {
                val ends = listOf(received.get(element), undelivered.get(element), kept.get(element))
                assertEquals(1, ends.sum()) { "$element: received, undelivered, kept: $ends" }
                assertTrue(sent.get(element) == 0 || ends[2] == 0) { "$element was said to be sent: $ends" }
            }
        }
    }

    private suspend fun visit(book: Book, random: Random) {
        val queue = book.queue
        when (random.nextInt(8)) {
            0 -> book.send { queue.trySend(it) }

            1 -> book.send { queue.trySend(it, random.nextLong(2_000_000).nanoseconds) }

            2, 3 -> book.send {
                queue.send(it)
                true
            }

            4 -> book.receive(queue.tryReceive())

            5 -> book.receive(queue.tryReceive(random.nextLong(2_000_000).nanoseconds))

            6 -> book.receive(queue.receive())

            else -> for (element in queue) {
                book.receive(element)
                if (random.nextBoolean()) break
            }
        }
    }

    private fun visitAsThread(book: Book, random: Random) {
        val queue = book.forThreads
        when (random.nextInt(6)) {
            0 -> book.sendAsThread { queue.offer(it) }

            1 -> book.sendAsThread { queue.offer(it, random.nextLong(200_000), NANOSECONDS) }

            2 -> book.sendAsThread {
                queue.put(it)
                true
            }

            3 -> book.receive(queue.poll())

            4 -> book.receive(queue.poll(random.nextLong(200_000), NANOSECONDS))

            else -> book.receive(queue.take())
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun withCancellationAndTimeoutsEachElementHasOneEnd(fair: Boolean) {
        val book = Book(fair)
        StressHarness(visits = 3_000).run({ visit(book, it) }, { visitAsThread(book, it) })
        book.assertBalanced()
    }

    /** Callers of all kinds use the queue until it is closed. */
    @OptIn(ExperimentalCoroutinesApi::class)
    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun aCloseInUseLosesNoElement(fair: Boolean) {
        val random = Random(1)
        repeat(ROUNDS / 3) {
            val book = Book(fair)
            val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
            val ends = List(6) { number ->
                val own = Random(number)
                scope.async { untilClosed { visit(book, own) } }
            }
            val thread = CompletableFuture.runAsync { untilClosed { visitAsThread(book, random) } }
            spin(random.nextLong(200_000))
            assertTrue(book.queue.close())
            ends.forEach { end -> awaitThat("a coroutine ends") { end.isCompleted } }
            ends.forEach { assertEquals(null, it.getCompletionExceptionOrNull()) }
            thread.get(PATIENCE, SECONDS)
            book.assertBalanced()
        }
    }

    private inline fun untilClosed(visit: () -> Unit) {
        try {
            while (true) visit()
        } catch (e: ClosedException) {
            return
        }
    }

    // Races of two

    private fun <T> start(body: suspend () -> T) =
        CoroutineScope(Dispatchers.Default).async(start = UNDISPATCHED) { runCatching { body() } }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun exactlyOneOfAReceiverAndACancellationOfItsSenderWins(fair: Boolean) {
        val race = PairedRace()
        val book = Book(fair)
        repeat(ROUNDS) { number ->
            val sender = start {
                book.send {
                    book.queue.send(it)
                    true
                }
            }
            race.race({ book.receive(book.queue.tryReceive()) }, { sender.cancel() })
            awaitThat("it ends") { sender.isCompleted }
            book.assertBalanced()
            race.hasWon(book.isReceived(number))
        }
        race.assertBothHaveWon()
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun theElementIsReceivedOrReportedInARaceOfASenderAndACancellationOfTheReceiver(fair: Boolean) {
        val race = PairedRace()
        val book = Book(fair)
        repeat(ROUNDS) { number ->
            val receiver = start {
                book.receive(
                    if (number % 2 ==
                        0
                    ) {
                        book.queue.receive()
                    } else {
                        book.queue.iterator().next()
                    },
                )
            }
            var sent = false
            race.race({
                book.send { element -> book.queue.trySend(element).also { sent = it } }
            }, { receiver.cancel() })
            awaitThat("it ends") { receiver.isCompleted }
            book.assertBalanced()
            race.hasWon(sent)
        }
        race.assertBothHaveWon()
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun exactlyOneOfAReceiverAndACloseWins(fair: Boolean) {
        val race = PairedRace()
        repeat(ROUNDS) { number ->
            val book = Book(fair)
            val sender = start {
                book.send { element ->
                    if (number % 2 ==
                        0
                    ) {
                        true.also { book.queue.send(element) }
                    } else {
                        book.queue.trySend(element, 5_000.milliseconds)
                    }
                }
            }
            race.race({ runCatching { book.receive(book.queue.tryReceive()) } }, { book.queue.close() })
            awaitThat("it ends") { sender.isCompleted }
            book.assertBalanced()
            race.hasWon(book.isReceived(0))
        }
        race.assertBothHaveWon()
    }

    /** In real time. Whenever the timeout passes, the result of the sender agrees with the receiver. */
    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun exactlyOneOfACounterpartAndATimeoutWins(sends: Boolean) {
        val race = PairedRace()
        val book = Book(fair = true)
        repeat(ROUNDS) { number ->
            val start = System.nanoTime()
            val timed = start {
                if (sends) {
                    book.send {
                        book.queue.trySend(it, 1.milliseconds)
                    }
                } else {
                    book.receive(book.queue.tryReceive(1.milliseconds))
                }
            }
            spin(1_000_000 + race.handicap - (System.nanoTime() - start))
            if (sends) book.receive(book.queue.tryReceive()) else book.send { book.queue.trySend(it) }
            awaitThat("it ends") { timed.isCompleted }
            book.assertBalanced()
            race.hasWon(book.isReceived(number))
        }
        race.assertBothHaveWon()
    }
}
