package dev.cqs.coroutines

import dev.cqs.Waiter
import dev.cqs.pool.Pool
import dev.cqs.pool.PoolSlot
import dev.cqs.pool.ResourcePool
import dev.cqs.sync.ClosedException
import dev.cqs.sync.WaitFailure
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine

/** Suspends until the pool hands an element to this request. */
internal suspend fun <E : Any> Pool<E>.awaitElement(): E = suspendCancellableCoroutine { continuation ->
    val waiter = PoolElementWaiter(continuation, this)
    waiter.request { take(waiter, TheWaiterItself) }
}

/** Suspends until the pool hands a slot to this request. */
internal suspend fun <E : Any> ResourcePool<E>.awaitSlot(): PoolSlot<E> = suspendCancellableCoroutine { continuation ->
    val waiter = SlotWaiter(continuation)
    waiter.request { takeSlot(waiter, TheWaiterItself) }
}

/**
 * A coroutine that waits for an element. It can be cancelled at the three moments of [CoroutineWaiter], and the element is
 * lost at none of them.
 */
internal abstract class ElementWaiter<E : Any>(private val continuation: CancellableContinuation<E>) :
    Waiter(),
    Leaving,
    (Throwable?) -> Unit,
    (Throwable, E, CoroutineContext) -> Unit {

    /** Takes an element by [take], which answers with the element, or with this waiter once it is in the queue. */
    inline fun request(take: () -> Any) {
        val taken = try {
            take()
        } catch (e: ClosedException) {
            fail(e)
            return
        }
        if (taken === this) waitForIt() else hand(taken)
    }

    fun fail(closed: ClosedException) = continuation.resumeWithException(closed.orCause())

    /** Cancels the request when the coroutine is cancelled. */
    fun waitForIt() = continuation.callOnCancellation(this)

    final override fun tryResume(value: Any): Boolean {
        if (value is WaitFailure) {
            continuation.dispatchOrTrampoline { resumeWithException(value.exception().orCause()) }
        } else {
            hand(value)
        }
        return true
    }

    // what is no failure is from the pool
    fun hand(element: Any) = continuation.resumeInPlace(element.known<E>(), this)

    protected abstract fun giveBack(element: E)

    /** The coroutine was cancelled. */
    final override fun invoke(cause: Throwable?) {
        leave()
    }

    final override fun leave(): Boolean {
        val left = cancel()
        if (left) onLeft()
        return left
    }

    /** This has left the queue, and is never handed anything. */
    protected open fun onLeft() {}

    /** The coroutine was cancelled and resumed, and does not run on. */
    final override fun invoke(cause: Throwable, value: E, context: CoroutineContext) = giveBack(value)
}

/** Waits for an element of a pool; an element that is not used goes back to the pool. */
private class PoolElementWaiter<E : Any>(continuation: CancellableContinuation<E>, pool: Pool<E>) :
    ElementWaiter<E>(continuation) {

    /** `null` after a cancellation: the continuation may be kept longer than the pool. */
    private var pool: Pool<E>? = pool

    override fun giveBack(element: E) = pool.known<Pool<E>>().put(element)

    override fun onLeft() {
        pool = null
    }
}

/** Waits for a slot of a pool of resources; the slot itself knows its pool. */
private class SlotWaiter<E : Any>(continuation: CancellableContinuation<PoolSlot<E>>) :
    ElementWaiter<PoolSlot<E>>(continuation) {

    override fun giveBack(element: PoolSlot<E>) = element.giveBack()
}
