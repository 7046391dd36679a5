package dev.cqs.threads;

import static dev.cqs.threads.ReadWriteVariant.queued;
import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.PATIENCE;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.run;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ReadWriteVariant.Case;
import dev.cqs.threads.ReadWriteVariant.Kind;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of a fair {@link java.util.concurrent.locks.ReentrantReadWriteLock}, on ours and the JDK's. */
class ReadWriteContractTest {
    static Stream<Case> all() {
        return ReadWriteVariant.cases(by -> true);
    }

    static Stream<Case> reading() {
        return ReadWriteVariant.cases(by -> by.reads);
    }

    static Stream<Case> waiting() {
        return ReadWriteVariant.cases(by -> by.waits);
    }

    static Stream<Case> waitingToRead() {
        return ReadWriteVariant.cases(by -> by.waits && by.reads);
    }

    static Stream<Case> waitingInterruptible() {
        return ReadWriteVariant.cases(by -> by.waits && by.interruptible);
    }

    static Stream<Case> waitingUninterruptible() {
        return ReadWriteVariant.cases(by -> by.waits && !by.interruptible);
    }

    static Stream<Case> writersThatGiveUp() {
        return ReadWriteVariant.cases(by -> !by.reads && by.waits && by.interruptible);
    }

    static Stream<Case> timed() {
        return ReadWriteVariant.cases(by -> by.timed);
    }

    static Stream<Case> notWaiting() {
        return ReadWriteVariant.cases(by -> !by.waits);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    // Readers together, a writer alone

    @ParameterizedTest
    @MethodSource("reading")
    void readersShareIt(Case c) {
        ReadWrite lock = c.kind().make();
        lock.readLock().lock();
        c.start(lock, LONG, () -> {
                    assertEquals(2, lock.getReadLockCount());
                    assertEquals(1, lock.getReadHoldCount());
                    assertFalse(lock.writeLock().tryLock());
                    c.by().unlock(lock);
                    assertEquals(0, lock.getReadHoldCount());
                })
                .isGranted();
        assertEquals(1, lock.getReadLockCount());
        lock.readLock().unlock();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFreeLockIsTakenAtOnce(Case c) {
        ReadWrite lock = c.kind().make();
        c.start(lock, LONG, () -> {
                    assertEquals(c.by().reads ? 1 : 0, lock.getReadLockCount());
                    assertEquals(!c.by().reads, lock.isWriteLocked());
                    assertEquals(!c.by().reads, lock.isWriteLockedByCurrentThread());
                    assertSame(c.by().reads ? null : Thread.currentThread(), lock.getOwner());
                    c.by().unlock(lock);
                })
                .isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void readersAndAWriterWaitForEachOther(Case c) {
        ReadWrite lock = c.held();
        Attempt waiter = c.startQueued(lock);
        c.opposite().unlock(lock);
        waiter.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void everyThreadWaitsForAWriter(Case c) {
        ReadWrite lock = c.kind().make();
        lock.writeLock().lock();
        Attempt waiter = c.startQueued(lock);
        lock.writeLock().unlock();
        waiter.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("notWaiting")
    void isRefusedAtOnceIfItWouldHaveToWait(Case c) {
        ReadWrite lock = c.held();
        c.start(lock, 0, () -> {}).isRefused();
        c.opposite().unlock(lock);
        assertFree(lock);
    }

    // Turns

    @ParameterizedTest
    @MethodSource("waitingToRead")
    void aWaitingWriterStopsLaterReaders(Case c) {
        ReadWrite lock = c.kind().make();
        lock.readLock().lock();
        Attempt writer = queued(
                lock,
                TestThreads.start(
                        c.threads(),
                        () -> {
                            lock.writeLock().lock();
                            return true;
                        },
                        () -> {
                            assertEquals(0, lock.getReadLockCount());
                            lock.writeLock().unlock();
                        }));
        Attempt reader = c.startQueued(lock);
        assertEquals(1, lock.getReadLockCount());
        lock.readLock().unlock();
        writer.isGranted();
        reader.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("waitingToRead")
    void waitingReadersEnterTogether(Case c) {
        int count = 5;
        CyclicBarrier together = new CyclicBarrier(count);
        ReadWrite lock = c.held();
        List<Attempt> readers = Stream.generate(() -> c.startQueued(lock, () -> meet(together)))
                .limit(count)
                .toList();
        lock.writeLock().unlock();
        readers.forEach(Attempt::isGranted);
        assertFree(lock);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(PATIENCE, NANOSECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    // Interrupts and timeouts

    @ParameterizedTest
    @MethodSource("waitingInterruptible")
    void anInterruptEndsTheWaitAndLeavesNothing(Case c) {
        ReadWrite lock = c.held();
        Attempt first = c.startQueued(lock);
        Attempt second = c.startQueued(lock);
        first.isInterrupted();
        assertEquals(1, lock.getQueueLength());
        assertFalse(lock.hasQueuedThread(first.thread));
        c.opposite().unlock(lock);
        second.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("waitingUninterruptible")
    void anInterruptStaysPendingWhereItDoesNotEndTheWait(Case c) {
        ReadWrite lock = c.held();
        Attempt waiter = c.startQueued(lock);
        waiter.thread.interrupt();
        TestThreads.until("the interrupt has been seen", () -> waiter.isOver() || !waiter.thread.isInterrupted());
        assertTrue(lock.hasQueuedThread(waiter.thread));
        c.opposite().unlock(lock);
        waiter.endsWith(End.GRANTED, true);
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptBeforeTheCallThrowsOrStaysPending(Case c) {
        for (ReadWrite lock : List.of(c.kind().make(), c.held())) {
            boolean closed = lock.isWriteLocked() || lock.getReadLockCount() > 0;
            Attempt attempt = TestThreads.start(
                    c.threads(),
                    () -> {
                        Thread.currentThread().interrupt();
                        return c.by().lock(lock, LONG);
                    },
                    () -> c.by().unlock(lock));
            if (c.by().interruptible) {
                attempt.endsWith(End.INTERRUPTED, false);
            } else if (closed && c.by().waits) {
                queued(lock, attempt);
                c.opposite().unlock(lock);
                attempt.endsWith(End.GRANTED, true);
                c.opposite().lockNow(lock);
            } else {
                attempt.endsWith(closed ? End.REFUSED : End.GRANTED, true);
            }
            if (closed) {
                c.opposite().unlock(lock);
            }
            assertFree(lock);
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aTimeoutEndsTheWaitAndLeavesNothing(Case c) {
        ReadWrite lock = c.held();
        for (long timeout : new long[] {Long.MIN_VALUE, -1, 0, 1, SHORT}) {
            c.start(lock, timeout, () -> {}).isRefused();
            assertEquals(0, lock.getQueueLength());
        }
        Attempt waiter = queued(lock, c.start(lock, Long.MAX_VALUE, () -> c.by().unlock(lock)));
        c.opposite().unlock(lock);
        waiter.isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutNeedsAUnit(Kind kind) {
        ReadWrite lock = kind.make();
        for (long timeout : new long[] {0, 1}) {
            assertThrows(NullPointerException.class, () -> lock.readLock().tryLock(timeout, null));
            assertThrows(NullPointerException.class, () -> lock.writeLock().tryLock(timeout, null));
        }
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("writersThatGiveUp")
    void anInterruptedWriterLetsTheReadersBehindItEnter(Case c) {
        ReadWrite lock = c.held();
        Attempt writer = c.startQueued(lock);
        Attempt reader = new Case(c.kind(), ReadWriteVariant.READ, c.threads()).startQueued(lock);
        writer.isInterrupted();
        reader.isGranted();
        assertEquals(1, lock.getReadLockCount());
        lock.readLock().unlock();
        assertFree(lock);
    }

    @ParameterizedTest
    @EnumSource
    void aTimedOutWriterLetsTheReadersBehindItEnter(Kind kind) {
        boolean wasQueued = false;
        for (long timeout = SHORT; !wasQueued; timeout *= 2) {
            ReadWrite lock = kind.make();
            lock.readLock().lock();
            Attempt writer =
                    new Case(kind, ReadWriteVariant.WRITE_TIMED, ThreadKind.PLATFORM).start(lock, timeout, () -> {});
            Attempt reader = run(ThreadKind.PLATFORM, () -> {
                lock.readLock().lock();
                lock.readLock().unlock();
            });
            TestThreads.until("it waits", () -> lock.hasQueuedThread(reader.thread) || reader.isOver());
            wasQueued = lock.getQueueLength() == 2; // otherwise the writer timed out too early
            writer.isRefused();
            reader.isGranted();
            lock.readLock().unlock();
            assertFree(lock);
        }
    }

    // Reentrancy

    @ParameterizedTest
    @MethodSource("reading")
    void aReaderMayReadAgainThoughOthersWait(Case c) {
        ReadWrite lock = c.kind().make();
        for (boolean first : new boolean[] {true, false}) {
            if (!first) {
                lock.readLock().lock(); // another reader holds it, too
            }
            run(c.threads(), () -> {
                        c.by().lockNow(lock);
                        Attempt writer = new Case(c.kind(), ReadWriteVariant.WRITE, c.threads()).startQueued(lock);
                        for (int holds = 1; holds < 5; holds++) {
                            assertEquals(holds, lock.getReadHoldCount());
                            assertEquals(holds + (first ? 0 : 1), lock.getReadLockCount());
                            c.by().lockNow(lock);
                        }
                        for (int holds = 5; holds > 0; holds--) {
                            assertTrue(lock.hasQueuedThread(writer.thread));
                            assertEquals(holds, lock.getReadHoldCount());
                            lock.readLock().unlock();
                        }
                        if (first) {
                            writer.isGranted();
                        }
                    })
                    .isGranted();
            if (!first) {
                lock.readLock().unlock();
            }
            TestThreads.until("the writer has unlocked", () -> lock.getQueueLength() == 0 && !lock.isWriteLocked());
            assertFree(lock);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void aWriterMayLockAgainToReadAndToWrite(Case c) {
        ReadWrite lock = c.kind().make();
        run(c.threads(), () -> {
                    lock.writeLock().lock();
                    Attempt reader = new Case(c.kind(), ReadWriteVariant.READ, c.threads()).startQueued(lock);
                    c.by().lockNow(lock);
                    c.by().lockNow(lock);
                    assertEquals(c.by().reads ? 1 : 3, lock.getWriteHoldCount());
                    assertEquals(c.by().reads ? 2 : 0, lock.getReadHoldCount());
                    assertEquals(c.by().reads ? 2 : 0, lock.getReadLockCount());
                    c.by().unlock(lock);
                    c.by().unlock(lock);
                    assertTrue(lock.isWriteLockedByCurrentThread());
                    assertTrue(lock.hasQueuedThread(reader.thread));
                    lock.writeLock().unlock();
                    reader.isGranted();
                })
                .isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @MethodSource("reading")
    void aWriterThatReadsBeforeItUnlocksStaysAsAReader(Case c) {
        ReadWrite lock = c.kind().make();
        run(c.threads(), () -> {
                    lock.writeLock().lock();
                    Attempt reader = new Case(c.kind(), ReadWriteVariant.READ, c.threads()).startQueued(lock);
                    c.by().lockNow(lock);
                    lock.writeLock().unlock();
                    reader.isGranted();
                    assertFalse(lock.isWriteLocked());
                    assertNull(lock.getOwner());
                    assertEquals(1, lock.getReadHoldCount());
                    Attempt writer = new Case(c.kind(), ReadWriteVariant.WRITE, c.threads()).startQueued(lock);
                    assertFalse(lock.writeLock().tryLock());
                    lock.readLock().unlock();
                    writer.isGranted();
                })
                .isGranted();
        assertFree(lock);
    }

    @ParameterizedTest
    @EnumSource
    void aReaderCannotBecomeAWriter(Kind kind) throws InterruptedException {
        ReadWrite lock = kind.make();
        lock.readLock().lock();
        assertFalse(lock.writeLock().tryLock());
        assertFalse(lock.writeLock().tryLock(0, NANOSECONDS));
        assertFalse(lock.writeLock().tryLock(SHORT, NANOSECONDS));
        assertEquals(1, lock.getReadHoldCount());
        lock.readLock().unlock();
        assertFree(lock);
    }

    /** The thread waits for itself until it is interrupted. */
    @Test
    void aReaderOfTheJdkThatLocksToWriteHangs() {
        ReadWrite lock = Kind.JDK.make();
        lock.readLock().lock();
        Attempt reader = TestThreads.start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.readLock().lock();
                    try {
                        lock.writeLock().lockInterruptibly();
                        return true;
                    } finally {
                        lock.readLock().unlock();
                    }
                },
                () -> {});
        queued(lock, reader);
        lock.readLock().unlock();
        assertTrue(lock.hasQueuedThread(reader.thread));
        reader.isInterrupted();
        assertFree(lock);
    }

    // Misuse

    @ParameterizedTest
    @EnumSource
    void unlockByAThreadThatDoesNotHoldItIsRefusedAndChangesNothing(Kind kind) {
        ReadWrite lock = kind.make();
        refusesToUnlock(lock);
        lock.readLock().lock();
        assertThrowsExactly(
                IllegalMonitorStateException.class, () -> lock.writeLock().unlock());
        run(ThreadKind.PLATFORM, () -> refusesToUnlock(lock)).isGranted();
        run(ThreadKind.PLATFORM, () -> {
                    lock.readLock().lock();
                    lock.readLock().unlock();
                    refusesToUnlock(lock);
                })
                .isGranted();
        assertEquals(1, lock.getReadLockCount());
        assertEquals(1, lock.getReadHoldCount());
        lock.readLock().unlock();
        refusesToUnlock(lock);
        lock.writeLock().lock();
        assertThrowsExactly(
                IllegalMonitorStateException.class, () -> lock.readLock().unlock());
        run(ThreadKind.PLATFORM, () -> refusesToUnlock(lock)).isGranted();
        assertTrue(lock.isWriteLockedByCurrentThread());
        lock.writeLock().unlock();
        refusesToUnlock(lock);
        assertFree(lock);
    }

    private static void refusesToUnlock(ReadWrite lock) {
        assertThrowsExactly(
                IllegalMonitorStateException.class, () -> lock.readLock().unlock());
        assertThrowsExactly(
                IllegalMonitorStateException.class, () -> lock.writeLock().unlock());
    }

    @ParameterizedTest
    @EnumSource
    void aReadLockHasNoConditions(Kind kind) {
        ReadWrite lock = kind.make();
        assertThrows(UnsupportedOperationException.class, () -> lock.readLock().newCondition());
        lock.writeLock().lock();
        assertThrows(UnsupportedOperationException.class, () -> lock.readLock().newCondition());
    }

    // Queries

    @ParameterizedTest
    @EnumSource
    void queriesShowTheQueue(Kind kind) {
        ReadWrite lock = kind.make();
        lock.writeLock().lock();
        assertFalse(lock.hasQueuedThreads());
        assertEquals(0, lock.getQueueLength());
        Attempt reader = new Case(kind, ReadWriteVariant.READ, ThreadKind.PLATFORM).startQueued(lock);
        Attempt writer = new Case(kind, ReadWriteVariant.WRITE, ThreadKind.PLATFORM).startQueued(lock);
        Attempt other = new Case(kind, ReadWriteVariant.WRITE, ThreadKind.PLATFORM).startQueued(lock);
        assertTrue(lock.hasQueuedThreads());
        assertEquals(3, lock.getQueueLength());
        assertShows(lock.getQueuedReaderThreads(), reader);
        assertShows(lock.getQueuedWriterThreads(), writer, other);
        assertShows(lock.getQueuedThreads(), reader, writer, other);
        assertTrue(lock.hasQueuedThread(reader.thread));
        assertTrue(lock.hasQueuedThread(writer.thread));
        assertFalse(lock.hasQueuedThread(Thread.currentThread()));
        assertThrows(NullPointerException.class, () -> lock.hasQueuedThread(null));
        lock.writeLock().unlock();
        Stream.of(reader, writer, other).forEach(Attempt::isGranted);
        assertFree(lock);
    }

    private static void assertShows(Collection<Thread> shown, Attempt... expected) {
        assertEquals(Set.of(Stream.of(expected).map(attempt -> attempt.thread).toArray()), new HashSet<>(shown));
        assertEquals(expected.length, shown.size());
    }

    @ParameterizedTest
    @EnumSource
    void toStringShowsHowItIsHeld(Kind kind) {
        ReadWrite lock = kind.make();
        assertSays(lock, 0, 0, "[Unlocked]");
        lock.readLock().lock();
        lock.readLock().lock();
        assertSays(lock, 0, 2, "[Unlocked]");
        lock.readLock().unlock();
        lock.readLock().unlock();
        lock.writeLock().lock();
        lock.writeLock().lock();
        lock.readLock().lock();
        assertSays(lock, 2, 1, "[Locked by thread " + Thread.currentThread().getName() + "]");
    }

    private static void assertSays(ReadWrite lock, int writes, int reads, String writer) {
        assertEnds(lock, "[Write locks = " + writes + ", Read locks = " + reads + "]");
        assertEnds(lock.readLock(), "[Read locks = " + reads + "]");
        assertEnds(lock.writeLock(), writer);
    }

    private static void assertEnds(Object object, String end) {
        assertTrue(object.toString().endsWith(end), object::toString);
    }

    /** A difference to the JDK, whose locks can be unfair. */
    @Test
    void ourLocksAreAlwaysFair() {
        assertTrue(new ReentrantReadWriteLock().isFair());
        assertTrue(new ReentrantReadWriteLock(true).isFair());
        assertTrue(new ReentrantReadWriteLock(false).isFair());
    }

    private static void assertFree(ReadWrite lock) {
        TestThreads.until(
                "the threads that held it have unlocked", () -> lock.getReadLockCount() == 0 && !lock.isWriteLocked());
        assertEquals(0, lock.getQueueLength());
        assertFalse(lock.hasQueuedThreads());
        assertEquals(0, lock.getQueuedThreads().size());
        assertEquals(0, lock.getReadHoldCount());
        assertEquals(0, lock.getWriteHoldCount());
        assertNull(lock.getOwner());
        assertTrue(lock.writeLock().tryLock());
        lock.writeLock().unlock();
    }
}
