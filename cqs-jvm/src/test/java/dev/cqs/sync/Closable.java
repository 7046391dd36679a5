package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;

/**
 * A primitive with one permit that can be closed: a mutex, a write lock, or a semaphore in unit or weighted mode. For tests of
 * closing, and of requests, that hold for all of them.
 */
public abstract class Closable {
    /** The primitives, and for a semaphore how it came into its mode. */
    enum Kind {
        MUTEX,
        WRITE_LOCK,
        SEMAPHORE,
        /** Upgraded by a debt, which is paid. */
        SEMAPHORE_IN_WEIGHTED_MODE,
        /** Upgraded by a request for two permits, which is cancelled. */
        SEMAPHORE_AFTER_A_LARGE_REQUEST;

        Closable make() {
            if (this == MUTEX) {
                return new OfMutex();
            }
            if (this == WRITE_LOCK) {
                return new OfWriteLock();
            }
            Semaphore semaphore = Semaphore.bounded(1);
            if (this == SEMAPHORE_IN_WEIGHTED_MODE) {
                semaphore.reducePermits(3);
                semaphore.release(3);
            } else if (this == SEMAPHORE_AFTER_A_LARGE_REQUEST) {
                semaphore = Semaphore.bounded(2, 1);
                assertTrue(semaphore
                        .acquire(2, new TestWaiter("large", 2), TestWaiter.ITSELF)
                        .cancelNow());
            }
            return new OfSemaphore(semaphore);
        }
    }

    abstract Object core();

    /** Requests the permit. The result is {@code null} if it was granted at once. */
    abstract TestWaiter request(Supplier<TestWaiter> newWaiter);

    /** Takes the permit if it is free and no request waits. */
    abstract boolean tryTakeFairly();

    abstract boolean tryTake();

    abstract void putBack();

    abstract boolean close(Throwable cause);

    abstract boolean isClosed();

    abstract int free();

    abstract int queueLength();

    abstract List<Waiter> waiting();

    /** Takes the permit, which must be free. */
    final Closable taken() {
        assertTrue(tryTake());
        return this;
    }

    /** Enqueues a waiter. */
    final TestWaiter waiter(String name) {
        return waiterAfter(() -> {}, name);
    }

    /** Enqueues a waiter, and runs {@code action} between the count of its request and the enqueuing. */
    final TestWaiter waiterAfter(Runnable action, String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertSame(waiter, requestAfter(action, waiter), name + " must wait");
        return waiter;
    }

    /** Requests the permit, and runs {@code action} when the request is counted and its waiter is not in the queue yet. */
    final TestWaiter requestAfter(Runnable action, TestWaiter waiter) {
        return request(() -> {
            action.run();
            return waiter;
        });
    }

    /** Makes a request whose factory runs {@code action}, when the request is counted, and then throws. */
    final void failInFactoryAfter(Runnable action) {
        FactoryFailure.propagatesFrom(newWaiter -> request(() -> newWaiter.apply(core(), null)), action);
    }

    final void assertRefusesAllRequests(Throwable cause) {
        for (Executable request : List.<Executable>of(() -> request(() -> null), this::tryTakeFairly, this::tryTake)) {
            assertClosed(cause, request);
        }
        assertTrue(isClosed());
        assertTrue(core().toString().endsWith(", closed]"), core().toString());
    }

    public static void assertClosed(Throwable cause, Executable request) {
        assertSame(cause, assertThrows(ClosedException.class, request).getCause());
    }

    public static void assertFailed(Throwable cause, TestWaiter waiter) {
        Closed closing = (Closed) waiter.value;
        assertTrue(closing != null, waiter + " was resumed");
        assertSame(cause, closing.cause());
        assertSame(cause, closing.exception().getCause());
    }

    final void assertIdle(int free) {
        assertEquals(free, free(), "free");
        assertEquals(0, queueLength(), "queue length");
        assertEquals(List.of(), waiting());
    }

    private static final class OfMutex extends Closable {
        private final Mutex mutex = new Mutex();

        @Override
        Object core() {
            return mutex;
        }

        @Override
        TestWaiter request(Supplier<TestWaiter> newWaiter) {
            return mutex.lock(newWaiter, (same, make) -> make.get());
        }

        @Override
        boolean tryTakeFairly() {
            return mutex.tryLock();
        }

        @Override
        boolean tryTake() {
            return mutex.tryLock();
        }

        @Override
        void putBack() {
            mutex.unlock();
        }

        @Override
        boolean close(Throwable cause) {
            return mutex.close(cause);
        }

        @Override
        boolean isClosed() {
            return mutex.isClosed();
        }

        @Override
        int free() {
            return mutex.isLocked() ? 0 : 1;
        }

        @Override
        int queueLength() {
            return mutex.queueLength();
        }

        @Override
        List<Waiter> waiting() {
            List<Waiter> waiting = new ArrayList<>();
            mutex.forEachWaiter(waiting::add);
            return waiting;
        }
    }

    private static final class OfWriteLock extends Closable {
        private final ReadWriteMutex lock = new ReadWriteMutex();

        @Override
        Object core() {
            return lock;
        }

        @Override
        TestWaiter request(Supplier<TestWaiter> newWaiter) {
            return lock.writeLock(newWaiter, (same, make) -> make.get());
        }

        @Override
        boolean tryTakeFairly() {
            return lock.tryWriteLock(Thread.currentThread());
        }

        @Override
        boolean tryTake() {
            return lock.tryWriteLock();
        }

        @Override
        void putBack() {
            lock.unlockWrite();
        }

        @Override
        boolean close(Throwable cause) {
            return lock.close(cause);
        }

        @Override
        boolean isClosed() {
            return lock.isClosed();
        }

        @Override
        int free() {
            return lock.isWriteLocked() ? 0 : 1;
        }

        @Override
        int queueLength() {
            return lock.waitingWriters();
        }

        @Override
        List<Waiter> waiting() {
            List<Waiter> waiting = new ArrayList<>();
            lock.forEachWaitingWriter(waiting::add);
            return waiting;
        }
    }

    private static final class OfSemaphore extends Closable {
        private final Semaphore semaphore;

        OfSemaphore(Semaphore semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        Object core() {
            return semaphore;
        }

        @Override
        TestWaiter request(Supplier<TestWaiter> newWaiter) {
            return semaphore.acquire(newWaiter, (same, make) -> make.get());
        }

        @Override
        boolean tryTakeFairly() {
            return semaphore.tryAcquireFairly(1);
        }

        @Override
        boolean tryTake() {
            return semaphore.tryAcquire();
        }

        @Override
        void putBack() {
            semaphore.release();
        }

        @Override
        boolean close(Throwable cause) {
            return semaphore.close(cause);
        }

        @Override
        boolean isClosed() {
            return semaphore.isClosed();
        }

        @Override
        int free() {
            return semaphore.availablePermits();
        }

        @Override
        int queueLength() {
            return semaphore.queueLength();
        }

        @Override
        List<Waiter> waiting() {
            List<Waiter> waiting = new ArrayList<>();
            semaphore.forEachWaiter(waiting::add);
            return waiting;
        }
    }
}
