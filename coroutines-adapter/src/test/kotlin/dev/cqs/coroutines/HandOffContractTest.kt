package dev.cqs.coroutines

import java.util.Collections
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** Where elements are handed over. What a test says of the contract must hold for all, but where it says so. */
enum class Meeting(val make: (((Int) -> Unit)?) -> Line) {
    FAIR({ QueueLine(SynchronousQueue.fair(it)) }),
    UNFAIR({ QueueLine(SynchronousQueue.unfair(it)) }),
    KOTLINX({ ChannelLine(Channel(Channel.RENDEZVOUS, onUndeliveredElement = it)) });

    val isFair get() = this != UNFAIR
}

/** The ways in and out. */
interface Line {
    suspend fun send(element: Int)
    fun trySend(element: Int): Boolean
    suspend fun receive(): Int
    fun tryReceive(): Int?
    suspend fun receiveByIterating(): Int?
    suspend fun forEach(action: suspend (Int) -> Unit)
    fun close(cause: Throwable?): Boolean
}

private class QueueLine(private val queue: SynchronousQueue<Int>) : Line {
    override suspend fun send(element: Int) = queue.send(element)
    override fun trySend(element: Int) = queue.trySend(element)
    override suspend fun receive() = queue.receive()
    override fun tryReceive() = queue.tryReceive()
    override suspend fun receiveByIterating(): Int? {
        val iterator = queue.iterator()
        return if (iterator.hasNext()) iterator.next() else null
    }

    override suspend fun forEach(action: suspend (Int) -> Unit) {
        for (element in queue) action(element)
    }

    override fun close(cause: Throwable?) = queue.close(cause)
}

private class ChannelLine(private val channel: Channel<Int>) : Line {
    override suspend fun send(element: Int) = channel.send(element)
    override fun trySend(element: Int) = channel.trySend(element).isSuccess
    override suspend fun receive() = channel.receive()
    override fun tryReceive() = channel.tryReceive().getOrNull()
    override suspend fun receiveByIterating(): Int? {
        val iterator = channel.iterator()
        return if (iterator.hasNext()) iterator.next() else null
    }

    override suspend fun forEach(action: suspend (Int) -> Unit) {
        for (element in channel) action(element)
    }

    override fun close(cause: Throwable?) = channel.close(cause)
}

/** What holds for our queues, of either order, and for a channel without a buffer alike. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class HandOffContractTest {
    /** The library cannot make copies of it, so that the very same one arrives. */
    private class Cause(val why: Any) : Exception()

    private companion object {
        const val MANY = 100_000

        /** The ways to receive that suspend. */
        val RECEIVING = listOf<suspend Line.() -> Int?>({ receive() }, { receiveByIterating() })
    }

    private val crank = ManualDispatcher()
    private val undelivered = Collections.synchronizedList(ArrayList<Int>())

    private fun Meeting.line() = make { undelivered += it }

    private fun <T> start(
        dispatcher: CoroutineDispatcher = crank,
        mode: CoroutineStart = UNDISPATCHED,
        body: suspend () -> T,
    ): Deferred<T> = CoroutineScope(dispatcher).async(start = mode) { body() }

    private fun assertCancelled(deferred: Deferred<*>) {
        assertInstanceOf(CancellationException::class.java, deferred.getCompletionExceptionOrNull())
    }

    private fun assertUndelivered(vararg elements: Int) = assertEquals(elements.toList(), undelivered)

    // Meeting

    @ParameterizedTest
    @EnumSource
    fun aSenderSuspendsUntilItsElementIsTaken(meeting: Meeting) {
        for (take in RECEIVING + listOf<suspend Line.() -> Int?>({ tryReceive() })) {
            val line = meeting.line()
            val sender = start { line.send(1) }
            assertFalse(sender.isCompleted)
            assertEquals(0, crank.size)
            val receiver = start { line.take() }
            assertEquals(1, receiver.getCompleted(), "the receiver need not suspend")
            assertFalse(sender.isCompleted)
            crank.run()
            assertEquals(Unit, sender.getCompleted())
            start { line.send(2) }
            assertEquals(2, start { line.take() }.getCompleted())
            crank.run()
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun aReceiverSuspendsUntilAnElementComes(meeting: Meeting) {
        for (take in RECEIVING) {
            for (bring in listOf<suspend Line.(Int) -> Any>({ send(it) }, { assertTrue(trySend(it)) })) {
                val line = meeting.line()
                val receiver = start { line.take() }
                assertFalse(receiver.isCompleted)
                val sender = start { line.bring(1) }
                assertTrue(sender.isCompleted, "the sender need not suspend")
                assertFalse(receiver.isCompleted)
                crank.run()
                assertEquals(1, receiver.getCompleted())
            }
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun attemptsSucceedOnlyIfACounterpartWaits(meeting: Meeting) {
        val line = meeting.line()
        assertFalse(line.trySend(1))
        assertNull(line.tryReceive())
        val receiver = start { line.receive() }
        assertNull(line.tryReceive())
        assertTrue(line.trySend(2))
        assertFalse(line.trySend(3), "it has been served, although it has not run")
        crank.run()
        assertEquals(2, receiver.getCompleted())
        val sender = start { line.send(4) }
        assertFalse(line.trySend(5))
        assertEquals(4, line.tryReceive())
        assertNull(line.tryReceive())
        crank.run()
        assertTrue(sender.isCompleted)
        assertUndelivered() // what an attempt has not sent is still the caller's
    }

    @ParameterizedTest
    @EnumSource
    fun thoseWhoWaitAreServedInTheirOrder(meeting: Meeting) {
        val numbers = (1..100).toList() // several segments
        val order = if (meeting.isFair) numbers else numbers.reversed()
        val line = meeting.line()
        numbers.forEach { start { line.send(it) } }
        assertEquals(order, numbers.map { line.tryReceive() })
        crank.run()
        val receivers = numbers.map { start { line.receive() } }
        order.forEach { assertTrue(line.trySend(it)) }
        crank.run()
        assertEquals(numbers, receivers.map { it.getCompleted() })
    }

    @ParameterizedTest
    @EnumSource
    fun anIteratorHasAnElementUntilItIsTaken(meeting: Meeting) {
        val line = meeting.line()
        val got = ArrayList<Int>()
        val receiver = start { line.forEach { got += it } }
        (1..10).forEach { number ->
            if (number % 2 == 0) start { line.send(number) } // the iterator finds it, or waits for it
            if (number % 2 == 1) assertTrue(line.trySend(number))
            if (number % 3 == 0) crank.run() else crank.turn()
            crank.run()
        }
        assertEquals((1..10).toList(), got)
        receiver.cancel()
        crank.run()
        assertCancelled(receiver)
        assertUndelivered()
    }

    // Cancellation

    @ParameterizedTest
    @EnumSource
    fun doesNotCheckForCancellationIfItNeedNotSuspend(meeting: Meeting) {
        val line = meeting.line()
        val receiver = start { line.receive() }
        lateinit var late: Deferred<Any>
        late = start(mode = CoroutineStart.LAZY) {
            late.cancel()
            line.send(1)
        }
        late.start()
        crank.run()
        assertEquals(1, receiver.getCompleted())
        start { line.send(2) }
        var received: Int? = null
        late = start(mode = CoroutineStart.LAZY) {
            late.cancel()
            received = line.receive()
        }
        late.start()
        crank.run()
        assertEquals(2, received)
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun failsAtOnceIfItHasToSuspendInACancelledJob(meeting: Meeting) {
        for (body in listOf<suspend Line.() -> Any?>({ send(1) }, { receive() }, { receiveByIterating() })) {
            val line = meeting.line()
            var thrown: Throwable? = null
            lateinit var job: Deferred<Any>
            job = start(mode = CoroutineStart.LAZY) {
                job.cancel()
                thrown = runCatching { line.body() }.exceptionOrNull()
                "end"
            }
            job.start()
            crank.run()
            assertInstanceOf(CancellationException::class.java, thrown)
            assertNull(line.tryReceive())
            assertFalse(line.trySend(2))
        }
        assertUndelivered(1)
    }

    @ParameterizedTest
    @EnumSource
    fun theElementOfASenderThatGivesUpIsUndelivered(meeting: Meeting) {
        val line = meeting.line()
        val senders = (0..4).map { start { line.send(it) } }
        senders[0].cancel()
        assertUndelivered(0) // before it has run
        senders[4].cancel()
        senders[2].cancel()
        senders[2].cancel()
        assertUndelivered(0, 4, 2)
        assertEquals(setOf<Int?>(1, 3, null), List(3) { line.tryReceive() }.toSet())
        crank.run()
        listOf(0, 2, 4).forEach { assertCancelled(senders[it]) }
        listOf(1, 3).forEach { assertEquals(Unit, senders[it].getCompleted()) }
        assertUndelivered(0, 4, 2)
    }

    @ParameterizedTest
    @EnumSource
    fun aReceiverThatHasGivenUpIsHandedNothing(meeting: Meeting) {
        for (take in RECEIVING) {
            val line = meeting.line()
            val receivers = List(3) { start { line.take() } }
            receivers[0].cancel()
            receivers[2].cancel()
            assertTrue(line.trySend(1))
            assertFalse(line.trySend(2))
            crank.run()
            assertCancelled(receivers[0])
            assertCancelled(receivers[2])
            assertEquals(1, receivers[1].getCompleted())
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun anElementWhoseReceiverIsCancelledBeforeItRunsIsUndelivered(meeting: Meeting) {
        for ((i, take) in RECEIVING.withIndex()) {
            val line = meeting.line()
            val receiver = start { line.take() }
            val other = start { line.take() }
            val sender = start { line.send(i) }
            assertEquals(Unit, sender.getCompleted())
            (if (meeting.isFair) receiver else other).cancel()
            assertEquals(i, undelivered.size) // it is found out when it is to run
            crank.run()
            assertCancelled(if (meeting.isFair) receiver else other)
            assertEquals(i + 1, undelivered.size)
            assertTrue(line.trySend(10), "the other waits on")
            crank.run()
        }
        assertUndelivered(0, 1)
    }

    @ParameterizedTest
    @EnumSource
    fun anElementThatWasTakenIsDeliveredEvenIfItsSenderIsCancelledBeforeItRuns(meeting: Meeting) {
        val line = meeting.line()
        val sender = start { line.send(1) }
        assertEquals(1, line.tryReceive())
        sender.cancel()
        crank.run()
        assertCancelled(sender)
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun anIterationThatWasCancelledCanGoOnElsewhere(meeting: Meeting) {
        val line = meeting.line()
        val got = ArrayList<Int>()
        val cancelled = start { line.forEach { got += it } }
        assertTrue(line.trySend(1))
        cancelled.cancel()
        crank.run()
        assertUndelivered(1)
        val next = start { line.forEach { got += it } }
        assertTrue(line.trySend(2))
        crank.run()
        assertEquals(listOf(2), got)
        next.cancel()
    }

    // Closing

    @ParameterizedTest
    @EnumSource
    fun receiversFailWithTheCause(meeting: Meeting) {
        for (take in RECEIVING) {
            val line = meeting.line()
            val receivers = List(3) { start { line.take() } }
            val cause = Cause(meeting)
            assertTrue(line.close(cause))
            assertFalse(line.close(Cause("another")))
            crank.run()
            for (receiver in receivers + start { line.take() }) {
                assertSame(cause, receiver.getCompletionExceptionOrNull())
            }
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun anIterationEndsWhenTheLineIsClosedAndFailsIfThereIsACause(meeting: Meeting) {
        for (cause in listOf(null, Cause(meeting))) {
            for (before in listOf(true, false)) {
                val line = meeting.line()
                if (before) line.close(cause)
                val iteration = start { line.forEach { } }
                assertEquals(before, iteration.isCompleted)
                if (!before) line.close(cause)
                crank.run()
                assertSame(cause, iteration.getCompletionExceptionOrNull())
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun whoSendsToAClosedLineFailsAndItsElementIsUndelivered(meeting: Meeting) {
        val line = meeting.line()
        val cause = Cause(meeting)
        line.close(cause)
        assertSame(cause, start { line.send(1) }.getCompletionExceptionOrNull())
        assertUndelivered(1)
    }

    @ParameterizedTest
    @EnumSource
    fun whatWasHandedOverBeforeTheCloseIsReceived(meeting: Meeting) {
        for (take in RECEIVING) {
            val line = meeting.line()
            val receiver = start { line.take() }
            assertTrue(line.trySend(1))
            line.close(Cause(meeting))
            crank.run()
            assertEquals(1, receiver.getCompleted())
        }
        assertUndelivered()
    }

    // In place

    @ParameterizedTest
    @EnumSource
    fun aLongChainOfHandOffsOnUnconfinedDoesNotGrowTheStack(meeting: Meeting) {
        val line = meeting.line()
        val reply = meeting.line()
        var last = 0
        start(Dispatchers.Unconfined) { line.forEach { reply.send(it + 1) } }
        start(Dispatchers.Unconfined) { reply.forEach { if (it < MANY) line.send(it + 1) else last = it } }
        assertTrue(line.trySend(1))
        assertEquals(MANY, last)
    }

    @ParameterizedTest
    @EnumSource
    fun eachOfManySendersInPlaceIsServed(meeting: Meeting) {
        val line = meeting.line()
        var sent = 0
        repeat(MANY) { number ->
            start(Dispatchers.Unconfined) {
                line.send(number)
                sent++
                line.tryReceive() // which resumes the next
            }
        }
        line.tryReceive()
        assertEquals(MANY, sent)
        assertUndelivered()
    }
}
