package dev.cqs.sync;

import static dev.cqs.sync.SemaphoreRequests.assertRefused;
import static dev.cqs.sync.SemaphoreRequests.enqueue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.Trampoline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the core semaphore promises beyond the model: bad arguments, debts, and the upgrade to weighted mode. */
class SemaphoreTest {
    @Test
    void aReleaseAboveTheMaximumIsRefusedAndChangesNothing() {
        Semaphore semaphore = Semaphore.bounded(2, 1);
        assertRefused(IllegalStateException.class, "no more than 2 permits", () -> semaphore.release(2));
        assertEquals(1, semaphore.availablePermits());
        semaphore.release();
        assertRefused(IllegalStateException.class, "no more than 2 permits", semaphore::release);
        assertRefused(
                IllegalStateException.class, "no more than 2 permits", () -> semaphore.release(Integer.MAX_VALUE));
        assertEquals(2, semaphore.availablePermits());
        assertTrue(semaphore.tryAcquire(2));
        assertFalse(semaphore.tryAcquire());
    }

    @Test
    void aReleaseAboveTheMaximumIsRefusedInWeightedMode() {
        Semaphore semaphore = Semaphore.bounded(2, 1);
        TestWaiter two = enqueue(semaphore, 2);
        semaphore.release();
        assertTrue(two.isResumed());
        assertRefused(IllegalStateException.class, "no more than 2 permits", () -> semaphore.release(3));
        assertEquals(0, semaphore.availablePermits());
        semaphore.release(2);
        assertRefused(IllegalStateException.class, "no more than 2 permits", semaphore::release);
        assertEquals(2, semaphore.availablePermits());
    }

    @Test
    void aRefusedReleaseLeavesTheStateAsItWas() {
        Semaphore semaphore = Semaphore.bounded(2);
        assertRefused(IllegalStateException.class, "no more than 2 permits", semaphore::release);
        assertEquals(2, semaphore.count(), "the state word");
    }

    @Test
    void permitsOfAReleaseThatIsAboutToBeRefusedAreNotGranted() {
        Semaphore semaphore = Semaphore.bounded(1);
        assertTrue(semaphore.casCount(1, 3), "as in the middle of two releases above the maximum");
        assertEquals(1, semaphore.availablePermits());
        assertNull(semaphore.acquire(null, FactoryFailure.FACTORY), "granted");
        assertFalse(enqueue(semaphore, 1).isResumed(), "only one permit is granted");
        assertEquals(-1, semaphore.count());
    }

    @Test
    void theNumberOfPermitsNeverOverflows() {
        Semaphore semaphore = new Semaphore(Integer.MAX_VALUE);
        assertRefused(IllegalStateException.class, "no more than 2147483647 permits", semaphore::release);
        assertRefused(
                IllegalStateException.class,
                "no more than 2147483647 permits",
                () -> semaphore.release(Integer.MAX_VALUE));
        assertEquals(Integer.MAX_VALUE, semaphore.availablePermits());
        assertEquals(Integer.MAX_VALUE, semaphore.drainPermits());
        semaphore.reducePermits(Integer.MAX_VALUE);
        semaphore.reducePermits(1);
        assertEquals(Integer.MIN_VALUE, semaphore.availablePermits());
        assertRefused(IllegalStateException.class, "debt", () -> semaphore.reducePermits(1));
        assertEquals(Integer.MIN_VALUE, semaphore.availablePermits());
        semaphore.release(Integer.MAX_VALUE);
        assertEquals(-1, semaphore.availablePermits());
    }

    @Test
    void negativeNumbersAreRefused() {
        Semaphore semaphore = new Semaphore(3);
        assertRefused(IllegalArgumentException.class, "-1", () -> semaphore.release(-1));
        assertRefused(IllegalArgumentException.class, "-2", () -> semaphore.tryAcquire(-2));
        assertRefused(IllegalArgumentException.class, "-3", () -> semaphore.reducePermits(-3));
        assertRefused(IllegalArgumentException.class, "-4", () -> semaphore.acquire(-4, null, FactoryFailure.FACTORY));
        assertEquals(3, semaphore.availablePermits());
    }

    @Test
    void requestsAboveTheMaximumAreRefused() {
        Semaphore semaphore = Semaphore.bounded(3);
        assertRefused(IllegalArgumentException.class, "no more than 3", () -> semaphore.tryAcquire(4));
        assertRefused(
                IllegalArgumentException.class,
                "no more than 3",
                () -> semaphore.acquire(4, null, FactoryFailure.FACTORY));
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertRefused(IllegalArgumentException.class, "maximum must be positive", () -> Semaphore.bounded(0));
        assertRefused(IllegalArgumentException.class, "between 0 and the maximum of 2", () -> Semaphore.bounded(2, 3));
        assertRefused(IllegalArgumentException.class, "between 0 and the maximum of 2", () -> Semaphore.bounded(2, -1));
        assertEquals(5, Semaphore.bounded(5).maximum());
        assertEquals(3, Semaphore.bounded(5, 2).availablePermits());
    }

    @Test
    void aDebtIsPaidBeforeAnyWaiterIsServed() {
        Semaphore semaphore = new Semaphore(-2);
        assertEquals(-2, semaphore.availablePermits());
        TestWaiter one = enqueue(semaphore, 1);
        TestWaiter none = enqueue(semaphore, 0);
        semaphore.release(2);
        assertFalse(one.isResumed());
        semaphore.release();
        assertTrue(one.isResumed());
        assertTrue(none.isResumed());
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void aForgivenDebtServesRequestsForNoPermits() {
        Semaphore semaphore = new Semaphore(-2);
        TestWaiter none = enqueue(semaphore, 0);
        assertEquals(-2, semaphore.drainPermits());
        assertTrue(none.isResumed());
    }

    @Test
    void unitRequestsQueuedBeforeTheUpgradeAreServedFirstAndInFifoOrder() {
        Semaphore semaphore = new Semaphore(0);
        TestWaiter first = enqueue(semaphore, 1);
        TestWaiter second = enqueue(semaphore, 1);
        TestWaiter third = enqueue(semaphore, 1);
        TestWaiter large = enqueue(semaphore, 2);
        TestWaiter last = enqueue(semaphore, 1);
        assertEquals(5, semaphore.queueLength());
        assertTrue(second.cancelNow());
        semaphore.release();
        assertTrue(first.isResumed());
        semaphore.release(2);
        assertTrue(third.isResumed());
        assertFalse(large.isResumed(), "one permit is free, and it needs two");
        assertFalse(last.isResumed(), "it does not overtake an earlier request");
        assertEquals(1, semaphore.availablePermits());
        semaphore.release(2);
        assertTrue(large.isResumed());
        assertTrue(last.isResumed());
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void aRequestCountedBeforeTheUpgradeAndQueuedAfterItIsServedFirst() {
        Semaphore semaphore = new Semaphore(0);
        List<TestWaiter> large = new ArrayList<>();
        TestWaiter unit = semaphore.acquire(new TestWaiter("unit"), (same, waiter) -> {
            large.add(enqueue(semaphore, 2));
            semaphore.release(2);
            assertFalse(large.get(0).isResumed(), "the earlier request is not in the queue yet");
            return waiter;
        });
        assertTrue(unit.isResumed());
        assertFalse(large.get(0).isResumed());
        semaphore.release();
        assertTrue(large.get(0).isResumed());
    }

    @Test
    void aRequestCountedBeforeTheUpgradeWhoseFactoryThrowsLetsTheNextBeServed() {
        Semaphore semaphore = new Semaphore(0);
        List<TestWaiter> large = new ArrayList<>();
        FactoryFailure.propagatesFrom(newWaiter -> semaphore.acquire(null, newWaiter), () -> {
            large.add(enqueue(semaphore, 2));
            semaphore.release(2);
            assertFalse(large.get(0).isResumed(), "the earlier request may still be enqueued");
        });
        assertTrue(large.get(0).isResumed());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void aRequestQueuedBeforeTheMoveAndCancelledAfterItLetsTheNextOneGo() {
        Semaphore semaphore = new Semaphore(0);
        TestWaiter unit = enqueue(semaphore, 1);
        TestWaiter none = enqueue(semaphore, 0);
        assertFalse(none.isResumed(), "it is not the first");
        assertTrue(unit.cancelNow());
        assertTrue(none.isResumed());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void aCancelledLargeHeadLetsSmallerRequestsBeServed() {
        Semaphore semaphore = new Semaphore(1);
        TestWaiter large = enqueue(semaphore, 3);
        TestWaiter small = enqueue(semaphore, 1);
        assertFalse(small.isResumed());
        assertTrue(large.cancelNow());
        assertTrue(small.isResumed());
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void permitsThatAWaiterRefusesGoToTheNext() {
        Semaphore semaphore = new Semaphore(0);
        TestWaiter gone = enqueue(semaphore, 2);
        TestWaiter next = enqueue(semaphore, 2);
        gone.accepts = false;
        semaphore.release(2);
        assertTrue(next.isResumed());
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void aPermitThatAWaiterRefusesInUnitModeIsFree() {
        Semaphore semaphore = new Semaphore(0);
        TestWaiter gone = enqueue(semaphore, 1);
        gone.accepts = false;
        semaphore.release();
        assertEquals(1, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
    }

    @Test
    void releasesByResumedWaitersDoNotGrowTheStackIfTheyUseTheTrampoline() {
        Semaphore semaphore = new Semaphore(0);
        int count = 100_000;
        TestWaiter last = null;
        for (int i = 0; i < count; i++) {
            last = enqueue(semaphore, 2);
            last.onResume = value -> Trampoline.run(() -> semaphore.release(2));
        }
        semaphore.release(2);
        assertTrue(last.isResumed());
        assertEquals(2, semaphore.availablePermits());
    }

    @Test
    void aWaiterThatRunsCodeInTryResumeDelaysNoOtherWaiter() {
        Semaphore semaphore = new Semaphore(0);
        TestWaiter first = enqueue(semaphore, 2);
        TestWaiter second = enqueue(semaphore, 2);
        List<Boolean> served = new ArrayList<>();
        first.onResume = value -> {
            semaphore.release(2);
            served.add(second.isResumed()); // before tryResume of the first returns
        };
        semaphore.release(2);
        assertEquals(List.of(true), served);
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void aWaiterMayUseTheSemaphoreInTryResume() {
        Semaphore semaphore = new Semaphore(0);
        TestWaiter two = enqueue(semaphore, 2);
        two.onResume = value -> {
            assertEquals(0, semaphore.availablePermits());
            assertFalse(semaphore.tryAcquire());
            assertEquals(0, semaphore.drainPermits());
        };
        semaphore.release(2);
        assertTrue(two.isResumed());
    }

    @Test
    void toStringShowsTheFreePermits() {
        Semaphore semaphore = Semaphore.bounded(5, 2);
        assertTrue(semaphore.toString().endsWith("[3 of 5 permits, 0 waiting]"), semaphore.toString());
        Semaphore plain = new Semaphore(-1);
        enqueue(plain, 1);
        assertTrue(plain.toString().endsWith("[-1 permits, 1 waiting]"), plain.toString());
    }
}
