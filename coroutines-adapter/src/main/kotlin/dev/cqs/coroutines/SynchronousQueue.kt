package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlinx.coroutines.currentCoroutineContext

/**
 * A queue without capacity: each element is handed from a sender to a receiver, and the caller that comes first waits for
 * the other, like a `Channel(RENDEZVOUS)`, and with threads at either end if you like.
 *
 * **Order.** A [fair] queue serves waiters in FIFO order, on either side. An [unfair] queue serves them in LIFO order, so that
 * of many workers few are busy and the others sleep on; a waiter may then starve. The functions that do not suspend overtake
 * no request: they serve the first waiter, and without one they fail.
 *
 * **Cancellation.** All suspending functions are cancellable, with prompt cancellation: if the job is cancelled while the
 * function waits, or after it was served and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException]. Cancellation takes constant time, however many requests
 * wait; amortized, in an unfair queue. A function that need not suspend does not check for cancellation. Prompt cancellation
 * needs a dispatcher: in a context without one, a coroutine that is cancelled after it was served goes on.
 *
 * **Undelivered elements.** An element that no receiver gets goes to the callback `onUndelivered`, so that a resource in it
 * can be closed, for example. It is called once for each element that
 *
 * - was to be sent by a call that throws, because it was cancelled or the queue is closed; unless the call was cancelled
 *   after a receiver has taken the element, which then has it;
 * - was handed to a coroutine that was cancelled before it could run on with it. Its sender has returned by then, or is
 *   about to. This is the callback of the view through which it was to be received, no matter which view has sent it.
 *
 * It is not called for an element for which [trySend] answers `false`: the caller still has it. **Without a callback
 * such an element is dropped.** In the first case the caller of [send] knows. In the second case it has no part: an element
 * that was sent to a receiver that is cancelled at that moment is then lost without a report.
 *
 * The callback runs in the thread that finds the element undelivered: that of the canceller, the closer, the sender, or of
 * the dispatcher. It must be fast, must not block, and must be safe to call from several threads at once. Its exceptions
 * go to the [CoroutineExceptionHandler][kotlinx.coroutines.CoroutineExceptionHandler] of the coroutine, or if there is
 * none, to the uncaught-exception handler of the thread, and disturb no other coroutine.
 *
 * **Memory.** Actions before an element is sent happen-before actions after it was received. Actions before a receiver takes
 * the element of a sender that waits happen-before actions of that sender after it.
 *
 * **Sharing.** [core] is the same queue without a way to wait. Threads use it through `dev.cqs.threads.SynchronousQueue`, and
 * wait in the same queue. Inside a coroutine do not wait through that view: it blocks the thread of the dispatcher, which the
 * counterpart may need to go on.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param E the elements
 * @param core the queue that this is a view of
 * @param onUndelivered is given the elements that no receiver gets; `null` to drop them
 * @sample dev.cqs.coroutines.samples.synchronousQueue
 */
public class SynchronousQueue<E : Any>(
    public val core: dev.cqs.sync.SynchronousQueue<E>,
    private val onUndelivered: ((E) -> Unit)? = null,
) {
    init {
        prepareWaiting()
    }

    /** Whether this queue serves waiters in FIFO order. */
    public val isFair: Boolean get() = core.isFair

    /** How many senders wait at this moment, coroutines and threads together; counts them one by one. */
    public val waitingSenders: Int get() = core.waitingSenders()

    /** How many receivers wait at this moment, coroutines and threads together; counts them one by one. */
    public val waitingReceivers: Int get() = core.waitingReceivers()

    /** Whether the queue was [closed][close]. */
    public val isClosed: Boolean get() = core.isClosed

    /**
     * Hands the element to a receiver, and suspends until there is one.
     *
     * Cancellable, with prompt cancellation; see [SynchronousQueue], also for the fate of the element if this throws.
     */
    public suspend fun send(element: E) {
        if (!offer(element) { currentCoroutineContext() }) return core.awaitReceiver(element, onUndelivered)
    }

    /**
     * Hands the element to a receiver that waits already; does not suspend.
     *
     * @return `false` if none does: the caller still has the element
     */
    public fun trySend(element: E): Boolean = offer(element) { EmptyCoroutineContext }

    /**
     * Hands the element to a receiver, and suspends for no longer than [timeout], in the same FIFO order as [send]. With a timeout
     * of zero or less it does not suspend. The time is that of the dispatcher, as for
     * [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { send(element) }` it says whether an element was taken as the time ran out.
     *
     * Cancellable, with prompt cancellation; see [SynchronousQueue], also for the fate of the element if this throws.
     *
     * @return `false` if the time has run out: the caller still has the element
     */
    public suspend fun trySend(element: E, timeout: Duration): Boolean {
        if (offer(element) { currentCoroutineContext() }) return true
        if (timeout <= Duration.ZERO) return false
        return core.awaitReceiver(element, timeout, onUndelivered)
    }

    private inline fun offer(element: E, context: () -> CoroutineContext): Boolean = try {
        core.offer(element)
    } catch (e: ClosedException) {
        onUndelivered.undelivered(element, context())
        throw e.orCause()
    }

    /**
     * Takes the element of a sender, and suspends until there is one.
     *
     * Cancellable, with prompt cancellation; see [SynchronousQueue].
     */
    public suspend fun receive(): E = tryReceive() ?: core.awaitElement(onUndelivered)

    /**
     * Takes the element of a sender that waits already; does not suspend.
     *
     * @return the element, or `null` if none does
     */
    public fun tryReceive(): E? = unlessClosed { core.poll() }

    /**
     * Takes the element of a sender, and suspends for no longer than [timeout], in the same FIFO order as [receive]. With a
     * timeout of zero or less it does not suspend. The time is that of the dispatcher, as for
     * [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { receive() }` it cannot lose an element that is handed over as the time runs out.
     *
     * Cancellable, with prompt cancellation; see [SynchronousQueue].
     *
     * @return the element, or `null` if the time has run out
     */
    public suspend fun tryReceive(timeout: Duration): E? {
        val element = tryReceive()
        if (element != null || timeout <= Duration.ZERO) return element
        return core.awaitElement(timeout, onUndelivered)
    }

    /**
     * Closes the queue for good. Requests that wait, and requests that come later, fail with [cause], or with
     * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Threads get a `ClosedException` in any case, with
     * this cause. Unlike with a `Channel`, senders that wait fail as well: the queue holds no element that could still be
     * received.
     *
     * @return `false` if it was closed before; it then keeps its first cause
     */
    public fun close(cause: Throwable? = null): Boolean = core.close(cause)

    /**
     * Iterates over the elements as it [receives][receive] them: `for (element in queue) …`. The loop ends when the queue
     * is closed without a cause; if there is one, it is thrown out of the loop.
     */
    public operator fun iterator(): Iterator<E> = Iterator(this)

    override fun toString(): String = core.toString()

    /**
     * Receives one element after the other, for one coroutine at a time.
     *
     * An element for which [hasNext] has answered `true` stays with the iterator until [next] takes it. A loop does that at
     * once.
     */
    public class Iterator<E : Any> internal constructor(private val queue: SynchronousQueue<E>) {
        internal val core get() = queue.core

        /** An element that was received without a wait. */
        private var held: E? = null

        /** The last wait, which may have an element, unless it was cancelled. */
        internal var waiting: IteratorWaiter<E>? = null

        /**
         * Receives an element, for which it suspends, unless it has one already.
         *
         * Cancellable, with prompt cancellation; see [SynchronousQueue].
         *
         * @return `false` if the queue is closed without a cause; if there is a cause, that is thrown
         */
        public suspend operator fun hasNext(): Boolean {
            if (held != null || waiting?.element != null) return true
            waiting = null
            try {
                held = core.poll()
            } catch (e: ClosedException) {
                throw e.cause ?: return false
            }
            return held != null || awaitNext(queue.onUndelivered)
        }

        /**
         * The next element; receives one if [hasNext] was not called.
         *
         * Cancellable, with prompt cancellation; see [SynchronousQueue].
         *
         * @throws NoSuchElementException if the queue is closed without a cause; if there is a cause, that is thrown
         */
        public suspend operator fun next(): E = take() ?: receiveNext()

        private suspend fun receiveNext(): E {
            if (!hasNext()) throw NoSuchElementException("the synchronous queue is closed")
            return take()!!
        }

        private fun take(): E? {
            val taken = held ?: waiting?.element
            held = null
            waiting = null
            return taken
        }
    }

    /** Creates queues. */
    public companion object {
        /**
         * Creates a queue that serves waiters in FIFO order.
         *
         * @param onUndelivered is given the elements that no receiver gets; `null` to drop them
         */
        public fun <E : Any> fair(onUndelivered: ((E) -> Unit)? = null): SynchronousQueue<E> =
            SynchronousQueue(dev.cqs.sync.SynchronousQueue.fair(), onUndelivered)

        /**
         * Creates a queue that serves waiters in LIFO order.
         *
         * @param onUndelivered is given the elements that no receiver gets; `null` to drop them
         */
        public fun <E : Any> unfair(onUndelivered: ((E) -> Unit)? = null): SynchronousQueue<E> =
            SynchronousQueue(dev.cqs.sync.SynchronousQueue.unfair(), onUndelivered)
    }
}

/**
 * The view for coroutines of a queue that other callers share, threads among them. Each view has a callback of its own.
 *
 * @param onUndelivered is given the elements that no receiver gets of those that are sent or received through this view;
 * `null` to drop them
 */
public fun <E : Any> dev.cqs.sync.SynchronousQueue<E>.asSynchronousQueue(
    onUndelivered: ((E) -> Unit)? = null,
): SynchronousQueue<E> = SynchronousQueue(this, onUndelivered)
