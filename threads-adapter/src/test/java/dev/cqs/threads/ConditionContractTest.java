package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AwaitVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Reentrant;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link Condition}: signals, their order, the lock, and the queries for waiting threads. */
class ConditionContractTest {
    private static final int QUEUE = 5;

    static Stream<Case> all() {
        return AwaitVariant.cases(by -> true);
    }

    static Stream<Case> reentrant() {
        return all().filter(c -> c.lock() != Kind.MUTEX);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    // Signals

    @ParameterizedTest
    @MethodSource("all")
    void aWaitReleasesTheLockAndReacquiresItAfterTheSignal(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        assertFalse(fixture.lock.isLocked());
        fixture.lock.lock();
        fixture.condition.signal();
        fixture.waitsForLock(waiter);
        fixture.lock.unlock();
        waiter.isGranted();
        fixture.assertIdle();
    }

    /** Our locks are handed over, so a signalled thread does not run before it holds the lock. */
    @ParameterizedTest
    @MethodSource("all")
    void aSignalDoesNotWakeTheThreadBeforeItHoldsTheLock(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        Attempt second = fixture.waiter(c);
        fixture.lock.lock();
        fixture.condition.signal();
        assertEquals(List.of(waiter.thread), List.copyOf(fixture.lock.getQueuedThreads()));
        assertEquals(1, fixture.lock.getQueueLength());
        for (int i = 0; i < 100; i++) {
            Thread.yield();
            fixture.waitsForLock(waiter);
            assertTrue(fixture.lock.isHeldByCurrentThread());
        }
        fixture.waits(second);
        fixture.lock.unlock();
        waiter.isGranted();
        fixture.waits(second);
        fixture.signal();
        second.isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void eachSignalGoesToTheThreadThatHasWaitedLongest(Case c) {
        ConditionFixture fixture = c.fixture();
        List<Attempt> waiters = queue(c, fixture);
        for (int i = 0; i < QUEUE; i++) {
            fixture.signal();
            waiters.get(i).isGranted();
            waiters.subList(i + 1, QUEUE).forEach(fixture::waits);
        }
        fixture.assertOrder(waiters);
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void signalledThreadsReacquireTheLockInTheOrderOfTheirSignals(Case c) {
        ConditionFixture fixture = c.fixture();
        ConditionFixture other = fixture.next();
        List<Attempt> waiters = queue(c, fixture);
        Attempt elsewhere = other.waiter(c);
        fixture.lock.lock();
        fixture.condition.signal();
        fixture.condition.signal();
        other.condition.signal();
        fixture.condition.signalAll();
        fixture.condition.signal();
        other.condition.signalAll();
        assertEquals(QUEUE + 1, fixture.lock.getQueueLength());
        if (c.lock().isOurs()) { // the JDK's shows the last thread first
            assertEquals(
                    elsewhere.thread,
                    List.copyOf(fixture.lock.getQueuedThreads()).get(2));
        }
        fixture.lock.unlock();
        waiters.forEach(Attempt::isGranted);
        elsewhere.isGranted();
        fixture.assertOrder(waiters);
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void signalAllReachesAllWaitersAndTheyReacquireTheLockInFifoOrder(Case c) {
        ConditionFixture fixture = c.fixture();
        List<Attempt> waiters = queue(c, fixture);
        fixture.signalAll();
        waiters.forEach(Attempt::isGranted);
        fixture.assertOrder(waiters);
        Attempt late = fixture.waiter(c);
        fixture.waits(late);
        fixture.signalAll();
        late.isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aSignalledThreadQueuesBehindEarlierRequestsForTheLock(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        fixture.lock.lock();
        Attempt before = fixture.locker();
        fixture.condition.signal();
        Attempt after = fixture.locker();
        fixture.lock.unlock();
        List<Attempt> expected = List.of(before, waiter, after);
        expected.forEach(Attempt::isGranted);
        fixture.assertOrder(expected);
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aSignalWithoutAWaiterIsLost(Case c) {
        ConditionFixture fixture = c.fixture();
        fixture.signal();
        fixture.signalAll();
        Attempt waiter = fixture.waiter(c);
        fixture.signal();
        waiter.isGranted();
        fixture.signal();
        Attempt late = fixture.waiter(c);
        fixture.waits(late);
        fixture.signal();
        late.isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void theConditionsOfALockAreSeparate(Case c) {
        ConditionFixture fixture = c.fixture();
        ConditionFixture other = fixture.next();
        Attempt here = fixture.waiter(c);
        Attempt there = other.waiter(c);
        other.signalAll();
        there.isGranted();
        fixture.waits(here);
        fixture.signal();
        here.isGranted();
        fixture.assertIdle();
        other.assertIdle();
    }

    private static List<Attempt> queue(Case c, ConditionFixture fixture) {
        return Stream.generate(() -> fixture.waiter(c)).limit(QUEUE).toList();
    }

    // Holds

    @ParameterizedTest
    @MethodSource("reentrant")
    void allHoldsAreReleasedAndRestoredHoweverTheWaitEnds(Case c) {
        ConditionFixture fixture = c.fixture();
        for (int holds = 1; holds <= 3; holds++) {
            Attempt signalled = deepWaiter(c, fixture, holds, LONG);
            assertFalse(fixture.lock.isLocked());
            fixture.signal();
            signalled.isGranted();
            assertFalse(fixture.lock.isLocked());
            if (c.by().interruptible) {
                deepWaiter(c, fixture, holds, LONG).isInterrupted();
                assertFalse(fixture.lock.isLocked());
            }
            if (c.by().timed) {
                deep(c, fixture, holds, 0).isRefused();
                assertFalse(fixture.lock.isLocked());
            }
        }
    }

    private static Attempt deepWaiter(Case c, ConditionFixture fixture, int holds, long nanos) {
        return fixture.waiting(deep(c, fixture, holds, nanos));
    }

    private static Attempt deep(Case c, ConditionFixture fixture, int holds, long nanos) {
        Reentrant lock = fixture.reentrant();
        return TestThreads.start(
                c.kind(),
                () -> {
                    for (int i = 0; i < holds; i++) {
                        lock.lock();
                    }
                    try {
                        return c.by().await(fixture.condition, nanos);
                    } finally {
                        assertEquals(holds, lock.getHoldCount());
                        for (int i = 0; i < holds; i++) {
                            lock.unlock();
                        }
                        assertEquals(0, lock.getHoldCount());
                    }
                },
                () -> {});
    }

    // Without the lock

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void everyMethodNeedsTheLock(Kind kind) {
        ConditionFixture fixture = new ConditionFixture(kind);
        refusesEverything(fixture);
        Attempt waiter = fixture.waiter();
        refusesEverything(fixture);
        fixture.lock.lock();
        run(ThreadKind.PLATFORM, () -> refusesEverything(fixture)).isGranted();
        assertTrue(fixture.lock.isHeldByCurrentThread());
        fixture.waits(waiter);
        fixture.condition.signal();
        fixture.lock.unlock();
        waiter.isGranted();
        fixture.assertIdle();
    }

    private static void refusesEverything(ConditionFixture fixture) {
        Condition condition = fixture.condition;
        List<Executable> calls = new ArrayList<>(List.of(
                condition::await,
                condition::awaitUninterruptibly,
                () -> condition.awaitNanos(LONG),
                () -> condition.awaitNanos(0),
                () -> condition.await(LONG, TimeUnit.NANOSECONDS),
                () -> condition.await(-1, TimeUnit.NANOSECONDS),
                () -> condition.awaitUntil(new Date(Long.MAX_VALUE)),
                () -> condition.awaitUntil(new Date(0)),
                condition::signal,
                condition::signalAll));
        if (fixture.kind != Kind.MUTEX) {
            calls.add(() -> fixture.reentrant().hasWaiters(condition));
            calls.add(() -> fixture.reentrant().getWaitQueueLength(condition));
            calls.add(() -> fixture.reentrant().getWaitingThreads(condition));
        }
        for (Executable call : calls) {
            assertThrows(IllegalMonitorStateException.class, call);
        }
    }

    /** The JDK's lock checks for the interrupt first. */
    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK"})
    void withoutTheLockAnInterruptStaysPending(Kind kind) {
        ConditionFixture fixture = new ConditionFixture(kind);
        Thread.currentThread().interrupt();
        refusesEverything(fixture);
        assertTrue(Thread.interrupted());
        fixture.assertIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void aTimeoutNeedsAUnitAndADeadlineADate(Kind kind) {
        ConditionFixture fixture = new ConditionFixture(kind);
        fixture.lock.lock();
        assertThrows(NullPointerException.class, () -> fixture.condition.await(1, null));
        assertThrows(NullPointerException.class, () -> fixture.condition.awaitUntil(null));
        assertTrue(fixture.lock.isHeldByCurrentThread());
        fixture.lock.unlock();
        fixture.assertIdle();
    }

    // Queries

    @ParameterizedTest
    @MethodSource("reentrant")
    void theLockShowsTheThreadsThatWaitOnItsConditions(Case c) {
        ConditionFixture fixture = c.fixture();
        Reentrant lock = fixture.reentrant();
        Condition other = lock.newCondition();
        shows(fixture, List.of());
        List<Attempt> waiters = queue(c, fixture);
        shows(fixture, waiters);
        lock.lock();
        assertFalse(lock.hasWaiters(other));
        assertEquals(0, lock.getWaitQueueLength(other));
        assertEquals(0, lock.getWaitingThreads(other).size());
        fixture.condition.signal();
        shows(fixture, waiters.subList(1, QUEUE));
        assertTrue(lock.hasQueuedThread(waiters.get(0).thread));
        lock.unlock();
        waiters.get(0).isGranted();
        fixture.signalAll();
        waiters.forEach(Attempt::isGranted);
        shows(fixture, List.of());
    }

    private static void shows(ConditionFixture fixture, List<Attempt> expected) {
        Reentrant lock = fixture.reentrant();
        List<Thread> threads = expected.stream().map(waiter -> waiter.thread).toList();
        lock.lock();
        assertEquals(!expected.isEmpty(), lock.hasWaiters(fixture.condition));
        assertEquals(expected.size(), lock.getWaitQueueLength(fixture.condition));
        Collection<Thread> shown = lock.getWaitingThreads(fixture.condition);
        if (fixture.kind.isOurs()) { // in FIFO order; the JDK's promises no order
            assertEquals(threads, List.copyOf(shown));
        } else {
            assertEquals(new HashSet<>(threads), new HashSet<>(shown));
        }
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "WRITE_LOCK", "JDK_LOCK"})
    void queriesRefuseConditionsOfOtherLocks(Kind kind) {
        Reentrant lock = (Reentrant) kind.lock();
        assertRefusesConditionsOfOtherLocks(lock);
        lock.lock();
        assertRefusesConditionsOfOtherLocks(lock);
        lock.unlock();
        TestThreads.assertIdle(lock, 1);
    }

    /** The current thread may or may not hold the lock. */
    private static void assertRefusesConditionsOfOtherLocks(Reentrant lock) {
        for (Kind stranger : List.of(Kind.REENTRANT_LOCK, Kind.MUTEX, Kind.WRITE_LOCK, Kind.JDK_LOCK)) {
            Condition foreign = stranger.lock().newCondition();
            assertThrows(IllegalArgumentException.class, () -> lock.hasWaiters(foreign));
            assertThrows(IllegalArgumentException.class, () -> lock.getWaitQueueLength(foreign));
            assertThrows(IllegalArgumentException.class, () -> lock.getWaitingThreads(foreign));
        }
        assertThrows(NullPointerException.class, () -> lock.hasWaiters(null));
        assertThrows(NullPointerException.class, () -> lock.getWaitQueueLength(null));
        assertThrows(NullPointerException.class, () -> lock.getWaitingThreads(null));
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK"})
    void toStringOfOurConditionsShowsTheNumberOfWaiters(Kind kind) {
        ConditionFixture fixture = new ConditionFixture(kind);
        assertTrue(fixture.condition.toString().endsWith("[0 waiting]"), fixture.condition::toString);
        List<Attempt> waiters = List.of(fixture.waiter(), fixture.waiter());
        assertTrue(fixture.condition.toString().endsWith("[2 waiting]"), fixture.condition::toString);
        fixture.signalAll();
        waiters.forEach(Attempt::isGranted);
    }
}
