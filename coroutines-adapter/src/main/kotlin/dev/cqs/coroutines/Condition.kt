package dev.cqs.coroutines

import dev.cqs.Waiter
import dev.cqs.sync.WaitFailure.Closed
import dev.cqs.sync.ConditionWaiter
import dev.cqs.spi.SyncAccess
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

private val conditionSteps = SyncAccess.condition()

/** Has coroutines wait for a signal that are nobody's: one is signalled, one that has a token, and one is cancelled. */
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
 * A condition of a [Mutex], or of the write lock of a [ReadWriteMutex], which what is said here of the mutex then goes for:
 * its holder gives the mutex up until another holder signals.
 *
 * **Order.** First in, first out: a signal goes to the request that has waited longest. It is resumed only when the mutex
 * is its own again, behind those who waited for the mutex before.
 *
 * **Cancellation.** [await] is cancellable, with prompt cancellation. A coroutine that is cancelled gives its place up, and
 * the signal goes to another one; if it was signalled already, it passes the signal on. In any case [await] returns, or
 * throws, with the mutex held, so that it can be used inside `withLock`: a coroutine that is cancelled waits for the mutex
 * all the same, uncancellably.
 *
 * **Closing.** Closing the mutex ends all waits for a signal, and those that begin later, with its cause, or with
 * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Like any other end this one comes with the mutex held.
 *
 * **Memory.** What is done before the mutex is unlocked happens-before what is done after [await].
 *
 * **Sharing.** [core] is the same condition without a way to wait. Signals reach threads as well as coroutines.
 *
 * @param core the condition that this is a face of
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
     * with every condition, what was waited for may have changed again: look in a loop.
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

    /** Insists on the memory for it: the caller is going to unlock the mutex. */
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
        val mutex: dev.cqs.sync.Mutex? = core.mutex()
        val isHeld = mutex?.isLocked ?: core.readWriteMutex().isWriteLocked
        check(isHeld) { "The ${what()} of this condition is not locked" }
        val thread: Thread? = if (mutex != null) mutex.owner() else readWriteSteps.owner(core.readWriteMutex())
        check(thread == null) { "The ${what()} of this condition is locked by the thread ${thread!!.name}" }
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
 * A condition of the write lock: who holds it for writing waits and signals. A read lock has no conditions, and those that
 * are held besides are not given up.
 */
public fun ReadWriteMutex.newCondition(): Condition = Condition(core.newCondition())

/** The face for coroutines of a condition that others use as well, threads among them. */
public fun dev.cqs.sync.Condition.asCondition(): Condition = Condition(this)

/** A coroutine that waits for a signal, and once that has come, for the mutex, which it held under this token if any. */
private class SignalWaiter(private val condition: dev.cqs.sync.Condition, private val token: Any?) :
    Waiter(), ConditionWaiter, (Throwable?) -> Unit, (Throwable, Unit, CoroutineContext) -> Unit {
    /*
     * A coroutine that is cancelled runs on at once, and then waits for the mutex, with another continuation. If it was
     * signalled before, or failed, its request is in the queue of the mutex already. The slot holds the continuation that
     * waits, or the mutex; whoever comes to it second, the coroutine or the resumer, sees the first.
     */
    private val slot = AtomicReference<Any>()

    /** Whether it gave its place up before a signal. Written by the handler, which runs before the coroutine does. */
    private var left = false

    /** What the mutex was closed with before a signal. Written before the resume. */
    private var closing: Closed? = null

    /** Whether a signal came before it gave its place up. */
    val isSignalled get() = !left && closing == null

    /** Whether the mutex was given up. */
    var hasBegun = false
        private set

    /** Whether this waits for the mutex after it gave its place up. */
    private var isBack = false

    /** Whether the mutex has been handed to this. */
    val hasMutex get() = slot.get() !is CancellableContinuation<*>

    fun begin(continuation: CancellableContinuation<Unit>) {
        slot.set(continuation)
        unlessClosed { conditionSteps.enqueue(condition, this) }
        try { // while the mutex is held, so that there is a way back if there is no memory for the handler
            continuation.invokeOnCancellation(this as (Throwable?) -> Unit)
        } catch (e: Throwable) {
            if (conditionSteps.leave(condition, this)) throw e
        }
        hasBegun = true
        condition.mutex()?.unlock() ?: condition.readWriteMutex().unlockWrite()
    }

    /** The coroutine was cancelled. */
    override fun invoke(cause: Throwable?) {
        left = left || conditionSteps.leave(condition, this)
    }

    override fun tryResume(value: Any): Boolean {
        if (token != null) condition.mutex().setOwnerToken(token) // it takes the mutex, cancelled or not
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
            conditionSteps.lockAgain(condition, this)
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
