package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.DAYS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AwaitVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts and timeouts of threads that wait on a condition: before and after the signal. */
@Timeout(120)
class ConditionInterruptAndTimeoutTest {
    static Stream<Case> all() {
        return AwaitVariant.cases(by -> true);
    }

    static Stream<Case> interruptible() {
        return AwaitVariant.cases(by -> by.interruptible);
    }

    static Stream<Case> uninterruptible() {
        return AwaitVariant.cases(by -> !by.interruptible);
    }

    static Stream<Case> timed() {
        return AwaitVariant.cases(by -> by.timed);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    // Interrupts

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptBeforeTheWaitThrowsAtOnceAndTheLockIsKept(Case c) {
        ConditionFixture fixture = c.fixture();
        fixture.lock.lock();
        Attempt locker = fixture.locker();
        for (long nanos : new long[] {LONG, 0, -1}) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> c.by().await(fixture.condition, nanos));
            assertFalse(Thread.interrupted(), "the exception has cleared it");
            assertTrue(fixture.lock.isHeldByCurrentThread());
            locker.waitsIn(fixture.lock);
        }
        fixture.lock.unlock();
        locker.isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptEndsTheWaitWithAnExceptionOnceTheLockIsReacquired(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        Attempt second = fixture.waiter(c);
        fixture.lock.lock();
        waiter.thread.interrupt();
        fixture.leaves(waiter);
        fixture.waitsForLock(waiter);
        fixture.waits(second);
        fixture.lock.unlock();
        waiter.endsWith(End.INTERRUPTED, false);
        fixture.signal();
        second.isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void aSecondInterruptWhileItWaitsForTheLockStaysPending(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        fixture.lock.lock();
        waiter.thread.interrupt();
        fixture.leaves(waiter);
        waiter.thread.interrupt();
        fixture.waitsForLock(waiter);
        fixture.lock.unlock();
        waiter.endsWith(End.INTERRUPTED, true);
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("uninterruptible")
    void anUninterruptibleWaitKeepsTheInterruptAndWaitsForTheSignal(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        waiter.thread.interrupt();
        until(
                "the thread has seen the interrupt",
                () -> !waiter.thread.isInterrupted() || !c.lock().isOurs());
        fixture.waits(waiter);
        fixture.signal();
        waiter.endsWith(End.GRANTED, true);

        Attempt interruptedBefore = TestThreads.start(
                c.kind(),
                () -> {
                    Thread.currentThread().interrupt();
                    fixture.lock.lock();
                    return fixture.awaitAndUnlock(c.by(), LONG);
                },
                () -> {});
        fixture.waiting(interruptedBefore);
        fixture.signal();
        interruptedBefore.endsWith(End.GRANTED, true);
        fixture.assertIdle();
    }

    /** After the signal the thread waits for the lock, and an interrupt stays pending as in {@code lock()}. */
    @ParameterizedTest
    @MethodSource("all")
    void anInterruptAfterTheSignalStaysPending(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt waiter = fixture.waiter(c);
        fixture.lock.lock();
        fixture.condition.signal();
        waiter.thread.interrupt();
        fixture.waitsForLock(waiter);
        fixture.lock.unlock();
        waiter.endsWith(End.GRANTED, true);
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void theSignalGoesToTheNextIfTheFirstWasInterruptedBeforeIt(Case c) {
        ConditionFixture fixture = c.fixture();
        List<Attempt> waiters =
                Stream.generate(() -> fixture.waiter(c)).limit(4).toList();
        fixture.lock.lock();
        waiters.get(0).thread.interrupt();
        fixture.leaves(waiters.get(0));
        waiters.get(2).thread.interrupt();
        fixture.leaves(waiters.get(2));
        fixture.condition.signal();
        fixture.waits(waiters.get(3));
        fixture.waitsForLock(waiters.get(1));
        fixture.condition.signal();
        fixture.waitsForLock(waiters.get(3));
        fixture.lock.unlock();
        waiters.get(0).endsWith(End.INTERRUPTED, false);
        waiters.get(1).isGranted();
        waiters.get(2).endsWith(End.INTERRUPTED, false);
        waiters.get(3).isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("all")
    void theSignalStaysWithTheFirstIfItIsInterruptedAfterIt(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt first = fixture.waiter(c);
        Attempt second = fixture.waiter(c);
        fixture.lock.lock();
        fixture.condition.signal();
        first.thread.interrupt();
        fixture.waits(second);
        fixture.lock.unlock();
        first.endsWith(End.GRANTED, true);
        fixture.waits(second);
        fixture.signal();
        second.isGranted();
        fixture.assertIdle();
    }

    // Timeouts

    @ParameterizedTest
    @MethodSource("timed")
    void aTimeoutOfZeroOrLessReleasesTheLockAndReacquiresItAtOnce(Case c) throws InterruptedException {
        for (long nanos : new long[] {0, -1, -SHORT, Long.MIN_VALUE, Long.MIN_VALUE + 1}) {
            ConditionFixture fixture = c.fixture();
            fixture.lock.lock();
            Attempt locker = fixture.locker();
            assertFalse(c.by().await(fixture.condition, nanos));
            locker.isGranted();
            assertTrue(fixture.lock.isHeldByCurrentThread());
            fixture.lock.unlock();
            fixture.assertIdle();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void deadlinesInThePastHavePassed(Kind kind) throws InterruptedException {
        ConditionFixture fixture = new ConditionFixture(kind);
        fixture.lock.lock();
        for (long deadline : new long[] {0, -1, Long.MIN_VALUE, Long.MIN_VALUE + 1, System.currentTimeMillis() - 1}) {
            assertFalse(fixture.condition.awaitUntil(new Date(deadline)));
            assertTrue(fixture.lock.isHeldByCurrentThread());
        }
        assertFalse(fixture.condition.await(Long.MIN_VALUE, DAYS));
        assertFalse(fixture.condition.await(-1, DAYS));
        assertTrue(fixture.condition.awaitNanos(Long.MIN_VALUE) <= 0);
        fixture.lock.unlock();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLongestTimeoutsWait(Case c) {
        ConditionFixture fixture = c.fixture();
        for (long nanos : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            Attempt waiter = fixture.waiter(c, nanos);
            fixture.signal();
            waiter.isGranted();
        }
        Attempt days = fixture.waiting(TestThreads.start(
                c.kind(),
                () -> {
                    fixture.lock.lock();
                    try {
                        return fixture.condition.await(Long.MAX_VALUE, DAYS);
                    } finally {
                        fixture.lock.unlock();
                    }
                },
                () -> {}));
        fixture.signal();
        days.isGranted();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aWaitWithoutASignalEndsAfterItsTimeoutAndNotBefore(Case c) {
        ConditionFixture fixture = c.fixture();
        long start = System.nanoTime();
        Attempt waiter = fixture.enter(c.kind(), c.by(), SHORT);
        waiter.isRefused();
        assertTrue(System.nanoTime() - start >= SHORT);
        fixture.assertIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void aDeadlineHasPassedWhenAwaitUntilSaysSo(Kind kind) throws InterruptedException {
        ConditionFixture fixture = new ConditionFixture(kind);
        fixture.lock.lock();
        for (int millis = 0; millis < 5; millis++) {
            Date deadline = new Date(System.currentTimeMillis() + millis);
            assertFalse(fixture.condition.awaitUntil(deadline));
            assertTrue(System.currentTimeMillis() >= deadline.getTime());
        }
        fixture.lock.unlock();
        fixture.assertIdle();
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK"})
    void awaitNanosReturnsTheRemainingTime(Kind kind) {
        ConditionFixture fixture = new ConditionFixture(kind);
        for (long nanos : new long[] {LONG, Long.MAX_VALUE}) {
            long start = System.nanoTime();
            Attempt waiter = fixture.waiting(TestThreads.start(
                    ThreadKind.PLATFORM,
                    () -> {
                        fixture.lock.lock();
                        try {
                            long left = fixture.condition.awaitNanos(nanos);
                            assertTrue(left <= nanos, () -> left + " of " + nanos);
                            assertTrue(nanos - left <= System.nanoTime() - start, () -> left + " of " + nanos);
                            assertTrue(left > 0);
                            return true;
                        } finally {
                            fixture.lock.unlock();
                        }
                    },
                    () -> {}));
            fixture.signal();
            waiter.isGranted();
        }
        fixture.assertIdle();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theSignalGoesToTheNextIfTheFirstTimedOutBeforeIt(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt first = fixture.enter(c.kind(), c.by(), SHORT);
        until("it waits, or its time is up", () -> first.isOver() || fixture.isWaiting(first));
        Attempt second = fixture.waiter(c);
        fixture.lock.lock();
        until("its time is up", () -> !fixture.isWaiting(first));
        fixture.condition.signal();
        fixture.waitsForLock(second);
        fixture.lock.unlock();
        first.isRefused();
        second.isGranted();
        fixture.assertIdle();
    }

    /** The timeout limits the wait for the signal, not the wait for the lock. */
    @ParameterizedTest
    @MethodSource("timed")
    void theSignalStaysWithTheFirstIfItTimesOutAfterIt(Case c) {
        long timeout = 10 * SHORT;
        for (boolean inTime = false; !inTime; timeout *= 2) {
            ConditionFixture fixture = c.fixture();
            Attempt first = fixture.enter(c.kind(), c.by(), timeout);
            until("it waits, or its time is up", () -> first.isOver() || fixture.isWaiting(first));
            long end = System.nanoTime() + timeout;
            Attempt second = fixture.waiter(c);
            fixture.lock.lock();
            fixture.condition.signal();
            inTime = fixture.isWaiting(second); // otherwise this machine was too slow
            until("the time is up", () -> System.nanoTime() - end > 0);
            Thread.yield();
            assertEquals(inTime, fixture.isWaiting(second));
            fixture.lock.unlock();
            boolean saysSo = inTime && c.by() != AwaitVariant.AWAIT_NANOS; // it returns the remaining time
            first.endsWith(saysSo ? End.GRANTED : End.REFUSED, false);
            fixture.signal();
            second.isGranted();
            fixture.assertIdle();
        }
    }
}
