package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AwaitVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions of shared cores, and what the JVM's tools show of threads that wait on them. */
@Timeout(120)
class ConditionViewsTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final dev.cqs.sync.Mutex core = new dev.cqs.sync.Mutex();
    private final dev.cqs.sync.Condition shared = core.newCondition();
    private final Mutex mutex = Mutex.viewOf(core);
    private final ReentrantLock lock = ReentrantLock.viewOf(core);

    static Stream<Case> all() {
        return AwaitVariant.cases(by -> true);
    }

    static Stream<Case> ours() {
        return all().filter(c -> c.lock().isOurs() && c.lock() != Kind.WRITE_LOCK);
    }

    static Stream<Case> oursInterruptible() {
        return ours().filter(c -> c.by().interruptible);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    // Shared cores

    @Test
    void aSignalThroughOneViewReachesThreadsThatWaitThroughAnother() {
        Attempt first = waiting(start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.lock();
                    lock.lock();
                    lock.conditionViewOf(shared).await();
                    assertEquals(2, lock.getHoldCount());
                    lock.unlock();
                    lock.unlock();
                    return true;
                },
                () -> {}));
        Attempt second = waiting(start(
                ThreadKind.PLATFORM,
                () -> {
                    mutex.lock();
                    mutex.conditionViewOf(shared).await();
                    mutex.unlock();
                    return true;
                },
                () -> {}));
        assertEquals(2, shared.queueLength());
        mutex.lock();
        assertTrue(lock.hasWaiters(mutex.conditionViewOf(shared)));
        assertEquals(
                List.of(first.thread, second.thread),
                List.copyOf(lock.getWaitingThreads(lock.conditionViewOf(shared))));
        mutex.conditionViewOf(shared).signal();
        mutex.unlock();
        first.isGranted();
        assertEquals(1, shared.queueLength());
        lock.lock();
        lock.conditionViewOf(shared).signalAll();
        lock.unlock();
        second.isGranted();
        assertFalse(core.isLocked());
    }

    @Test
    void theViewThatIsNotReentrantReleasesAllHoldsToo() {
        Attempt waiter = waiting(start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.lock();
                    lock.lock();
                    lock.lock();
                    mutex.conditionViewOf(shared).await();
                    assertEquals(3, lock.getHoldCount());
                    lock.unlock();
                    lock.unlock();
                    mutex.unlock();
                    return true;
                },
                () -> {}));
        mutex.lock();
        shared.signal();
        mutex.unlock();
        waiter.isGranted();
        assertFalse(core.isLocked());
    }

    @Test
    void aConditionOfAnotherCoreIsRefused() {
        Stream.of(lock, mutex).forEach(view -> {
            assertThrows(NullPointerException.class, () -> view.conditionViewOf(null));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> view.conditionViewOf(new dev.cqs.sync.Mutex().newCondition()));
            assertNotSame(view.newCondition(), view.newCondition());
        });
        lock.lock();
        assertThrows(IllegalArgumentException.class, () -> lock.hasWaiters(new Mutex().newCondition()));
        assertFalse(lock.hasWaiters(mutex.newCondition()));
        lock.unlock();
    }

    /** A grant of a future holds the mutex, and no thread is its owner. */
    @Test
    void aThreadIsNotTheOwnerWhereAGrantHoldsTheMutex() throws Exception {
        Future<Grant> held = mutex.lockAsync();
        Condition condition = mutex.conditionViewOf(shared);
        assertThrows(IllegalMonitorStateException.class, condition::await);
        assertThrows(IllegalMonitorStateException.class, condition::signal);
        held.get().close();
    }

    /** A thread that begins to wait for a signal releases the lock, which serves a future. */
    @Test
    void aWaitHandsTheLockToTheNextRequest() {
        Condition condition = mutex.conditionViewOf(shared);
        mutex.lock();
        CompletableFuture<Void> signaller = mutex.lockAsync().thenAccept(grant -> {
            try (grant) {
                shared.signal();
            }
        });
        assertFalse(signaller.isDone());
        condition.awaitUninterruptibly();
        assertTrue(signaller.isDone());
        assertTrue(mutex.isHeldByCurrentThread());
        mutex.unlock();
    }

    // Diagnostics

    private static dev.cqs.sync.Mutex core(ConditionFixture fixture) {
        return ((AbstractMutexLock) fixture.lock).core();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aWaitingThreadShowsTheConditionAndNoOwner(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        fixture.lock.lock(); // the waiting thread does not wait for this owner
        Object blocker = parked(waiter);
        if (c.lock().isOurs()) {
            assertSame(((LockCondition) fixture.condition).core(), blocker);
        }
        if (c.kind() == ThreadKind.PLATFORM) {
            ThreadInfo info = THREADS.getThreadInfo(waiter.thread.getId());
            assertEquals(blocker.getClass().getName(), info.getLockInfo().getClassName());
            assertEquals(-1, info.getLockOwnerId());
        }
        assertNull(THREADS.findDeadlockedThreads());
        fixture.condition.signal();
        assertNull(THREADS.findDeadlockedThreads());
        fixture.lock.unlock();
        waiter.isGranted();
        assertNull(LockSupport.getBlocker(waiter.thread));
    }

    /** Each thread holds the lock of the other's condition. This is no deadlock, since a wait releases the lock. */
    @ParameterizedTest
    @MethodSource("all")
    void threadsThatWaitForSignalsOfEachOtherAreNotReportedAsADeadlock(Case c) {
        ConditionFixture one = c.fixture();
        ConditionFixture other = c.fixture();
        Attempt first = crossed(c, one, other);
        Attempt second = crossed(c, other, one);
        parked(first);
        parked(second);
        assertNull(THREADS.findDeadlockedThreads());
        one.lock.lock();
        assertNull(THREADS.findDeadlockedThreads());
        one.condition.signal();
        one.lock.unlock();
        first.isGranted();
        other.signal();
        second.isGranted();
    }

    private static Attempt crossed(Case c, ConditionFixture mine, ConditionFixture theirs) {
        return mine.waiting(start(
                c.kind(),
                () -> {
                    theirs.lock.lock();
                    theirs.lock.unlock();
                    mine.lock.lock();
                    return mine.awaitAndUnlock(c.by(), LONG);
                },
                () -> {}));
    }

    @ParameterizedTest
    @MethodSource("oursInterruptible")
    void aThreadThatHasLeftTheConditionShowsTheLockAndItsOwner(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        fixture.lock.lock();
        waiter.thread.interrupt();
        fixture.leaves(waiter);
        until("it is parked for the lock", () -> LockSupport.getBlocker(waiter.thread) == core(fixture));
        if (c.kind() == ThreadKind.PLATFORM) {
            until("it is parked", () -> waiter.thread.getState() == Thread.State.WAITING);
            assertEquals(
                    Thread.currentThread().getName(),
                    THREADS.getThreadInfo(waiter.thread.getId()).getLockOwnerName());
        }
        fixture.lock.unlock();
        waiter.endsWith(End.INTERRUPTED, false);
    }

    /** The blocker, once it is parked. */
    private static Object parked(Attempt waiter) {
        until(
                waiter.thread + " is parked",
                () -> LockSupport.getBlocker(waiter.thread) != null
                        && (waiter.thread.getState() == Thread.State.WAITING
                                || waiter.thread.getState() == Thread.State.TIMED_WAITING));
        return LockSupport.getBlocker(waiter.thread);
    }

    private Attempt waiting(Attempt attempt) {
        QueuedThreads[] seen = new QueuedThreads[1];
        until(attempt.thread + " waits", () -> {
            seen[0] = new QueuedThreads();
            shared.forEachWaiter(seen[0]);
            return attempt.isOver() || seen[0].get().contains(attempt.thread);
        });
        assertFalse(attempt.isOver());
        return attempt;
    }
}
