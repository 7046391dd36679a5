package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.startQueued;
import static dev.cqs.threads.TestThreads.waiter;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Permits;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which requests a release serves: the contract of a fair {@link java.util.concurrent.Semaphore}, on ours and the JDK's. */
class SemaphoreContractTest {
    private static final String SEMAPHORES = ".*SEMAPHORE.*";

    /** All cases with waiters for one permit. */
    static Stream<Case> units() {
        return AcquireVariant.cases(by -> by.waits && by.permits == 1)
                .filter(c -> c.target().isSemaphore());
    }

    /** All cases with waiters for one permit that can be interrupted. */
    static Stream<Case> interruptibleUnits() {
        return units().filter(c -> c.by().interruptible);
    }

    /** All cases with waiters for two permits. */
    static Stream<Case> pairs() {
        return AcquireVariant.cases(by -> by.waits && by.permits == 2)
                .filter(c -> c.target().isSemaphore());
    }

    /** All cases with waiters for two permits that can be interrupted. */
    static Stream<Case> interruptiblePairs() {
        return pairs().filter(c -> c.by().interruptible);
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
    void aNewArrivalQueuesBehindALargeRequestThoughEnoughPermitsAreFree(Case c) {
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
    void anInterruptedLargeRequestLetsLaterOnesBeServed(Case c) {
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
    void aTimedOutLargeRequestLetsLaterOnesBeServed(Kind kind) {
        boolean stoodThere = false;
        for (long timeout = TestThreads.SHORT; !stoodThere; timeout *= 2) {
            long nanos = timeout;
            Permits semaphore = kind.semaphore(2);
            Attempt large = start(ThreadKind.PLATFORM, () -> semaphore.tryAcquire(3, nanos, NANOSECONDS), () -> {});
            large.queued(semaphore);
            Attempt first = start(ThreadKind.PLATFORM, AcquireVariant.ACQUIRE, semaphore, LONG, () -> {});
            Attempt second = start(ThreadKind.PLATFORM, AcquireVariant.ACQUIRE, semaphore, LONG, () -> {});
            stoodThere = first.queued(semaphore).isQueued(semaphore)
                    && second.queued(semaphore).isQueued(semaphore);
            large.isRefused();
            first.isGranted();
            second.isGranted();
            assertIdle(semaphore, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void untimedTryAcquireAndDrainMayBargePastALargeRequest(Kind kind) {
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

    /** In ours, the first large request upgrades the semaphore, which then has two queues. */
    @ParameterizedTest
    @MethodSource("interruptibleUnits")
    void waitersBeforeTheFirstLargeRequestKeepTheirOrderAndCanBeCancelled(Case c) {
        Permits semaphore = c.target().semaphore(0);
        List<Attempt> before = Stream.generate(() -> startQueued(c.kind(), c.by(), semaphore))
                .limit(4)
                .toList();
        Attempt large = waiter(semaphore, 2);
        Attempt last = startQueued(c.kind(), c.by(), semaphore);
        assertEquals(6, semaphore.getQueueLength());
        before.get(1).isInterrupted();
        before.get(3).isInterrupted();
        assertEquals(4, semaphore.getQueueLength());

        semaphore.release();
        before.get(0).isGranted();
        before.get(2).waitsIn(semaphore);
        semaphore.release(2);
        before.get(2).isGranted();
        large.waitsIn(semaphore);
        assertEquals(1, semaphore.availablePermits());
        semaphore.release();
        large.isGranted();
        last.waitsIn(semaphore);
        semaphore.release();
        last.isGranted();
        assertIdle(semaphore, 0);
    }

    // Releases

    @ParameterizedTest
    @MethodSource("units")
    void oneReleaseServesSeveralRequests(Case c) {
        Permits semaphore = c.target().semaphore(0);
        List<Attempt> waiters = Stream.generate(() -> startQueued(c.kind(), c.by(), semaphore))
                .limit(4)
                .toList();
        semaphore.release(3);
        waiters.subList(0, 3).forEach(Attempt::isGranted);
        waiters.get(3).waitsIn(semaphore);
        semaphore.release(3);
        waiters.get(3).isGranted();
        assertIdle(semaphore, 2);
    }

    @ParameterizedTest
    @EnumSource(names = SEMAPHORES, mode = EnumSource.Mode.MATCH_ANY)
    void oneReleaseServesAsManyRequestsAsPossibleAndTheRestStaysFree(Kind kind) {
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
    void aReleaseOfTooFewPermitsServesNoRequest(Case c) {
        Permits semaphore = c.target().semaphore(0);
        Attempt large = startQueued(c.kind(), c.by(), semaphore);
        Attempt behind = waiter(semaphore, 1);
        semaphore.release();
        assertEquals(1, semaphore.availablePermits());
        large.waitsIn(semaphore);
        behind.waitsIn(semaphore);
        assertTrue(semaphore.tryAcquire(), "no request has taken the permit");
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
}
