package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import dev.cqs.sync.Closable.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Closing in the middle of other operations, at points that the test chooses: between the two steps of a request, and
 * in what a waiter does while it is looked at or woken.
 */
class ClosingRaceTest {
    private static final Steps<Semaphore> STEPS = SyncAccess.semaphore();

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
        int ticket = closable.reserve();
        closable.putBack(); // finds the cell empty and breaks it
        closable.close(cause);
        closable.assertIdle(1);
        assertFalse(closable.enqueue(new TestWaiter("late"), ticket), "starts again");
        closable.refusesEverybody(cause);
        closable.assertIdle(1);
    }

    /** The next to come meets the broken cell in the place of the one it was broken for. */
    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aBrokenCellIsNotInTheWayOfThoseBehindIt(Kind kind) {
        Closable closable = kind.make().taken();
        int ticket = closable.reserve();
        closable.putBack();
        assertTrue(closable.tryTake(), "another is faster than the one that starts again");
        assertFalse(closable.enqueue(new TestWaiter("starts again"), closable.reserve()));
        TestWaiter behind = closable.waiter("behind");
        closable.close(cause);
        assertFailed(cause, behind);
        TestWaiter late = new TestWaiter("late");
        assertTrue(closable.enqueue(late, ticket));
        assertFailed(cause, late);
        closable.assertIdle(0);
        closable.putBack();
        closable.assertIdle(1);
    }

    @Test
    void severalPermitsPutBackIntoBrokenCellsAreFreeAfterwards() {
        Semaphore semaphore = Semaphore.bounded(3, 3);
        int[] tickets = {STEPS.reserve(semaphore, 1), STEPS.reserve(semaphore, 1), STEPS.reserve(semaphore, 1)};
        semaphore.release(2); // breaks two cells, then one more, then finds nobody left
        semaphore.close(cause);
        for (int ticket : tickets) {
            assertFalse(STEPS.enqueue(semaphore, new TestWaiter("late"), ticket));
            assertClosed(cause, () -> STEPS.reserve(semaphore, 1));
        }
        assertEquals(2, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
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
        int inFirst = STEPS.reserve(semaphore, 1);
        TestWaiter queuedInFirst = enqueue(semaphore, 1);
        int inSecond = STEPS.reserve(semaphore, 2);
        TestWaiter queuedInSecond = enqueue(semaphore, 1);
        semaphore.close(cause);
        TestWaiter lateInSecond = new TestWaiter("late in the second form", 2);
        assertTrue(STEPS.enqueue(semaphore, lateInSecond, inSecond));
        TestWaiter lateInFirst = new TestWaiter("late in the first form");
        assertTrue(STEPS.enqueue(semaphore, lateInFirst, inFirst));
        for (TestWaiter waiter : new TestWaiter[] {queuedInFirst, queuedInSecond, lateInFirst, lateInSecond}) {
            assertFailed(cause, waiter);
        }
        semaphore.release(3);
        assertEquals(3, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    private static Asked enqueue(Semaphore semaphore, int n) {
        Asked waiter = new Asked(n);
        int ticket = STEPS.reserve(semaphore, n);
        assertTrue(ticket != Steps.GRANTED, "must wait");
        assertTrue(STEPS.enqueue(semaphore, waiter, ticket));
        return waiter;
    }
}
