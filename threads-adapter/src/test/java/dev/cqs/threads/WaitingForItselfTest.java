package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.SHORT;
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

/** A thread that would wait for a read lock of its own, and so for ever, is told instead. */
class WaitingForItselfTest {
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
        Waiting.start(
                        kind,
                        () -> {
                            body.run();
                            return true;
                        },
                        () -> {})
                .isGranted();
    }

    private static void assertTold(String message, Executable call) {
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
        assertTold(TO_WRITE, lock.writeLock()::lock);
        assertTold(TO_WRITE, lock.writeLock()::lockInterruptibly);
        assertFalse(lock.writeLock().tryLock(), "as the JDK's");
        assertFalse(lock.writeLock().tryLock(SHORT, TimeUnit.NANOSECONDS), "as the JDK's");
        assertState(0, holds, all);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aReaderThatLocksToWrite(ThreadKind kind) {
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
    void aReaderAmongOthersThatLocksToWrite(ThreadKind kind) {
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
    void aWriterThatHasTurnedIntoAReader(ThreadKind kind) {
        inThread(kind, () -> {
            lock.writeLock().lock();
            lock.downgrade();
            assertCannotWrite();
            lock.readLock().unlock();
        });
        assertState(0, 0, 0);
    }

    /** The thread that waits holds nothing, so it waits for others and is not told. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aThreadThatHasReadBeforeWaitsForOthers(ThreadKind kind) {
        lock.readLock().lock();
        Waiting.Attempt writer = Waiting.start(
                kind,
                () -> {
                    lock.readLock().lock();
                    lock.readLock().unlock();
                    lock.writeLock().lock();
                    return true;
                },
                () -> lock.writeLock().unlock());
        Waiting.until("the writer waits", () -> writer.isOver() || lock.hasQueuedThread(writer.thread));
        lock.readLock().unlock();
        writer.isGranted();
        assertState(0, 0, 0);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aWriterThatReadsAndWaitsForASignal(ThreadKind kind) {
        Condition condition = lock.writeLock().newCondition();
        inThread(kind, () -> {
            lock.writeLock().lock();
            lock.writeLock().lock();
            lock.readLock().lock();
            for (ConditionWay way : ConditionWay.values()) {
                assertTold(FOR_A_SIGNAL, () -> way.await(condition, LONG));
                assertTold(FOR_A_SIGNAL, () -> way.await(condition, 0));
                assertState(2, 1, 1);
                assertFalse(lock.hasWaiters(condition));
            }
            condition.signalAll(); // which waits for nobody
            lock.readLock().unlock();
            assertTrue(condition.awaitNanos(0) <= 0);
            assertState(2, 0, 0);
            lock.writeLock().unlock();
            lock.writeLock().unlock();
        });
    }
}
