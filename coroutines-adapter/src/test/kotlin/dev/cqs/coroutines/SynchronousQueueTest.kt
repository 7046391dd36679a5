package dev.cqs.coroutines

import dev.cqs.Rendezvous
import dev.cqs.Waiter
import dev.cqs.sync.ClosedException
import java.util.Collections
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.suspendCancellableCoroutine
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

/** What our queues offer beyond a rendezvous channel. The common contract is in [SynchronousQueueContractTest]. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class SynchronousQueueTest {
    private companion object {
        const val MANY = 100_000

        /** The functions that send and may suspend. */
        val SENDING = listOf<suspend SynchronousQueue<Any>.(Any) -> Boolean>(
            {
                send(it)
                true
            },
            { trySend(it, 1.hours) },
        )

        /** The functions that receive and may suspend. */
        val RECEIVING = listOf<suspend SynchronousQueue<Any>.() -> Any?>(
            { receive() },
            { tryReceive(1.hours) },
            { iterator().next() },
            {
                val iterator = iterator()
                if (iterator.hasNext()) iterator.next() else null
            },
        )
    }

    private val manualDispatcher = ManualDispatcher()
    private val scheduler = TestCoroutineScheduler()
    private val virtual = StandardTestDispatcher(scheduler)
    private val undelivered = Collections.synchronizedList(ArrayList<Any>())
    private val queue = queue(true)

    private fun queue(fair: Boolean): SynchronousQueue<Any> =
        if (fair) SynchronousQueue.fair { undelivered += it } else SynchronousQueue.unfair { undelivered += it }

    private fun <T> start(
        context: CoroutineContext = manualDispatcher,
        mode: CoroutineStart = UNDISPATCHED,
        body: suspend () -> T,
    ): Deferred<T> = CoroutineScope(context).async(start = mode) { body() }

    private fun Deferred<*>.failure(): Throwable? {
        assertTrue(isCompleted) { "it has ended: $this" }
        return getCompletionExceptionOrNull()
    }

    private fun assertCancelled(deferred: Deferred<*>) =
        assertInstanceOf(CancellationException::class.java, deferred.failure())

    private fun assertUndelivered(vararg elements: Any) = assertEquals(elements.toList(), undelivered)

    private fun SynchronousQueue<*>.assertNoWaiters() =
        assertEquals(listOf(0, 0), listOf(waitingSenders, waitingReceivers))

    // Timeouts

    @Test
    fun timeoutsOfZeroAndLessDoNotSuspend() {
        for (timeout in listOf(Duration.ZERO, (-1).nanoseconds, -Duration.INFINITE)) {
            assertEquals(false, start { queue.trySend(1, timeout) }.getCompleted())
            assertNull(start { queue.tryReceive(timeout) }.getCompleted())
            val receiver = start { queue.receive() }
            assertEquals(true, start { queue.trySend(1, timeout) }.getCompleted())
            val sender = start { queue.send(2) }
            assertEquals(2, start { queue.tryReceive(timeout) }.getCompleted())
            manualDispatcher.run()
            assertEquals(1, receiver.getCompleted())
            assertTrue(sender.isCompleted)
        }
        assertUndelivered()
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun aTimeoutLeavesTheElementWithItsSender(fair: Boolean) {
        val queue = queue(fair)
        for (ask in listOf<suspend () -> Any?>({ queue.trySend(1, 1.seconds) }, { queue.tryReceive(1.seconds) })) {
            val waiting = start(virtual, body = ask)
            scheduler.advanceTimeBy(1.seconds)
            assertFalse(waiting.isCompleted)
            assertEquals(1, queue.waitingSenders + queue.waitingReceivers)
            scheduler.runCurrent()
            assertTrue(waiting.getCompleted() == false || waiting.getCompleted() == null)
            queue.assertNoWaiters()
        }
        assertUndelivered()
    }

    @Test
    fun anElementTakenAsTheTimeoutPassesIsSent() {
        val sender = start(virtual) { queue.trySend(1, 1.seconds) }
        scheduler.advanceTimeBy(1.seconds)
        assertEquals(1, queue.tryReceive())
        scheduler.runCurrent() // the timeout passes first
        assertEquals(true, sender.getCompleted())
        assertUndelivered()
    }

    @Test
    fun anElementHandedOverAsTheTimeoutPassesIsReceived() {
        val receiver = start(virtual) { queue.tryReceive(1.seconds) }
        scheduler.advanceTimeBy(1.seconds)
        assertTrue(queue.trySend(1))
        scheduler.runCurrent() // the timeout passes first
        assertEquals(1, receiver.getCompleted())
        assertUndelivered()
    }

    @Test
    fun theElementOfACancelledTimedSenderIsUndeliveredOnce() {
        val sender = start { queue.trySend(1, 1.hours) }
        sender.cancel()
        manualDispatcher.run()
        assertCancelled(sender)
        assertUndelivered(1)
        queue.assertNoWaiters()
        assertNull(queue.tryReceive())
    }

    @Test
    fun theElementOfATimedSenderCancelledAfterItWasTakenIsDelivered() {
        val sender = start { queue.trySend(1, 1.hours) }
        assertEquals(1, queue.tryReceive())
        sender.cancel()
        manualDispatcher.run()
        assertCancelled(sender)
        assertUndelivered()
    }

    /** The cancellation comes after the inner coroutine, which has the timeout, has ended, and before the return. */
    @Test
    fun aTimedReceiverCancelledJustBeforeItReturnsReportsTheElementOnce() {
        val interceptor = Interceptor(keeps = true)
        val receiver = start(interceptor) { queue.tryReceive(1.hours) }
        assertTrue(queue.trySend(1))
        val resumption = interceptor.kept.remove()
        receiver.cancel()
        resumption.resume()
        while (true) (interceptor.kept.poll() ?: break).resume()
        assertCancelled(receiver)
        assertUndelivered(1)
    }

    /** Sends, and runs [meanwhile] when the receiver was removed from the queue and is not resumed yet. */
    private fun SynchronousQueue<Any>.sendSlowly(element: Any, meanwhile: () -> Unit) {
        val rendezvous = core.javaClass.getDeclaredField("rendezvous").apply {
            isAccessible = true
        }.get(core) as Rendezvous
        val receiver = checkNotNull(rendezvous.tryMatch(Rendezvous.Side.SENDER))
        meanwhile()
        assertTrue(Rendezvous.handOver(receiver, element))
    }

    @Test
    fun aReceiverThatTimesOutWaitsForAnElementOfAMatchedSender() {
        val receiver = start(virtual) { queue.tryReceive(1.seconds) }
        queue.sendSlowly(1) {
            scheduler.advanceTimeBy(2.seconds)
            assertFalse(receiver.isCompleted)
        }
        scheduler.runCurrent()
        assertEquals(1, receiver.getCompleted())
        assertUndelivered()
    }

    @Test
    fun anElementForAReceiverCancelledAfterTheMatchIsUndeliveredOnce() {
        for (take in RECEIVING) {
            undelivered.clear()
            val receiver = start { queue.take() }
            queue.sendSlowly(1) {
                receiver.cancel()
                manualDispatcher.run()
                assertUndelivered()
            }
            manualDispatcher.run()
            assertCancelled(receiver)
            assertUndelivered(1)
        }
    }

    // Closing

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun waitingSendersFailAndTheirElementsAreUndelivered(fair: Boolean) {
        for (bring in SENDING) {
            undelivered.clear()
            val queue = queue(fair)
            val senders = (1..3).map { start { queue.bring(it) } }
            val cause = Broken()
            assertTrue(queue.close(cause))
            assertFalse(queue.close())
            assertTrue(queue.isClosed)
            senders[1].cancel() // it is also closed
            manualDispatcher.run()
            assertSame(cause, senders[0].failure())
            if (bring === SENDING[0]) assertSame(cause, senders[1].failure()) else assertCancelled(senders[1])
            assertSame(cause, senders[2].failure())
            assertEquals(listOf<Any>(1, 2, 3), undelivered.sortedBy { it as Int })
            queue.assertNoWaiters()
        }
    }

    @Test
    fun aCloseFailsATimedSenderAndItsElementIsUndeliveredOnce() {
        for (cancel in listOf(true, false)) {
            undelivered.clear()
            val queue = queue(true)
            val sender = start { queue.trySend(1, 1.hours) }
            val cause = Broken()
            queue.close(cause)
            if (cancel) sender.cancel()
            manualDispatcher.run()
            if (cancel) assertCancelled(sender) else assertSame(cause, sender.failure())
            assertUndelivered(1)
        }
    }

    @Test
    fun timedReceiversFailWithTheCause() {
        val receiver = start { queue.tryReceive(1.hours) }
        val cause = Broken()
        queue.close(cause)
        manualDispatcher.run()
        for (failed in listOf(receiver, start { queue.tryReceive(1.hours) }, start { queue.tryReceive() })) {
            assertSame(cause, failed.failure())
        }
    }

    @Test
    fun anElementSentToAClosedQueueIsUndelivered() {
        val cause = Broken()
        queue.close(cause)
        SENDING.forEachIndexed { i, bring -> assertSame(cause, start { queue.bring(i) }.failure()) }
        assertSame(cause, assertThrows(Broken::class.java) { queue.trySend(2) })
        assertSame(cause, start { queue.trySend(3, Duration.ZERO) }.failure())
        assertUndelivered(0, 1, 2, 3)
    }

    @Test
    fun withoutACauseCallersFailWithAClosedException() {
        val waiting =
            RECEIVING.take(2).map { start { queue.it() } } +
                SENDING.map { start { queue(true).apply { close() }.it(1) } }
        assertTrue(queue.close())
        manualDispatcher.run()
        waiting.forEach {
            assertInstanceOf(ClosedException::class.java, it.failure())
            assertEquals("the synchronous queue is closed", it.failure()!!.message)
        }
        assertThrows(ClosedException::class.java) { queue.tryReceive() }
    }

    @Test
    fun aCauseThatIsAClosedExceptionIsThrownOutOfAnIteration() {
        class Other(val why: Any) : ClosedException("something else", null) // kotlinx.coroutines cannot copy it
        val cause = Other(this)
        val iteration = start { for (element in queue) throw AssertionError("an element: $element") }
        queue.close(cause)
        manualDispatcher.run()
        assertSame(cause, iteration.failure())
        assertSame(cause, start { queue.iterator().hasNext() }.failure())
    }

    // Iterators

    @Test
    fun anIteratorReceivesAnElementOnlyIfItHasNone() {
        for (waits in listOf(true, false)) {
            val iterator = queue.iterator()
            if (!waits) start { queue.send(1) }
            val receiver = start { List(3) { iterator.hasNext() } + iterator.next() }
            if (waits) assertTrue(queue.trySend(1))
            manualDispatcher.run()
            assertEquals(listOf(true, true, true, 1), receiver.getCompleted())
            queue.assertNoWaiters()
        }
    }

    @Test
    fun nextReceivesWithoutHasNext() {
        val iterator = queue.iterator()
        val receiver = start { List(3) { iterator.next() } }
        (1..3).forEach {
            assertTrue(queue.trySend(it))
            manualDispatcher.run()
        }
        assertEquals(listOf<Any>(1, 2, 3), receiver.getCompleted())
    }

    @Test
    fun afterTheEndThereIsNoElement() {
        val iterator = queue.iterator()
        val waiting = start { queue.iterator().next() }
        queue.close()
        manualDispatcher.run()
        assertInstanceOf(NoSuchElementException::class.java, waiting.failure())
        assertEquals(false, start { iterator.hasNext() }.getCompleted())
        assertInstanceOf(NoSuchElementException::class.java, start { iterator.next() }.failure())
    }

    /** The cancellation comes at each possible moment. */
    @Test
    fun anIteratorDoesNotKeepTheElementOfACancelledWait() {
        for (step in 0..2) {
            undelivered.clear()
            val queue = queue(true)
            val iterator = queue.iterator()
            val cancelled = start { iterator.hasNext() }
            when (step) {
                0 -> cancelled.cancel()

                1 -> {
                    assertTrue(queue.trySend(1))
                    cancelled.cancel()
                }

                2 -> queue.sendSlowly(1) { cancelled.cancel() }
            }
            manualDispatcher.run()
            assertCancelled(cancelled)
            assertEquals(if (step == 0) listOf() else listOf<Any>(1), undelivered)
            val next = start { iterator.next() }
            assertFalse(next.isCompleted)
            assertTrue(queue.trySend(2))
            manualDispatcher.run()
            assertEquals(2, next.getCompleted())
        }
    }

    // The callback

    /** Each function leaves an element undelivered, in the given context if it starts a coroutine. */
    private val failures = listOf<(SynchronousQueue<Any>, CoroutineContext) -> Unit>(
        { queue, context -> start(context) { queue.send(1) }.cancel() },
        { queue, context -> start(context) { queue.trySend(1, 1.hours) }.cancel() },
        { queue, context ->
            start(context) { queue.send(1) }
            queue.close()
        },
        { queue, context ->
            start(context) { queue.trySend(1, 1.hours) }
            queue.close()
        },
        { queue, context ->
            queue.close()
            start(context) { queue.send(1) }
        },
        { queue, context ->
            queue.close()
            start(context) { queue.trySend(1, 1.hours) }
        },
    ) + RECEIVING.map { take ->
        { queue: SynchronousQueue<Any>, context: CoroutineContext ->
            val receiver = start(context) { queue.take() }
            assertTrue(queue.trySend(1))
            receiver.cancel()
        }
    }

    @Test
    fun anExceptionOfTheCallbackGoesToTheHandlerOfTheCoroutine() {
        for ((i, fail) in failures.withIndex()) {
            val thrown = ArrayList<Throwable>()
            val broken = Broken()
            val queue = SynchronousQueue.fair<Any> { throw broken }
            fail(queue, manualDispatcher + CoroutineExceptionHandler { _, e -> thrown += e })
            manualDispatcher.run()
            assertEquals(listOf<Throwable>(broken), thrown) { "way $i" }
            queue.assertNoWaiters()
        }
    }

    @Test
    fun withoutAHandlerAnExceptionOfTheCallbackGoesToTheHandlerOfTheThread() {
        val thread = Thread.currentThread()
        val thrown = ArrayList<Throwable>()
        thread.setUncaughtExceptionHandler { _, e ->
            thrown += e
            throw e
        }
        try {
            val broken = Broken()
            val closed = { queue: SynchronousQueue<Any>, _: CoroutineContext ->
                queue.close()
                assertThrows(ClosedException::class.java) { queue.trySend(1) }
                Unit
            }
            for (fail in failures + closed) {
                thrown.clear()
                fail(SynchronousQueue.fair { throw broken }, manualDispatcher)
                manualDispatcher.run()
                assertEquals(listOf<Throwable>(broken), thrown)
            }
        } finally {
            thread.uncaughtExceptionHandler = null
        }
    }

    @Test
    fun withoutACallbackTheElementIsDroppedAndTheQueueStillWorks() {
        for (fair in listOf(true, false)) {
            for (fail in failures.filterIndexed { i, _ -> i !in 2..5 }) {
                val queue = if (fair) SynchronousQueue.fair<Any>() else SynchronousQueue.unfair()
                fail(queue, manualDispatcher)
                manualDispatcher.run()
                queue.assertNoWaiters()
                assertNull(queue.tryReceive())
                val receiver = start { queue.receive() }
                assertTrue(queue.trySend(2))
                manualDispatcher.run()
                assertEquals(2, receiver.getCompleted())
            }
        }
    }

    @Test
    fun theCallbackOfTheReceiversViewIsCalled() {
        val reported = ArrayList<String>()
        val core = dev.cqs.sync.SynchronousQueue.fair<String>()
        val (one, other) = listOf("one", "other").map { name -> core.asSynchronousQueue { reported += "$it by $name" } }
        val receiver = start { one.receive() }
        assertTrue(other.trySend("element"))
        receiver.cancel()
        start { other.send("another") }.cancel()
        manualDispatcher.run()
        assertEquals(listOf("another by other", "element by one"), reported)
    }

    @Test
    fun theCallbackMayUseTheQueue() {
        lateinit var queue: SynchronousQueue<Any>
        queue = SynchronousQueue.fair { if (!queue.trySend(it)) undelivered += it }
        val receivers = List(3) { start { queue.receive() } }
        assertTrue(queue.trySend(1))
        receivers[0].cancel()
        manualDispatcher.run()
        assertEquals(1, receivers[1].getCompleted())
        start { queue.send(2) }.cancel()
        manualDispatcher.run()
        assertEquals(2, receivers[2].getCompleted())
        start { queue.send(3) }.cancel()
        assertUndelivered(3)
    }

    // Races at the suspension

    @Test
    fun aCounterpartThatArrivesJustBeforeTheSuspensionIsMatched() {
        for (take in RECEIVING) {
            val interceptor = Interceptor()
            interceptor.onIntercept = { start { queue.send(1) } }
            assertEquals(1, start(interceptor) { queue.take() }.getCompleted())
        }
        for (bring in SENDING) {
            val interceptor = Interceptor()
            interceptor.onIntercept = { start { queue.receive() } }
            assertEquals(true, start(interceptor) { queue.bring(1) }.getCompleted())
        }
        manualDispatcher.run()
        queue.assertNoWaiters()
        assertUndelivered()
    }

    /** Otherwise it would be handed an element that it cannot receive. */
    @Test
    fun aCoroutineCancelledJustBeforeTheSuspensionIsNotMatched() {
        for (take in RECEIVING) {
            val interceptor = Interceptor()
            lateinit var receiver: Deferred<Any?>
            receiver = start(interceptor, CoroutineStart.LAZY) {
                interceptor.onIntercept = {
                    start { queue.send(1) }
                    receiver.cancel()
                }
                queue.take()
            }
            receiver.start()
            assertCancelled(receiver)
            assertEquals(1, queue.tryReceive(), "the sender still waits")
            assertUndelivered()
        }
    }

    /**
     * A waiter that runs [meanwhile] when it is matched, and then refuses. No real waiter of a synchronous queue
     * refuses, but this lets the test act while another waiter is about to be enqueued.
     */
    private class RefusingSender(private val meanwhile: () -> Unit) :
        Waiter(),
        Rendezvous.Sender<Any> {
        override fun element() = "never taken"

        override fun tryResume(value: Any): Boolean {
            meanwhile()
            return false
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun aCoroutineCancelledWhileItIsEnqueuedDoesNotStay(fair: Boolean) {
        val queue = queue(fair)
        for (bring in SENDING) {
            undelivered.clear()
            val sender = cancelledAsItIsEnqueued({ queue.core.receive(it) }) { queue.bring(1) }
            assertCancelled(sender)
            assertUndelivered(1)
            queue.assertNoWaiters()
        }
        undelivered.clear()
        for (take in RECEIVING) {
            val receiver = cancelledAsItIsEnqueued({ queue.core.send(it) }) { queue.take() }
            assertCancelled(receiver)
            queue.assertNoWaiters()
            assertFalse(queue.trySend(2))
        }
        assertUndelivered()
    }

    /** The call finds no waiter. Then one arrives, is matched with it, cancels it, and refuses. */
    private fun cancelledAsItIsEnqueued(comes: (RefusingSender) -> Unit, body: suspend () -> Any?): Deferred<Any?> {
        val interceptor = Interceptor()
        lateinit var started: Deferred<Any?>
        started = start(interceptor, CoroutineStart.LAZY) {
            interceptor.onIntercept = { comes(RefusingSender { started.cancel() }) }
            body()
        }
        started.start()
        return started
    }

    /** Before that, the cell that the waiter references may not be its own. */
    @Test
    fun aCancellationHandlerHasNoEffectBeforeItsWaiterIsEnqueued() {
        var left = 0
        val waiter = object : SynchronousQueueWaiter() {
            override fun tryResume(value: Any) = true

            override fun onCancelled() {
                left++
            }
        }
        val coroutine = start {
            suspendCancellableCoroutine<Unit> { continuation ->
                assertTrue(waiter.handleCancellation(continuation))
                queue.core.receive(waiter)
                continuation.cancel()
                assertEquals(1, queue.waitingReceivers)
                assertEquals(0, left)
                waiter.enqueued(continuation)
            }
        }
        manualDispatcher.run()
        assertCancelled(coroutine)
        queue.assertNoWaiters()
        assertEquals(1, left)
    }

    @Test
    fun withoutADispatcherACoroutineServedBeforeItsCancellationContinues() {
        for (take in RECEIVING.filterIndexed { i, _ -> i != 1 }) {
            val interceptor = Interceptor(keeps = true)
            var received: Any? = null
            val receiver = start(interceptor) { received = queue.take() }
            assertTrue(queue.trySend(1))
            receiver.cancel()
            interceptor.kept.remove().resume()
            assertEquals(1, received)
            assertUndelivered()
        }
    }

    /** [SynchronousQueueContractTest] has the case with a dispatcher. */
    @Test
    fun manySendersAndReceiversAreServedInPlaceWithoutGrowingTheStack() {
        for (fair in listOf(true, false)) {
            val queue = queue(fair)
            var served = 0
            repeat(MANY) { number ->
                startInPlace {
                    queue.send(number)
                    queue.tryReceive() // resumes the next sender
                    served++
                }
            }
            queue.tryReceive()
            assertEquals(MANY, served)
            repeat(MANY) {
                startInPlace {
                    val element = queue.receive()
                    queue.trySend(element)
                    served--
                }
            }
            assertTrue(queue.trySend("element"))
            assertEquals(0, served)
        }
    }

    // Views

    @Test
    fun viewsOfOneQueueAgree() {
        val other = queue.core.asSynchronousQueue()
        assertSame(queue.core, other.core)
        assertTrue(queue.isFair && other.isFair)
        assertFalse(queue(false).isFair)
        val senders = List(2) { start { queue.send(it) } }
        assertEquals(listOf(2, 0), listOf(other.waitingSenders, other.waitingReceivers))
        assertEquals(queue.core.toString(), other.toString())
        assertEquals(listOf<Any?>(0, 1), List(2) { other.tryReceive() })
        start { other.receive() }
        assertEquals(listOf(0, 1), listOf(queue.waitingSenders, queue.waitingReceivers))
        assertTrue(other.close())
        assertTrue(queue.isClosed)
        manualDispatcher.run()
        senders.forEach { assertEquals(Unit, it.getCompleted()) }
    }

    @Test
    fun anythingCanBeAnElement() {
        for (take in RECEIVING) {
            for (element in listOf(
                Thread.currentThread(),
                CancellationException(),
                Unit,
                false,
                RefusingSender {
                },
                Continuation<Unit>(EmptyCoroutineContext) {},
            )) {
                val receiver = start { queue.take() }
                assertTrue(queue.trySend(element))
                manualDispatcher.run()
                assertSame(element, receiver.getCompleted())
            }
        }
    }
}
