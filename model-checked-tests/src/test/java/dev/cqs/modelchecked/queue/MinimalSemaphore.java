package dev.cqs.modelchecked.queue;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A minimal semaphore on the queue, which works in all modes. A release that has served no waiter starts again. A request
 * whose cell was broken does not, so that each thread takes a bounded number of steps.
 */
final class MinimalSemaphore {

    /** The outcome of a request. */
    enum Request {
        GRANTED,
        WAITING,
        BROKEN
    }

    /** Below zero: minus the number of waiters. */
    private final AtomicInteger free;

    private final Queue queue;

    MinimalSemaphore(int free, ResumeMode resumeMode, CancellationMode cancellationMode) {
        this.free = new AtomicInteger(free);
        queue = new Queue(resumeMode, cancellationMode);
    }

    private final class Queue extends CancellableQueueSynchronizer<Object> {

        Queue(ResumeMode resumeMode, CancellationMode cancellationMode) {
            super(resumeMode, cancellationMode);
        }

        @Override
        protected boolean onCancellation(Waiter waiter) {
            return free.getAndIncrement() < 0;
        }
    }

    Request acquire(Ticket ticket) {
        if (free.getAndDecrement() > 0) {
            return Request.GRANTED;
        }
        return queue.suspend(ticket) ? Request.WAITING : Request.BROKEN;
    }

    /** Releases a permit, and returns the number of failed attempts. */
    int release() {
        int failed = 0;
        while (free.getAndIncrement() < 0 && !queue.resume(this)) {
            failed++;
        }
        return failed;
    }

    /** The number of permits minus that of waiters, when no operation runs. */
    int free() {
        return free.get();
    }

    CancellableQueueSynchronizer<Object> queue() {
        return queue;
    }
}
