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

/** The queues under test. A contract test must hold for all of them. */
enum class RendezvousVariant(val make: (((Int) -> Unit)?) -> QueueEndpoints) {
    FAIR({ QueueEnds(SynchronousQueue.fair(it)) }),
    UNFAIR({ QueueEnds(SynchronousQueue.unfair(it)) }),
    KOTLINX({ ChannelEnds(Channel(Channel.RENDEZVOUS, onUndeliveredElement = it)) }),
    ;

    val isFair get() = this != UNFAIR
}

/** The operations of a queue or a channel. */
interface QueueEndpoints {
    suspend fun send(element: Int)
    fun trySend(element: Int): Boolean
    suspend fun receive(): Int
    fun tryReceive(): Int?
    suspend fun receiveByIterating(): Int?
    suspend fun forEach(action: suspend (Int) -> Unit)
    fun close(cause: Throwable?): Boolean
}

private class QueueEnds(private val queue: SynchronousQueue<Int>) : QueueEndpoints {
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

private class ChannelEnds(private val channel: Channel<Int>) : QueueEndpoints {
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

/** The contract that our fair and unfair queues share with a rendezvous channel. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class SynchronousQueueContractTest {
    /** An exception that kotlinx.coroutines cannot copy, so that the very same object arrives. */
    private class Cause(val why: Any) : Exception()

    private companion object {
        const val MANY = 100_000

        /** The functions that receive and may suspend. */
        val RECEIVING = listOf<suspend QueueEndpoints.() -> Int?>({ receive() }, { receiveByIterating() })
    }

    private val manualDispatcher = ManualDispatcher()
    private val undelivered = Collections.synchronizedList(ArrayList<Int>())

    private fun RendezvousVariant.queue() = make { undelivered += it }

    private fun <T> start(
        dispatcher: CoroutineDispatcher = manualDispatcher,
        mode: CoroutineStart = UNDISPATCHED,
        body: suspend () -> T,
    ): Deferred<T> = CoroutineScope(dispatcher).async(start = mode) { body() }

    private fun assertCancelled(deferred: Deferred<*>) {
        assertInstanceOf(CancellationException::class.java, deferred.getCompletionExceptionOrNull())
    }

    private fun assertUndelivered(vararg elements: Int) = assertEquals(elements.toList(), undelivered)

    // Hand-offs

    @ParameterizedTest
    @EnumSource
    fun aSenderSuspendsUntilItsElementIsTaken(variant: RendezvousVariant) {
        for (take in RECEIVING + listOf<suspend QueueEndpoints.() -> Int?>({ tryReceive() })) {
            val queue = variant.queue()
            val sender = start { queue.send(1) }
            assertFalse(sender.isCompleted)
            assertEquals(0, manualDispatcher.size)
            val receiver = start { queue.take() }
            assertEquals(1, receiver.getCompleted(), "the receiver does not suspend")
            assertFalse(sender.isCompleted)
            manualDispatcher.run()
            assertEquals(Unit, sender.getCompleted())
            start { queue.send(2) }
            assertEquals(2, start { queue.take() }.getCompleted())
            manualDispatcher.run()
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun aReceiverSuspendsUntilAnElementIsSent(variant: RendezvousVariant) {
        for (take in RECEIVING) {
            for (bring in listOf<suspend QueueEndpoints.(Int) -> Any>({ send(it) }, { assertTrue(trySend(it)) })) {
                val queue = variant.queue()
                val receiver = start { queue.take() }
                assertFalse(receiver.isCompleted)
                val sender = start { queue.bring(1) }
                assertTrue(sender.isCompleted, "the sender does not suspend")
                assertFalse(receiver.isCompleted)
                manualDispatcher.run()
                assertEquals(1, receiver.getCompleted())
            }
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun trySendAndTryReceiveSucceedOnlyIfACounterpartWaits(variant: RendezvousVariant) {
        val queue = variant.queue()
        assertFalse(queue.trySend(1))
        assertNull(queue.tryReceive())
        val receiver = start { queue.receive() }
        assertNull(queue.tryReceive())
        assertTrue(queue.trySend(2))
        assertFalse(queue.trySend(3), "the receiver was served, though it has not run")
        manualDispatcher.run()
        assertEquals(2, receiver.getCompleted())
        val sender = start { queue.send(4) }
        assertFalse(queue.trySend(5))
        assertEquals(4, queue.tryReceive())
        assertNull(queue.tryReceive())
        manualDispatcher.run()
        assertTrue(sender.isCompleted)
        assertUndelivered() // the caller keeps an element that it could not send
    }

    @ParameterizedTest
    @EnumSource
    fun waitersAreServedInFifoOrLifoOrder(variant: RendezvousVariant) {
        val numbers = (1..100).toList() // several segments
        val order = if (variant.isFair) numbers else numbers.reversed()
        val queue = variant.queue()
        numbers.forEach { start { queue.send(it) } }
        assertEquals(order, numbers.map { queue.tryReceive() })
        manualDispatcher.run()
        val receivers = numbers.map { start { queue.receive() } }
        order.forEach { assertTrue(queue.trySend(it)) }
        manualDispatcher.run()
        assertEquals(numbers, receivers.map { it.getCompleted() })
    }

    @ParameterizedTest
    @EnumSource
    fun anIteratorKeepsAnElementUntilNextTakesIt(variant: RendezvousVariant) {
        val queue = variant.queue()
        val got = ArrayList<Int>()
        val receiver = start { queue.forEach { got += it } }
        (1..10).forEach { number ->
            if (number % 2 == 0) start { queue.send(number) } // the iterator finds the element, or waits for it
            if (number % 2 == 1) assertTrue(queue.trySend(number))
            if (number % 3 == 0) manualDispatcher.run() else manualDispatcher.turn()
            manualDispatcher.run()
        }
        assertEquals((1..10).toList(), got)
        receiver.cancel()
        manualDispatcher.run()
        assertCancelled(receiver)
        assertUndelivered()
    }

    // Cancellation

    @ParameterizedTest
    @EnumSource
    fun aCallThatDoesNotSuspendDoesNotCheckForCancellation(variant: RendezvousVariant) {
        val queue = variant.queue()
        val receiver = start { queue.receive() }
        lateinit var late: Deferred<Any>
        late = start(mode = CoroutineStart.LAZY) {
            late.cancel()
            queue.send(1)
        }
        late.start()
        manualDispatcher.run()
        assertEquals(1, receiver.getCompleted())
        start { queue.send(2) }
        var received: Int? = null
        late = start(mode = CoroutineStart.LAZY) {
            late.cancel()
            received = queue.receive()
        }
        late.start()
        manualDispatcher.run()
        assertEquals(2, received)
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun aCallThatMustSuspendInACancelledJobFailsAtOnce(variant: RendezvousVariant) {
        for (body in listOf<suspend QueueEndpoints.() -> Any?>({ send(1) }, { receive() }, { receiveByIterating() })) {
            val queue = variant.queue()
            var thrown: Throwable? = null
            lateinit var job: Deferred<Any>
            job = start(mode = CoroutineStart.LAZY) {
                job.cancel()
                thrown = runCatching { queue.body() }.exceptionOrNull()
                "end"
            }
            job.start()
            manualDispatcher.run()
            assertInstanceOf(CancellationException::class.java, thrown)
            assertNull(queue.tryReceive())
            assertFalse(queue.trySend(2))
        }
        assertUndelivered(1)
    }

    @ParameterizedTest
    @EnumSource
    fun theElementOfACancelledSenderIsUndelivered(variant: RendezvousVariant) {
        val queue = variant.queue()
        val senders = (0..4).map { start { queue.send(it) } }
        senders[0].cancel()
        assertUndelivered(0) // though it has not run yet
        senders[4].cancel()
        senders[2].cancel()
        senders[2].cancel()
        assertUndelivered(0, 4, 2)
        assertEquals(setOf<Int?>(1, 3, null), List(3) { queue.tryReceive() }.toSet())
        manualDispatcher.run()
        listOf(0, 2, 4).forEach { assertCancelled(senders[it]) }
        listOf(1, 3).forEach { assertEquals(Unit, senders[it].getCompleted()) }
        assertUndelivered(0, 4, 2)
    }

    @ParameterizedTest
    @EnumSource
    fun aCancelledReceiverGetsNoElement(variant: RendezvousVariant) {
        for (take in RECEIVING) {
            val queue = variant.queue()
            val receivers = List(3) { start { queue.take() } }
            receivers[0].cancel()
            receivers[2].cancel()
            assertTrue(queue.trySend(1))
            assertFalse(queue.trySend(2))
            manualDispatcher.run()
            assertCancelled(receivers[0])
            assertCancelled(receivers[2])
            assertEquals(1, receivers[1].getCompleted())
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun anElementWhoseReceiverIsCancelledBeforeItRunsIsUndelivered(variant: RendezvousVariant) {
        for ((i, take) in RECEIVING.withIndex()) {
            val queue = variant.queue()
            val receiver = start { queue.take() }
            val other = start { queue.take() }
            val sender = start { queue.send(i) }
            assertEquals(Unit, sender.getCompleted())
            (if (variant.isFair) receiver else other).cancel()
            assertEquals(i, undelivered.size) // detected when the receiver is to run
            manualDispatcher.run()
            assertCancelled(if (variant.isFair) receiver else other)
            assertEquals(i + 1, undelivered.size)
            assertTrue(queue.trySend(10), "the other receiver still waits")
            manualDispatcher.run()
        }
        assertUndelivered(0, 1)
    }

    @ParameterizedTest
    @EnumSource
    fun aTakenElementIsDeliveredThoughItsSenderIsCancelledBeforeItRuns(variant: RendezvousVariant) {
        val queue = variant.queue()
        val sender = start { queue.send(1) }
        assertEquals(1, queue.tryReceive())
        sender.cancel()
        manualDispatcher.run()
        assertCancelled(sender)
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun aCancelledIterationCanBeContinuedByAnotherCoroutine(variant: RendezvousVariant) {
        val queue = variant.queue()
        val got = ArrayList<Int>()
        val cancelled = start { queue.forEach { got += it } }
        assertTrue(queue.trySend(1))
        cancelled.cancel()
        manualDispatcher.run()
        assertUndelivered(1)
        val next = start { queue.forEach { got += it } }
        assertTrue(queue.trySend(2))
        manualDispatcher.run()
        assertEquals(listOf(2), got)
        next.cancel()
    }

    // Closing

    @ParameterizedTest
    @EnumSource
    fun receiversFailWithTheCause(variant: RendezvousVariant) {
        for (take in RECEIVING) {
            val queue = variant.queue()
            val receivers = List(3) { start { queue.take() } }
            val cause = Cause(variant)
            assertTrue(queue.close(cause))
            assertFalse(queue.close(Cause("another")))
            manualDispatcher.run()
            for (receiver in receivers + start { queue.take() }) {
                assertSame(cause, receiver.getCompletionExceptionOrNull())
            }
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @EnumSource
    fun anIterationEndsWhenTheQueueIsClosedAndFailsIfThereIsACause(variant: RendezvousVariant) {
        for (cause in listOf(null, Cause(variant))) {
            for (before in listOf(true, false)) {
                val queue = variant.queue()
                if (before) queue.close(cause)
                val iteration = start { queue.forEach { } }
                assertEquals(before, iteration.isCompleted)
                if (!before) queue.close(cause)
                manualDispatcher.run()
                assertSame(cause, iteration.getCompletionExceptionOrNull())
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun aSendToAClosedQueueFailsAndItsElementIsUndelivered(variant: RendezvousVariant) {
        val queue = variant.queue()
        val cause = Cause(variant)
        queue.close(cause)
        assertSame(cause, start { queue.send(1) }.getCompletionExceptionOrNull())
        assertUndelivered(1)
    }

    @ParameterizedTest
    @EnumSource
    fun anElementHandedOverBeforeTheCloseIsReceived(variant: RendezvousVariant) {
        for (take in RECEIVING) {
            val queue = variant.queue()
            val receiver = start { queue.take() }
            assertTrue(queue.trySend(1))
            queue.close(Cause(variant))
            manualDispatcher.run()
            assertEquals(1, receiver.getCompleted())
        }
        assertUndelivered()
    }

    // Resumption in place

    @ParameterizedTest
    @EnumSource
    fun aLongChainOfHandOffsOnUnconfinedDoesNotGrowTheStack(variant: RendezvousVariant) {
        val queue = variant.queue()
        val reply = variant.queue()
        var last = 0
        start(Dispatchers.Unconfined) { queue.forEach { reply.send(it + 1) } }
        start(Dispatchers.Unconfined) { reply.forEach { if (it < MANY) queue.send(it + 1) else last = it } }
        assertTrue(queue.trySend(1))
        assertEquals(MANY, last)
    }

    @ParameterizedTest
    @EnumSource
    fun manySendersThatResumeEachOtherAreAllServed(variant: RendezvousVariant) {
        val queue = variant.queue()
        var sent = 0
        repeat(MANY) { number ->
            start(Dispatchers.Unconfined) {
                queue.send(number)
                sent++
                queue.tryReceive() // resumes the next sender
            }
        }
        queue.tryReceive()
        assertEquals(MANY, sent)
        assertUndelivered()
    }
}
