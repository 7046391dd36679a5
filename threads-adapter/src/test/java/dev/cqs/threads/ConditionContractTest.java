package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ConditionWay.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Reentrant;
import dev.cqs.threads.Waiting.Attempt;
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

/** The contract of {@link Condition}: signals, their order, and the lock; and how a lock shows who waits. */
class ConditionContractTest {
    private static final int QUEUE = 5;

    static Stream<Case> all() {
        return ConditionWay.cases(by -> true);
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
    void whoeverWaitsHasGivenTheLockUpAndHasItAgainAfterTheSignal(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        assertFalse(room.lock.isLocked());
        room.lock.lock();
        room.condition.signal();
        room.waitsForLock(waiter);
        room.lock.unlock();
        waiter.isGranted();
        room.assertIdle();
    }

    /** Ours hand the lock over, so a signalled thread is never seen running without it. */
    @ParameterizedTest
    @MethodSource("all")
    void aSignalDoesNotWakeTheThreadBeforeTheLockIsItsOwn(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        Attempt second = room.waiter(c);
        room.lock.lock();
        room.condition.signal();
        assertEquals(List.of(waiter.thread), List.copyOf(room.lock.getQueuedThreads()));
        assertEquals(1, room.lock.getQueueLength());
        for (int i = 0; i < 100; i++) {
            Thread.yield();
            room.waitsForLock(waiter);
            assertTrue(room.lock.isHeldByCurrentThread());
        }
        room.waits(second);
        room.lock.unlock();
        waiter.isGranted();
        room.waits(second);
        room.signal();
        second.isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void eachSignalGoesToTheThreadThatHasWaitedLongest(Case c) {
        ConditionFixture room = c.room();
        List<Attempt> waiters = queue(c, room);
        for (int i = 0; i < QUEUE; i++) {
            room.signal();
            waiters.get(i).isGranted();
            waiters.subList(i + 1, QUEUE).forEach(room::waits);
        }
        room.assertOrder(waiters);
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void thoseWhoAreSignalledHaveTheLockInTheOrderOfTheirSignals(Case c) {
        ConditionFixture room = c.room();
        ConditionFixture other = room.next();
        List<Attempt> waiters = queue(c, room);
        Attempt elsewhere = other.waiter(c);
        room.lock.lock();
        room.condition.signal();
        room.condition.signal();
        other.condition.signal();
        room.condition.signalAll();
        room.condition.signal();
        other.condition.signalAll();
        assertEquals(QUEUE + 1, room.lock.getQueueLength());
        if (c.lock().isOurs()) { // the JDK's shows the last one first
            assertEquals(
                    elsewhere.thread, List.copyOf(room.lock.getQueuedThreads()).get(2));
        }
        room.lock.unlock();
        waiters.forEach(Attempt::isGranted);
        elsewhere.isGranted();
        room.assertOrder(waiters);
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void signalAllReachesThoseWhoWaitAndTheyHaveTheLockInTheirOrder(Case c) {
        ConditionFixture room = c.room();
        List<Attempt> waiters = queue(c, room);
        room.signalAll();
        waiters.forEach(Attempt::isGranted);
        room.assertOrder(waiters);
        Attempt late = room.waiter(c);
        room.waits(late);
        room.signalAll();
        late.isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void whoWasSignalledStandsBehindThoseWhoWaitForTheLock(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        room.lock.lock();
        Attempt before = room.locker();
        room.condition.signal();
        Attempt after = room.locker();
        room.lock.unlock();
        List<Attempt> expected = List.of(before, waiter, after);
        expected.forEach(Attempt::isGranted);
        room.assertOrder(expected);
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aSignalForNobodyIsForgotten(Case c) {
        ConditionFixture room = c.room();
        room.signal();
        room.signalAll();
        Attempt waiter = room.waiter(c);
        room.signal();
        waiter.isGranted();
        room.signal();
        Attempt late = room.waiter(c);
        room.waits(late);
        room.signal();
        late.isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void theConditionsOfALockAreSeparate(Case c) {
        ConditionFixture room = c.room();
        ConditionFixture other = room.next();
        Attempt here = room.waiter(c);
        Attempt there = other.waiter(c);
        other.signalAll();
        there.isGranted();
        room.waits(here);
        room.signal();
        here.isGranted();
        room.assertIdle();
        other.assertIdle();
    }

    private static List<Attempt> queue(Case c, ConditionFixture room) {
        return Stream.generate(() -> room.waiter(c)).limit(QUEUE).toList();
    }

    // Holds

    @ParameterizedTest
    @MethodSource("reentrant")
    void allHoldsAreGivenUpAndComeBackHoweverTheWaitEnds(Case c) {
        ConditionFixture room = c.room();
        for (int holds = 1; holds <= 3; holds++) {
            Attempt signalled = deepWaiter(c, room, holds, LONG);
            assertFalse(room.lock.isLocked());
            room.signal();
            signalled.isGranted();
            assertFalse(room.lock.isLocked());
            if (c.by().interruptible) {
                deepWaiter(c, room, holds, LONG).isInterrupted();
                assertFalse(room.lock.isLocked());
            }
            if (c.by().timed) {
                deep(c, room, holds, 0).isRefused();
                assertFalse(room.lock.isLocked());
            }
        }
    }

    private static Attempt deepWaiter(Case c, ConditionFixture room, int holds, long nanos) {
        return room.waiting(deep(c, room, holds, nanos));
    }

    private static Attempt deep(Case c, ConditionFixture room, int holds, long nanos) {
        Reentrant lock = room.reentrant();
        return Waiting.start(
                c.kind(),
                () -> {
                    for (int i = 0; i < holds; i++) {
                        lock.lock();
                    }
                    try {
                        return c.by().await(room.condition, nanos);
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
        ConditionFixture room = new ConditionFixture(kind);
        refusesEverything(room);
        Attempt waiter = room.waiter();
        refusesEverything(room);
        room.lock.lock();
        run(ThreadKind.PLATFORM, () -> refusesEverything(room)).isGranted();
        assertTrue(room.lock.isHeldByCurrentThread());
        room.waits(waiter);
        room.condition.signal();
        room.lock.unlock();
        waiter.isGranted();
        room.assertIdle();
    }

    private static void refusesEverything(ConditionFixture room) {
        Condition condition = room.condition;
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
        if (room.kind != Kind.MUTEX) {
            calls.add(() -> room.reentrant().hasWaiters(condition));
            calls.add(() -> room.reentrant().getWaitQueueLength(condition));
            calls.add(() -> room.reentrant().getWaitingThreads(condition));
        }
        for (Executable call : calls) {
            assertThrows(IllegalMonitorStateException.class, call);
        }
    }

    /** The JDK's looks at the interrupt first. */
    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK"})
    void withoutTheLockAnInterruptStaysPending(Kind kind) {
        ConditionFixture room = new ConditionFixture(kind);
        Thread.currentThread().interrupt();
        refusesEverything(room);
        assertTrue(Thread.interrupted());
        room.assertIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void aTimeoutNeedsAUnitAndADeadlineADate(Kind kind) {
        ConditionFixture room = new ConditionFixture(kind);
        room.lock.lock();
        assertThrows(NullPointerException.class, () -> room.condition.await(1, null));
        assertThrows(NullPointerException.class, () -> room.condition.awaitUntil(null));
        assertTrue(room.lock.isHeldByCurrentThread());
        room.lock.unlock();
        room.assertIdle();
    }

    // Looking

    @ParameterizedTest
    @MethodSource("reentrant")
    void theLockShowsWhoWaitsOnItsConditions(Case c) {
        ConditionFixture room = c.room();
        Reentrant lock = room.reentrant();
        Condition other = lock.newCondition();
        shows(room, List.of());
        List<Attempt> waiters = queue(c, room);
        shows(room, waiters);
        lock.lock();
        assertFalse(lock.hasWaiters(other));
        assertEquals(0, lock.getWaitQueueLength(other));
        assertEquals(0, lock.getWaitingThreads(other).size());
        room.condition.signal();
        shows(room, waiters.subList(1, QUEUE));
        assertTrue(lock.hasQueuedThread(waiters.get(0).thread));
        lock.unlock();
        waiters.get(0).isGranted();
        room.signalAll();
        waiters.forEach(Attempt::isGranted);
        shows(room, List.of());
    }

    private static void shows(ConditionFixture room, List<Attempt> expected) {
        Reentrant lock = room.reentrant();
        List<Thread> threads = expected.stream().map(waiter -> waiter.thread).toList();
        lock.lock();
        assertEquals(!expected.isEmpty(), lock.hasWaiters(room.condition));
        assertEquals(expected.size(), lock.getWaitQueueLength(room.condition));
        Collection<Thread> shown = lock.getWaitingThreads(room.condition);
        if (room.kind.isOurs()) { // first to last; the JDK's promises no order
            assertEquals(threads, List.copyOf(shown));
        } else {
            assertEquals(new HashSet<>(threads), new HashSet<>(shown));
        }
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "WRITE_LOCK", "JDK_LOCK"})
    void aLockDoesNotLookAtConditionsOfOthers(Kind kind) {
        Reentrant lock = (Reentrant) kind.lock();
        looksAtNoConditionOfOthers(lock);
        lock.lock();
        looksAtNoConditionOfOthers(lock);
        lock.unlock();
        Waiting.assertIdle(lock, 1);
    }

    /** Whether or not it is held by the current thread. */
    private static void looksAtNoConditionOfOthers(Reentrant lock) {
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
    void oursSayHowManyWait(Kind kind) {
        ConditionFixture room = new ConditionFixture(kind);
        assertTrue(room.condition.toString().endsWith("[0 waiting]"), room.condition::toString);
        List<Attempt> waiters = List.of(room.waiter(), room.waiter());
        assertTrue(room.condition.toString().endsWith("[2 waiting]"), room.condition::toString);
        room.signalAll();
        waiters.forEach(Attempt::isGranted);
    }
}
