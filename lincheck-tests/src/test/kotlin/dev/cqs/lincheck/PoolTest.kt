package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.pool.Pool
import dev.cqs.sync.WaitFailure
import java.util.IdentityHashMap
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The pools of the core. If elements are not distinguished, a pool is a semaphore: requests are served in FIFO order,
 * and `tryTake` finds an element if there is one. At the end the tests check that each element is there once.
 */
@Tag("slow")
class PoolTest {
    @ParameterizedTest
    @EnumSource
    fun queue(strategy: Strategy) = strategy.verify(QueuePool::class, NoPermit::class, scenarios = 6)

    @ParameterizedTest
    @EnumSource
    fun stack(strategy: Strategy) = strategy.verify(StackPool::class, NoPermit::class, scenarios = 6)

    @ParameterizedTest
    @EnumSource
    fun queueThatIsClosed(strategy: Strategy) =
        strategy.verify(ClosedQueuePool::class, NoPermit::class, scenarios = 4) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun stackThatIsClosed(strategy: Strategy) =
        strategy.verify(ClosedStackPool::class, NoPermit::class, scenarios = 4) { actorsPerThread(2) }

    /**
     * With distinguished elements, in FIFO order, for two threads. With a third thread, a put may take an element that
     * another operation has put or reserved, break the cell of the request that it serves, and put the element again,
     * behind others.
     */
    @ParameterizedTest
    @EnumSource
    fun elementsOfAQueueInFifoOrder(strategy: Strategy) =
        strategy.verify(OrderedQueuePool::class, FifoElements::class, scenarios = 8) { threads(2) }

    /**
     * A coroutine is cancelled after an element was handed to it, and the element must go back. With three operations
     * in a thread, Lincheck finds the defect, too, but then fails to print the execution.
     */
    @Test
    fun poolThatForgetsTheElementOfAPromptCancellation() =
        assertFound(ForgetsElement::class, NoPermit::class, scenarios = 200) { actorsPerThread(2) }
}

class NoPermit : FifoSemaphore(0)

private class Element

/** A coroutine that waits for an element, and gives it back after a prompt cancellation. */
private class TakingWaiter(
    private val continuation: CancellableContinuation<Any>,
    private val giveBack: (Any) -> Unit,
) : Waiter() {
    private var element: Any? = null

    override fun tryResume(value: Any): Boolean {
        if (value is WaitFailure) {
            continuation.resumeWithException(value.exception())
        } else {
            element = value
            continuation.resume(value) { _, given, _ -> giveBack(given) }
        }
        return true
    }

    fun give(value: Any) = tryResume(value)

    fun leaveOnCancellation() = continuation.invokeOnCancellation { cancel() }

    fun giveBackIfGiven() {
        element?.let(giveBack)
    }
}

private suspend fun <E : Any> Pool<E>.take(giveBack: (Any) -> Unit): Any = suspendCancellableCoroutine { continuation ->
    val waiter = TakingWaiter(continuation, giveBack)
    standInForDispatcher(continuation) { waiter.giveBackIfGiven() }
    val taken = take(waiter) { _, itself -> itself }
    if (taken === waiter) waiter.leaveOnCancellation() else waiter.give(taken)
}

@Suppress("UNCHECKED_CAST") // it is from this pool
private fun <E : Any> Pool<E>.putAny(element: Any) = put(element as E)

abstract class PoolOperations(stack: Boolean) {
    private val pool: Pool<Element> = if (stack) Pool.stack() else Pool.queue()
    private val inPool = IdentityHashMap<Element, Element>()

    @Operation(promptCancellation = true)
    suspend fun acquire() {
        pool.take { giveBack(it) }
    }

    private fun giveBack(element: Any) = pool.putAny(element)

    @Operation
    fun tryAcquire() = pool.tryTake() != null

    @Operation
    fun release() = pool.put(Element())

    internal fun size() = pool.size()

    internal fun closePool() = pool.close(null)

    @Validate
    fun eachElementIsThereOnce() {
        inPool.clear()
        val expected = pool.size()
        pool.drain { check(inPool.put(it, it) == null) { "an element is there twice" } }
        check(inPool.size == expected) { "${inPool.size} instead of $expected" }
    }
}

abstract class OpenPool(stack: Boolean) : PoolOperations(stack) {
    @Operation
    fun availablePermits() = size()
}

class QueuePool : OpenPool(false)

class StackPool : OpenPool(true)

class ClosedQueuePool : PoolOperations(false) {
    @Operation
    fun close() = closePool()
}

class ClosedStackPool : PoolOperations(true) {
    @Operation
    fun close() = closePool()
}

@Param(name = "element", gen = IntGen::class, conf = "1:9")
class OrderedQueuePool {
    private val pool = Pool.queue<Int>()

    @Operation(cancellableOnSuspension = false)
    suspend fun take() = pool.take { pool.putAny(it) } as Int

    @Operation
    fun put(@Param(name = "element") element: Int) = pool.put(element)
}

class FifoElements {
    private val idle = ArrayList<Int>()
    private val waiting = ArrayList<CancellableContinuation<Int>>()

    suspend fun take(): Int = if (idle.isNotEmpty()) idle.removeAt(0) else suspendCancellableCoroutine { waiting += it }

    fun put(element: Int) {
        if (waiting.isEmpty()) idle += element else waiting.removeAt(0).resume(element) { _, _, _ -> }
    }

    override fun equals(other: Any?) = other is FifoElements && idle == other.idle && waiting.size == other.waiting.size

    override fun hashCode() = 31 * idle.hashCode() + waiting.size
}

/** A pool that loses an element at a prompt cancellation, a defect known from another implementation. */
class ForgetsElement {
    private val pool = Pool.queue<Element>()

    @Operation(promptCancellation = true)
    suspend fun acquire() {
        pool.take { }
    }

    @Operation
    fun tryAcquire() = pool.tryTake() != null

    @Operation
    fun release() = pool.put(Element())

    @Operation
    fun availablePermits() = pool.size()
}
