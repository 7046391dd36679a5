package dev.cqs.coroutines

import java.util.concurrent.LinkedBlockingQueue
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher

/**
 * A dispatcher whose tasks run only when the test calls [turn] or [run], in the calling thread. It makes the moment
 * between a grant and the resumption visible. For tests of prompt cancellation and order.
 */
class ManualDispatcher : CoroutineDispatcher() {
    private val tasks = LinkedBlockingQueue<Runnable>()

    /** The number of dispatched tasks that have not run. */
    val size get() = tasks.size

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        tasks += block
    }

    /** Runs the first task. */
    fun turn() {
        tasks.remove().run()
    }

    /** Runs tasks until there are none, including those that are dispatched meanwhile. */
    fun run() {
        while (true) (tasks.poll() ?: return).run()
    }
}

/** An interceptor that is not a dispatcher. It resumes in place or, with [keeps], when the test calls [Kept.resume]. */
class Interceptor(private val keeps: Boolean = false) :
    AbstractCoroutineContextElement(ContinuationInterceptor),
    ContinuationInterceptor {

    /** The resumptions that were kept. */
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

        fun resume() = continuation.resumeWith(result)
    }
}
