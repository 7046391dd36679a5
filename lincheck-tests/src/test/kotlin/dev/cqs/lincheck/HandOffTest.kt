package dev.cqs.lincheck

import dev.cqs.Rendezvous
import dev.cqs.Waiter
import dev.cqs.sync.ClosedException
import dev.cqs.sync.SynchronousQueue
import dev.cqs.sync.WaitFailure.Closed
import kotlin.coroutines.resumeWithException
import kotlin.reflect.KClass
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The synchronous queues of the library, as the adapters use them. */
@Tag("slow")
class HandOffTest {
    @ParameterizedTest
    @EnumSource
    fun fairOrder(strategy: Strategy) = strategy.verifyOrder(FairRequests::class, FairTurns::class)

    @ParameterizedTest
    @EnumSource
    fun unfairOrder(strategy: Strategy) = strategy.verifyOrder(UnfairRequests::class, UnfairTurns::class)

    @ParameterizedTest
    @EnumSource
    fun fairOrderUntilClosed(strategy: Strategy) =
        strategy.verifyOrder(FairRequestsUntilClosed::class, FairTurns::class, scenarios = 0) { handOffClosings() }

    @ParameterizedTest
    @EnumSource
    fun unfairOrderUntilClosed(strategy: Strategy) =
        strategy.verifyOrder(UnfairRequestsUntilClosed::class, UnfairTurns::class, scenarios = 0) { handOffClosings() }

    @ParameterizedTest
    @EnumSource
    fun fair(strategy: Strategy) = strategy.verifyHandOff(FairHandOff::class, FirstInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun unfair(strategy: Strategy) = strategy.verifyHandOff(UnfairHandOff::class, LastInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun fairThatIsClosed(strategy: Strategy) = strategy.verifyHandOff(ClosedFairHandOff::class, FirstInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun unfairThatIsClosed(strategy: Strategy) =
        strategy.verifyHandOff(ClosedUnfairHandOff::class, LastInFirstOut::class)
}

private fun Strategy.verifyHandOff(operations: KClass<*>, order: KClass<*>) =
    verify(operations, order, obstructionFree = true, scenarios = 3) {
        executionGenerator(PromptCancellations::class.java)
    }

private fun Strategy.verifyOrder(
    operations: KClass<*>,
    order: KClass<*>,
    scenarios: Int = 3,
    more: Options<*, *>.() -> Unit = { handOffCollisions() },
) = verify(operations, order, scenarios = scenarios, more = more)

// Requests, which show the order

/**
 * Each thread has one request at a time. Of two that wait at the same time the specification knows which came first,
 * because to enqueue is an operation of its own; that of a coroutine ends only when it was matched.
 *
 * [end] gives the request up, or if it is too late for that, waits until the other has made its step.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
@Param(name = "element", gen = IntGen::class, conf = "1:9")
abstract class RequestOperations {
    private val pending = BooleanArray(MOST_REQUESTS)

    protected abstract fun enter(thread: Int, element: Int?)

    /** What the request has come to. */
    protected abstract fun leave(thread: Int): String

    @Operation
    abstract fun offer(@Param(name = "element") element: Int): Boolean

    @Operation
    abstract fun poll(): Int?

    @Operation
    fun send(@Param(name = "thread") thread: Int, @Param(name = "element") element: Int) = ask(thread, element)

    @Operation
    fun receive(@Param(name = "thread") thread: Int) = ask(thread, null)

    private fun ask(thread: Int, element: Int?): Boolean {
        if (pending[thread]) return false
        pending[thread] = true
        enter(thread, element)
        return true
    }

    @Operation(blocking = true)
    fun end(@Param(name = "thread") thread: Int): String? {
        if (!pending[thread]) return null
        return leave(thread).also { pending[thread] = false }
    }

    override fun equals(other: Any?) = other is RequestOperations && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    protected open fun parts(): List<Any> = pending.toList()
}

private const val MOST_REQUESTS = 6
private const val TAKEN = "taken"

/** Given up, or closed: a waiter that the closing has not come to yet can still be given up. */
private const val KEPT = "as before"

/** What is hard: requests that are cancelled while they are matched, with others behind them. */
internal fun Options<*, *>.handOffCollisions() {
    sendersGiveUp()
    receiversGiveUp()
    bothSidesCome()
    buriedSendersGiveUp()
}

/** The first that waits gives up while two come for it, one of which only tries. */
internal fun Options<*, *>.sendersGiveUp() {
    for (waiting in 1..2) {
        addCustomScenario {
            initial { for (thread in 1..waiting) actor(RequestOperations::send, thread, thread) }
            parallel {
                thread {
                    actor(RequestOperations::poll)
                    actor(RequestOperations::end, 1)
                }
                thread {
                    actor(RequestOperations::receive, 3)
                    actor(RequestOperations::end, 3)
                }
                thread {
                    actor(RequestOperations::end, 2)
                    actor(RequestOperations::poll)
                }
            }
        }
    }
}

/** The same from the other side. */
internal fun Options<*, *>.receiversGiveUp() {
    for (waiting in 1..2) {
        addCustomScenario {
            initial { for (thread in 1..waiting) actor(RequestOperations::receive, thread) }
            parallel {
                thread {
                    actor(RequestOperations::offer, 8)
                    actor(RequestOperations::end, 1)
                }
                thread {
                    actor(RequestOperations::send, 3, 3)
                    actor(RequestOperations::end, 3)
                }
                thread {
                    actor(RequestOperations::end, 2)
                    actor(RequestOperations::offer, 9)
                }
            }
        }
    }
}

/** Two come to an empty queue, and others are matched with them at once. */
internal fun Options<*, *>.bothSidesCome() {
    addCustomScenario {
        parallel {
            thread {
                actor(RequestOperations::send, 1, 1)
                actor(RequestOperations::poll)
                actor(RequestOperations::end, 1)
            }
            thread {
                actor(RequestOperations::send, 2, 2)
                actor(RequestOperations::end, 2)
            }
            thread {
                actor(RequestOperations::receive, 3)
                actor(RequestOperations::poll)
                actor(RequestOperations::end, 3)
            }
        }
    }
}

/** Two are cancelled that are not the last that came, while others come and are matched: a stack is swept. */
internal fun Options<*, *>.buriedSendersGiveUp() {
    addCustomScenario {
        initial { for (thread in 1..3) actor(RequestOperations::send, thread, thread) }
        parallel {
            thread {
                actor(RequestOperations::end, 1)
                actor(RequestOperations::end, 3)
            }
            thread {
                actor(RequestOperations::poll)
                actor(RequestOperations::poll)
            }
            thread {
                actor(RequestOperations::end, 2)
                actor(RequestOperations::send, 4, 4)
            }
        }
    }
}

/**
 * The closing takes out the waiters one by one, and an operation that is under way may be matched with one of the others
 * meanwhile. So either one waits, or it does not show in the results which of them is matched.
 */
internal fun Options<*, *>.handOffClosings() {
    for (waiting in 1..2) {
        addCustomScenario {
            initial { for (thread in 1..waiting) actor(RequestOperations::send, thread, 1) }
            parallel {
                thread { actor(ClosableRequests::close) }
                thread {
                    actor(RequestOperations::poll)
                    if (waiting == 1) actor(RequestOperations::end, 1) else actor(RequestOperations::poll)
                }
                thread {
                    actor(RequestOperations::receive, 3)
                    actor(RequestOperations::end, 3)
                }
            }
        }
        addCustomScenario {
            initial { for (thread in 1..waiting) actor(RequestOperations::receive, thread) }
            parallel {
                thread { actor(ClosableRequests::close) }
                thread {
                    actor(RequestOperations::offer, 8)
                    if (waiting == 1) actor(RequestOperations::end, 1) else actor(RequestOperations::offer, 9)
                }
                thread {
                    actor(RequestOperations::send, 3, 3)
                    actor(RequestOperations::end, 3)
                }
            }
        }
    }
    addCustomScenario {
        parallel {
            thread { actor(ClosableRequests::close) }
            thread { actor(RequestOperations::send, 2, 2) }
            thread {
                actor(RequestOperations::receive, 3)
                actor(RequestOperations::end, 3)
            }
        }
    }
}

/** To name the operation in scenarios. */
interface ClosableRequests {
    fun close(): Boolean
}

@Suppress("PLATFORM_CLASS_MAPPED_TO_KOTLIN") // for its monitor
abstract class LibraryRequests(fair: Boolean) : RequestOperations() {
    private open class Request : Waiter() {
        private var outcome: Any? = null

        override fun tryResume(value: Any): Boolean = synchronized(this) {
            outcome = value
            (this as Object).notifyAll()
            true
        }

        fun leave(): String {
            if (cancel()) return KEPT
            synchronized(this) {
                while (outcome == null) (this as Object).wait()
            }
            return if (outcome === SynchronousQueue.TAKEN) {
                TAKEN
            } else if (outcome is Closed) {
                KEPT
            } else {
                "$outcome"
            }
        }
    }

    private class Sending(private val element: Int) :
        Request(),
        Rendezvous.Sender<Int> {
        override fun element() = element
    }

    private val queue: SynchronousQueue<Int> = if (fair) SynchronousQueue.fair() else SynchronousQueue.unfair()
    private val requests = arrayOfNulls<Request>(MOST_REQUESTS)

    override fun enter(thread: Int, element: Int?) {
        if (element == null) {
            val request = Request()
            requests[thread] = request
            queue.receive(request)
        } else {
            val request = Sending(element)
            requests[thread] = request
            queue.send(request)
        }
    }

    override fun leave(thread: Int) = requests[thread]!!.leave()

    override fun offer(element: Int) = queue.offer(element)

    override fun poll(): Int? = queue.poll()

    internal fun closeQueue() = queue.close(null)

    @Validate
    fun oneSideWaitsAtTheMostAndNoneOnceClosed() {
        val senders = queue.waitingSenders()
        val receivers = queue.waitingReceivers()
        check(senders == 0 || receivers == 0) { "both sides wait: $queue" }
        check(!queue.isClosed || senders + receivers == 0) { "a waiter is left: $queue" }
    }
}

class FairRequests : LibraryRequests(true)

class UnfairRequests : LibraryRequests(false)

class FairRequestsUntilClosed :
    LibraryRequests(true),
    ClosableRequests {
    @Operation
    override fun close() = closeQueue()
}

class UnfairRequestsUntilClosed :
    LibraryRequests(false),
    ClosableRequests {
    @Operation
    override fun close() = closeQueue()
}

/** The same by lists: what they do one at a time. */
abstract class HandOffTurns(private val fair: Boolean) :
    RequestOperations(),
    ClosableRequests {
    private val senders = ArrayList<Pair<Int, Int>>()
    private val receivers = ArrayList<Int>()
    private val outcomes = arrayOfNulls<String>(MOST_REQUESTS)
    private var closed = false

    override fun enter(thread: Int, element: Int?) {
        if (closed) {
            outcomes[thread] = KEPT
        } else if (element == null) {
            val taken = poll()
            if (taken == null) receivers += thread else outcomes[thread] = "$taken"
        } else {
            if (offer(element)) outcomes[thread] = TAKEN else senders += thread to element
        }
    }

    override fun leave(thread: Int): String {
        senders.removeIf { it.first == thread }
        receivers.remove(thread as Any)
        return (outcomes[thread] ?: KEPT).also { outcomes[thread] = null }
    }

    override fun offer(element: Int): Boolean {
        if (closed) throw ClosedException("closed", null)
        val receiver = receivers.takeNext(fair) ?: return false
        outcomes[receiver] = "$element"
        return true
    }

    override fun poll(): Int? {
        if (closed) throw ClosedException("closed", null)
        val (sender, element) = senders.takeNext(fair) ?: return null
        outcomes[sender] = TAKEN
        return element
    }

    override fun close(): Boolean {
        for (thread in senders.map { it.first } + receivers) outcomes[thread] = KEPT
        senders.clear()
        receivers.clear()
        return !closed.also { closed = true }
    }

    override fun parts() = super.parts() + listOf(closed, senders, receivers, outcomes.toList())
}

class FairTurns : HandOffTurns(true)

class UnfairTurns : HandOffTurns(false)

private fun <W> MutableList<W>.takeNext(fair: Boolean): W? = if (fair) removeFirstOrNull() else removeLastOrNull()

// Coroutines, which are cancelled

/** The books: which caller has each element. */
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

    /** By the sender, or it was cancelled too late for that. */
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

    /** Every element is with one caller, or with a sender that still waits. */
    @Synchronized
    fun balance(waitingSenders: Int) {
        for (element in all) {
            val hands = element.received + element.undelivered + if (element.kept) 1 else 0
            check(hands <= 1) { "an element is there $hands times" }
            check(!element.sent || hands == 1) { "the element of a sender that returned is lost" }
            check(!element.sent || !element.kept) { "a sender has returned and kept its element" }
        }
        val waiting = all.count { it.received + it.undelivered == 0 && !it.kept }
        check(waiting == waitingSenders) { "$waiting elements are nowhere, but $waitingSenders senders wait" }
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
 * Where each element is in the end, those of cancelled coroutines included, is in the books.
 *
 * A receiver may suspend although a sender waits: the counterpart of that sender has taken its cell and is still on its way.
 * Lincheck always allows such an extra suspension. That both wait in the end it does not allow.
 */
@Param(name = "element", gen = IntGen::class, conf = "1:9")
abstract class HandOffOperations(fair: Boolean) {
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
    fun everyElementIsInOneHand() {
        elements.balance(queue.waitingSenders())
        check(queue.waitingSenders() == 0 || queue.waitingReceivers() == 0) { "both sides wait: $queue" }
    }
}

class FairHandOff : HandOffOperations(true)

class UnfairHandOff : HandOffOperations(false)

class ClosedFairHandOff : HandOffOperations(true) {
    @Operation
    fun close() = closeQueue()
}

class ClosedUnfairHandOff : HandOffOperations(false) {
    @Operation
    fun close() = closeQueue()
}

/** The specification: which callers wait. */
abstract class HandOffSpecification(private val fair: Boolean) {
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

    override fun equals(other: Any?) = other is HandOffSpecification && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(closed, senders.map { it.element }, receivers.size)
}

class FirstInFirstOut : HandOffSpecification(true)

class LastInFirstOut : HandOffSpecification(false)
