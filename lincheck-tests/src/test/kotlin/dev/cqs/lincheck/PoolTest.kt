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
 * The pools of the library, as the adapters use them. If elements are not told apart, a pool is a semaphore: requests are
 * served in FIFO order, and one that does not wait finds an element if there is one. That each element is there once is
 * checked at the end.
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
     * With elements told apart, in FIFO order, for two threads. With a third, a put can have in hand an element that another
     * operation has put or reserved, break the cell of the request that it serves, and put the element anew, behind others.
     */
    @ParameterizedTest
    @EnumSource
    fun elementsOfAQueueInTheirOrder(strategy: Strategy) =
        strategy.verify(OrderedQueuePool::class, FifoElements::class, scenarios = 8) { threads(2) }

    /**
     * The element of a coroutine that is cancelled between the hand-over and its next step: it must go back. With three operations
     * a thread, Lincheck finds that, too, and then fails to write down how it came about.
     */
    @Test
    fun poolThatForgetsTheElementOfAPromptCancellation() =
        assertFound(ForgetsElement::class, NoPermit::class, scenarios = 200) { actorsPerThread(2) }
}

class NoPermit : FifoSemaphore(0)

private class Element

/** A coroutine that waits for an element, with its own give-back. */
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

/** Defect of a queue-based pool of others. */
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
