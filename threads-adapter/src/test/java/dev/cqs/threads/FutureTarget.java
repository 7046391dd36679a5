package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.TestThreads.Attempt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A primitive that one request can hold at a time, used by futures and threads. For all tests of futures. */
abstract class FutureTarget {
    enum Kind {
        MUTEX,
        SEMAPHORE,
        SEMAPHORE_IN_WEIGHTED_MODE,
        /** The semaphore has two permits, and each request is for two. */
        SEMAPHORE_OF_TWO;

        FutureTarget make() {
            return this == MUTEX ? new MutexTarget() : new SemaphoreTarget(this);
        }
    }

    abstract CompletableFuture<Grant> request();

    /** Acquires in the current thread, runs {@code action}, and releases. */
    abstract void enterThread(Runnable action);

    abstract boolean isFree();

    abstract int queueLength();

    abstract boolean close(Throwable cause);

    abstract Object core();

    /** Requests, and returns the grant, which must be there at once. */
    final Grant hold() {
        CompletableFuture<Grant> future = request();
        assertTrue(future.isDone(), "must be granted at once");
        return future.join();
    }

    /** Waits for the grant of a future whose turn it is. */
    static Grant granted(CompletableFuture<Grant> future) {
        TestThreads.until("the future is granted", future::isDone);
        return future.join();
    }

    /** Makes a request that must wait. */
    final CompletableFuture<Grant> waiting() {
        int before = queueLength();
        CompletableFuture<Grant> future = request();
        assertFalse(future.isDone(), "must wait");
        assertEquals(before + 1, queueLength());
        return future;
    }

    /** Starts a thread that must wait, and then runs {@code action} and releases. */
    final Attempt waitingThread(ThreadKind kind, Runnable action) {
        Attempt attempt = TestThreads.run(kind, () -> enterThread(action));
        TestThreads.until(attempt.thread + " waits", () -> hasQueued(attempt.thread));
        return attempt;
    }

    abstract boolean hasQueued(Thread thread);

    final void assertIdle() {
        assertTrue(isFree(), "free");
        assertEquals(0, queueLength());
        AtomicInteger left = new AtomicInteger();
        forEachWaiter(left::incrementAndGet);
        assertEquals(0, left.get(), "waiters in the queue");
    }

    abstract void forEachWaiter(Runnable action);

    private static final class MutexTarget extends FutureTarget {
        private final Mutex mutex = new Mutex();

        @Override
        CompletableFuture<Grant> request() {
            return mutex.lockAsync();
        }

        @Override
        void enterThread(Runnable action) {
            mutex.lock();
            action.run();
            mutex.unlock();
        }

        @Override
        boolean isFree() {
            return !mutex.isLocked();
        }

        @Override
        int queueLength() {
            return mutex.getQueueLength();
        }

        @Override
        boolean close(Throwable cause) {
            return mutex.core().close(cause);
        }

        @Override
        Object core() {
            return mutex.core();
        }

        @Override
        boolean hasQueued(Thread thread) {
            return mutex.hasQueuedThread(thread);
        }

        @Override
        void forEachWaiter(Runnable action) {
            mutex.core().forEachWaiter(waiter -> action.run());
        }
    }

    private static final class SemaphoreTarget extends FutureTarget {
        private final Semaphore semaphore;
        private final int permits;

        SemaphoreTarget(Kind kind) {
            permits = kind == Kind.SEMAPHORE_OF_TWO ? 2 : 1;
            semaphore = Semaphore.viewOf(dev.cqs.sync.Semaphore.bounded(permits));
            if (kind == Kind.SEMAPHORE_IN_WEIGHTED_MODE) {
                semaphore.reducePermits(5);
                semaphore.release(5);
            }
        }

        @Override
        CompletableFuture<Grant> request() {
            return permits == 1 ? semaphore.acquireAsync() : semaphore.acquireAsync(permits);
        }

        @Override
        void enterThread(Runnable action) {
            semaphore.acquireUninterruptibly(permits);
            action.run();
            semaphore.release(permits);
        }

        @Override
        boolean isFree() {
            return semaphore.availablePermits() == permits;
        }

        @Override
        int queueLength() {
            return semaphore.getQueueLength();
        }

        @Override
        boolean close(Throwable cause) {
            return semaphore.core().close(cause);
        }

        @Override
        Object core() {
            return semaphore.core();
        }

        @Override
        boolean hasQueued(Thread thread) {
            return semaphore.getQueuedThreads().contains(thread);
        }

        @Override
        void forEachWaiter(Runnable action) {
            semaphore.core().forEachWaiter(waiter -> action.run());
        }
    }
}
