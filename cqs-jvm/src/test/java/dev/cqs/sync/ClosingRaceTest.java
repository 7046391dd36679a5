package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
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
 * Closing in the middle of other operations, at points that the test chooses: in the factory of a request, which
 * is counted by then and not in the queue, and in what a waiter does while it is looked at or woken.
 */
class ClosingRaceTest {
    private final Throwable cause = new Throwable("the cause");

    /** A waiter that is asked for its weight by the server, between its look at the state and its deduction. */
    private static final class Asked extends TestWaiter {
        private Runnable onceAsked = () -> {};

        Asked(int weight) {
            super("asked", weight);
        }

        @Override
        public int weight() {
            Runnable action = onceAsked;
            onceAsked = () -> {};
            action.run();
            return super.weight();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aRequestWhoseCellWasBrokenFindsThePrimitiveClosed(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter late = new TestWaiter("late");
        assertClosed(
                cause,
                () -> closable.requestAfter(
                        () -> { // starts again
                            closable.putBack(); // finds the cell empty and breaks it
                            closable.close(cause);
                            closable.assertIdle(1);
                        },
                        late));
        assertNull(late.value);
        closable.refusesEverybody(cause);
        closable.assertIdle(1);
    }

    /** The next to come meets the broken cell in the place of the one it was broken for. */
    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aBrokenCellIsNotInTheWayOfThoseBehindIt(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter late = closable.waiterAfter(
                () -> {
                    closable.putBack();
                    assertTrue(closable.tryTake(), "another is faster than the one that starts again");
                    TestWaiter again = closable.waiter("meets the broken cell and starts again");
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
    void severalPermitsPutBackIntoBrokenCellsAreFreeAfterwards() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        requestsBefore(
                () -> {
                    assertEquals(3, semaphore.queueLength());
                    semaphore.release(2); // breaks two cells, then one more, then finds nobody left
                    semaphore.close(cause);
                },
                semaphore,
                3);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    /** Has {@code count} requests counted before the action, after which all of them start again. */
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
    void oneWhoIsGrantedMayCloseAndTheRestFails(Kind kind) {
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
    void aServerThatHasLookedBeforeTheCloseGrantsNothingAfterIt() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        Asked head = enqueue(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.onceAsked = () -> semaphore.close(cause);
        semaphore.release(3);
        assertFailed(cause, head);
        assertFailed(cause, next);
        assertEquals(3, semaphore.availablePermits());
    }

    /** The number of permits is the same again, but these were put back after the close. */
    @Test
    void aServerThatHasLookedBeforeTheCloseDoesNotMistakeThePermitsPutBackAfterIt() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        Asked head = enqueue(semaphore, 2);
        head.onceAsked = () -> {
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
    void permitsPutBackAfterTheCloseServeNobody() {
        Semaphore semaphore = Semaphore.bounded(4, 4);
        Asked head = enqueue(semaphore, 2);
        head.onceAsked = () -> {
            semaphore.close(cause);
            semaphore.release();
        };
        semaphore.release(1); // too few, but the head is asked
        assertFailed(cause, head);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void aHeadCancelledWhileTheSemaphoreIsClosedGetsNothing() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        Asked head = enqueue(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.onceAsked = () -> {
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
    void oneGoneAfterAGrantThatRacedWithTheCloseReturnsItsPermits() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        Asked head = enqueue(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 1);
        head.accepts = false;
        head.onResume = value -> semaphore.close(cause);
        semaphore.release(2);
        assertFailed(cause, next);
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void requestsOfBothFormsOnTheirWayAreFoundInTheirOrder() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        List<TestWaiter> queued = new ArrayList<>();
        TestWaiter lateInFirst = new TestWaiter("late in the first form");
        TestWaiter lateInSecond = new TestWaiter("late in the second form", 2);
        assertSame(lateInFirst, semaphore.acquire(1, lateInFirst, (same, first) -> {
            queued.add(enqueue(semaphore, 1));
            assertSame(lateInSecond, semaphore.acquire(2, lateInSecond, (again, second) -> {
                queued.add(enqueue(semaphore, 1));
                semaphore.close(cause);
                return second;
            }));
            return first;
        }));
        queued.forEach(waiter -> assertFailed(cause, waiter));
        assertFailed(cause, lateInFirst);
        assertFailed(cause, lateInSecond);
        semaphore.release(3);
        assertEquals(3, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    private static Asked enqueue(Semaphore semaphore, int n) {
        Asked waiter = new Asked(n);
        assertSame(waiter, semaphore.acquire(n, waiter, TestWaiter.ITSELF), "must wait");
        return waiter;
    }
}
