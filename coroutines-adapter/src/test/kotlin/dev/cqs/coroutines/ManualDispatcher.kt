package dev.cqs.coroutines

import java.util.concurrent.LinkedBlockingQueue
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher

/** A dispatcher that runs a task only when it is told to, in the thread that tells it. */
class ManualDispatcher : CoroutineDispatcher() {
    private val tasks = LinkedBlockingQueue<Runnable>()

    /** How many tasks wait for a turn. */
    val size get() = tasks.size

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        tasks += block
    }

    /** Runs the first task. */
    fun turn() {
        tasks.remove().run()
    }

    /** Runs the tasks and those they cause, until there are none. */
    fun run() {
        while (true) (tasks.poll() ?: return).run()
    }
}

/** An interceptor that is no dispatcher: it resumes in place, or keeps what is to be resumed until it is told to go on. */
class Interceptor(private val keeps: Boolean = false) :
    AbstractCoroutineContextElement(ContinuationInterceptor),
    ContinuationInterceptor {

    /** What is to be resumed. */
    val kept = LinkedBlockingQueue<Kept<*>>()

    /** Called when a coroutine is about to suspend for the first time. */
    var onIntercept: (() -> Unit)? = null

    override fun <T> interceptContinuation(continuation: Continuation<T>): Continuation<T> {
        onIntercept?.also { onIntercept = null }?.invoke()
        if (!keeps) return continuation
        return object : Continuation<T> {
            override val context get() = continuation.context

            override fun resumeWith(result: Result<T>) {
                kept += Kept(continuation, result)
            }
        }
    }

    class Kept<T>(private val continuation: Continuation<T>, private val result: Result<T>) {
        val context get() = continuation.context
        val isSuccess = result.isSuccess

        fun goOn() = continuation.resumeWith(result)
    }
}
