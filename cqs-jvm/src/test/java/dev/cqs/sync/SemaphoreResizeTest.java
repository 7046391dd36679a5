package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static dev.cqs.sync.SemaphoreRequests.assertRefused;
import static dev.cqs.sync.SemaphoreRequests.enqueue;
import static dev.cqs.sync.SemaphoreRequests.enqueueWithHook;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes of the maximum, one at a time, and in the middle of other operations at points that the test chooses. */
class SemaphoreResizeTest {
    private static final int MAX = Integer.MAX_VALUE;

    private final Throwable cause = new Throwable("the cause");

    @Test
    void growingAddsFreePermits() {
        Semaphore semaphore = Semaphore.bounded(2, 1);
        semaphore.resize(5);
        assertEquals(5, semaphore.maximum());
        assertEquals(4, semaphore.availablePermits());
        assertTrue(semaphore.tryAcquire(4));
        assertFalse(semaphore.tryAcquire());
        semaphore.release(5);
        assertAllPermitsAreFree(semaphore);
        assertTrue(semaphore.tryAcquire(5));
    }

    @Test
    void shrinkingRemovesFreePermits() {
        Semaphore semaphore = Semaphore.bounded(5, 1);
        semaphore.resize(2);
        assertEquals(2, semaphore.maximum());
        assertEquals(1, semaphore.availablePermits());
        semaphore.release();
        assertAllPermitsAreFree(semaphore);
        assertTrue(semaphore.tryAcquire(2));
        assertFalse(semaphore.tryAcquire());
    }

    @Test
    void shrinkingBelowTheTakenPermitsIsADebtThatReleasesPayFirst() {
        Semaphore semaphore = Semaphore.bounded(5, 4);
        semaphore.resize(1);
        assertEquals(-3, semaphore.availablePermits());
        TestWaiter waiter = enqueue(semaphore, 1);
        for (int debt = -2; debt <= 0; debt++) {
            semaphore.release();
            assertEquals(debt, semaphore.availablePermits());
            assertFalse(waiter.isResumed());
        }
        semaphore.release();
        assertTrue(waiter.isResumed());
        semaphore.release();
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void growingServesWaitersInFifoOrder() {
        Semaphore semaphore = Semaphore.bounded(2, 2);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter large = enqueue(semaphore, 2);
        TestWaiter last = enqueue(semaphore, 1);
        semaphore.resize(4);
        assertTrue(first.isResumed());
        assertFalse(large.isResumed());
        assertFalse(last.isResumed(), "it does not overtake the large request");
        assertEquals(1, semaphore.availablePermits());
        semaphore.resize(6);
        assertTrue(large.isResumed());
        assertTrue(last.isResumed());
        semaphore.release(6);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void growingServesWaitersOfUnitMode() {
        Semaphore semaphore = Semaphore.bounded(1, 1);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter cancelled = enqueue(semaphore, 1);
        TestWaiter late = semaphore.acquire(new TestWaiter("late"), (same, waiter) -> {
            TestWaiter last = enqueue(semaphore, 1);
            assertTrue(cancelled.cancelNow());
            semaphore.resize(3);
            assertTrue(first.isResumed());
            assertTrue(last.isResumed());
            return waiter;
        });
        assertFalse(late.isResumed());
        semaphore.resize(4);
        assertTrue(late.isResumed());
        semaphore.release(4);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aDebtIsForgivenByGrowing() {
        Semaphore semaphore = Semaphore.bounded(4, 4);
        TestWaiter waiter = enqueue(semaphore, 1);
        semaphore.resize(1);
        assertEquals(-3, semaphore.availablePermits());
        semaphore.resize(3);
        assertEquals(-1, semaphore.availablePermits());
        assertFalse(waiter.isResumed());
        semaphore.resize(5);
        assertTrue(waiter.isResumed());
        semaphore.release(5);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aDebtIsNotForgivenByADrainSoThatNoHolderIsRefused() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        semaphore.resize(1);
        assertEquals(0, semaphore.drainPermits());
        assertEquals(-2, semaphore.availablePermits());
        semaphore.release(3);
        assertEquals(1, semaphore.drainPermits());
        semaphore.release();
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void reducedPermitsStayAwayAfterAResize() {
        Semaphore semaphore = Semaphore.bounded(5, 2);
        semaphore.reducePermits(4);
        assertEquals(-1, semaphore.availablePermits());
        semaphore.resize(7);
        assertEquals(1, semaphore.availablePermits());
        semaphore.resize(4);
        semaphore.release(2);
        assertEquals(0, semaphore.availablePermits());
        assertEquals(4, semaphore.maximum());
    }

    // Large requests

    @Test
    void requestsAreCheckedAgainstTheCurrentMaximum() {
        Semaphore semaphore = Semaphore.bounded(3);
        assertTooLarge(4, semaphore);
        semaphore.resize(5);
        assertTrue(semaphore.tryAcquire(5));
        semaphore.release(5);
        assertTrue(semaphore.tryAcquireFairly(4));
        semaphore.release(4);
        assertTooLarge(6, semaphore);
        semaphore.resize(2);
        assertTooLarge(3, semaphore);
        assertEquals(0, semaphore.queueLength());
        assertEquals(2, semaphore.availablePermits());
    }

    @Test
    void aHeadThatIsTooLargeForTheNewMaximumFailsAndLaterWaitersAreServed() {
        Semaphore semaphore = Semaphore.bounded(5, 3);
        TestWaiter large = enqueue(semaphore, 4);
        TestWaiter larger = enqueue(semaphore, 5);
        TestWaiter small = enqueue(semaphore, 1);
        semaphore.resize(4);
        assertFalse(large.isResumed(), "it is not too large yet");
        semaphore.resize(3);
        assertEquals(new TooLarge(4, 3), large.value);
        assertEquals(new TooLarge(5, 3), larger.value);
        assertFalse(small.isResumed());
        assertEquals(0, semaphore.availablePermits());
        assertEquals(1, semaphore.queueLength());
        semaphore.release();
        assertSame(semaphore, small.value);
        assertFalse(large.cancelNow());
        String message = new TooLarge(4, 3).exception().getMessage();
        assertTrue(message.equals("4 permits were asked for, but the semaphore has no more than 3"), message);
    }

    @Test
    void aRequestThatIsTooLargeFailsWhenItIsTheHeadUnlessTheSemaphoreHasGrownAgain() {
        Semaphore semaphore = Semaphore.bounded(4, 4);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter saved = enqueue(semaphore, 3);
        TestWaiter second = enqueue(semaphore, 1);
        TestWaiter failed = enqueue(semaphore, 3);
        semaphore.resize(2);
        assertFalse(saved.isResumed(), "it is not the head");
        semaphore.resize(4);
        semaphore.release(1);
        assertTrue(first.isResumed());
        semaphore.release(3);
        assertSame(semaphore, saved.value);
        semaphore.resize(2);
        semaphore.release(2);
        assertFalse(failed.isResumed());
        semaphore.release(1);
        assertSame(semaphore, second.value);
        assertEquals(new TooLarge(3, 2), failed.value);
        semaphore.release(2);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aRequestThatFailsInADebtTakesNothing() {
        Semaphore semaphore = Semaphore.bounded(5, 5);
        TestWaiter large = enqueue(semaphore, 3);
        large.accepts = false; // as a cancelled future does
        semaphore.resize(1);
        assertEquals(-4, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
        semaphore.release(5);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aRequestCountedBeforeTheResizeAndQueuedAfterItFails() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        List<TestWaiter> behind = new ArrayList<>();
        TestWaiter late = semaphore.acquire(2, new TestWaiter("late", 2), (same, waiter) -> {
            behind.add(enqueue(semaphore, 1));
            semaphore.resize(1);
            return waiter;
        });
        assertFalse(late.isResumed(), "it was enqueued behind the other");
        semaphore.release(3);
        assertTrue(behind.get(0).isResumed());
        assertEquals(new TooLarge(2, 1), late.value);
        semaphore.release();
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aRequestCountedBeforeTheResizeFailsAlsoAsTheOnlyOne() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        FactoryFailure.propagatesFrom(newWaiter -> semaphore.acquire(3, null, newWaiter), () -> {
            TestWaiter late = semaphore.acquire(2, new TestWaiter("late", 2), (same, waiter) -> {
                semaphore.resize(1);
                return waiter;
            });
            assertEquals(new TooLarge(2, 1), late.value);
        });
        assertEquals(0, semaphore.queueLength());
    }

    // Bad arguments

    @Test
    void maximaBelowOneAreRefusedAndChangeNothing() {
        Semaphore semaphore = Semaphore.bounded(3, 1);
        for (int n : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertRefused(
                    IllegalArgumentException.class, "maximum must be positive, but is " + n, () -> semaphore.resize(n));
        }
        assertEquals(3, semaphore.maximum());
        assertEquals(2, semaphore.availablePermits());
    }

    @Test
    void aSemaphoreWithoutAMaximumIsNotResized() {
        Semaphore semaphore = new Semaphore(3);
        assertRefused(IllegalStateException.class, "was not made by bounded()", () -> semaphore.resize(5));
        assertRefused(IllegalArgumentException.class, "must be positive", () -> semaphore.resize(0));
        assertEquals(3, semaphore.availablePermits());
        assertEquals(MAX, semaphore.maximum());
        semaphore.release(100);
        assertEquals(103, semaphore.availablePermits());
    }

    @Test
    void theDebtStaysInTheRangeOfInt() {
        Semaphore semaphore = Semaphore.bounded(10, 10);
        semaphore.reducePermits(MAX);
        TestWaiter waiter = enqueue(semaphore, 1);
        assertRefused(IllegalStateException.class, "range of int", () -> semaphore.resize(8));
        assertEquals(10, semaphore.maximum());
        assertEquals(-MAX, semaphore.availablePermits());
        semaphore.resize(9);
        assertEquals(Integer.MIN_VALUE, semaphore.availablePermits());
        semaphore.resize(10);
        assertEquals(-MAX, semaphore.availablePermits());
        assertFalse(waiter.isResumed());
    }

    @Test
    void theLargestMaximumIsPossible() {
        Semaphore semaphore = Semaphore.bounded(MAX, 2);
        semaphore.resize(1);
        assertEquals(-1, semaphore.availablePermits());
        semaphore.release(2);
        assertAllPermitsAreFree(semaphore);
        semaphore.resize(MAX);
        assertAllPermitsAreFree(semaphore);
        assertTrue(semaphore.tryAcquire(MAX));
        semaphore.release(MAX);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aResizeToTheSameMaximumChangesNothing() {
        Semaphore semaphore = Semaphore.bounded(3, 2);
        TestWaiter two = enqueue(semaphore, 2);
        for (int i = 0; i < 10; i++) {
            semaphore.resize(3);
        }
        assertFalse(two.isResumed());
        assertEquals(1, semaphore.availablePermits());
        assertEquals(1, semaphore.queueLength());
        assertTrue(semaphore.toString().endsWith("[1 of 3 permits, 1 waiting]"), semaphore.toString());
        semaphore.resize(2);
        assertTrue(semaphore.toString().endsWith("[0 of 2 permits, 1 waiting]"), semaphore.toString());
    }

    // Closing

    @Test
    void aResizeOfAClosedSemaphoreServesNoWaiterAndDoesNotReopenIt() {
        Semaphore semaphore = Semaphore.bounded(2, 2);
        TestWaiter waiter = enqueue(semaphore, 1);
        assertTrue(semaphore.close(cause));
        assertFailed(cause, waiter);
        for (int n : List.of(5, 1, 2, 7, 3, 2, 1, 4)) { // the version of the word wraps around
            semaphore.resize(n);
            assertEquals(n, semaphore.maximum());
            assertEquals(n - 2, semaphore.availablePermits());
            assertTrue(semaphore.isClosed());
            assertClosed(cause, semaphore::tryAcquire);
            assertClosed(cause, () -> semaphore.acquire(null, FactoryFailure.FACTORY));
            assertClosed(cause, semaphore::drainPermits);
        }
        semaphore.release(2);
        assertAllPermitsAreFree(semaphore);
        assertTrue(semaphore.toString().endsWith("[4 of 4 permits, 0 waiting, closed]"), semaphore.toString());
    }

    @Test
    void waitersThatAreTooLargeFailAsClosedIfItIsClosedFirst() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter large = enqueue(semaphore, 3);
        semaphore.resize(2);
        assertFalse(large.isResumed());
        semaphore.close(cause);
        assertFailed(cause, first);
        assertFailed(cause, large);
        assertEquals(-1, semaphore.availablePermits());
    }

    // In the middle of other operations

    @Test
    void aDrainerThatReadTheStateBeforeAShrinkGrantsNoPermitsFromBeforeIt() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        head.onWeight = () -> semaphore.resize(2);
        semaphore.release(2);
        assertFalse(head.isResumed());
        assertEquals(1, semaphore.availablePermits());
        semaphore.release();
        assertSame(semaphore, head.value);
        semaphore.release(2);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aDrainerThatReadTheStateBeforeAShrinkFailsWhatIsTooLargeAfterIt() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        head.onWeight = () -> semaphore.resize(1);
        semaphore.release(2);
        assertEquals(new TooLarge(2, 1), head.value);
        assertEquals(0, semaphore.availablePermits());
        semaphore.release();
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aHeadThatIsCancelledAsItIsFoundTooLargeCountsAsCancelled() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.onWeight = () -> assertTrue(head.cancelNow());
        semaphore.resize(1);
        assertFalse(head.isResumed());
        assertFalse(next.isResumed());
        assertEquals(1, semaphore.queueLength());
        semaphore.release(3);
        assertSame(semaphore, next.value);
    }

    @Test
    void aReleaseInUnitModeServesTheRestWhenAServedWaiterShrinksTheSemaphore() {
        Semaphore semaphore = Semaphore.bounded(2, 2);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter second = enqueue(semaphore, 1);
        first.onResume = value -> semaphore.resize(1);
        semaphore.release(2);
        assertSame(semaphore, second.value);
        assertEquals(-1, semaphore.availablePermits());
        semaphore.release(2);
        assertAllPermitsAreFree(semaphore);
    }

    @Test
    void aWaiterServedByAResizeMayResizeAgain() {
        Semaphore semaphore = Semaphore.bounded(1, 1);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter second = enqueue(semaphore, 1);
        first.onResume = value -> semaphore.resize(3);
        semaphore.resize(2);
        assertSame(semaphore, second.value);
        assertEquals(3, semaphore.maximum());
        semaphore.release(3);
        assertAllPermitsAreFree(semaphore);
    }

    /** Checks that all permits are free. */
    private static void assertAllPermitsAreFree(Semaphore semaphore) {
        int maximum = semaphore.maximum();
        assertEquals(maximum, semaphore.availablePermits());
        assertRefused(IllegalStateException.class, "no more than " + maximum + " permits", semaphore::release);
        assertRefused(
                IllegalStateException.class, "no more than " + maximum + " permits", () -> semaphore.release(MAX));
        assertEquals(maximum, semaphore.availablePermits());
    }

    private static void assertTooLarge(int n, Semaphore semaphore) {
        String says = n + " permits were asked for, but the semaphore has no more than " + semaphore.maximum();
        assertRefused(IllegalArgumentException.class, says, () -> semaphore.tryAcquire(n));
        assertRefused(IllegalArgumentException.class, says, () -> semaphore.acquire(n, null, FactoryFailure.FACTORY));
        assertRefused(IllegalArgumentException.class, says, () -> semaphore.tryAcquireFairly(n));
    }
}
