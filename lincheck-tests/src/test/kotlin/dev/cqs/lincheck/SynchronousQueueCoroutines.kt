package dev.cqs.lincheck

import dev.cqs.Rendezvous
import dev.cqs.sync.ClosedException
import dev.cqs.sync.SynchronousQueue
import dev.cqs.sync.WaitFailure.Closed
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.Validate

// The operations of the synchronous queues for coroutines that are cancelled, and their specification.

/** Records which caller has each element. */
internal class Elements {
    class Element(val value: Int) {
        var sent = false
        var kept = false
        var received = 0
        var undelivered = 0
    }

    private val all = ArrayList<Element>()

    @Synchronized
    fun bring(value: Int) = Element(value).also { all += it }

    @Synchronized
    fun sent(element: Element) {
        element.sent = true
    }

    /** The sender keeps the element, or was cancelled too late for that. */
    @Synchronized
    fun keep(element: Element) {
        element.kept = true
    }

    @Synchronized
    fun receive(element: Element): Int {
        element.received++
        return element.value
    }

    @Synchronized
    fun missDelivery(element: Element) {
        element.undelivered++
    }

    /** Checks that each element is with one caller, or with a sender that still waits. */
    @Synchronized
    fun balance(waitingSenders: Int) {
        for (element in all) {
            val hands = element.received + element.undelivered + if (element.kept) 1 else 0
            check(hands <= 1) { "an element has $hands holders" }
            check(!element.sent || hands == 1) { "the element of a sender that returned is lost" }
            check(!element.sent || !element.kept) { "a sender that returned has kept its element" }
        }
        val waiting = all.count { it.received + it.undelivered == 0 && !it.kept }
        check(waiting == waitingSenders) { "$waiting elements have no holder, and $waitingSenders senders wait" }
    }
}

private class SendingWaiter(
    continuation: CancellableContinuation<Any>,
    private val elements: Elements,
    private val element: Elements.Element,
) : SuspendingWaiter(continuation, {}),
    Rendezvous.Sender<Elements.Element> {
    override fun element() = element

    override fun tryResume(value: Any): Boolean {
        if (value is Closed) elements.keep(element)
        return super.tryResume(value)
    }
}

/**
 * [Elements] records where each element is at the end, also those of cancelled coroutines.
 *
 * A receiver may suspend though a sender waits, if the counterpart of that sender has taken its cell and is not done
 * yet. Lincheck allows such an extra suspension. It does not allow that both still wait at the end.
 */
@Param(name = "element", gen = IntGen::class, conf = "1:9")
abstract class SynchronousQueueOperations(fair: Boolean) {
    private val queue: SynchronousQueue<Elements.Element> =
        if (fair) SynchronousQueue.fair() else SynchronousQueue.unfair()
    private val elements = Elements()

    @Operation(promptCancellation = true)
    suspend fun send(@Param(name = "element") value: Int) {
        val element = elements.bring(value)
        val outcome = dispatched<Any> {
            suspendCancellableCoroutine { continuation ->
                val waiter = SendingWaiter(continuation, elements, element)
                queue.send(waiter)
                waiter.leaveOnCancellation { elements.keep(element) }
            }
        }
        if (outcome is Closed) throw outcome.exception()
        elements.sent(element)
    }

    @Operation(promptCancellation = true)
    suspend fun receive(): Int {
        val outcome = dispatched<Any> {
            suspendCancellableCoroutine { continuation ->
                val waiter = SuspendingWaiter(continuation) { if (it is Elements.Element) elements.missDelivery(it) }
                queue.receive(waiter)
                waiter.leaveOnCancellation()
            }
        }
        if (outcome is Closed) throw outcome.exception()
        return elements.receive(outcome as Elements.Element)
    }

    @Operation
    fun offer(@Param(name = "element") value: Int): Boolean {
        val element = elements.bring(value)
        var taken = false
        try {
            taken = queue.offer(element)
        } finally {
            if (taken) elements.sent(element) else elements.keep(element)
        }
        return taken
    }

    @Operation
    fun poll(): Int? = queue.poll()?.let { elements.receive(it) }

    internal fun closeQueue() = queue.close(null)

    @Validate
    fun everyElementHasOneHolder() {
        elements.balance(queue.waitingSenders())
        check(queue.waitingSenders() == 0 || queue.waitingReceivers() == 0) { "both sides wait: $queue" }
    }
}

class FairHandOff : SynchronousQueueOperations(true)

class UnfairHandOff : SynchronousQueueOperations(false)

class ClosedFairHandOff : SynchronousQueueOperations(true) {
    @Operation
    fun close() = closeQueue()
}

class ClosedUnfairHandOff : SynchronousQueueOperations(false) {
    @Operation
    fun close() = closeQueue()
}

/** The specification: the lists of waiting callers. */
abstract class SynchronousQueueSpecification(private val fair: Boolean) {
    private class Sender(val element: Int, val continuation: CancellableContinuation<Unit>)

    private val senders = ArrayList<Sender>()
    private val receivers = ArrayList<CancellableContinuation<Int>>()
    private var closed = false

    suspend fun send(element: Int) {
        if (offer(element)) return
        suspendCancellableCoroutine { continuation ->
            val sender = Sender(element, continuation)
            senders += sender
            continuation.invokeOnCancellation { senders -= sender }
        }
    }

    suspend fun receive(): Int = poll() ?: suspendCancellableCoroutine { continuation ->
        receivers += continuation
        continuation.invokeOnCancellation { receivers -= continuation }
    }

    fun offer(element: Int): Boolean {
        if (closed) throw closedException()
        val receiver = receivers.takeNext(fair) ?: return false
        receiver.resume(element) { _, _, _ -> }
        return true
    }

    fun poll(): Int? {
        if (closed) throw closedException()
        val sender = senders.takeNext(fair) ?: return null
        sender.continuation.resume(Unit) { _, _, _ -> }
        return sender.element
    }

    fun close(): Boolean {
        senders.forEach { it.continuation.resumeWithException(closedException()) }
        receivers.forEach { it.resumeWithException(closedException()) }
        senders.clear()
        receivers.clear()
        return !closed.also { closed = true }
    }

    private fun closedException() = ClosedException("closed", null)

    override fun equals(other: Any?) = other is SynchronousQueueSpecification && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(closed, senders.map { it.element }, receivers.size)
}

class FirstInFirstOut : SynchronousQueueSpecification(true)

class LastInFirstOut : SynchronousQueueSpecification(false)
