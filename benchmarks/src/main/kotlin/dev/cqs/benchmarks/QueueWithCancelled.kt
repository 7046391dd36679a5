package dev.cqs.benchmarks

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore

/** A semaphore without a free permit, and a coroutine that waits for one behind [cancelled] cancelled ones. */
class QueueWithCancelled(whose: String, cancelled: Int) {
    private val dispatcher = ManualDispatcher()
    private val scope = CoroutineScope(dispatcher)
    private val semaphore: Semaphore = Peers.semaphore(whose, 1, 1)
    private val live: Job

    init {
        val first = enqueue() // is cancelled last, so that the semaphore always has a waiter
        repeat(cancelled - 1) { leave(enqueue()) }
        live = enqueue()
        leave(first)
    }

    private fun enqueue() = scope.launch(start = CoroutineStart.UNDISPATCHED) { semaphore.acquire() }

    private fun leave(job: Job) {
        job.cancel()
        dispatcher.runNext()
    }

    /** Releases the permit. The coroutine is dispatched then, and has not run. */
    fun release() = semaphore.release()

    fun check() {
        check(live.isActive)
        dispatcher.runNext()
        check(live.isCompleted && !live.isCancelled && semaphore.availablePermits == 0)
    }
}
