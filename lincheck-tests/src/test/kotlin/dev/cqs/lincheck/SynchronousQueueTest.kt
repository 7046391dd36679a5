package dev.cqs.lincheck

import dev.cqs.Rendezvous
import dev.cqs.Waiter
import dev.cqs.sync.ClosedException
import dev.cqs.sync.SynchronousQueue
import dev.cqs.sync.WaitFailure.Closed
import kotlin.reflect.KClass
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The synchronous queues of the core. */
@Tag("slow")
class SynchronousQueueTest {
    @ParameterizedTest
    @EnumSource
    fun fairOrder(strategy: Strategy) = strategy.verifyOrder(FairRequests::class, FairLists::class)

    @ParameterizedTest
    @EnumSource
    fun unfairOrder(strategy: Strategy) = strategy.verifyOrder(UnfairRequests::class, UnfairLists::class)

    @ParameterizedTest
    @EnumSource
    fun fairOrderUntilClosed(strategy: Strategy) =
        strategy.verifyOrder(FairRequestsUntilClosed::class, FairLists::class, scenarios = 0) { handOffClosings() }

    @ParameterizedTest
    @EnumSource
    fun unfairOrderUntilClosed(strategy: Strategy) =
        strategy.verifyOrder(UnfairRequestsUntilClosed::class, UnfairLists::class, scenarios = 0) { handOffClosings() }

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

// Requests whose results show the order

/**
 * Each thread has one request at a time. To enqueue is an operation of its own, so the specification knows which of two
 * waiting requests came first. The operation of a coroutine, in contrast, ends only when it was matched.
 *
 * [end] cancels the request or, if that is too late, waits until the counterpart has completed the match.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
@Param(name = "element", gen = IntGen::class, conf = "1:9")
abstract class RequestOperations {
    private val pending = BooleanArray(MOST_REQUESTS)

    protected abstract fun enter(thread: Int, element: Int?)

    /** ClosedDuringWaitsSpecification the request and returns its outcome. */
    protected abstract fun leave(thread: Int): String

    @Operation
    abstract fun offer(@Param(name = "element") element: Int): Boolean

    @Operation
    abstract fun poll(): Int?

    @Operation
    fun send(@Param(name = "thread") thread: Int, @Param(name = "element") element: Int) = beginRequest(thread, element)

    @Operation
    fun receive(@Param(name = "thread") thread: Int) = beginRequest(thread, null)

    private fun beginRequest(thread: Int, element: Int?): Boolean {
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

/**
 * The outcome of a request that was cancelled or closed. A waiter that the close has not reached yet can still be
 * cancelled.
 */
private const val KEPT = "as before"

/** The difficult scenarios: requests that are cancelled while they are matched, with others behind them. */
internal fun Options<*, *>.handOffCollisions() {
    cancelledSenders()
    cancelledReceivers()
    bothSidesCome()
    cancelledBuriedSenders()
}

/** The first waiting sender is cancelled while two receivers arrive, of which one only tries. */
internal fun Options<*, *>.cancelledSenders() {
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

/** As [cancelledSenders], with the sides exchanged. */
internal fun Options<*, *>.cancelledReceivers() {
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

/** Two requests arrive at an empty queue, and others are matched with them at once. */
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

/** Two requests below the top are cancelled while others arrive and are matched, so that a stack is swept. */
internal fun Options<*, *>.cancelledBuriedSenders() {
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
 * A close removes the waiters one by one, and a concurrent operation may be matched with one of the others meanwhile.
 * So there is one waiter only, or the results do not show which one is matched.
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

/** Gives scenarios a name for the operation. */
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

/** The specification, by lists. */
abstract class SynchronousQueueLists(private val fair: Boolean) :
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

class FairLists : SynchronousQueueLists(true)

class UnfairLists : SynchronousQueueLists(false)

internal fun <W> MutableList<W>.takeNext(fair: Boolean): W? = if (fair) removeFirstOrNull() else removeLastOrNull()
