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
 * Lincheck has no dispatcher, and prompt cancellation is a dispatcher's work: between the resume of a continuation and
 * its run it can be cancelled, and the run finds that. With the one below the code that finds it and that gives back
 * what was granted is the library's and the adapter's own.
 *
 *   resume                The dispatcher holds the task of the coroutine and tells Lincheck that the operation goes on.
 *   Lincheck goes on      The operation's own thread runs the task, and the operation ends as it ends.
 *   Lincheck cancels the  The end of the job runs the task, which finds the job cancelled: it calls the handler and the
 *   job instead           give-back. The operation ends with an exception that nobody sees.
 *   cancelled before the  The task has only the exception to bring, and runs at once.
 *   resume
 */

private val GOES_ON = Any()

/** Runs an operation that suspends at most once with a dispatcher, so that it can be cancelled promptly. */
internal suspend fun <T> dispatched(operation: suspend () -> T): T {
    lateinit var turn: Turn<T>
    val result = suspendCoroutineUninterceptedOrReturn<Any?> { caller ->
        turn = Turn(caller.context, StandInDispatcher(caller.intercepted()))
        operation.startCoroutineUninterceptedOrReturn(turn)
    }
    @Suppress("UNCHECKED_CAST") // what the operation has returned without suspension
    return if (result === GOES_ON) turn.run() else result as T
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
            operation.resume(GOES_ON)
        }
    }

    fun runHeld() {
        held.getAndSet(null)?.run()
    }
}
