package dev.cqs.benchmarks

import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore

/** Ours and the peer's, behind one interface: what a user gets who changes one import. */
object Peers {
    const val OURS: String = "ours"

    const val KOTLINX: String = "kotlinx"

    @JvmStatic
    fun mutex(whose: String, locked: Boolean): Mutex =
        if (isOurs(whose)) dev.cqs.coroutines.Mutex(locked) else Mutex(locked)

    @JvmStatic
    fun semaphore(whose: String, permits: Int, acquired: Int): Semaphore =
        if (isOurs(whose)) dev.cqs.coroutines.Semaphore(permits, acquired) else Semaphore(permits, acquired)

    private fun isOurs(whose: String) = when (whose) {
        OURS -> true
        KOTLINX -> false
        else -> throw IllegalArgumentException(whose)
    }
}
