package dev.cqs.threads;

import static dev.cqs.threads.ReadWriteVariant.READ;
import static dev.cqs.threads.ReadWriteVariant.WRITE;
import static dev.cqs.threads.ReadWriteVariant.queued;
import static dev.cqs.threads.TestThreads.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ReadWriteMutex;
import dev.cqs.threads.ReadWriteVariant.Case;
import dev.cqs.threads.ReadWriteVariant.Kind;
import dev.cqs.threads.Target.OurReadWriteLock;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the JDK's read-write lock does not have: turns that alternate, shared cores, futures, and a downgrade. */
class ReadWriteViewsTest {
    private final OurReadWriteLock lock = new OurReadWriteLock();
    private final ReadWriteMutex core = lock.core();
    private final ReentrantReadWriteLock other = ReentrantReadWriteLock.viewOf(core);

    static Stream<ThreadKind> threadKinds() {
        return ThreadKind.available().stream();
    }

    private Attempt startQueued(ReadWriteVariant by, ThreadKind threads, Runnable onGrant) {
        return new Case(Kind.OURS, by, threads).startQueued(lock, onGrant);
    }

    // Turns

    @ParameterizedTest
    @MethodSource("threadKinds")
    void readersAndWritersAlternateWhateverTheirOrderOfArrival(ThreadKind threads) {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        lock.writeLock().lock();
        List<Attempt> all = new ArrayList<>();
        for (String name : List.of("w1", "w2", "r1", "w3", "r2")) {
            all.add(startQueued(name.startsWith("r") ? READ : WRITE, threads, () -> {
                if (name.startsWith("r")) {
                    TestThreads.until("both read", () -> lock.getReadLockCount() == 2 || order.contains("r"));
                    order.add("r");
                } else {
                    order.add(name);
                }
            }));
        }
        lock.writeLock().unlock();
        all.forEach(Attempt::isGranted);
        assertEquals(List.of("r", "r", "w1", "w2", "w3"), order);
        assertIdle();
    }

    @Test
    void aReaderThatArrivesDuringATurnOfReadersWaitsForOneWriterOnly() {
        lock.readLock().lock();
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Attempt first = startQueued(WRITE, ThreadKind.PLATFORM, () -> order.add("first"));
        Attempt second = startQueued(WRITE, ThreadKind.PLATFORM, () -> order.add("second"));
        Attempt reader = startQueued(READ, ThreadKind.PLATFORM, () -> order.add("reader"));
        lock.readLock().unlock();
        Stream.of(first, second, reader).forEach(Attempt::isGranted);
        assertEquals(List.of("first", "reader", "second"), order);
        assertIdle();
    }

    /** This is so even if another writer waits behind it. With the JDK's lock the readers wait for that writer. */
    @Test
    void whenTheFirstWriterIsCancelledTheReadersEnterAheadOfTheSecond() {
        lock.readLock().lock();
        Attempt first = startQueued(ReadWriteVariant.WRITE_INTERRUPTIBLY, ThreadKind.PLATFORM, () -> {});
        Attempt second = startQueued(WRITE, ThreadKind.PLATFORM, () -> {});
        Attempt reader = startQueued(READ, ThreadKind.PLATFORM, () -> {});
        first.isInterrupted();
        reader.isGranted();
        assertTrue(lock.hasQueuedThread(second.thread));
        lock.readLock().unlock();
        second.isGranted();
        assertIdle();
    }

    // Downgrade

    @Test
    void aDowngradeLetsWaitingReadersEnterAndNoWriter() {
        run(ThreadKind.PLATFORM, () -> {
                    lock.writeLock().lock();
                    Attempt writer = startQueued(WRITE, ThreadKind.PLATFORM, () -> {});
                    Attempt reader = startQueued(READ, ThreadKind.PLATFORM, () -> {});
                    lock.downgrade();
                    assertFalse(lock.isWriteLocked());
                    assertEquals(1, lock.getReadHoldCount());
                    assertEquals(0, lock.getWriteHoldCount());
                    reader.isGranted();
                    assertTrue(lock.hasQueuedThread(writer.thread));
                    lock.readLock().unlock();
                    writer.isGranted();
                })
                .isGranted();
        assertIdle();
    }

    @Test
    void aDowngradeOfOneHoldOfSeveralKeepsTheWriteLock() {
        run(ThreadKind.PLATFORM, () -> {
                    lock.writeLock().lock();
                    lock.writeLock().lock();
                    lock.downgrade();
                    assertTrue(lock.isWriteLockedByCurrentThread());
                    assertEquals(1, lock.getWriteHoldCount());
                    assertEquals(1, lock.getReadHoldCount());
                    lock.downgrade();
                    assertFalse(lock.isWriteLocked());
                    assertEquals(2, lock.getReadHoldCount());
                    lock.readLock().unlock();
                    lock.readLock().unlock();
                })
                .isGranted();
        assertIdle();
    }

    @Test
    void onlyTheWriterDowngrades() {
        assertThrows(IllegalMonitorStateException.class, lock::downgrade);
        lock.readLock().lock();
        assertThrows(IllegalMonitorStateException.class, lock::downgrade);
        assertEquals(1, lock.getReadHoldCount());
        lock.readLock().unlock();
        lock.writeLock().lock();
        run(ThreadKind.PLATFORM, () -> assertThrows(IllegalMonitorStateException.class, lock::downgrade))
                .isGranted();
        lock.writeLock().unlock();
        assertIdle();
    }

    @Test
    void theHoldCountOfTheWriterDoesNotOverflow() {
        lock.writeLock().lock();
        core.setOwner(Thread.currentThread(), Integer.MAX_VALUE - 1);
        lock.writeLock().lock();
        Error error = assertThrows(Error.class, () -> lock.writeLock().lock());
        assertEquals("Maximum lock count exceeded", error.getMessage());
        assertThrows(Error.class, () -> lock.writeLock().tryLock());
        assertEquals(Integer.MAX_VALUE, lock.getWriteHoldCount());
        lock.writeLock().unlock();
        assertEquals(Integer.MAX_VALUE - 1, lock.getWriteHoldCount());
    }

    // Views of one core

    @Test
    void aThreadThatHoldsTheLockThroughOneViewHoldsItThroughAll() {
        run(ThreadKind.PLATFORM, () -> {
                    lock.readLock().lock();
                    Attempt writer = startQueued(WRITE, ThreadKind.PLATFORM, () -> {});
                    other.readLock().lock();
                    assertEquals(2, lock.getReadHoldCount());
                    assertEquals(2, other.getReadHoldCount());
                    other.readLock().unlock();
                    other.readLock().unlock();
                    writer.isGranted();
                    lock.writeLock().lock();
                    other.writeLock().lock();
                    other.readLock().lock();
                    assertEquals(2, lock.getWriteHoldCount());
                    other.writeLock().unlock();
                    other.writeLock().unlock();
                    assertFalse(lock.isWriteLocked());
                    lock.readLock().unlock();
                })
                .isGranted();
        assertSame(core, other.core());
        assertThrows(NullPointerException.class, () -> ReentrantReadWriteLock.viewOf(null));
        assertIdle();
    }

    /** Coroutines and futures hold the lock without a thread as its owner. */
    @Test
    void aLockHeldWithoutAnOwnerIsNotHeldByTheCurrentThread() throws InterruptedException {
        assertTrue(core.tryReadLock());
        assertEquals(0, lock.getReadHoldCount());
        assertThrows(IllegalMonitorStateException.class, () -> lock.readLock().unlock());
        Attempt writer = startQueued(WRITE, ThreadKind.PLATFORM, () -> {});
        assertFalse(lock.readLock().tryLock(0, TimeUnit.NANOSECONDS));
        core.unlockRead();
        writer.isGranted();
        TestThreads.until("it is free", core::tryWriteLock);
        assertFalse(lock.writeLock().tryLock());
        assertFalse(lock.isWriteLockedByCurrentThread());
        assertThrows(IllegalMonitorStateException.class, () -> lock.writeLock().unlock());
        assertTrue(lock.writeLock().toString().endsWith("[Locked]"), lock.writeLock()::toString);
        core.unlockWrite();
        assertIdle();
    }

    @Test
    void viewsOfOneCoreShareItsConditions() throws InterruptedException {
        dev.cqs.sync.Condition shared = core.newCondition();
        Attempt waiter = TestThreads.start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.writeLock().lock();
                    lock.writeLock().lock();
                    lock.writeLock().conditionViewOf(shared).await();
                    assertEquals(2, lock.getWriteHoldCount());
                    lock.writeLock().unlock();
                    lock.writeLock().unlock();
                    return true;
                },
                () -> {});
        TestThreads.until("it waits", () -> shared.queueLength() == 1);
        other.writeLock().lock();
        Condition mine = other.writeLock().conditionViewOf(shared);
        assertTrue(lock.hasWaiters(mine));
        mine.signal();
        other.writeLock().unlock();
        waiter.isGranted();
        dev.cqs.sync.Condition foreign = new ReadWriteMutex().newCondition();
        assertThrows(IllegalArgumentException.class, () -> lock.writeLock().conditionViewOf(foreign));
        assertThrows(
                IllegalArgumentException.class,
                () -> lock.writeLock().conditionViewOf(new dev.cqs.sync.Mutex().newCondition()));
        assertThrows(IllegalArgumentException.class, () -> new Mutex().conditionViewOf(shared));
        assertThrows(NullPointerException.class, () -> lock.writeLock().conditionViewOf(null));
        assertIdle();
    }

    /** A signalled thread queues as a writer, so readers may have their turn before it. */
    @Test
    void aSignalledThreadWaitsAsAWriter() {
        Condition condition = lock.writeLock().newCondition();
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Attempt waiter = TestThreads.start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.writeLock().lock();
                    condition.await();
                    order.add("signalled");
                    lock.writeLock().unlock();
                    return true;
                },
                () -> {});
        TestThreads.until("it waits", () -> {
            lock.writeLock().lock();
            try {
                return lock.hasWaiters(condition);
            } finally {
                lock.writeLock().unlock();
            }
        });
        lock.writeLock().lock();
        condition.signal();
        assertTrue(lock.getQueuedWriterThreads().contains(waiter.thread));
        Attempt reader = startQueued(READ, ThreadKind.PLATFORM, () -> order.add("reader"));
        lock.writeLock().unlock();
        reader.isGranted();
        waiter.isGranted();
        assertEquals(List.of("reader", "signalled"), order);
        assertIdle();
    }

    @Test
    void subclassesOfReadLockAndWriteLockBelongToTheSameLock() {
        class Reading extends ReentrantReadWriteLock.ReadLock {
            Reading(ReentrantReadWriteLock lock) {
                super(lock);
            }
        }

        class Writing extends ReentrantReadWriteLock.WriteLock {
            Writing(ReentrantReadWriteLock lock) {
                super(lock);
            }
        }

        new Reading(lock).lock();
        assertEquals(1, lock.getReadHoldCount());
        lock.readLock().unlock();
        new Writing(lock).lock();
        assertEquals(1, lock.getWriteHoldCount());
        lock.writeLock().unlock();
        assertThrows(NullPointerException.class, () -> new Reading(null));
        assertThrows(NullPointerException.class, () -> new Writing(null));
        assertIdle();
    }

    // Futures

    /** The two locks, requested by futures. */
    private enum Side {
        READS {
            @Override
            Supplier<CompletableFuture<Grant>> request(ReentrantReadWriteLock lock) {
                return lock.readLock()::lockAsync;
            }
        },
        WRITES {
            @Override
            Supplier<CompletableFuture<Grant>> request(ReentrantReadWriteLock lock) {
                return lock.writeLock()::lockAsync;
            }
        };

        abstract Supplier<CompletableFuture<Grant>> request(ReentrantReadWriteLock lock);
    }

    @ParameterizedTest
    @EnumSource
    void aFutureOfAFreeLockIsGrantedAtOnceAndNoThreadIsTheOwner(Side side) {
        Grant grant = side.request(lock).get().join();
        assertEquals(side == Side.READS ? 1 : 0, lock.getReadLockCount());
        assertEquals(side == Side.WRITES, lock.isWriteLocked());
        assertEquals(0, lock.getReadHoldCount());
        assertNull(lock.getOwner());
        assertFalse(lock.writeLock().tryLock());
        run(ThreadKind.PLATFORM, grant::close).isGranted();
        grant.close(); // has no effect
        assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aFutureWaitsForItsTurn(Side side) {
        lock.writeLock().lock();
        CompletableFuture<Grant> first = side.request(lock).get();
        CompletableFuture<Grant> second = side.request(lock).get();
        CompletableFuture<Grant> given = side.request(lock).get();
        assertEquals(3, lock.getQueueLength());
        assertTrue(given.cancel(true));
        assertEquals(2, lock.getQueueLength());
        lock.writeLock().unlock();
        assertTrue(first.isDone());
        assertEquals(side == Side.READS, second.isDone());
        first.join().close();
        assertTrue(second.isDone());
        second.join().close();
        assertIdle();
    }

    @Test
    void aCancelledFutureOfAWriterLetsTheReadersEnter() {
        lock.readLock().lock();
        CompletableFuture<Grant> writer = lock.writeLock().lockAsync();
        CompletableFuture<Grant> next = lock.writeLock().lockAsync();
        Attempt reader = startQueued(READ, ThreadKind.PLATFORM, () -> {});
        assertTrue(writer.cancel(true));
        reader.isGranted();
        assertFalse(next.isDone());
        lock.readLock().unlock();
        next.join().close();
        assertIdle();
    }

    /** A dependent of a future runs in the thread that unlocks, before all readers of its turn are resumed. */
    @Test
    void aDependentOfAFutureMayUseTheLock() {
        lock.writeLock().lock();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            boolean reads = i % 3 != 0;
            done.add((reads ? lock.readLock().lockAsync() : lock.writeLock().lockAsync()).thenAccept(grant -> {
                assertFalse(lock.writeLock().tryLock());
                assertNotNull(lock.writeLock()
                        .lockAsync()
                        .orTimeout(1, TimeUnit.HOURS)
                        .thenAccept(Grant::close));
                lock.readLock().lockAsync().thenAccept(Grant::close);
                grant.close();
            }));
        }
        lock.writeLock().unlock();
        done.forEach(CompletableFuture::join);
        assertIdle();
    }

    // What the JVM's tools show

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    void aParkedThreadShowsTheLockItWaitsFor(ReadWriteVariant by) {
        lock.writeLock().lock();
        Attempt waiter = queued(
                lock,
                new Case(Kind.OURS, by, ThreadKind.PLATFORM).start(lock, TestThreads.LONG, () -> by.unlock(lock)));
        TestThreads.untilParked(waiter.thread);
        Object blocker = java.util.concurrent.locks.LockSupport.getBlocker(waiter.thread);
        assertInstanceOf(java.util.concurrent.locks.AbstractOwnableSynchronizer.class, blocker);
        assertSame(core, blocker);
        assertSame(Thread.currentThread(), lock.getOwner());
        lock.writeLock().unlock();
        waiter.endsWith(End.GRANTED, false);
        assertIdle();
    }

    private void assertIdle() {
        TestThreads.until("it is free", () -> core.readLockCount() == 0 && !core.isWriteLocked());
        assertEquals(0, lock.getQueueLength());
        assertTrue(lock.writeLock().tryLock());
        lock.writeLock().unlock();
    }
}
