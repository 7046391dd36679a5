package dev.cqs.modelchecked.queue;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The smallest primitive on the queue that works in all its modes: a semaphore. A release that has served no waiter begins
 * again; a request whose cell was broken does not, so that each thread takes a bounded number of steps.
 */
final class Permits {

    /** What has become of a request. */
    enum Request {
        GRANTED,
        WAITING,
        BROKEN
    }

    /** Below zero: minus the number of waiters. */
    private final AtomicInteger free;

    private final Queue queue;

    Permits(int free, ResumeMode resumeMode, CancellationMode cancellationMode) {
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

    /** Returns how many attempts have failed. */
    int release() {
        int failed = 0;
        while (free.getAndIncrement() < 0 && !queue.resume(this)) {
            failed++;
        }
        return failed;
    }

    /** How many permits there are, less the waiters, when nothing is under way. */
    int free() {
        return free.get();
    }

    CancellableQueueSynchronizer<Object> queue() {
        return queue;
    }
}
