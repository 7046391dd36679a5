package dev.cqs.lincheck

import dev.cqs.sync.ClosedException
import dev.cqs.sync.SynchronousQueue
import java.util.concurrent.TimeUnit.MICROSECONDS
import kotlin.reflect.KClass
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The views of the synchronous queues, for coroutines and for threads. */
@Tag("slow")
class SynchronousQueueViewsTest {
    @ParameterizedTest
    @EnumSource
    fun fairForCoroutines(strategy: Strategy) = strategy.verifyView(FairView::class, FirstInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun unfairForCoroutines(strategy: Strategy) = strategy.verifyView(UnfairView::class, LastInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun fairForCoroutinesThatIsClosed(strategy: Strategy) =
        strategy.verifyView(ClosedFairView::class, FirstInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun unfairForCoroutinesThatIsClosed(strategy: Strategy) =
        strategy.verifyView(ClosedUnfairView::class, LastInFirstOut::class)

    @ParameterizedTest
    @EnumSource
    fun fairForThreads(strategy: Strategy) = strategy.verifyForThreads(FairForThreads::class)

    @ParameterizedTest
    @EnumSource
    fun unfairForThreads(strategy: Strategy) = strategy.verifyForThreads(UnfairForThreads::class)
}

private fun Strategy.verifyView(operations: KClass<*>, order: KClass<*>) =
    verify(operations, order, scenarios = 3) { executionGenerator(PromptCancellations::class.java) }

private fun Strategy.verifyForThreads(operations: KClass<*>) =
    verify(operations, NoResultsOfThreads::class, scenarios = 0) { pairsOfThreads() }

// Coroutines

/** An element that is reported to the callback, for whichever reason, counts as undelivered. */
@Param(name = "element", gen = IntGen::class, conf = "1:9")
abstract class SynchronousQueueView(fair: Boolean) {
    private val elements = Elements()
    internal val queue = dev.cqs.coroutines.SynchronousQueue<Elements.Element>(
        if (fair) SynchronousQueue.fair() else SynchronousQueue.unfair(),
    ) { elements.missDelivery(it) }

    @Operation(promptCancellation = true)
    suspend fun send(@Param(name = "element") value: Int) {
        val element = elements.bring(value)
        dispatched { queue.send(element) }
        elements.sent(element)
    }

    @Operation(promptCancellation = true)
    suspend fun receive(): Int = elements.receive(dispatched { next() })

    internal abstract suspend fun next(): Elements.Element

    @Operation
    fun offer(@Param(name = "element") value: Int): Boolean {
        val element = elements.bring(value)
        val taken = queue.trySend(element)
        if (taken) elements.sent(element) else elements.keep(element)
        return taken
    }

    @Operation
    fun poll(): Int? = queue.tryReceive()?.let { elements.receive(it) }

    @Validate
    fun everyElementHasOneHolder() {
        elements.balance(queue.waitingSenders)
        check(queue.waitingSenders == 0 || queue.waitingReceivers == 0) { "both sides wait: $queue" }
    }
}

abstract class ReceivingView(fair: Boolean) : SynchronousQueueView(fair) {
    override suspend fun next() = queue.receive()
}

abstract class IteratingView(fair: Boolean) : SynchronousQueueView(fair) {
    override suspend fun next() = queue.iterator().next()
}

class FairView : IteratingView(true)

class UnfairView : ReceivingView(false)

class ClosedFairView : ReceivingView(true) {
    @Operation
    fun close() = queue.close()
}

class ClosedUnfairView : ReceivingView(false) {
    @Operation
    fun close() = queue.close()
}

// Threads

/**
 * Lincheck reports an error if all threads wait. So in each scenario as many elements are put as are taken, or one of
 * the threads closes the queue at the end. [Elements] records what was handed over.
 *
 * The clock of the model checker stands still, so timeouts pass under stress only. They are long enough to be enqueued,
 * and too short to be always matched.
 */
@Param(name = "element", gen = IntGen::class, conf = "1:9")
abstract class SynchronousQueueForThreads(fair: Boolean) {
    private val elements = Elements()
    private val queue = dev.cqs.threads.SynchronousQueue<Elements.Element>(fair)

    @Operation(blocking = true)
    fun put(@Param(name = "element") value: Int) = send(value) {
        queue.put(it)
        true
    }

    @Operation(blocking = true)
    fun take() = receive { queue.take() }

    @Operation(blocking = true)
    fun sendInTime(@Param(name = "element") value: Int) = send(value) { queue.offer(it, 5, MICROSECONDS) }

    @Operation(blocking = true)
    fun receiveInTime() = receive { queue.poll(5, MICROSECONDS) }

    @Operation
    fun trySend(@Param(name = "element") value: Int) = send(value) { queue.offer(it) }

    @Operation
    fun tryReceive() = receive { queue.poll() }

    private inline fun send(value: Int, way: (Elements.Element) -> Boolean) {
        val element = elements.bring(value)
        val taken = try {
            way(element)
        } catch (e: ClosedException) {
            false
        }
        if (taken) elements.sent(element) else elements.keep(element)
    }

    private inline fun receive(way: () -> Elements.Element?) {
        try {
            way()?.let { elements.receive(it) }
        } catch (e: ClosedException) {
            check(queue.isClosed)
        }
    }

    @Operation
    fun close() {
        queue.close(null)
    }

    @Validate
    fun everyElementHasOneHolder() {
        elements.balance(0)
        check(queue.waitingSenders() + queue.waitingReceivers() == 0) { "a waiter is left: ${queue.core()}" }
    }
}

class FairForThreads : SynchronousQueueForThreads(true)

class UnfairForThreads : SynchronousQueueForThreads(false)

/** An empty specification: all checks are made by [Elements]. */
@Suppress("UNUSED_PARAMETER")
class NoResultsOfThreads {
    fun put(value: Int) {}

    fun take() {}

    fun sendInTime(value: Int) {}

    fun receiveInTime() {}

    fun trySend(value: Int) {}

    fun tryReceive() {}

    fun close() {}
}

private fun Options<*, *>.pairsOfThreads() {
    addCustomScenario {
        parallel {
            thread {
                actor(SynchronousQueueForThreads::put, 1)
                actor(SynchronousQueueForThreads::put, 2)
            }
            thread { actor(SynchronousQueueForThreads::put, 3) }
            thread { for (n in 1..3) actor(SynchronousQueueForThreads::take) }
        }
    }
    addCustomScenario {
        parallel {
            thread {
                actor(SynchronousQueueForThreads::put, 1)
                actor(SynchronousQueueForThreads::sendInTime, 2)
            }
            thread {
                actor(SynchronousQueueForThreads::receiveInTime)
                actor(SynchronousQueueForThreads::take)
            }
            thread {
                actor(SynchronousQueueForThreads::tryReceive)
                actor(SynchronousQueueForThreads::close)
            }
        }
    }
    addCustomScenario {
        parallel {
            thread {
                actor(SynchronousQueueForThreads::sendInTime, 1)
                actor(SynchronousQueueForThreads::put, 2)
            }
            thread {
                actor(SynchronousQueueForThreads::take)
                actor(SynchronousQueueForThreads::receiveInTime)
            }
            thread {
                actor(SynchronousQueueForThreads::trySend, 3)
                actor(SynchronousQueueForThreads::close)
            }
        }
    }
}
