package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static dev.cqs.sync.SemaphoreRequests.enqueue;
import static dev.cqs.sync.SemaphoreRequests.enqueueWithHook;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.sync.Closable.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Closing in the middle of other operations, at points that the test chooses: in the factory of a request, which is counted
 * by then and not in the queue, and inside {@code weight} and {@code tryResume} of a waiter.
 */
class ClosingRaceTest {
    private final Throwable cause = new Throwable("the cause");

    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aRequestWhoseCellWasBrokenFindsThePrimitiveClosed(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter late = new TestWaiter("late");
        assertClosed(
                cause,
                () -> closable.requestAfter(
                        () -> { // runs before the request starts again
                            closable.putBack(); // breaks the empty cell
                            closable.close(cause);
                            closable.assertIdle(1);
                        },
                        late));
        assertNull(late.value);
        closable.assertRefusesAllRequests(cause);
        closable.assertIdle(1);
    }

    /** The next request finds the broken cell instead of the request for which it was broken. */
    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aBrokenCellDoesNotKeepLaterWaitersFromFailing(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter late = closable.waiterAfter(
                () -> {
                    closable.putBack();
                    assertTrue(closable.tryTake(), "another caller takes the permit before the request starts again");
                    TestWaiter again = closable.waiter("finds the broken cell and starts again");
                    TestWaiter behind = closable.waiter("behind");
                    assertEquals(List.of(again, behind), closable.waiting());
                    assertEquals(3, closable.queueLength());
                    closable.close(cause);
                    assertFailed(cause, again);
                    assertFailed(cause, behind);
                },
                "late");
        assertFailed(cause, late);
        closable.assertIdle(0);
        closable.putBack();
        closable.assertIdle(1);
    }

    @Test
    void permitsThatAreReleasedIntoBrokenCellsAreFreeAfterwards() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        requestsBefore(
                () -> {
                    assertEquals(3, semaphore.queueLength());
                    semaphore.release(2); // breaks two cells, then the third, then finds no request
                    semaphore.close(cause);
                },
                semaphore,
                3);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    /** Runs {@code action} when {@code count} requests are counted and not in the queue. All of them then start again. */
    private void requestsBefore(Runnable action, Semaphore semaphore, int count) {
        if (count == 0) {
            action.run();
            return;
        }
        TestWaiter late = new TestWaiter("late " + count);
        assertClosed(
                cause,
                () -> semaphore.acquire(late, (same, waiter) -> {
                    requestsBefore(action, semaphore, count - 1);
                    return waiter;
                }));
        assertNull(late.value);
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterMayCloseThePrimitiveAsItIsGrantedAndTheOthersFail(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter first = closable.waiter("first");
        TestWaiter second = closable.waiter("second");
        first.onResume = value -> {
            assertTrue(closable.close(cause));
            assertFalse(first.cancelNow());
        };
        closable.putBack();
        assertSame(closable.core(), first.value);
        assertFailed(cause, second);
        closable.assertIdle(0);
        closable.putBack();
        closable.assertIdle(1);
    }

    @Test
    void aDrainerThatReadTheStateBeforeTheCloseGrantsNothingAfterIt() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.onWeight = () -> semaphore.close(cause);
        semaphore.release(3);
        assertFailed(cause, head);
        assertFailed(cause, next);
        assertEquals(3, semaphore.availablePermits());
    }

    /** The number of permits is the same as before, but these were released after the close. */
    @Test
    void aDrainerThatReadTheStateBeforeTheCloseDoesNotGrantPermitsReleasedAfterIt() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        head.onWeight = () -> {
            assertTrue(semaphore.tryAcquire(2));
            semaphore.close(cause);
            semaphore.release(2);
        };
        semaphore.release(2);
        assertFailed(cause, head);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void permitsReleasedAfterTheCloseServeNoWaiter() {
        Semaphore semaphore = Semaphore.bounded(4, 4);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        head.onWeight = () -> {
            semaphore.close(cause);
            semaphore.release();
        };
        semaphore.release(1); // too few for the head, whose weight is read
        assertFailed(cause, head);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void aHeadCancelledWhileTheSemaphoreIsClosedGetsNothing() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.onWeight = () -> {
            assertTrue(head.cancelNow());
            semaphore.close(cause);
        };
        semaphore.release(3);
        assertFalse(head.isResumed());
        assertFailed(cause, next);
        assertEquals(3, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void aWaiterThatRefusesAGrantDuringTheCloseReturnsItsPermits() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        WeightHookWaiter head = enqueueWithHook(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.accepts = false;
        head.onResume = value -> semaphore.close(cause);
        semaphore.release(2);
        assertFailed(cause, next);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void requestsOfBothModesThatAreNotYetInTheirCellsFail() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        List<TestWaiter> queued = new ArrayList<>();
        TestWaiter lateUnit = new TestWaiter("late in unit mode");
        TestWaiter lateWeighted = new TestWaiter("late in weighted mode", 2);
        assertSame(lateUnit, semaphore.acquire(1, lateUnit, (same, first) -> {
            queued.add(enqueue(semaphore, 1));
            assertSame(lateWeighted, semaphore.acquire(2, lateWeighted, (again, second) -> {
                queued.add(enqueue(semaphore, 1));
                semaphore.close(cause);
                return second;
            }));
            return first;
        }));
        queued.forEach(waiter -> assertFailed(cause, waiter));
        assertFailed(cause, lateUnit);
        assertFailed(cause, lateWeighted);
        semaphore.release(3);
        assertEquals(3, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }
}
