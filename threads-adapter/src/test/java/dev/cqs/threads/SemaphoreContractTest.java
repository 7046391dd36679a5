package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.assertIdle;
import static dev.cqs.threads.Waiting.start;
import static dev.cqs.threads.Waiting.startQueued;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.EntryPoint.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Permits;
import dev.cqs.threads.Waiting.Attempt;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link java.util.concurrent.Semaphore}, on ours in both forms and on the JDK's. */
class SemaphoreContractTest {
    private static final String SEMAPHORES = ".*SEMAPHORE.*";
    private static final int MAX = Integer.MAX_VALUE;
    private static final int MIN = Integer.MIN_VALUE;

    /** All cases with waiters for one permit. */
    static Stream<Case> units() {
        return EntryPoint.cases(by -> by.waits && by.permits == 1).filter(c -> c.target().isSemaphore());
    }

    /** All cases with waiters for two permits. */
    static Stream<Case> pairs() {
        return EntryPoint.cases(by -> by.waits && by.permits == 2).filter(c -> c.target().isSemaphore());
    }

    /** All cases with waiters for two permits that can be interrupted. */
    static Stream<Case> interruptiblePairs() {
        return pairs().filter(c -> c.by().interruptible);
    }

    private static Attempt waiter(Permits semaphore, int permits) {
        Attempt attempt = start(ThreadKind.PLATFORM, () -> {
            semaphore.acquire(permits);
            return true;
        }, () -> {});
        attempt.queued(semaphore).waitsIn(semaphore);
        return attempt;
    }

    // Large requests

    @ParameterizedTest
    @MethodSource("pairs")
    void aLargeRequestAtTheHeadIsNotOvertaken(Case c) throws InterruptedException {
        Permits semaphore = c.target().semaphore(1);
        Attempt large = startQueued(c.kind(), c.by(), semaphore);
        Attempt behind = waiter(semaphore, 1);
        assertFalse(semaphore.tryAcquire(0, NANOSECONDS));
        assertFalse(semaphore.tryAcquire(1, 0, NANOSECONDS));
        large.waitsIn(semaphore);
        behind.waitsIn(semaphore);
        assertEquals(1, semaphore.availablePermits());

        semaphore.release();
        large.isGranted();
        behind.waitsIn(semaphore);
        assertEquals(0, semaphore.availablePermits());
        semaphore.release();
        behind.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @MethodSource("units")
    void aNewArrivalWaitsBehindALargeRequestThoughItWouldFit(Case c) {
        Permits semaphore = c.target().semaphore(1);
        Attempt large = waiter(semaphore, 2);
        Attempt arrival = startQueued(c.kind(), c.by(), semaphore);
        semaphore.release();
        large.isGranted();
        arrival.waitsIn(semaphore);
        semaphore.release();
        arrival.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @MethodSource("interruptiblePairs")
    void aLargeRequestThatIsInterruptedLetsThoseBehindItGo(Case c) {
        Permits semaphore = c.target().semaphore(1);
        Attempt large = startQueued(c.kind(), c.by(), semaphore);
        Attempt fits = waiter(semaphore, 1);
        Attempt next = waiter(semaphore, 1);
        large.isInterrupted();
        fits.isGranted();
        next.waitsIn(semaphore);
        semaphore.release();
        next.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aLargeRequestThatTimesOutLetsThoseBehindItGo(Kind kind) {
        boolean stoodThere = false;
        for (long timeout = Waiting.SHORT; !stoodThere; timeout *= 2) {
            long nanos = timeout;
            Permits semaphore = kind.semaphore(2);
            Attempt large = start(
                    ThreadKind.PLATFORM, () -> semaphore.tryAcquire(3, nanos, NANOSECONDS), () -> {});
            large.queued(semaphore);
            Attempt first = start(ThreadKind.PLATFORM, EntryPoint.ACQUIRE, semaphore, LONG, () -> {});
            Attempt second = start(ThreadKind.PLATFORM, EntryPoint.ACQUIRE, semaphore, LONG, () -> {});
            stoodThere = first.queued(semaphore).isQueued(semaphore) && second.queued(semaphore).isQueued(semaphore);
            large.isRefused();
            first.isGranted();
            second.isGranted();
            assertIdle(semaphore, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void untimedTriesAndDrainMayPassALargeRequest(Kind kind) {
        Permits semaphore = kind.semaphore(4);
        Attempt large = waiter(semaphore, 5);
        assertTrue(semaphore.tryAcquire());
        assertTrue(semaphore.tryAcquire(2));
        assertEquals(1, semaphore.drainPermits());
        assertFalse(semaphore.tryAcquire());
        large.waitsIn(semaphore);
        semaphore.release(5);
        large.isGranted();
        assertIdle(semaphore, 0);
    }

    // Releases

    @ParameterizedTest
    @MethodSource("units")
    void oneReleaseWakesSeveral(Case c) {
        Permits semaphore = c.target().semaphore(0);
        List<Attempt> waiters = Stream.generate(() -> startQueued(c.kind(), c.by(), semaphore)).limit(4).toList();
        semaphore.release(3);
        waiters.subList(0, 3).forEach(Attempt::isGranted);
        waiters.get(3).waitsIn(semaphore);
        semaphore.release(3);
        waiters.get(3).isGranted();
        assertIdle(semaphore, 2);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void oneReleaseWakesAsManyAsItSufficesForAndTheRestStaysFree(Kind kind) {
        Permits semaphore = kind.semaphore(0);
        Attempt two = waiter(semaphore, 2);
        Attempt one = waiter(semaphore, 1);
        Attempt three = waiter(semaphore, 3);
        Attempt last = waiter(semaphore, 1);
        semaphore.release(5);
        two.isGranted();
        one.isGranted();
        assertEquals(2, semaphore.availablePermits());
        three.waitsIn(semaphore);
        last.waitsIn(semaphore);
        semaphore.release(2);
        three.isGranted();
        last.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aPartialReleaseWakesNobody(Case c) {
        Permits semaphore = c.target().semaphore(0);
        Attempt large = startQueued(c.kind(), c.by(), semaphore);
        Attempt behind = waiter(semaphore, 1);
        semaphore.release();
        assertEquals(1, semaphore.availablePermits());
        large.waitsIn(semaphore);
        behind.waitsIn(semaphore);
        assertTrue(semaphore.tryAcquire(), "nobody has taken it");
        semaphore.release(2);
        large.isGranted();
        behind.waitsIn(semaphore);
        semaphore.release(1);
        behind.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aReleaseOfNothingChangesNothing(Kind kind) {
        Permits semaphore = kind.semaphore(1);
        Attempt large = waiter(semaphore, 2);
        semaphore.release(0);
        large.waitsIn(semaphore);
        assertEquals(1, semaphore.availablePermits());
        semaphore.release(1);
        large.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aReleaseBeyondTheMaximumIsRefusedWhole(Kind kind) {
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
    void aReductionBelowZeroIsPaidBeforeAnybodyIsServed(Case c) {
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
    void aReductionTakesWhatIsThere(Kind kind) {
        Permits semaphore = kind.semaphore(5);
        semaphore.reducePermits(0);
        semaphore.reducePermits(3);
        assertIdle(semaphore, 2);
        assertFalse(semaphore.tryAcquire(3));
        assertTrue(semaphore.tryAcquire(2));
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aReductionBelowTheRangeIsRefusedWhole(Kind kind) {
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
    void drainReturnsWhatWasThereAndLeavesNone(Kind kind) {
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

    // Requests for nothing

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void aRequestForNothingIsGrantedIfThereIsNoDebtAndNobodyWaits(Kind kind) throws InterruptedException {
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
    void aRequestForNothingWaitsInItsPlace(Kind kind) throws InterruptedException {
        for (int weight : new int[] {1, 2}) {
            Permits semaphore = kind.semaphore(weight - 1);
            Attempt ahead = waiter(semaphore, weight);
            assertTrue(semaphore.tryAcquire(0), "untimed: may pass");
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
    void aRequestForNothingWaitsForTheEndOfADebt(Kind kind) throws InterruptedException {
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

    /** The JDK's would leave it waiting until the next release. */
    @ParameterizedTest
    @EnumSource(names = {"SEMAPHORE", "SEMAPHORE_SECOND_FORM"})
    void drainOfADebtServesARequestForNothing(Kind kind) {
        Permits semaphore = kind.semaphore(-2);
        Attempt nothing = waiter(semaphore, 0);
        assertEquals(-2, semaphore.drainPermits());
        nothing.isGranted();
        assertIdle(semaphore, 0);
    }

    // Arguments and looks

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
    void badArgumentsAreRefusedBeforeAnInterruptIsLookedAt(Kind kind) {
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

    /** Here ours differ from the JDK's: they are fair whatever they are told, and say how many wait. */
    @Test
    void oursIsAlwaysFairAndSaysHowManyWait() {
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
