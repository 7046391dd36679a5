package dev.cqs.lincheck

import dev.cqs.CancellableQueueSynchronizer
import dev.cqs.CancellationMode
import dev.cqs.ResumeMode
import dev.cqs.Waiter
import java.util.concurrent.atomic.AtomicInteger

/** A minimal semaphore on the queue, in all modes. */
internal open class TestSemaphore(permits: Int, resume: ResumeMode, cancellation: CancellationMode) :
    CancellableQueueSynchronizer<Any>(resume, cancellation) {
    /** The number of free permits or, negated, of waiting requests. */
    protected val free = AtomicInteger(permits)

    suspend fun acquire() {
        if (free.getAndDecrement() <= 0) awaitPermits(1, ::giveBack, ::enqueue)
    }

    private fun enqueue(waiter: Waiter): Boolean {
        while (!suspend(waiter)) {
            if (free.getAndDecrement() > 0) return false
        }
        return true
    }

    /** Correct in SYNC mode only. */
    fun tryAcquire(): Boolean {
        while (true) {
            val seen = free.get()
            if (seen <= 0) return false
            if (free.compareAndSet(seen, seen - 1)) return true
        }
    }

    open fun release() {
        while (free.getAndIncrement() < 0) {
            if (resume(PERMIT)) return
        }
    }

    protected open fun giveBack() = release()

    override fun onCancellation(waiter: Waiter?) = free.getAndIncrement() < 0

    protected companion object {
        const val PERMIT = "permit"
    }
}
