package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.startQueued;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Locked;
import dev.cqs.threads.Target.OurLock;
import dev.cqs.threads.Target.OurMutex;
import dev.cqs.threads.Target.Reentrant;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link java.util.concurrent.locks.ReentrantLock}, and the part of it that {@link Mutex} shares. */
class LockContractTest {
    static Stream<Case> locking() {
        return AcquireVariant.cases(by -> true).filter(c -> c.by().on(Locked.class));
    }

    static Stream<Case> reentrant() {
        return locking().filter(c -> c.target() != Kind.MUTEX);
    }

    static Stream<Case> waitingForOurs() {
        return locking().filter(c -> c.by().waits && c.target().isOurs());
    }

    private static Attempt waiter(Locked lock) {
        return startQueued(ThreadKind.PLATFORM, AcquireVariant.LOCK_INTERRUPTIBLY, lock, lock::unlock);
    }

    // Owner and hold count

    @ParameterizedTest
    @MethodSource("locking")
    void theThreadThatLocksIsTheOwnerUntilItUnlocks(Case c) {
        Locked lock = c.target().lock();
        assertNull(lock.getOwner());
        Attempt owner = run(c.kind(), () -> {
            c.by().enterNow(lock);
            assertSame(Thread.currentThread(), lock.getOwner());
            assertTrue(lock.isHeldByCurrentThread());
            assertTrue(lock.isLocked());
            String name = Thread.currentThread().getName();
            assertTrue(lock.toString().endsWith("[Locked by thread " + name + "]"), lock::toString);
            run(c.kind(), () -> {
                        assertFalse(lock.isHeldByCurrentThread());
                        assertFalse(lock.tryLock());
                        assertTrue(lock.isLocked());
                    })
                    .isGranted();
            lock.unlock();
            assertFalse(lock.isHeldByCurrentThread());
        });
        owner.isGranted();
        assertNull(lock.getOwner());
        assertTrue(lock.toString().endsWith("[Unlocked]"), lock::toString);
        assertIdle(lock, 1);
    }

    @ParameterizedTest
    @MethodSource("reentrant")
    void theOwnerMayLockAgainAndMustUnlockAsOften(Case c) {
        Reentrant lock = (Reentrant) c.target().lock();
        Attempt owner = run(c.kind(), () -> {
            assertEquals(0, lock.getHoldCount());
            for (int i = 1; i <= 3; i++) {
                c.by().enterNow(lock);
                assertEquals(i, lock.getHoldCount());
            }
            Attempt waiter = waiter(lock);
            c.by().enterNow(lock); // waiting threads do not keep the owner out
            for (int left = 3; left > 0; left--) {
                lock.unlock();
                assertEquals(left, lock.getHoldCount());
                waiter.waitsIn(lock);
            }
            lock.unlock();
            assertEquals(0, lock.getHoldCount());
            waiter.isGranted();
        });
        owner.isGranted();
        assertIdle(lock, 1);
        c.by().enterNow(lock);
        assertEquals(1, lock.getHoldCount());
    }

    @ParameterizedTest
    @MethodSource("reentrant")
    void anInterruptBeforeTheOwnerLocksAgainThrowsOrStaysPending(Case c) {
        Reentrant lock = (Reentrant) c.target().lock();
        lock.lock();
        Thread.currentThread().interrupt();
        if (c.by().interruptible) {
            assertThrows(InterruptedException.class, () -> c.by().enter(lock, LONG));
            assertFalse(Thread.interrupted());
        } else {
            c.by().enterNow(lock);
            assertTrue(Thread.interrupted());
        }
        assertEquals(c.by().interruptible ? 1 : 2, lock.getHoldCount());
    }

    /** For our lock only: with the JDK's this would take 2^31 calls. */
    @Test
    void theHoldCountDoesNotOverflow() throws InterruptedException {
        OurLock lock = new OurLock();
        lock.lock();
        lock.core.setOwner(Thread.currentThread(), Integer.MAX_VALUE - 1);
        lock.lock();
        Stream.<Executable>of(lock::lock, lock::lockInterruptibly, lock::tryLock, () -> lock.tryLock(LONG, NANOSECONDS))
                .forEach(call -> {
                    Error error = assertThrowsExactly(Error.class, call);
                    assertEquals("Maximum lock count exceeded", error.getMessage());
                    assertEquals(Integer.MAX_VALUE, lock.getHoldCount());
                });
        lock.unlock();
        assertEquals(Integer.MAX_VALUE - 1, lock.getHoldCount());
    }

    // Unlocking

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK", "JDK_WRITE_LOCK"})
    void onlyTheOwnerCanUnlock(Kind kind) {
        Locked lock = kind.lock();
        assertNotTheOwner(kind, lock, "no thread");
        assertIdle(lock, 1);

        lock.lock();
        Attempt waiter = waiter(lock);
        String owner = Thread.currentThread().getName();
        run(ThreadKind.PLATFORM, () -> assertNotTheOwner(kind, lock, owner)).isGranted();
        assertSame(Thread.currentThread(), lock.getOwner());
        assertTrue(lock.isHeldByCurrentThread());
        waiter.waitsIn(lock);
        lock.unlock();
        waiter.isGranted();
        assertNotTheOwner(kind, lock, "no thread");
        assertIdle(lock, 1);
    }

    /** The message of our locks names the holder; the JDK's has no message. */
    private static void assertNotTheOwner(Kind kind, Locked lock, String holder) {
        String message =
                assertThrows(IllegalMonitorStateException.class, lock::unlock).getMessage();
        if (kind.isOurs()) {
            assertTrue(message.contains("does not hold") && message.contains(holder), message);
        }
    }

    /** Stronger than the JDK's contract, where a new arrival may barge past the thread that is being woken. */
    @ParameterizedTest
    @MethodSource("waitingForOurs")
    void unlockHandsTheLockOverSoThatNoNewArrivalCanBarge(Case c) {
        Locked lock = c.target().lock();
        for (int i = 0; i < 100; i++) {
            lock.lock();
            AtomicBoolean tried = new AtomicBoolean();
            Attempt waiter = startQueued(c.kind(), c.by(), lock, () -> {
                until("the new arrival has tried", tried::get);
                assertSame(Thread.currentThread(), lock.getOwner());
                lock.unlock();
            });
            lock.unlock();
            assertFalse(lock.isHeldByCurrentThread());
            assertFalse(lock.tryLock());
            tried.set(true);
            waiter.isGranted();
            assertIdle(lock, 1);
        }
    }

    // Queries

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK", "JDK_WRITE_LOCK"})
    void queriesShowTheQueue(Kind kind) {
        Locked lock = kind.lock();
        lock.lock();
        assertFalse(lock.hasQueuedThreads());
        List<Attempt> waiters = List.of(waiter(lock), waiter(lock));
        assertTrue(lock.hasQueuedThreads());
        assertEquals(2, lock.getQueueLength());
        assertEquals(2, lock.getQueuedThreads().size());
        waiters.forEach(waiter -> assertTrue(lock.hasQueuedThread(waiter.thread)));
        assertFalse(lock.hasQueuedThread(Thread.currentThread()));
        assertThrows(NullPointerException.class, () -> lock.hasQueuedThread(null));
        lock.unlock();
        waiters.forEach(Attempt::isGranted);
        waiters.forEach(waiter -> assertFalse(lock.hasQueuedThread(waiter.thread)));
        assertIdle(lock, 1);
    }

    /** A difference to the JDK: our queries show the queue in FIFO order, and our locks are always fair. */
    @Test
    void ourLocksShowTheQueueInFifoOrderAndAreAlwaysFair() {
        for (Locked lock : List.of(new OurLock(), new OurMutex(), Kind.WRITE_LOCK.lock())) {
            lock.lock();
            List<Attempt> waiters = Stream.generate(() -> waiter(lock)).limit(3).toList();
            assertEquals(waiters.stream().map(waiter -> waiter.thread).toList(), lock.getQueuedThreads());
            lock.unlock();
            waiters.forEach(Attempt::isGranted);
        }
        assertTrue(new ReentrantLock().isFair());
        assertTrue(new ReentrantLock(true).isFair());
        assertTrue(new ReentrantLock(false).isFair());
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK", "JDK_WRITE_LOCK"})
    void aTimeoutNeedsAUnit(Kind kind) {
        Locked lock = kind.lock();
        assertThrows(NullPointerException.class, () -> lock.tryLock(1, null));
        assertThrows(NullPointerException.class, () -> lock.tryLock(0, null));
        assertIdle(lock, 1);
    }

    // The mutex is not reentrant

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aMutexThrowsInsteadOfLettingItsHolderWaitForItself(int waiting) {
        OurMutex mutex = new OurMutex();
        Attempt holder = run(ThreadKind.PLATFORM, () -> {
            mutex.lock();
            List<Attempt> waiters =
                    Stream.generate(() -> waiter(mutex)).limit(waiting).toList();
            List<Thread> threads = waiters.stream().map(waiter -> waiter.thread).toList();
            Stream.<Executable>of(
                            mutex::lock,
                            mutex::lockInterruptibly,
                            () -> mutex.tryLock(1, NANOSECONDS),
                            () -> mutex.tryLock(LONG, NANOSECONDS))
                    .forEach(call -> {
                        assertNotNull(
                                assertThrows(IllegalStateException.class, call).getMessage());
                        assertTrue(mutex.isHeldByCurrentThread());
                        assertEquals(threads, mutex.getQueuedThreads());
                        assertEquals(threads.size(), mutex.getQueueLength());
                    });
            Attempt last = waiter(mutex);
            mutex.unlock();
            waiters.forEach(Attempt::isGranted);
            last.isGranted();
        });
        holder.isGranted();
        assertIdle(mutex, 1);
    }

    @Test
    void tryLockOfAMutexFailsForItsHolder() throws InterruptedException {
        OurMutex mutex = new OurMutex();
        mutex.lock();
        assertFalse(mutex.tryLock());
        assertFalse(mutex.tryLock(0, NANOSECONDS));
        assertFalse(mutex.tryLock(-1, NANOSECONDS));
        assertTrue(mutex.isHeldByCurrentThread());
        assertIdle(mutex, 0);
        mutex.unlock();
        assertIdle(mutex, 1);
    }
}
