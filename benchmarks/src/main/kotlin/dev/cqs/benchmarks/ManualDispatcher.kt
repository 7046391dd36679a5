package dev.cqs.benchmarks

import java.util.ArrayDeque
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher

/**
 * A dispatcher that runs coroutines only when the benchmark says so. The figures then do not include resumptions. For
 * one thread.
 */
internal class ManualDispatcher : CoroutineDispatcher() {
    private val pending = ArrayDeque<Runnable>()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        pending.add(block)
    }

    fun runNext() {
        while (true) (pending.poll() ?: return).run()
    }
}
