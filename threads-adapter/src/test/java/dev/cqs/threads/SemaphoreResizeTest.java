package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.startQueued;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.OurSemaphore;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A semaphore whose maximum changes while threads wait for it, by every method that acquires. */
class SemaphoreResizeTest {
    private static Stream<Case> ours(Predicate<AcquireVariant> property) {
        return AcquireVariant.cases(property)
                .filter(c -> c.target().isSemaphore() && c.target().isOurs());
    }

    static Stream<Case> all() {
        return ours(by -> true);
    }

    static Stream<Case> waiting() {
        return ours(by -> by.waits);
    }

    static Stream<Case> waitingForTwo() {
        return ours(by -> by.waits && by.permits == 2);
    }

    private static OurSemaphore bounded(int maximum, int taken) {
        return new OurSemaphore(dev.cqs.sync.Semaphore.bounded(maximum, taken));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyMethodTakesPermitsThatAResizeHasAdded(Case c) {
        OurSemaphore semaphore = bounded(2, 2);
        semaphore.resize(2 + c.by().permits);
        c.by().enterNow(semaphore);
        assertIdle(semaphore, 0);
        assertFalse(semaphore.tryAcquire());
        semaphore.release(2 + c.by().permits);
        assertThrows(IllegalStateException.class, semaphore::release);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void growingServesAsManyWaitersAsPossible(Case c) {
        OurSemaphore semaphore = bounded(2, 2);
        List<Attempt> attempts = Stream.generate(() -> startQueued(c.kind(), c.by(), semaphore))
                .limit(3)
                .toList();
        semaphore.resize(2 + 2 * c.by().permits);
        attempts.get(0).isGranted();
        attempts.get(1).isGranted();
        attempts.get(2).waitsIn(semaphore);
        semaphore.resize(2 + 3 * c.by().permits);
        attempts.get(2).isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void aDebtIsPaidBeforeWaitersAreServed(Case c) {
        OurSemaphore semaphore = bounded(5, 5);
        Attempt attempt = startQueued(c.kind(), c.by(), semaphore);
        semaphore.resize(2);
        assertEquals(-3, semaphore.availablePermits());
        semaphore.release(2 + c.by().permits);
        attempt.waitsIn(semaphore);
        semaphore.release(3 - c.by().permits);
        assertEquals(0, semaphore.availablePermits() % c.by().permits);
        semaphore.resize(2 + c.by().permits);
        attempt.isGranted();
        assertIdle(semaphore, 2);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void holdersMayReleaseTheirPermitsAfterAShrinkAndNoMore(Case c) {
        OurSemaphore semaphore = bounded(6, 6 - c.by().permits);
        c.by().enterNow(semaphore);
        semaphore.resize(2);
        semaphore.release(c.by().permits);
        semaphore.release(6 - c.by().permits);
        assertIdle(semaphore, 2);
        assertThrows(IllegalStateException.class, semaphore::release);
        assertThrows(IllegalStateException.class, () -> semaphore.release(2));
        assertIdle(semaphore, 2);
    }

    @ParameterizedTest
    @MethodSource("waitingForTwo")
    void aRequestThatIsTooLargeWhenItIsTheHeadThrows(Case c) {
        OurSemaphore semaphore = bounded(3, 3);
        Attempt first = startQueued(c.kind(), AcquireVariant.ACQUIRE, semaphore);
        AtomicReference<IllegalArgumentException> thrown = new AtomicReference<>();
        Attempt large = start(
                        c.kind(),
                        () -> {
                            try {
                                return c.by().enter(semaphore, LONG);
                            } catch (IllegalArgumentException e) {
                                thrown.set(e);
                                return false;
                            }
                        },
                        () -> {})
                .queued(semaphore);
        Attempt last = startQueued(c.kind(), AcquireVariant.ACQUIRE, semaphore);
        semaphore.resize(1);
        large.waitsIn(semaphore);
        semaphore.release(3);
        first.isGranted();
        large.endsWith(End.REFUSED, false);
        assertTrue(
                thrown.get().getMessage().contains("2 permits were asked for"),
                thrown.get().getMessage());
        last.waitsIn(semaphore);
        semaphore.release();
        last.isGranted();
        assertIdle(semaphore, 0);
    }

    @ParameterizedTest
    @MethodSource("all")
    void newRequestsAboveTheMaximumAreRefusedAtOnce(Case c) throws InterruptedException {
        for (int taken = 0; taken < 2; taken++) {
            OurSemaphore semaphore = bounded(4, taken);
            semaphore.resize(1);
            if (c.by().permits > 1) {
                String message = assertThrows(IllegalArgumentException.class, () -> c.by().enter(semaphore, LONG))
                        .getMessage();
                assertTrue(message.contains("no more than 1"), message);
                assertEquals(1 - taken, semaphore.availablePermits());
            }
            semaphore.resize(4);
            c.by().enterNow(semaphore);
            semaphore.release(c.by().permits + taken);
            assertIdle(semaphore, 4);
        }
    }

    @Test
    void aFutureThatWaitsForTooManyFails() {
        Semaphore semaphore = Semaphore.bounded(3);
        Grant all = semaphore.acquireAsync(3).join();
        CompletableFuture<Grant> large = semaphore.acquireAsync(2);
        CompletableFuture<Grant> cancelled = semaphore.acquireAsync(2);
        CompletableFuture<Grant> small = semaphore.acquireAsync(1);
        semaphore.resize(1);
        assertSame(
                IllegalArgumentException.class,
                assertThrows(CompletionException.class, large::join).getCause().getClass());
        cancelled.cancel(true);
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(2));
        assertFalse(small.isDone());
        all.close();
        small.join().close();
        assertEquals(1, semaphore.availablePermits());
        assertEquals(0, semaphore.getQueueLength());
    }

    @Test
    void aClosedSemaphoreStaysClosed() {
        Semaphore semaphore = Semaphore.bounded(2);
        semaphore.core().close(null);
        semaphore.resize(5);
        assertThrows(ClosedException.class, semaphore::tryAcquire);
        assertEquals(5, semaphore.availablePermits());
    }

    @Test
    void onlyABoundedSemaphoreIsResizedAndOnlyToAPositiveMaximum() {
        Semaphore bounded = Semaphore.bounded(2);
        assertEquals(2, bounded.core().maximum());
        refuses(IllegalArgumentException.class, "maximum must be positive", () -> bounded.resize(0));
        refuses(IllegalArgumentException.class, "maximum must be positive", () -> Semaphore.bounded(0));
        refuses(IllegalStateException.class, "was not made by bounded()", () -> new Semaphore(2).resize(3));
        assertEquals(2, bounded.availablePermits());
        assertTrue(bounded.toString().endsWith("[Permits = 2, waiting = 0]"), bounded.toString());
    }

    @Test
    void theMaximumIsTheNumberOfPermitsUntilAResize() {
        Semaphore bounded = Semaphore.bounded(3);
        assertEquals(3, bounded.maximum());
        assertTrue(bounded.tryAcquire(2));
        assertEquals(3, bounded.maximum(), "whether they are free or not");
        bounded.resize(1);
        assertEquals(1, bounded.maximum());
        assertEquals(-1, bounded.availablePermits());
        bounded.resize(5);
        assertEquals(5, bounded.maximum());
        assertEquals(Integer.MAX_VALUE, new Semaphore(3).maximum());
        assertEquals(2, Semaphore.viewOf(dev.cqs.sync.Semaphore.bounded(2)).maximum());
    }

    private static void refuses(Class<? extends Exception> type, String says, Executable call) {
        String message = assertThrows(type, call).getMessage();
        assertTrue(message.contains(says), message);
    }
}
