package dev.cqs.benchmarks

import java.util.ArrayDeque
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher

/** Runs coroutines only when it is turned; so the waking of one is in no figure. Used by one thread. */
internal class Crank : CoroutineDispatcher() {
    private val pending = ArrayDeque<Runnable>()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        pending.add(block)
    }

    fun turn() {
        while (true) (pending.poll() ?: return).run()
    }
}
