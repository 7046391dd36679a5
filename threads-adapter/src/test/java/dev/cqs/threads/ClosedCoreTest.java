package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.Elements;
import dev.cqs.threads.Target.OurReadWriteLock;
import dev.cqs.threads.Target.WriteLockAlone;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What threads see of a closed core. */
class ClosedCoreTest {
    private final Throwable cause = new Throwable("the cause");

    static Stream<Case> all() {
        return AcquireVariant.cases(by -> true).filter(c -> c.target().isOurs());
    }

    static List<ThreadKind> kinds() {
        return ThreadKind.available();
    }

    static Stream<Case> waiting() {
        return all().filter(c -> c.by().waits);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyVariantOnAClosedCoreThrowsItsCause(Case c) {
        Target free = c.free();
        close(free);
        assertEquals(c.by().permits, free.free());
        assertClosed(() -> c.by().enter(free, LONG));
        assertEquals(c.by().permits, free.free());

        Target taken = c.held();
        close(taken);
        Acquire acquire = new Acquire(c, taken);
        acquire.attempt.endsWith(End.REFUSED, false);
        acquire.assertClosed();
        assertEquals(0, taken.free());
        taken.exit(c.by().permits);
        assertEquals(c.by().permits, taken.free());
        assertEquals(0, taken.getQueueLength());
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptBeforeTheCallTakesPrecedenceOrStaysPending(Case c) {
        Target target = c.free();
        close(target);
        Thread.currentThread().interrupt();
        if (c.by().interruptible) {
            assertThrows(InterruptedException.class, () -> c.by().enter(target, LONG));
            assertFalse(Thread.interrupted(), "the exception has cleared it");
        } else {
            assertClosed(() -> c.by().enter(target, LONG));
            assertTrue(Thread.interrupted(), "still pending");
        }
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void waitersOfEveryVariantGetTheCause(Case c) {
        Target target = c.held();
        List<Acquire> acquires = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            acquires.add(new Acquire(c, target).queued());
        }
        close(target);
        for (Acquire acquire : acquires) {
            acquire.attempt.endsWith(End.REFUSED, false);
            acquire.assertClosed();
        }
        assertEquals(
                3,
                acquires.stream()
                        .map(acquire -> acquire.thrown.get())
                        .distinct()
                        .count(),
                "each gets an exception of its own");
        assertEquals(0, target.free());
        target.exit(c.by().permits);
        TestThreads.assertIdle(target, c.by().permits);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void anInterruptThatDoesNotEndTheWaitIsPendingWhenTheCloseDoes(Case c) {
        Target target = c.held();
        Acquire acquire = new Acquire(c, target).queued();
        if (c.by().interruptible) {
            acquire.attempt.isInterrupted();
            close(target);
            assertNull(acquire.thrown.get());
        } else {
            acquire.attempt.thread.interrupt();
            TestThreads.until("the thread has seen the interrupt", () -> !acquire.attempt.thread.isInterrupted());
            close(target);
            acquire.attempt.endsWith(End.REFUSED, true);
            acquire.assertClosed();
        }
        TestThreads.until("the queue is empty", () -> target.getQueueLength() == 0);
        target.exit(c.by().permits);
        assertEquals(c.by().permits, target.free());
    }

    @Test
    void theHolderOfAClosedLockEntersAgainAndUnlocks() {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        close(lock.core());
        lock.lock();
        assertTrue(lock.tryLock());
        assertEquals(3, lock.getHoldCount());
        lock.unlock();
        lock.unlock();
        lock.unlock();
        assertFalse(lock.isLocked());
        assertClosed(lock::lock);
        assertFalse(lock.isHeldByCurrentThread());
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
    }

    @Test
    void aReaderOfAClosedLockEntersAgainAndUnlocks() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        ReentrantReadWriteLock.ReadLock readLock = lock.readLock();
        readLock.lock();
        assertTrue(lock.core().close(cause));
        readLock.lock();
        readLock.lockInterruptibly();
        assertTrue(readLock.tryLock());
        assertTrue(readLock.tryLock(LONG, TimeUnit.NANOSECONDS));
        assertEquals(5, lock.getReadHoldCount());
        for (int i = 0; i < 5; i++) {
            readLock.unlock();
        }
        assertClosed(readLock::lock);
        assertClosed(readLock::lockInterruptibly);
        assertClosed(readLock::tryLock);
        assertClosed(() -> readLock.tryLock(LONG, TimeUnit.NANOSECONDS));
        assertEquals(0, lock.getReadLockCount());
        assertThrows(IllegalMonitorStateException.class, readLock::unlock);
    }

    @Test
    void aWriterOfAClosedLockEntersAgainAndDowngrades() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.writeLock().lock();
        assertTrue(lock.core().close(cause));
        lock.writeLock().lock();
        assertTrue(lock.writeLock().tryLock());
        assertEquals(3, lock.getWriteHoldCount());
        lock.writeLock().unlock();
        lock.writeLock().unlock();
        lock.downgrade();
        assertEquals(1, lock.getReadHoldCount());
        assertClosed(lock.writeLock()::tryLock);
        lock.readLock().unlock();
        assertEquals(0, lock.getReadLockCount());
        assertFalse(lock.isWriteLocked());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void waitingReadersGetTheCause(ThreadKind kind) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.writeLock().lock();
        List<ClosedException> thrown = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (Call call : List.<Call>of(
                lock.readLock()::lock,
                lock.readLock()::lockInterruptibly,
                () -> lock.readLock().tryLock(LONG, TimeUnit.NANOSECONDS))) {
            threads.add(kind.start(() -> thrown.add(assertThrows(ClosedException.class, call::run))));
        }
        CompletableFuture<Grant> future = lock.readLock().lockAsync();
        TestThreads.until("all wait", () -> lock.core().waitingReaders() == 4);
        assertTrue(lock.core().close(cause));
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(3, thrown.size());
        thrown.forEach(exception -> assertSame(cause, exception.getCause()));
        ClosedException ofFuture = (ClosedException)
                assertThrows(ExecutionException.class, future::get).getCause();
        assertSame(cause, ofFuture.getCause());
        assertTrue(lock.writeLock().isHeldByCurrentThread());
        lock.writeLock().unlock();
        assertEquals(0, lock.getReadLockCount());
        assertFalse(lock.isWriteLocked());
    }

    @Test
    void aClosedSemaphoreIsNotDrained() {
        Semaphore semaphore = new Semaphore(2);
        semaphore.core().close(cause);
        assertClosed(semaphore::drainPermits);
        semaphore.reducePermits(1);
        assertEquals(1, semaphore.availablePermits());
    }

    private void close(Target target) {
        if (target instanceof Semaphore semaphore) {
            assertTrue(semaphore.core().close(cause));
        } else if (target instanceof Elements pool) {
            assertTrue(pool.close(cause));
        } else if (target instanceof WriteLockAlone writeLock) {
            assertTrue(((OurReadWriteLock) writeLock.both()).core().close(cause));
        } else {
            close(((AbstractMutexLock) target).core());
        }
    }

    private void close(dev.cqs.sync.Mutex core) {
        assertTrue(core.close(cause));
    }

    private interface Call {
        void run() throws Exception;
    }

    private void assertClosed(Call call) {
        assertSame(cause, assertThrows(ClosedException.class, call::run).getCause());
    }

    /** A thread that acquires, and records what the acquire throws. */
    private final class Acquire {
        final AtomicReference<ClosedException> thrown = new AtomicReference<>();
        final Attempt attempt;
        private final Target target;

        Acquire(Case c, Target target) {
            this.target = target;
            attempt = start(
                    c.kind(),
                    () -> {
                        try {
                            return c.by().enter(target, LONG);
                        } catch (ClosedException e) {
                            thrown.set(e);
                            return false;
                        }
                    },
                    () -> {});
        }

        Acquire queued() {
            attempt.queued(target).waitsIn(target);
            return this;
        }

        void assertClosed() {
            ClosedException exception = thrown.get();
            assertTrue(exception != null, "it is closed");
            assertSame(cause, exception.getCause());
        }
    }
}
