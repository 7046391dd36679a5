package dev.cqs.coroutines

import dev.cqs.Trampoline
import dev.cqs.Waiter
import dev.cqs.sync.ClosedException
import dev.cqs.sync.CountDownLatch
import dev.cqs.sync.Mutex
import dev.cqs.sync.Semaphore
import dev.cqs.sync.TokenWaiter
import dev.cqs.sync.WaitFailure
import dev.cqs.sync.WeightedWaiter
import java.util.function.BiFunction
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.suspendCancellableCoroutine

/*
 * Overview.
 *
 * A coroutine can be cancelled at three moments, and a permit is lost at none of them (what kotlinx itself loses without
 * memory aside, see below):
 *
 *   while it waits        The handler takes the waiter out of its cell. The continuation is cancelled already.
 *   as it is granted      The cell decides. If the resumer was first there, the handler finds the cell taken and does
 *                         nothing; the continuation, cancelled by then, calls the give-back from within resume().
 *   after it is granted,  Prompt cancellation: the dispatcher finds the job cancelled, runs the handler, which finds
 *   before it runs        the cell taken, and then the give-back.
 *
 * So the handler acts only if the cell says so, and the give-back only after a resume. Each permit that was handed over
 * either reaches the coroutine or goes back, once.
 *
 * The waiter is its own cancellation handler and its own give-back. One slot holds the continuation, and then the
 * primitive that was handed over, to which the permit goes back. So a suspended call for one permit, without a token, costs
 * one object of 24 bytes beside the continuation and the wrapper of invokeOnCancellation().
 *
 * Its caller first tries, then suspends, which makes the continuation and the waiter, and only then has the request counted.
 * So no exception before that can leave it counted. A request that is granted after all when it is counted
 * resumes its continuation like any resumer, because it can be cancelled as well.
 *
 * No memory. The waiter is made before the request is counted. If there is no memory for the handler, the waiter leaves
 * again, and the call fails as if it had not been made. A resumer retries until there is memory that the library needs for
 * the resume. A resume or a give-back has nothing to link: the callbacks are the waiters themselves, and the compiler is
 * told to leave out its checks of parameters, because each makes a string of the name of the parameter at its first
 * execution.
 *
 * Where it runs. With a dispatcher, resume() leaves that to the dispatcher. Unconfined and the immediate dispatchers run
 * the coroutine in place and have a loop of their own that bounds the stack. Without a dispatcher resume() runs the
 * coroutine in place, and the trampoline is the loop. A dispatcher made from an executor that runs tasks where they are
 * submitted has none, here as anywhere.
 *
 * Access modes of each field: docs/memory-ordering.md
 */

/** Has a coroutine of the rehearsal wait, so that nothing is initialized when one waits and there may be no memory. */
private val rehearsed = rehearse {
    val nobodys = Mutex()
    nobodys.tryLock()
    val wait: suspend () -> Unit = { nobodys.awaitLock<Unit>(null) }
    wait.startCoroutine(Continuation(EmptyCoroutineContext) {})
    nobodys.unlock()
    val waitWithToken: suspend () -> Unit = { nobodys.awaitLock<Unit>("") }
    waitWithToken.startCoroutine(Continuation(EmptyCoroutineContext) {})
    nobodys.unlock()
    nobodys.unlockWithToken("")
}

/** Initializes what waiting needs. For the views of all primitives and pools. */
internal fun prepareWaiting() = rehearsed

/**
 * Runs a rehearsal while a file is initialized. A rehearsal that finds no memory is abandoned: an error would make the file
 * unusable for the rest of the program, whereas code that has not been rehearsed only needs memory at its first execution.
 */
internal inline fun rehearse(rehearsal: () -> Unit) {
    try {
        rehearsal()
    } catch (_: VirtualMachineError) {
        // not rehearsed, but usable
    }
}

/**
 * Suspends until the mutex is granted, which the coroutine then holds under the token [owner] if that is not `null`.
 *
 * [T] is always [Unit]. With a type parameter in its place the compiler makes this a tail call, so a suspended call allocates
 * no state machine beside the continuation.
 */
internal suspend fun <T> Mutex.awaitLock(owner: Any?): T =
    suspendCancellableCoroutine<T> { continuation ->
        val unit = continuation.ofUnit()
        val waiter = if (owner == null) CoroutineWaiter(unit) else TokenCoroutineWaiter(unit, owner)
        request(waiter, unit) { lock(waiter, TheWaiterItself) }
    }

/** The same for [permits] of a semaphore. */
internal suspend fun <T> Semaphore.awaitPermits(permits: Int): T =
    suspendCancellableCoroutine<T> { continuation ->
        val unit = continuation.ofUnit()
        val waiter = if (permits == 1) CoroutineWaiter(unit) else WeightedCoroutineWaiter(unit, permits)
        request(waiter, unit) { acquire(permits, waiter, TheWaiterItself) }
    }

/** The same for a latch to open. */
internal suspend fun <T> CountDownLatch.awaitOpening(): T =
    suspendCancellableCoroutine<T> { continuation ->
        val unit = continuation.ofUnit()
        val waiter = CoroutineWaiter(unit)
        request(waiter, unit) { await(waiter, TheWaiterItself) }
    }

/** The waiter factory of a coroutine, which has suspended by then: it answers the waiter that is made already. */
internal object TheWaiterItself : BiFunction<Any, Waiter, Waiter> {
    override fun apply(primitive: Any, waiter: Waiter) = waiter
}

/** Puts [waiter] into the queue of this primitive by [enqueue], which answers `null` if the request is granted. */
internal inline fun Any.request(
    waiter: CoroutineWaiter,
    continuation: CancellableContinuation<Unit>,
    enqueue: () -> Waiter?,
) {
    val waits = try {
        enqueue() != null
    } catch (e: RuntimeException) { // closed, or made too small
        continuation.resumeWithException(e.orCause())
        return
    }
    if (waits) continuation.callOnCancellation(waiter) else waiter.grant(this)
}

@Suppress("UNCHECKED_CAST") // T is Unit
internal fun CancellableContinuation<*>.ofUnit() = this as CancellableContinuation<Unit>

/**
 * Has a waiter leave when its coroutine is cancelled; it is in the queue, or has been resumed: before that, it could not
 * leave. If the handler cannot be set, for want of memory, the waiter leaves now, and the call fails. A waiter that was
 * resumed meanwhile needs no handler any more, so the call goes on.
 */
internal fun <W> CancellableContinuation<*>.callOnCancellation(waiter: W) where W : Leaving, W : (Throwable?) -> Unit {
    try {
        invokeOnCancellation(waiter)
    } catch (e: Throwable) {
        if (waiter.leave()) throw e
    }
}

/** An unchecked cast to [T]. The cast of the language makes a string first, of its message for a `null`. */
@Suppress("UNCHECKED_CAST", "NOTHING_TO_INLINE")
internal inline fun <T> Any?.known(): T = this as T

/** A waiter that is its own cancellation handler. */
internal interface Leaving {
    /** Gives its place up; `false` if it has been resumed, or is about to be. */
    fun leave(): Boolean
}

/** Resumes where the dispatcher says, or if there is none, here, with bounded stack depth. */
internal inline fun <C : Continuation<*>> C.dispatchOrTrampoline(crossinline resume: C.() -> Unit) {
    if (context[ContinuationInterceptor] is CoroutineDispatcher) {
        insistOn { resume() }
        return
    }
    val action = try {
        object : Runnable { // no lambda: without memory, linking one may fail with any error
            override fun run() = insistOn { resume() }
        }
    } catch (_: OutOfMemoryError) {
        null
    }
    if (action != null) Trampoline.run(action) else insistOn { resume() } // a deeper stack is better than no resume
}

/**
 * Retries a resume until there is memory for it: the value has nowhere else to go. The library kotlinx.coroutines allocates
 * before it changes the continuation. If it finds no memory to dispatch after that, the resume is lost.
 */
internal inline fun <C : Continuation<*>> C.insistOn(resume: C.() -> Unit) {
    while (true) {
        try {
            resume()
            return
        } catch (e: OutOfMemoryError) {
            if (!isToBeResumed()) throw e
            Thread.yield()
        }
    }
}

/** Whether a resume has not changed it yet; a continuation that was cancelled still owes its give-back. */
internal fun Continuation<*>.isToBeResumed() = this is CancellableContinuation<*> && (!isCompleted || isCancelled)

/**
 * Resumes with a value where [dispatchOrTrampoline] says. The value goes to [giveBack] if the continuation was cancelled and
 * does not run on.
 */
internal fun <T> CancellableContinuation<T>.resumeInPlace(
    value: T,
    giveBack: (Throwable, T, CoroutineContext) -> Unit,
) = dispatchOrTrampoline { resume(value, giveBack) }

/** Runs an operation of a core primitive; if that is closed, throws the cause with which it was closed. */
internal inline fun <T> unlessClosed(operation: () -> T): T =
    try {
        operation()
    } catch (e: ClosedException) {
        throw e.orCause()
    }

/** The exception for a coroutine: the cause with which a primitive was closed, if there is one. */
internal fun RuntimeException.orCause() = (this as? ClosedException)?.cause ?: this

/** A coroutine that waits. It is the handler of its own cancellation, and of its cancellation after a resume. */
internal open class CoroutineWaiter(continuation: CancellableContinuation<Unit>) :
    Waiter(), Leaving, (Throwable?) -> Unit, (Throwable, Unit, CoroutineContext) -> Unit {

    /**
     * The continuation, then the primitive that has granted the request. Plain: the waiter is published by the CAS into its
     * cell; then the resumer writes, and the give-back reads, within or after the resume.
     */
    private var continuationOrPrimitive: Any = continuation

    final override fun tryResume(value: Any): Boolean {
        if (value is WaitFailure) {
            continuation().dispatchOrTrampoline { resumeWithException(value.exception().orCause()) }
        } else {
            grant(value)
        }
        return true
    }

    /** Resumes the coroutine with the primitive that has granted the request. */
    fun grant(primitive: Any) {
        val continuation = continuation()
        continuationOrPrimitive = primitive
        resume(continuation, primitive)
    }

    // only before grant()
    private fun continuation() = continuationOrPrimitive.known<CancellableContinuation<Unit>>()

    protected open fun resume(continuation: CancellableContinuation<Unit>, primitive: Any) =
        continuation.resumeInPlace(Unit, this)

    protected open fun giveBack(primitive: Any) {
        when (primitive) {
            is Mutex -> primitive.unlock()
            is Semaphore -> primitive.release()
            // otherwise nothing was taken: a latch stays open
        }
    }

    /** The coroutine was cancelled. */
    final override fun invoke(cause: Throwable?) {
        cancel()
    }

    final override fun leave() = cancel()

    /** The coroutine was cancelled and resumed, and does not run on. */
    final override fun invoke(cause: Throwable, value: Unit, context: CoroutineContext) =
        giveBack(continuationOrPrimitive)
}

/** Waits for another number of permits than one. */
private class WeightedCoroutineWaiter(continuation: CancellableContinuation<Unit>, private val permits: Int) :
    CoroutineWaiter(continuation), WeightedWaiter {

    override fun weight() = permits

    override fun giveBack(primitive: Any) = primitive.known<Semaphore>().release(permits)
}

/** Waits for a mutex under a token. The mutex has this waiter on record from before the resume until it is unlocked. */
private class TokenCoroutineWaiter(continuation: CancellableContinuation<Unit>, private val owner: Any) :
    CoroutineWaiter(continuation), TokenWaiter {

    /**
     * `null` once the coroutine certainly holds the mutex, so that the continuation is not reachable as long as that. Plain: a
     * thread that still reads the continuation gets the same answer from it.
     */
    private var continuationUntilHeld: CancellableContinuation<Unit>? = continuation

    override fun resume(continuation: CancellableContinuation<Unit>, primitive: Any) {
        val giveBack: (Throwable, Unit, CoroutineContext) -> Unit = this
        primitive.known<Mutex>().setOwner(this) // before the resume, within which the coroutine may run
        continuation.dispatchOrTrampoline {
            resume(Unit, giveBack)
            if (holds()) continuationUntilHeld = null
        }
    }

    override fun giveBack(primitive: Any) = primitive.known<Mutex>().giveBack(this)

    override fun token() = owner

    /** A completed continuation stays cancelled or not cancelled. After a prompt cancellation the give-back is due. */
    override fun holds(): Boolean {
        val continuation = continuationUntilHeld
        return continuation == null || continuation.isCompleted && !continuation.isCancelled
    }
}
