package dev.cqs.benchmarks

import dev.cqs.coroutines.SynchronousQueue
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore

/** Our classes and those of kotlinx behind one interface, as for a user who changes one import. */
object Peers {
    const val OURS: String = "ours"

    const val KOTLINX: String = "kotlinx"

    @JvmStatic
    fun mutex(whose: String, locked: Boolean): Mutex =
        if (isOurs(whose)) dev.cqs.coroutines.Mutex(locked) else Mutex(locked)

    @JvmStatic
    fun semaphore(whose: String, permits: Int, acquired: Int): Semaphore =
        if (isOurs(whose)) dev.cqs.coroutines.Semaphore(permits, acquired) else Semaphore(permits, acquired)

    /** Our synchronous queue, or the rendezvous channel. */
    @JvmStatic
    fun handOff(whose: String): Any =
        if (isOurs(whose)) SynchronousQueue<Any>(core(true)) else Channel<Any>(Channel.RENDEZVOUS)

    @JvmStatic
    fun <E : Any> core(fair: Boolean): dev.cqs.sync.SynchronousQueue<E> =
        if (fair) dev.cqs.sync.SynchronousQueue.fair() else dev.cqs.sync.SynchronousQueue.unfair()

    private fun isOurs(whose: String) = when (whose) {
        OURS -> true
        KOTLINX -> false
        else -> throw IllegalArgumentException(whose)
    }
}
