package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.startQueued;
import static dev.cqs.threads.TestThreads.waiter;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Permits;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits of the count: the contract of a fair {@link java.util.concurrent.Semaphore}, on ours and the JDK's. */
class SemaphoreCountTest {
    private static final String SEMAPHORES = ".*SEMAPHORE.*";
    private static final int MAX = Integer.MAX_VALUE;
    private static final int MIN = Integer.MIN_VALUE;

    /** All cases with waiters for one permit. */
    static Stream<Case> units() {
        return AcquireVariant.cases(by -> by.waits && by.permits == 1)
                .filter(c -> c.target().isSemaphore());
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aReleaseAboveTheMaximumIsRefusedAndChangesNothing(Kind kind) {
        for (int permits : new int[] {1, MAX - 1, MAX}) {
            Permits semaphore = kind.semaphore(permits);
            int tooMany = MAX - permits + 1;
            assertError("Maximum permit count exceeded", semaphore, () -> semaphore.release(tooMany));
            assertError("Maximum permit count exceeded", semaphore, () -> semaphore.release(MAX));
            if (tooMany == 1) {
                assertError("Maximum permit count exceeded", semaphore, semaphore::release);
            }
            semaphore.release(tooMany - 1);
            assertTrue(semaphore.tryAcquire(MAX));
            assertIdle(semaphore, 0);
        }
    }

    // Debts

    @ParameterizedTest
    @MethodSource("units")
    void negativeInitialPermitsAreADebt(Case c) {
        Permits semaphore = c.target().semaphore(-2);
        assertEquals(-2, semaphore.availablePermits());
        assertFalse(semaphore.tryAcquire());
        Attempt waiter = startQueued(c.kind(), c.by(), semaphore);
        semaphore.release();
        semaphore.release(1);
        assertEquals(0, semaphore.availablePermits());
        waiter.waitsIn(semaphore);
        semaphore.release();
        waiter.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @MethodSource("units")
    void aReductionBelowZeroIsPaidBeforeAnyRequestIsServed(Case c) {
        Permits semaphore = c.target().semaphore(1);
        semaphore.reducePermits(1);
        Attempt first = startQueued(c.kind(), c.by(), semaphore);
        Attempt second = startQueued(c.kind(), c.by(), semaphore);
        semaphore.reducePermits(2); // while there are waiters
        assertEquals(-2, semaphore.availablePermits());
        assertEquals(2, semaphore.getQueueLength());
        semaphore.release(2);
        first.waitsIn(semaphore);
        semaphore.release();
        first.isGranted();
        second.waitsIn(semaphore);
        semaphore.release(3);
        second.isGranted();
        assertIdle(semaphore, 2);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aReductionRemovesFreePermits(Kind kind) {
        Permits semaphore = kind.semaphore(5);
        semaphore.reducePermits(0);
        semaphore.reducePermits(3);
        assertIdle(semaphore, 2);
        assertFalse(semaphore.tryAcquire(3));
        assertTrue(semaphore.tryAcquire(2));
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aReductionBelowTheRangeIsRefusedAndChangesNothing(Kind kind) {
        for (int permits : new int[] {MIN, MIN + 1, -2}) {
            Permits semaphore = kind.semaphore(permits);
            int most = permits - MIN;
            assertError("Permit count underflow", semaphore, () -> semaphore.reducePermits(most + 1));
            assertError("Permit count underflow", semaphore, () -> semaphore.reducePermits(MAX));
            semaphore.reducePermits(most);
            assertIdle(semaphore, MIN);
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void drainReturnsAllPermitsAndLeavesNone(Kind kind) {
        for (int permits : new int[] {3, 1, 0, -1, -3, MAX, MIN}) {
            Permits semaphore = kind.semaphore(permits);
            assertEquals(permits, semaphore.drainPermits());
            assertIdle(semaphore, 0);
            semaphore.release();
            assertTrue(semaphore.tryAcquire());
            assertFalse(semaphore.tryAcquire());
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void drainOfADebtLeavesTheWaitersWaiting(Kind kind) {
        Permits semaphore = kind.semaphore(-3);
        Attempt waiter = waiter(semaphore, 1);
        assertEquals(-3, semaphore.drainPermits());
        waiter.waitsIn(semaphore);
        semaphore.release();
        waiter.isGranted();
        assertIdle(semaphore, 0);
    }

    // Requests for no permits

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aRequestForNoPermitsIsGrantedIfThereIsNeitherADebtNorAQueue(Kind kind) throws InterruptedException {
        for (int permits : new int[] {0, 1}) {
            Permits semaphore = kind.semaphore(permits);
            semaphore.acquire(0);
            semaphore.acquireUninterruptibly(0);
            assertTrue(semaphore.tryAcquire(0));
            assertTrue(semaphore.tryAcquire(0, 0, NANOSECONDS));
            assertTrue(semaphore.tryAcquire(0, LONG, NANOSECONDS));
            assertIdle(semaphore, permits);
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aRequestForNoPermitsWaitsInFifoOrder(Kind kind) throws InterruptedException {
        for (int weight : new int[] {1, 2}) {
            Permits semaphore = kind.semaphore(weight - 1);
            Attempt ahead = waiter(semaphore, weight);
            assertTrue(semaphore.tryAcquire(0), "an untimed tryAcquire may barge");
            Attempt nothing = waiter(semaphore, 0);
            ahead.waitsIn(semaphore);
            semaphore.release();
            ahead.isGranted();
            nothing.isGranted();
            assertIdle(semaphore, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aTimedTryForNoPermitsDoesNotBarge(Kind kind) throws InterruptedException {
        for (int weight : new int[] {2, 1}) {
            Permits semaphore = kind.semaphore(weight - 1);
            Attempt ahead = waiter(semaphore, weight);
            assertFalse(semaphore.tryAcquire(0, 0, NANOSECONDS), "behind a request for " + weight);
            semaphore.release();
            ahead.isGranted();
            assertIdle(semaphore, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aRequestForNoPermitsWaitsForTheEndOfADebt(Kind kind) throws InterruptedException {
        Permits semaphore = kind.semaphore(-2);
        assertFalse(semaphore.tryAcquire(0));
        assertFalse(semaphore.tryAcquire(0, 0, NANOSECONDS));
        Attempt nothing = waiter(semaphore, 0);
        semaphore.release();
        nothing.waitsIn(semaphore);
        semaphore.release();
        nothing.isGranted();
        assertIdle(semaphore, 0);
    }

    /** The JDK's semaphore leaves the request waiting until the next release. */
    @ParameterizedTest
    @EnumSource(names = {"SEMAPHORE", "SEMAPHORE_IN_WEIGHTED_MODE"})
    void drainOfADebtServesARequestForNoPermits(Kind kind) {
        Permits semaphore = kind.semaphore(-2);
        Attempt nothing = waiter(semaphore, 0);
        assertEquals(-2, semaphore.drainPermits());
        nothing.isGranted();
        assertIdle(semaphore, 0);
    }

    // Arguments and queries

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void negativeNumbersAreRefused(Kind kind) {
        for (int n : new int[] {-1, MIN}) {
            for (int permits : new int[] {2, -2}) {
                Permits semaphore = kind.semaphore(permits);
                Stream.<Executable>of(
                                () -> semaphore.acquire(n),
                                () -> semaphore.acquireUninterruptibly(n),
                                () -> semaphore.tryAcquire(n),
                                () -> semaphore.tryAcquire(n, 0, NANOSECONDS),
                                () -> semaphore.tryAcquire(n, LONG, NANOSECONDS),
                                () -> semaphore.release(n),
                                () -> semaphore.reducePermits(n))
                        .forEach(call -> assertThrows(IllegalArgumentException.class, call));
                assertIdle(semaphore, permits);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void badArgumentsAreRefusedBeforeInterruptsAreChecked(Kind kind) {
        Permits semaphore = kind.semaphore(2);
        Stream.<Executable>of(
                        () -> semaphore.acquire(-1),
                        () -> semaphore.tryAcquire(-1, LONG, NANOSECONDS),
                        () -> semaphore.tryAcquire(1, LONG, null),
                        () -> semaphore.tryAcquire(LONG, null))
                .forEach(call -> {
                    Thread.currentThread().interrupt();
                    assertThrows(RuntimeException.class, call);
                    assertTrue(Thread.interrupted(), "still pending");
                });
        assertIdle(semaphore, 2);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aTimeoutNeedsAUnit(Kind kind) {
        Permits semaphore = kind.semaphore(2);
        assertThrows(NullPointerException.class, () -> semaphore.tryAcquire(1, null));
        assertThrows(NullPointerException.class, () -> semaphore.tryAcquire(2, 1, null));
        assertThrows(NullPointerException.class, () -> semaphore.tryAcquire(2, 0, null));
        assertIdle(semaphore, 2);
    }

    /** A difference to the JDK: our semaphores are always fair, and toString shows the number of waiters. */
    @Test
    void ourSemaphoresAreAlwaysFairAndToStringShowsTheWaiters() {
        assertTrue(new Semaphore(1).isFair());
        assertTrue(new Semaphore(1, true).isFair());
        assertTrue(new Semaphore(1, false).isFair());
        assertEquals(3, new Semaphore(3, false).availablePermits());
        Permits semaphore = Kind.SEMAPHORE.semaphore(1);
        Attempt waiter = waiter(semaphore, 2);
        assertTrue(semaphore.toString().endsWith("[Permits = 1, waiting = 1]"), semaphore::toString);
        semaphore.release();
        waiter.isGranted();
        assertTrue(semaphore.toString().endsWith("[Permits = 0, waiting = 0]"), semaphore::toString);
    }

    private static void assertError(String message, Permits semaphore, Executable call) {
        int free = semaphore.availablePermits();
        assertEquals(message, assertThrowsExactly(Error.class, call).getMessage());
        assertIdle(semaphore, free);
    }
}
