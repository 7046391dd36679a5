package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that would wait for its own read lock, and so for ever, gets an exception instead. */
class SelfDeadlockTest {
    private static final String TO_WRITE =
            "the current thread holds a read lock of this lock, and would wait for itself: it must unlock that first";
    private static final String FOR_A_SIGNAL =
            "the current thread holds a read lock of this lock, so no thread could lock to write and signal";

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    static List<ThreadKind> kinds() {
        return ThreadKind.available();
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private static void inThread(ThreadKind kind, Body body) {
        TestThreads.start(
                        kind,
                        () -> {
                            body.run();
                            return true;
                        },
                        () -> {})
                .isGranted();
    }

    private static void assertRefused(String message, Executable call) {
        assertEquals(
                message, assertThrowsExactly(IllegalStateException.class, call).getMessage());
    }

    private void assertState(int writeHolds, int readHolds, int readLocks) {
        assertEquals(writeHolds, lock.getWriteHoldCount());
        assertEquals(readHolds, lock.getReadHoldCount());
        assertEquals(readLocks, lock.getReadLockCount());
        assertEquals(0, lock.getQueueLength());
    }

    private void assertCannotWrite() throws InterruptedException {
        int holds = lock.getReadHoldCount();
        int all = lock.getReadLockCount();
        assertRefused(TO_WRITE, lock.writeLock()::lock);
        assertRefused(TO_WRITE, lock.writeLock()::lockInterruptibly);
        assertFalse(lock.writeLock().tryLock(), "as with the JDK's lock");
        assertFalse(lock.writeLock().tryLock(SHORT, TimeUnit.NANOSECONDS), "as with the JDK's lock");
        assertState(0, holds, all);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aReaderThatLocksToWriteIsRefused(ThreadKind kind) {
        inThread(kind, () -> {
            lock.readLock().lock();
            assertCannotWrite();
            lock.readLock().lock();
            lock.readLock().unlock();
            assertCannotWrite();
            lock.readLock().unlock();
            lock.writeLock().lock();
            assertState(1, 0, 0);
            lock.writeLock().unlock();
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aReaderAmongOthersThatLocksToWriteIsRefused(ThreadKind kind) {
        lock.readLock().lock();
        inThread(kind, () -> {
            lock.readLock().lock();
            assertCannotWrite();
            lock.readLock().unlock();
        });
        assertState(0, 1, 1);
        lock.readLock().unlock();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aDowngradedWriterThatLocksToWriteIsRefused(ThreadKind kind) {
        inThread(kind, () -> {
            lock.writeLock().lock();
            lock.downgrade();
            assertCannotWrite();
            lock.readLock().unlock();
        });
        assertState(0, 0, 0);
    }

    /** The waiting thread holds no lock, so it waits for others and gets no exception. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aThreadThatHasReadBeforeWaitsForOthers(ThreadKind kind) {
        lock.readLock().lock();
        TestThreads.Attempt writer = TestThreads.start(
                kind,
                () -> {
                    lock.readLock().lock();
                    lock.readLock().unlock();
                    lock.writeLock().lock();
                    return true;
                },
                () -> lock.writeLock().unlock());
        TestThreads.until("the writer waits", () -> writer.isOver() || lock.hasQueuedThread(writer.thread));
        lock.readLock().unlock();
        writer.isGranted();
        assertState(0, 0, 0);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aWriterThatReadsAndWaitsForASignalIsRefused(ThreadKind kind) {
        Condition condition = lock.writeLock().newCondition();
        inThread(kind, () -> {
            lock.writeLock().lock();
            lock.writeLock().lock();
            lock.readLock().lock();
            for (AwaitVariant way : AwaitVariant.values()) {
                assertRefused(FOR_A_SIGNAL, () -> way.await(condition, LONG));
                assertRefused(FOR_A_SIGNAL, () -> way.await(condition, 0));
                assertState(2, 1, 1);
                assertFalse(lock.hasWaiters(condition));
            }
            condition.signalAll(); // signalAll does not wait
            lock.readLock().unlock();
            assertTrue(condition.awaitNanos(0) <= 0);
            assertState(2, 0, 0);
            lock.writeLock().unlock();
            lock.writeLock().unlock();
        });
    }
}
