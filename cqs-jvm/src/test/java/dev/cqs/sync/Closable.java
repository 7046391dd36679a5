package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.MutexSteps;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** A mutex, the write lock of a read-write lock, or a semaphore with one permit, in one of its forms. */
abstract class Closable {
    /** Which, and in which form it is when it is closed. */
    enum Kind {
        MUTEX,
        WRITE_LOCK,
        SEMAPHORE,
        /** Moved by a debt that is paid. */
        SEMAPHORE_IN_SECOND_FORM,
        /** Moved by a request for two permits that was given up. */
        SEMAPHORE_AFTER_A_LARGE_REQUEST;

        Closable make() {
            if (this == MUTEX) {
                return new OfMutex();
            }
            if (this == WRITE_LOCK) {
                return new OfWriteLock();
            }
            Semaphore semaphore = Semaphore.bounded(1);
            if (this == SEMAPHORE_IN_SECOND_FORM) {
                semaphore.reducePermits(3);
                semaphore.release(3);
            } else if (this == SEMAPHORE_AFTER_A_LARGE_REQUEST) {
                semaphore = Semaphore.bounded(2, 1);
                TestWaiter large = new TestWaiter("large", 2);
                SyncAccess.semaphore().enqueue(semaphore, large, SyncAccess.semaphore().reserve(semaphore, 2));
                assertTrue(large.cancelNow());
            }
            return new OfSemaphore(semaphore);
        }
    }

    abstract Object core();

    abstract int reserve();

    abstract boolean tryReserve();

    abstract boolean enqueue(TestWaiter waiter, int ticket);

    abstract void abandon(int ticket);

    abstract boolean tryTake();

    abstract void putBack();

    abstract boolean close(Throwable cause);

    abstract boolean isClosed();

    abstract int free();

    abstract int queueLength();

    abstract List<Waiter> waiting();

    /** Takes the permit. */
    final Closable taken() {
        assertTrue(tryTake());
        return this;
    }

    /** A waiter in the queue. */
    final TestWaiter waiter(String name) {
        TestWaiter waiter = new TestWaiter(name);
        int ticket = reserve();
        assertTrue(ticket != Steps.GRANTED, name + " must wait");
        assertTrue(enqueue(waiter, ticket));
        return waiter;
    }

    final void refusesEverybody(Throwable cause) {
        for (Executable request : List.<Executable>of(this::reserve, this::tryReserve, this::tryTake)) {
            assertClosed(cause, request);
        }
        assertTrue(isClosed());
        assertTrue(core().toString().endsWith(", closed]"), core().toString());
    }

    static void assertClosed(Throwable cause, Executable request) {
        assertSame(cause, assertThrows(ClosedException.class, request).getCause());
    }

    static void assertFailed(Throwable cause, TestWaiter waiter) {
        Closed closing = (Closed) waiter.value;
        assertTrue(closing != null, waiter + " still waits");
        assertSame(cause, closing.cause());
        assertSame(cause, closing.exception().getCause());
    }

    final void assertIdle(int free) {
        assertEquals(free, free(), "free");
        assertEquals(0, queueLength(), "queue length");
        assertEquals(List.of(), waiting());
    }

    private static final class OfMutex extends Closable {
        private static final MutexSteps STEPS = SyncAccess.mutex();
        private final Mutex mutex = new Mutex();

        @Override
        Object core() {
            return mutex;
        }

        @Override
        int reserve() {
            return STEPS.reserve(mutex, 1);
        }

        @Override
        boolean tryReserve() {
            return STEPS.tryReserve(mutex, 1);
        }

        @Override
        boolean enqueue(TestWaiter waiter, int ticket) {
            return STEPS.enqueue(mutex, waiter, ticket);
        }

        @Override
        void abandon(int ticket) {
            STEPS.abandon(mutex, ticket);
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
        private static final Steps<ReadWriteMutex> STEPS = SyncAccess.readWrite().write();
        private final ReadWriteMutex lock = new ReadWriteMutex();

        @Override
        Object core() {
            return lock;
        }

        @Override
        int reserve() {
            return STEPS.reserve(lock, 1);
        }

        @Override
        boolean tryReserve() {
            return STEPS.tryReserve(lock, 1);
        }

        @Override
        boolean enqueue(TestWaiter waiter, int ticket) {
            return STEPS.enqueue(lock, waiter, ticket);
        }

        @Override
        void abandon(int ticket) {
            STEPS.abandon(lock, ticket);
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
        private static final Steps<Semaphore> STEPS = SyncAccess.semaphore();
        private final Semaphore semaphore;

        OfSemaphore(Semaphore semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        Object core() {
            return semaphore;
        }

        @Override
        int reserve() {
            return STEPS.reserve(semaphore, 1);
        }

        @Override
        boolean tryReserve() {
            return STEPS.tryReserve(semaphore, 1);
        }

        @Override
        boolean enqueue(TestWaiter waiter, int ticket) {
            return STEPS.enqueue(semaphore, waiter, ticket);
        }

        @Override
        void abandon(int ticket) {
            STEPS.abandon(semaphore, ticket);
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
