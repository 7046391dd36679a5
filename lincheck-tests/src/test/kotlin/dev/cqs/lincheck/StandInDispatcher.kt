package dev.cqs.lincheck

import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.intrinsics.startCoroutineUninterceptedOrReturn
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Job

/*
 * Lincheck has no dispatcher, and prompt cancellation needs one: a continuation can be cancelled between its resume and
 * its run, and the run detects that. With the dispatcher below, the real code of kotlinx.coroutines detects it, and the
 * real code of the adapter gives the grant back.
 *
 *   resume                The dispatcher holds the task of the coroutine and tells Lincheck that the operation
 * continues.
 *   Lincheck continues    The thread of the operation runs the task, and the operation ends as the task does.
 *   Lincheck cancels the  The end of the job runs the task, which finds the job cancelled and calls the handler and the
 *   job instead           give-back. The operation ends with an exception, which is ignored.
 *   cancelled before the  The task only delivers the exception, and runs at once.
 *   resume
 */

private val CONTINUES = Any()

/** Runs an operation, which suspends at most once, with a dispatcher, so that Lincheck can cancel it promptly. */
internal suspend fun <T> dispatched(operation: suspend () -> T): T {
    lateinit var turn: Turn<T>
    val result = suspendCoroutineUninterceptedOrReturn<Any?> { caller ->
        turn = Turn(caller.context, StandInDispatcher(caller.intercepted()))
        operation.startCoroutineUninterceptedOrReturn(turn)
    }
    @Suppress("UNCHECKED_CAST") // the result of an operation that did not suspend
    return if (result === CONTINUES) turn.run() else result as T
}

private class Turn<T>(context: CoroutineContext, private val dispatcher: StandInDispatcher) : Continuation<T> {
    override val context = context + dispatcher
    private var result: Result<T>? = null

    override fun resumeWith(result: Result<T>) {
        this.result = result
    }

    fun run(): T {
        dispatcher.runHeld()
        return result!!.getOrThrow()
    }
}

private class StandInDispatcher(private val operation: Continuation<Any?>) : CoroutineDispatcher() {
    private val held = AtomicReference<Runnable>()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        if ((block as CancellableContinuation<*>).isCancelled) {
            block.run()
        } else {
            held.set(block)
            context[Job]!!.invokeOnCompletion { runHeld() }
            operation.resume(CONTINUES)
        }
    }

    fun runHeld() {
        held.getAndSet(null)?.run()
    }
}
