package dev.cqs.coroutines

import dev.cqs.Waiter
import dev.cqs.sync.WaitFailure.Closed
import dev.cqs.spi.SyncAccess
import dev.cqs.sync.ClosedException
import dev.cqs.sync.Pool
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine

private val poolSteps = SyncAccess.pool()

/** Suspends until the pool hands an element to this request. */
internal suspend fun <E : Any> Pool<E>.awaitElement(): E =
    suspendCancellableCoroutine { continuation -> ElementWaiter(continuation, this).request(this) }

/**
 * A coroutine that waits for an element. It ends at one of the three moments of [CoroutineWaiter], where the element is
 * what is lost at none.
 */
internal open class ElementWaiter<E : Any>(
    private val continuation: CancellableContinuation<E>,
    home: Any,
) : Waiter(), Leaving, (Throwable?) -> Unit, (Throwable, E, CoroutineContext) -> Unit {

    /** Where an element goes back; `null` for one that has left and is never handed any. */
    protected var home: Any? = home
        private set

    /** Takes an element or waits for one, and keeps that from growing stale if the coroutine is cancelled. */
    fun request(elements: Pool<E>) {
        try {
            while (true) {
                val element: E? = poolSteps.reserve(elements)
                if (element != null) {
                    hand(element)
                    return
                }
                if (poolSteps.enqueue(elements, this)) break
            }
        } catch (e: ClosedException) {
            continuation.resumeWithException(e.orCause())
            return
        }
        continuation.callOnCancellation(this)
    }

    final override fun tryResume(value: Any): Boolean {
        if (value is Closed) {
            continuation.dispatchOrTrampoline { resumeWithException(value.exception().orCause()) }
        } else {
            // what is no Closing is from the pool
            hand(value.known<E>())
        }
        return true
    }

    private fun hand(element: E) = continuation.resumeInPlace(element, this)

    // that is where it was taken from
    protected open fun giveBack(element: E) = home.known<Pool<E>>().put(element)

    /** The coroutine was cancelled. */
    final override fun invoke(cause: Throwable?) {
        leave()
    }

    final override fun leave(): Boolean {
        val left = cancel()
        if (left) home = null
        return left
    }

    /** The coroutine was cancelled and resumed, and does not run on. */
    final override fun invoke(cause: Throwable, value: E, context: CoroutineContext) = giveBack(value)
}
