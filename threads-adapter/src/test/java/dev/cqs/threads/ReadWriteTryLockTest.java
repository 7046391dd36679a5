package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.run;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ReadWriteVariant.Case;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The untimed {@code tryLock} of a read lock, which barges even on a fair lock; ours and the JDK's. */
class ReadWriteTryLockTest {
    static Stream<Case> tryingToRead() {
        return ReadWriteVariant.cases(by -> by == ReadWriteVariant.TRY_READ);
    }

    @ParameterizedTest
    @MethodSource("tryingToRead")
    void tryLockBargesPastWaitingThreadsAndLeavesThemInTheQueue(Case c) {
        ReadWrite lock = c.kind().make();
        lock.readLock().lock();
        Attempt writer = another(c, ReadWriteVariant.WRITE).startQueued(lock);
        Attempt reader = another(c, ReadWriteVariant.READ).startQueued(lock);
        run(c.threads(), () -> {
                    assertTrue(lock.readLock().tryLock());
                    assertEquals(2, lock.getReadLockCount());
                    assertEquals(1, lock.getReadHoldCount());
                    lock.readLock().unlock();
                    assertEquals(0, lock.getReadHoldCount());
                })
                .isGranted();
        assertEquals(1, lock.getReadLockCount());
        assertTrue(lock.hasQueuedThread(writer.thread));
        assertTrue(lock.hasQueuedThread(reader.thread));
        lock.readLock().unlock();
        writer.isGranted();
        reader.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("tryingToRead")
    void aFutureOrATimeoutOfZeroDoesNotBarge(Case c) {
        ReadWrite lock = c.kind().make();
        lock.readLock().lock();
        Attempt writer = another(c, ReadWriteVariant.WRITE).startQueued(lock);
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            TestThreads.start(c.threads(), () -> lock.readLock().tryLock(timeout, NANOSECONDS), () -> {})
                    .isRefused();
        }
        assertEquals(1, lock.getQueueLength());
        if (lock instanceof ReentrantReadWriteLock ours) {
            assertTrue(ours.readLock().lockAsync().cancel(false), "it waits");
        }
        lock.readLock().unlock();
        writer.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("tryingToRead")
    void theWriterWaitsForAReaderThatHasBargedPastIt(Case c) {
        ReadWrite lock = c.kind().make();
        lock.readLock().lock();
        Attempt writer = another(c, ReadWriteVariant.WRITE).startQueued(lock);
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch out = new CountDownLatch(1);
        Attempt barging = TestThreads.start(
                c.threads(),
                () -> {
                    boolean entered = lock.readLock().tryLock();
                    in.countDown();
                    out.await();
                    return entered;
                },
                () -> {
                    lock.readLock().lock(); // the barging reader may reenter
                    assertEquals(2, lock.getReadHoldCount());
                    lock.readLock().unlock();
                    assertTrue(lock.hasQueuedThread(writer.thread));
                    lock.readLock().unlock();
                });
        TestThreads.until("the reader has tried", () -> in.getCount() == 0);
        lock.readLock().unlock();
        assertTrue(lock.hasQueuedThread(writer.thread));
        assertEquals(1, lock.getReadLockCount());
        out.countDown();
        barging.isGranted();
        writer.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("tryingToRead")
    void tryLockFailsWhileAnotherThreadWritesAndSucceedsForTheWriter(Case c) {
        ReadWrite lock = c.kind().make();
        lock.writeLock().lock();
        Attempt next = another(c, ReadWriteVariant.WRITE).startQueued(lock);
        run(c.threads(), () -> assertFalse(lock.readLock().tryLock())).isGranted();
        assertTrue(lock.readLock().tryLock());
        lock.readLock().unlock();
        lock.writeLock().unlock();
        next.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("tryingToRead")
    void aWriterCancelledBehindItLetsTheReadersEnter(Case c) {
        ReadWrite lock = c.kind().make();
        lock.readLock().lock();
        Attempt writer = another(c, ReadWriteVariant.WRITE_INTERRUPTIBLY).startQueued(lock);
        Attempt reader = another(c, ReadWriteVariant.READ).startQueued(lock);
        run(c.threads(), () -> {
                    assertTrue(lock.readLock().tryLock());
                    writer.isInterrupted();
                    reader.isGranted();
                    lock.readLock().unlock();
                })
                .isGranted();
        lock.readLock().unlock();
        assertFree(lock);
    }

    private static Case another(Case c, ReadWriteVariant by) {
        return new Case(c.kind(), by, c.threads());
    }

    private static void assertFree(ReadWrite lock) {
        TestThreads.until(
                "the threads that held it have unlocked", () -> lock.getReadLockCount() == 0 && !lock.isWriteLocked());
        assertEquals(0, lock.getQueueLength());
        assertEquals(0, lock.getReadHoldCount());
        assertTrue(lock.writeLock().tryLock());
        lock.writeLock().unlock();
    }
}
