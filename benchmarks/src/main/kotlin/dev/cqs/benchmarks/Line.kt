package dev.cqs.benchmarks

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore

/** A semaphore without a free permit, and a coroutine that waits for one behind [cancelled] cancelled ones. */
class Line(whose: String, cancelled: Int) {
    private val crank = Crank()
    private val scope = CoroutineScope(crank)
    private val semaphore: Semaphore = Peers.semaphore(whose, 1, 1)
    private val live: Job

    init {
        val first = enqueue() // stays until the end, so that somebody always waits
        repeat(cancelled - 1) { leave(enqueue()) }
        live = enqueue()
        leave(first)
    }

    private fun enqueue() = scope.launch(start = CoroutineStart.UNDISPATCHED) { semaphore.acquire() }

    private fun leave(job: Job) {
        job.cancel()
        crank.turn()
    }

    /** The coroutine is ready to run after this, and has not run. */
    fun release() = semaphore.release()

    fun check() {
        check(live.isActive)
        crank.turn()
        check(live.isCompleted && !live.isCancelled && semaphore.availablePermits == 0)
    }
}
