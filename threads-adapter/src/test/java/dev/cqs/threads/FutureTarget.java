package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.Waiting.Attempt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A primitive with room for one request at a time, which is asked for by futures and by threads. */
abstract class FutureTarget {
    enum Kind {
        MUTEX,
        SEMAPHORE,
        SEMAPHORE_SECOND_FORM,
        /** Each request is for two permits of two. */
        SEMAPHORE_OF_TWO;

        FutureTarget make() {
            return this == MUTEX ? new AskedMutex() : new AskedSemaphore(this);
        }
    }

    abstract CompletableFuture<Grant> ask();

    /** Waits for it in the current thread and leaves again, having done this. */
    abstract void enterThread(Runnable action);

    abstract boolean isFree();

    abstract int queueLength();

    abstract boolean close(Throwable cause);

    abstract Object core();

    /** A grant that is there at once. */
    final Grant hold() {
        CompletableFuture<Grant> future = ask();
        assertTrue(future.isDone(), "must be granted at once");
        return future.join();
    }

    /** What this future, whose turn it is, completes with. */
    static Grant granted(CompletableFuture<Grant> future) {
        Waiting.until("the future is granted", future::isDone);
        return future.join();
    }

    /** A request that waits. */
    final CompletableFuture<Grant> waiting() {
        int before = queueLength();
        CompletableFuture<Grant> future = ask();
        assertFalse(future.isDone(), "must wait");
        assertEquals(before + 1, queueLength());
        return future;
    }

    /** A thread that waits, and then does this and leaves. */
    final Attempt waitingThread(ThreadKind kind, Runnable action) {
        Attempt attempt = Waiting.run(kind, () -> enterThread(action));
        Waiting.until(attempt.thread + " waits", () -> hasQueued(attempt.thread));
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

    private static final class AskedMutex extends FutureTarget {
        private final Mutex mutex = new Mutex();

        @Override
        CompletableFuture<Grant> ask() {
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

    private static final class AskedSemaphore extends FutureTarget {
        private final Semaphore semaphore;
        private final int permits;

        AskedSemaphore(Kind kind) {
            permits = kind == Kind.SEMAPHORE_OF_TWO ? 2 : 1;
            semaphore = Semaphore.viewOf(dev.cqs.sync.Semaphore.bounded(permits));
            if (kind == Kind.SEMAPHORE_SECOND_FORM) {
                semaphore.reducePermits(5);
                semaphore.release(5);
            }
        }

        @Override
        CompletableFuture<Grant> ask() {
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
