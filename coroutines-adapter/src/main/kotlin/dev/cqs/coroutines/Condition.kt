package dev.cqs.coroutines

import dev.cqs.Waiter
import dev.cqs.sync.ConditionWaiter
import dev.cqs.sync.WaitFailure.Closed
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/** Has coroutines of the rehearsal wait for a signal: one is signalled, one has a token, and one is cancelled. */
private val rehearsed = rehearse {
    val nobodys = Mutex()
    val condition = nobodys.newCondition()
    val wait: suspend () -> Unit = { condition.await() }
    val resumed = Continuation<Unit>(EmptyCoroutineContext) { }
    for (token in listOf(null, "")) {
        nobodys.tryLock(token)
        wait.startCoroutine(resumed)
        nobodys.tryLock()
        condition.signal()
        nobodys.unlock()
        nobodys.unlock(token)
    }
    val job = Job()
    nobodys.tryLock()
    wait.startCoroutine(Continuation(job) { })
    job.cancel()
    nobodys.unlock()
}

private fun prepareSignals() = rehearsed

/**
 * A condition of a [Mutex]: the holder gives the mutex up until another holder signals. A condition of the write lock of a
 * [ReadWriteMutex] works in the same way.
 *
 * **Order.** FIFO: a signal goes to the request that has waited longest. It is resumed only when it has got the mutex again,
 * behind the requests that waited for the mutex before.
 *
 * **Cancellation.** [await] is cancellable, with prompt cancellation. A coroutine that is cancelled gives its place up, and
 * the signal goes to another one; if it was signalled already, it passes the signal on. In any case [await] returns, or
 * throws, with the mutex held, so that it can be used inside `withLock`: a coroutine that is cancelled waits for the mutex
 * all the same, uncancellably.
 *
 * **Closing.** Closing the mutex ends all waits for a signal, and all that begin later, with its cause, or with
 * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Like any other end this one comes with the mutex held.
 *
 * **Memory.** Actions before the mutex is unlocked happen-before actions after [await].
 *
 * **Sharing.** [core] is the same condition without a way to wait. Signals reach threads as well as coroutines.
 *
 * @param core the condition that this is a view of
 * @see newCondition
 * @sample dev.cqs.coroutines.samples.condition
 */
public class Condition(public val core: dev.cqs.sync.Condition) {
    init {
        prepareWaiting()
        prepareSignals()
    }

    /** How many requests wait for a signal at this moment. */
    public val queueLength: Int get() = core.queueLength()

    /**
     * Gives the mutex up, suspends until a signal comes, and takes the mutex again. A token of the holder is kept. As
     * with every condition, the predicate may have become false again: check it in a loop.
     *
     * Cancellable; see [Condition].
     *
     * @throws IllegalStateException if the mutex is not locked, or is held by a thread
     */
    public suspend fun await() {
        checkHeldByCoroutine()
        val waiter = SignalWaiter(core, core.mutex()?.let { it.ownerToken() })
        try {
            suspendCancellableCoroutine<Unit> { continuation -> waiter.begin(continuation) }
        } catch (e: Throwable) { // cancelled: the mutex comes first, since the caller is going to unlock it
            if (waiter.hasBegun) {
                takeMutex(waiter)
                if (waiter.isSignalled) core.signal() // this coroutine will not act on it, so another one has to
            }
            throw e
        }
        waiter.throwIfFailed()
    }

    /** Retries if memory is exhausted: the caller is going to unlock the mutex. */
    private suspend fun takeMutex(waiter: SignalWaiter) {
        while (true) {
            try {
                return withContext(NonCancellable) { waiter.takeMutex() }
            } catch (_: OutOfMemoryError) {
                if (waiter.hasMutex) return
                Thread.yield()
            }
        }
    }

    private fun checkHeldByCoroutine() {
        // Either of the two is null.
        val mutex = core.mutex()
        val readWriteMutex = core.readWriteMutex()
        val isHeld = mutex?.isLocked ?: readWriteMutex?.isWriteLocked
        check(isHeld == true) { "The ${what()} of this condition is not locked" }
        val thread = mutex?.owner() ?: readWriteMutex?.owner()
        check(thread == null) { "The ${what()} of this condition is locked by the thread ${thread?.name}" }
    }

    private fun what() = if (core.mutex() != null) "mutex" else "write lock"

    /**
     * Has the request that has waited longest wait for the mutex, if any waits here. For the holder of the mutex.
     *
     * @throws IllegalStateException if the mutex is not locked, or is held by a thread
     */
    public fun signal() {
        checkHeldByCoroutine()
        core.signal()
    }

    /**
     * Has all requests that wait here wait for the mutex. For the holder of the mutex.
     *
     * @throws IllegalStateException if the mutex is not locked, or is held by a thread
     */
    public fun signalAll() {
        checkHeldByCoroutine()
        core.signalAll()
    }

    override fun toString(): String = "Condition[$queueLength waiting]"
}

/** A condition of this mutex. */
public fun Mutex.newCondition(): Condition = Condition(core.newCondition())

/**
 * A condition of the write lock: its holder waits and signals. A read lock has no conditions, and a wait does not give up
 * read locks.
 */
public fun ReadWriteMutex.newCondition(): Condition = Condition(core.newCondition())

/** The view for coroutines of a condition that other callers share, threads among them. */
public fun dev.cqs.sync.Condition.asCondition(): Condition = Condition(this)

/** A coroutine that waits for a signal, and then for the mutex, which it held under this token unless that is null. */
private class SignalWaiter(private val condition: dev.cqs.sync.Condition, private val token: Any?) :
    Waiter(),
    ConditionWaiter,
    Leaving,
    (Throwable?) -> Unit,
    (Throwable, Unit, CoroutineContext) -> Unit {
    /*
     * A coroutine that is cancelled runs on at once, and then waits for the mutex, with another continuation. If it was
     * signalled before, or failed, its request is in the queue of the mutex already. The slot holds the continuation that
     * waits, or the mutex. The coroutine and the resumer change it by atomic steps, and the second sees the first.
     *
     * Access modes of each field: docs/memory-ordering.md
     */
    private val slot = AtomicReference<Any>()

    /** Whether it gave its place up before a signal. Written by the handler, which runs before the coroutine does. */
    private var left = false

    /** What the mutex was closed with before a signal. Written before the resume. */
    private var closing: Closed? = null

    /** Whether a signal came before it gave its place up. */
    val isSignalled get() = !left && closing == null

    /** Whether the coroutine has given up the mutex and waits. */
    var hasBegun = false
        private set

    /** Whether this waits for the mutex after it gave its place up. */
    private var isBack = false

    /** Whether the mutex has been handed to this. */
    val hasMutex get() = slot.get() !is CancellableContinuation<*>

    fun begin(continuation: CancellableContinuation<Unit>) {
        slot.set(continuation)
        unlessClosed { condition.await(this) }
        hasBegun = true
        continuation.callOnCancellation(this)
    }

    /** The coroutine was cancelled. */
    override fun invoke(cause: Throwable?) {
        leave()
    }

    override fun leave(): Boolean {
        left = left || cancel()
        return left
    }

    override fun tryResume(value: Any): Boolean {
        if (token != null) condition.mutex()?.setOwnerToken(token) // the coroutine takes the mutex, cancelled or not
        // until the one resume
        val waiting = slot.getAndSet(value).known<CancellableContinuation<Unit>>()
        waiting.resumeInPlace(Unit, this)
        return true
    }

    /** The coroutine was cancelled and resumed: the mutex is taken even so, and the coroutine runs on with it. */
    override fun invoke(cause: Throwable, value: Unit, context: CoroutineContext) {}

    /** Waits for the mutex after the cancellation. */
    suspend fun takeMutex() = suspendCancellableCoroutine<Unit> { continuation ->
        if (left && !isBack) {
            slot.set(continuation)
            isBack = true
            condition.reacquire(this)
        } else {
            val waiting = slot.get()
            if (waiting !is CancellableContinuation<*> || !slot.compareAndSet(waiting, continuation)) {
                continuation.resumeInPlace(Unit, this) // the mutex is there
            }
        }
    }

    override fun fail(closing: Closed) {
        this.closing = closing
    }

    fun throwIfFailed() {
        closing?.let { throw it.cause ?: it.exception() }
    }
}
