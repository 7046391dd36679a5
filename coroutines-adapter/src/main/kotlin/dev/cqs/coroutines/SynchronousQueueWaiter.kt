package dev.cqs.coroutines

import dev.cqs.Rendezvous
import dev.cqs.Waiter
import dev.cqs.sync.SynchronousQueue.TAKEN
import dev.cqs.sync.WaitFailure.Closed
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.suspendCoroutine
import kotlin.time.Duration
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withTimeoutOrNull

/*
 * Overview: who owns the element.
 *
 * The sender owns it until the sender's waiter is taken out of the queue: by a receiver, by the closer, or by the sender
 * itself, when it is cancelled. The cell decides which, once. A sender that finds a receiver waiting takes the receiver out.
 *
 *   taken out by      sender                                       receiver
 *   its counterpart   done, even if it is cancelled before it      has the element; if it is cancelled before it runs
 *                     runs on, because the receiver has it         on: undelivered, by the give-back of the resume
 *   the closer        undelivered, before it is resumed            -
 *   itself            undelivered, by its cancellation handler,    -
 *                     or when it has been enqueued
 *
 * One winner, so an element is undelivered once, or a receiver has it. An element is undelivered by the view of the
 * sender in the first column, and by that of the receiver in the second.
 *
 * With a timeout it is different. Then a coroutine inside is cancelled, that of withTimeoutOrNull(), and the one outside
 * goes on and needs an exact answer: `false` for a sender must mean that no receiver has the element, and a receiver that
 * was handed an element as the time ran out can have it. So a timed waiter keeps the value of its resume. The coroutine
 * outside asks for that at the end, and an element is undelivered only if that coroutine is cancelled itself. It may have to
 * wait for the end: the waiter is out of its cell, but the operation that took it out has not come to the resume. This wait
 * cannot be cancelled. It waits for a running operation, a few instructions.
 *
 * A coroutine that is cancelled already does not enqueue its waiter: it would be handed an element that it cannot have.
 *
 * The handler is set before the waiter is enqueued, unlike the handlers of the other primitives, because a coroutine at a
 * queue suspends for nearly each element. So its resumer finds the continuation with a handler, never without. Where every
 * resume in a program finds it so, the JIT compiler makes the resume one short path. Until the waiter is in the queue the
 * handler does nothing, and the coroutine looks afterwards whether it was cancelled meanwhile. Store before load on both
 * sides: "in the queue, then look at the continuation" against "cancelled, then look whether it is in the queue". If both see
 * the other, the cell decides.
 *
 * Access modes of each field: docs/memory-ordering.md
 */

/** The callback for elements that no receiver got. */
internal typealias OnUndelivered<E> = ((E) -> Unit)?

/** Reports the element. An exception of the callback goes to the handler of uncaught exceptions: no waiter is to get it. */
internal fun <E> OnUndelivered<E>.undelivered(element: E, context: CoroutineContext) {
    try {
        this?.invoke(element)
    } catch (thrown: Throwable) {
        reportUncaught(thrown, context)
    }
}

private fun reportUncaught(thrown: Throwable, context: CoroutineContext) {
    try {
        val handler = context[CoroutineExceptionHandler]
        if (handler != null) {
            handler.handleException(context, thrown)
        } else {
            val thread = Thread.currentThread()
            thread.uncaughtExceptionHandler.uncaughtException(thread, thrown)
        }
    } catch (_: Throwable) {
        // as the JVM ignores what a handler throws
    }
}

/** A coroutine that waits for a counterpart. It is the handler of its own cancellation. */
internal abstract class SynchronousQueueWaiter :
    Waiter(),
    (Throwable?) -> Unit {

    /** Whether this was given to the queue. Volatile: see the overview. */
    @Volatile
    private var isEnqueued = false

    /**
     * To be called before this is given to the queue.
     *
     * @return `false` if it must not, because the coroutine is cancelled
     */
    fun handleCancellation(continuation: CancellableContinuation<*>): Boolean {
        continuation.invokeOnCancellation(this)
        return !continuation.isCancelled
    }

    /** To be called after this was given to the queue, whether it waits or was matched. */
    fun enqueued(continuation: CancellableContinuation<*>) {
        isEnqueued = true
        if (continuation.isCancelled) invoke(null)
    }

    /** The coroutine was cancelled; it does not run on before this returns. */
    override fun invoke(cause: Throwable?) {
        if (isEnqueued && cancel()) onCancelled()
    }

    /** This was in the queue, is out, and will not be resumed. Must not throw. */
    protected abstract fun onCancelled()
}

// Without a timeout

/** Suspends until a receiver has taken the element. [T] is always [Unit]; see [await]. */
internal suspend fun <E : Any, T> dev.cqs.sync.SynchronousQueue<E>.awaitReceiver(
    element: E,
    onUndelivered: OnUndelivered<E>,
): T = suspendCancellableCoroutine<T> { continuation -> enqueueSender(element, onUndelivered, continuation.ofUnit()) }

private fun <E : Any> dev.cqs.sync.SynchronousQueue<E>.enqueueSender(
    element: E,
    onUndelivered: OnUndelivered<E>,
    continuation: CancellableContinuation<Unit>,
) {
    val sender: Sender<E>
    try {
        sender = Sender(element, onUndelivered, continuation)
        if (!sender.handleCancellation(continuation)) return sender.undelivered()
        send(sender)
    } catch (e: Throwable) { // no memory: it was not enqueued
        onUndelivered.undelivered(element, continuation.context)
        continuation.resumeWithException(e)
        return
    }
    sender.enqueued(continuation)
}

/** Suspends until a sender has brought an element. */
internal suspend fun <E : Any> dev.cqs.sync.SynchronousQueue<E>.awaitElement(onUndelivered: OnUndelivered<E>): E =
    suspendCancellableCoroutine { continuation ->
        enqueueReceiver(Receiver(onUndelivered, continuation), continuation)
    }

private fun dev.cqs.sync.SynchronousQueue<*>.enqueueReceiver(
    receiver: SynchronousQueueWaiter,
    continuation: CancellableContinuation<*>,
) {
    try {
        if (!receiver.handleCancellation(continuation)) return
        receive(receiver)
    } catch (e: Throwable) { // no memory: it was not enqueued
        continuation.resumeWithException(e)
        return
    }
    receiver.enqueued(continuation)
}

/** A coroutine that brings an element. */
private class Sender<E : Any>(
    private val element: E,
    private val onUndelivered: OnUndelivered<E>,
    private val continuation: CancellableContinuation<Unit>,
) : SynchronousQueueWaiter(),
    Rendezvous.Sender<E> {

    override fun element() = element

    override fun tryResume(value: Any): Boolean {
        if (value is Closed) {
            undelivered()
            continuation.dispatchOrTrampoline { resumeWithException(value.exception().orCause()) }
        } else {
            continuation.dispatchOrTrampoline { resume(Unit) }
        }
        return true
    }

    override fun onCancelled() = undelivered()

    /** Before the coroutine can run on. */
    fun undelivered() = onUndelivered.undelivered(element, continuation.context)
}

/** A coroutine that waits for an element. */
private class Receiver<E : Any>(
    private val onUndelivered: OnUndelivered<E>,
    private val continuation: CancellableContinuation<E>,
) : SynchronousQueueWaiter(),
    (Throwable, E, CoroutineContext) -> Unit {

    override fun tryResume(value: Any): Boolean {
        if (value is Closed) {
            continuation.dispatchOrTrampoline { resumeWithException(value.exception().orCause()) }
        } else {
            // what is not Closed is an element
            continuation.resumeInPlace(value.known<E>(), this)
        }
        return true
    }

    override fun onCancelled() {}

    /** The coroutine was cancelled and resumed, and does not run on. */
    override fun invoke(cause: Throwable, value: E, context: CoroutineContext) =
        onUndelivered.undelivered(value, context)
}

// Iterating

/** Suspends until the iterator has an element, or the queue is closed. */
internal suspend fun <E : Any> SynchronousQueue.Iterator<E>.awaitNext(onUndelivered: OnUndelivered<E>): Boolean =
    suspendCancellableCoroutine { continuation ->
        val waiter = IteratorWaiter(this, onUndelivered, continuation)
        waiting = waiter // before a cancellation
        core.enqueueReceiver(waiter, continuation)
    }

/**
 * A coroutine that asks an iterator whether there is another element. The iterator keeps this, and takes the element out
 * of it. An element that comes to a cancelled waiter, perhaps while the coroutine runs on and asks again, is not the
 * iterator's.
 */
internal class IteratorWaiter<E : Any>(
    iterator: SynchronousQueue.Iterator<E>,
    private val onUndelivered: OnUndelivered<E>,
    private val continuation: CancellableContinuation<Boolean>,
) : SynchronousQueueWaiter(),
    (Throwable, Boolean, CoroutineContext) -> Unit {

    /** `null` after a cancellation. */
    private var iterator: SynchronousQueue.Iterator<E>? = iterator

    /** Plain: written before the resume, and read by the coroutine or the give-back, after it. */
    var element: E? = null
        private set

    override fun tryResume(value: Any): Boolean {
        if (value is Closed) {
            val cause = value.cause
            continuation.dispatchOrTrampoline { if (cause == null) resume(false) else resumeWithException(cause) }
        } else {
            // what is not Closed is an element
            element = value.known<E>()
            continuation.resumeInPlace(true, this)
        }
        return true
    }

    /**
     * The coroutine was cancelled, perhaps after a resume. While it is enqueued two threads may run this; both write `null`,
     * and the coroutine runs on after both.
     */
    override fun invoke(cause: Throwable?) {
        iterator?.waiting = null
        iterator = null
        super.invoke(cause)
    }

    override fun onCancelled() {}

    /** The coroutine was cancelled and resumed, and does not run on. */
    override fun invoke(cause: Throwable, value: Boolean, context: CoroutineContext) =
        onUndelivered.undelivered(element!!, context)
}

// With a timeout

/** Suspends no longer than [timeout] for a receiver, and says whether it has taken the element. */
internal suspend fun <E : Any> dev.cqs.sync.SynchronousQueue<E>.awaitReceiver(
    element: E,
    timeout: Duration,
    onUndelivered: OnUndelivered<E>,
): Boolean {
    val context = currentCoroutineContext()
    val end = TimedSender(element).await(this, timeout) { end ->
        if (end !== TAKEN) onUndelivered.undelivered(element, context)
    }
    if (end is Closed) {
        onUndelivered.undelivered(element, context)
        throw end.exception().orCause()
    }
    return end === TAKEN
}

/** Suspends no longer than [timeout] for an element. */
internal suspend fun <E : Any> dev.cqs.sync.SynchronousQueue<E>.awaitElement(
    timeout: Duration,
    onUndelivered: OnUndelivered<E>,
): E? {
    val context = currentCoroutineContext()

    @Suppress("UNCHECKED_CAST") // what is not Closed is an element
    val end = TimedReceiver<E>().await(this, timeout) { end ->
        if (end != null && end !is Closed) onUndelivered.undelivered(end as E, context)
    }
    if (end is Closed) throw end.exception().orCause()
    @Suppress("UNCHECKED_CAST")
    return end as E?
}

/**
 * Runs for no longer than [timeout] and answers the value of the resume, or `null` if it has left.
 *
 * @param onThrow gets the same value if the coroutine was cancelled
 */
private suspend inline fun <E : Any> TimedWaiter<E>.await(
    queue: dev.cqs.sync.SynchronousQueue<E>,
    timeout: Duration,
    onThrow: (Any?) -> Unit,
): Any? {
    try {
        withTimeoutOrNull(timeout) { suspendCancellableCoroutine<Unit> { begin(queue, it) } }
    } catch (e: Throwable) {
        onThrow(end())
        throw e
    }
    return end()
}

/** Waits for a counterpart with a timeout. */
private abstract class TimedWaiter<E : Any> : SynchronousQueueWaiter() {
    /**
     * The continuation that waits: the inner one, or if that was cancelled, the outer one; then the value of the resume. Both
     * sides change it by CAS or get-and-set.
     */
    private val slot = AtomicReference<Any>()

    /** The inner continuation. */
    private var inner: Any? = null

    /** Written in the inner coroutine, or by its handler, which runs before the coroutine does. */
    private var isInQueue = false

    protected abstract fun enqueue(queue: dev.cqs.sync.SynchronousQueue<E>)

    fun begin(queue: dev.cqs.sync.SynchronousQueue<E>, continuation: CancellableContinuation<Unit>) {
        inner = continuation
        slot.set(continuation)
        if (!handleCancellation(continuation)) return
        isInQueue = true
        try {
            enqueue(queue)
        } catch (e: Throwable) { // no memory: it was not enqueued
            isInQueue = false
            continuation.resumeWithException(e)
            return
        }
        enqueued(continuation)
    }

    /** The inner coroutine was cancelled, or has run out of time. */
    final override fun onCancelled() {
        isInQueue = false
    }

    final override fun tryResume(value: Any): Boolean {
        // until the one resume
        val waiting = slot.getAndSet(value).known<Continuation<Unit>>()
        waiting.dispatchOrTrampoline { resume(Unit) }
        return true
    }

    /** The value of the resume, for which it may have to wait; `null` if it has left. For the outer coroutine. */
    suspend fun end(): Any? {
        if (!isInQueue) return null
        if (slot.get() === inner) {
            suspendCoroutine { outer -> if (!slot.compareAndSet(inner, outer)) outer.resume(Unit) }
        }
        return slot.get()
    }
}

private class TimedSender<E : Any>(private val element: E) :
    TimedWaiter<E>(),
    Rendezvous.Sender<E> {
    override fun element() = element

    override fun enqueue(queue: dev.cqs.sync.SynchronousQueue<E>) = queue.send(this)
}

private class TimedReceiver<E : Any> : TimedWaiter<E>() {
    override fun enqueue(queue: dev.cqs.sync.SynchronousQueue<E>) = queue.receive(this)
}
