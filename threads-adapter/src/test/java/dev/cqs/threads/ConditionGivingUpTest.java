package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.SHORT;
import static dev.cqs.threads.Waiting.until;
import static java.util.concurrent.TimeUnit.DAYS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ConditionWay.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Waiting.Attempt;
import dev.cqs.threads.Waiting.End;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts and timeouts of threads that wait on a condition: before, at and after the signal. */
@Timeout(120)
class ConditionGivingUpTest {
    static Stream<Case> all() {
        return ConditionWay.cases(by -> true);
    }

    static Stream<Case> interruptible() {
        return ConditionWay.cases(by -> by.interruptible);
    }

    static Stream<Case> uninterruptible() {
        return ConditionWay.cases(by -> !by.interruptible);
    }

    static Stream<Case> timed() {
        return ConditionWay.cases(by -> by.timed);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    // Interrupts

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptBeforehandIsAnExceptionAtOnceAndTheLockIsKept(Case c) {
        ConditionFixture room = c.room();
        room.lock.lock();
        Attempt locker = room.locker();
        for (long nanos : new long[] {LONG, 0, -1}) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> c.by().await(room.condition, nanos));
            assertFalse(Thread.interrupted(), "the exception has taken it");
            assertTrue(room.lock.isHeldByCurrentThread());
            locker.waitsIn(room.lock);
        }
        room.lock.unlock();
        locker.isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptEndsTheWaitWithAnExceptionOnceTheLockIsThere(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        Attempt second = room.waiter(c);
        room.lock.lock();
        waiter.thread.interrupt();
        room.leaves(waiter);
        room.waitsForLock(waiter);
        room.waits(second);
        room.lock.unlock();
        waiter.endsWith(End.INTERRUPTED, false);
        room.signal();
        second.isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void aSecondInterruptWhileItWaitsForTheLockStaysPending(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        room.lock.lock();
        waiter.thread.interrupt();
        room.leaves(waiter);
        waiter.thread.interrupt();
        room.waitsForLock(waiter);
        room.lock.unlock();
        waiter.endsWith(End.INTERRUPTED, true);
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("uninterruptible")
    void anUninterruptibleWaitKeepsTheInterruptAndWaitsForTheSignal(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        waiter.thread.interrupt();
        until(
                "it has looked at the interrupt",
                () -> !waiter.thread.isInterrupted() || !c.lock().isOurs());
        room.waits(waiter);
        room.signal();
        waiter.endsWith(End.GRANTED, true);

        Attempt interruptedBefore = Waiting.start(
                c.kind(),
                () -> {
                    Thread.currentThread().interrupt();
                    room.lock.lock();
                    return room.awaitAndUnlock(c.by(), LONG);
                },
                () -> {});
        room.waiting(interruptedBefore);
        room.signal();
        interruptedBefore.endsWith(End.GRANTED, true);
        room.assertIdle();
    }

    /** The signal has come first, so the interrupt is one while it waits for the lock, as in {@code lock()}. */
    @ParameterizedTest
    @MethodSource("all")
    void anInterruptAfterTheSignalStaysPending(Case c) {
        ConditionFixture room = c.room();
        Attempt waiter = room.waiter(c);
        room.lock.lock();
        room.condition.signal();
        waiter.thread.interrupt();
        room.waitsForLock(waiter);
        room.lock.unlock();
        waiter.endsWith(End.GRANTED, true);
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void theSignalGoesToTheNextIfTheFirstWasInterruptedBefore(Case c) {
        ConditionFixture room = c.room();
        List<Attempt> waiters = Stream.generate(() -> room.waiter(c)).limit(4).toList();
        room.lock.lock();
        waiters.get(0).thread.interrupt();
        room.leaves(waiters.get(0));
        waiters.get(2).thread.interrupt();
        room.leaves(waiters.get(2));
        room.condition.signal();
        room.waits(waiters.get(3));
        room.waitsForLock(waiters.get(1));
        room.condition.signal();
        room.waitsForLock(waiters.get(3));
        room.lock.unlock();
        waiters.get(0).endsWith(End.INTERRUPTED, false);
        waiters.get(1).isGranted();
        waiters.get(2).endsWith(End.INTERRUPTED, false);
        waiters.get(3).isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void theSignalStaysWithTheFirstIfItIsInterruptedAfterwards(Case c) {
        ConditionFixture room = c.room();
        Attempt first = room.waiter(c);
        Attempt second = room.waiter(c);
        room.lock.lock();
        room.condition.signal();
        first.thread.interrupt();
        room.waits(second);
        room.lock.unlock();
        first.endsWith(End.GRANTED, true);
        room.waits(second);
        room.signal();
        second.isGranted();
        room.assertIdle();
    }

    // Timeouts

    @ParameterizedTest
    @MethodSource("timed")
    void aTimeoutOfZeroOrLessGivesTheLockUpForAMomentOnly(Case c) throws InterruptedException {
        for (long nanos : new long[] {0, -1, -SHORT, Long.MIN_VALUE, Long.MIN_VALUE + 1}) {
            ConditionFixture room = c.room();
            room.lock.lock();
            Attempt locker = room.locker();
            assertFalse(c.by().await(room.condition, nanos));
            locker.isGranted();
            assertTrue(room.lock.isHeldByCurrentThread());
            room.lock.unlock();
            room.assertIdle();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void deadlinesLongAgoHavePassed(Kind kind) throws InterruptedException {
        ConditionFixture room = new ConditionFixture(kind);
        room.lock.lock();
        for (long deadline : new long[] {0, -1, Long.MIN_VALUE, Long.MIN_VALUE + 1, System.currentTimeMillis() - 1}) {
            assertFalse(room.condition.awaitUntil(new Date(deadline)));
            assertTrue(room.lock.isHeldByCurrentThread());
        }
        assertFalse(room.condition.await(Long.MIN_VALUE, DAYS));
        assertFalse(room.condition.await(-1, DAYS));
        assertTrue(room.condition.awaitNanos(Long.MIN_VALUE) <= 0);
        room.lock.unlock();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLongestTimeoutsWait(Case c) {
        ConditionFixture room = c.room();
        for (long nanos : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            Attempt waiter = room.waiter(c, nanos);
            room.signal();
            waiter.isGranted();
        }
        Attempt days = room.waiting(Waiting.start(
                c.kind(),
                () -> {
                    room.lock.lock();
                    try {
                        return room.condition.await(Long.MAX_VALUE, DAYS);
                    } finally {
                        room.lock.unlock();
                    }
                },
                () -> {}));
        room.signal();
        days.isGranted();
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aWaitThatIsNotSignalledEndsAfterItsTimeAndNotBefore(Case c) {
        ConditionFixture room = c.room();
        long start = System.nanoTime();
        Attempt waiter = room.enter(c.kind(), c.by(), SHORT);
        waiter.isRefused();
        assertTrue(System.nanoTime() - start >= SHORT);
        room.assertIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void aDeadlineHasPassedWhenAwaitUntilSaysSo(Kind kind) throws InterruptedException {
        ConditionFixture room = new ConditionFixture(kind);
        room.lock.lock();
        for (int millis = 0; millis < 5; millis++) {
            Date deadline = new Date(System.currentTimeMillis() + millis);
            assertFalse(room.condition.awaitUntil(deadline));
            assertTrue(System.currentTimeMillis() >= deadline.getTime());
        }
        room.lock.unlock();
        room.assertIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void awaitNanosAnswersWhatIsLeftOfTheTime(Kind kind) {
        ConditionFixture room = new ConditionFixture(kind);
        for (long nanos : new long[] {LONG, Long.MAX_VALUE}) {
            long start = System.nanoTime();
            Attempt waiter = room.waiting(Waiting.start(
                    ThreadKind.PLATFORM,
                    () -> {
                        room.lock.lock();
                        try {
                            long left = room.condition.awaitNanos(nanos);
                            assertTrue(left <= nanos, () -> left + " of " + nanos);
                            assertTrue(nanos - left <= System.nanoTime() - start, () -> left + " of " + nanos);
                            assertTrue(left > 0);
                            return true;
                        } finally {
                            room.lock.unlock();
                        }
                    },
                    () -> {}));
            room.signal();
            waiter.isGranted();
        }
        room.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theSignalGoesToTheNextIfTheTimeOfTheFirstWasUpBefore(Case c) {
        ConditionFixture room = c.room();
        Attempt first = room.enter(c.kind(), c.by(), SHORT);
        until("it waits, or its time is up", () -> first.isOver() || room.isWaiting(first));
        Attempt second = room.waiter(c);
        room.lock.lock();
        until("its time is up", () -> !room.isWaiting(first));
        room.condition.signal();
        room.waitsForLock(second);
        room.lock.unlock();
        first.isRefused();
        second.isGranted();
        room.assertIdle();
    }

    /** While it waits for the lock, no time is too long any more. */
    @ParameterizedTest
    @MethodSource("timed")
    void theSignalStaysWithTheFirstIfItsTimeIsUpAfterwards(Case c) {
        long timeout = 10 * SHORT;
        for (boolean inTime = false; !inTime; timeout *= 2) {
            ConditionFixture room = c.room();
            Attempt first = room.enter(c.kind(), c.by(), timeout);
            until("it waits, or its time is up", () -> first.isOver() || room.isWaiting(first));
            long end = System.nanoTime() + timeout;
            Attempt second = room.waiter(c);
            room.lock.lock();
            room.condition.signal();
            inTime = room.isWaiting(second); // else the first was too slow on this machine
            until("the time is up", () -> System.nanoTime() - end > 0);
            Thread.yield();
            assertEquals(inTime, room.isWaiting(second));
            room.lock.unlock();
            boolean saysSo = inTime && c.by() != ConditionWay.AWAIT_NANOS; // which says how much time is left
            first.endsWith(saysSo ? End.GRANTED : End.REFUSED, false);
            room.signal();
            second.isGranted();
            room.assertIdle();
        }
    }
}
