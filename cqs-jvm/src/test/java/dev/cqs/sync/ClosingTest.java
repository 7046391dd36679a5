package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static dev.cqs.sync.SemaphoreRequests.enqueue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.sync.Closable.Kind;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing a primitive, one operation at a time. */
class ClosingTest {
    private final Throwable cause = new Throwable("the cause");

    // On all primitives

    @ParameterizedTest
    @EnumSource
    void aClosedPrimitiveWithoutAQueueRefusesAllRequests(Kind kind) {
        Closable closable = kind.make();
        assertFalse(closable.isClosed());
        assertFalse(
                closable.core().toString().contains("closed"), closable.core().toString());
        assertTrue(closable.close(cause));
        closable.assertRefusesAllRequests(cause);
        closable.assertIdle(1);
    }

    @ParameterizedTest
    @EnumSource
    void waitersFailInFifoOrder(Kind kind) {
        Closable closable = kind.make().taken();
        List<TestWaiter> failed = new ArrayList<>();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < 100; i++) { // several segments
            TestWaiter waiter = closable.waiter("waiter " + i);
            waiter.onResume = value -> failed.add(waiter);
            waiters.add(waiter);
        }
        assertTrue(waiters.remove(40).cancelNow());
        assertTrue(closable.close(cause));
        assertEquals(waiters, failed);
        waiters.forEach(waiter -> assertFailed(cause, waiter));
        waiters.forEach(waiter -> assertFalse(waiter.cancelNow(), "it has ended"));
        closable.assertIdle(0);
        closable.assertRefusesAllRequests(cause);
    }

    @ParameterizedTest
    @EnumSource
    void theHolderReleasesOnceAndNotAgain(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter waiter = closable.waiter("waiter");
        closable.close(cause);
        assertFailed(cause, waiter);
        assertEquals(0, closable.free(), "a failed waiter takes no permit and frees none");
        closable.putBack();
        closable.assertIdle(1);
        if (kind != Kind.SEMAPHORE_AFTER_A_LARGE_REQUEST) { // whose maximum is two
            assertThrows(IllegalStateException.class, closable::putBack);
        }
        closable.assertIdle(1);
        closable.assertRefusesAllRequests(cause);
    }

    @ParameterizedTest
    @EnumSource
    void theFirstCauseStays(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter waiter = closable.waiter("waiter");
        assertTrue(closable.close(cause));
        assertFalse(closable.close(new Throwable("another")));
        assertFalse(closable.close(null));
        assertFailed(cause, waiter);
        closable.assertRefusesAllRequests(cause);
    }

    @ParameterizedTest
    @EnumSource
    void closeAcceptsNullAsACause(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter waiter = closable.waiter("waiter");
        assertTrue(closable.close(null));
        assertFalse(closable.close(cause), "the first cause, null, is kept");
        assertFailed(null, waiter);
        closable.assertRefusesAllRequests(null);
    }

    @ParameterizedTest
    @EnumSource
    void theMessageSaysWhatIsClosed(Kind kind) {
        Closable closable = kind.make();
        closable.close(cause);
        String what = switch (kind) {
            case MUTEX -> "the mutex is closed";
            case WRITE_LOCK -> "the read-write mutex is closed";
            default -> "the semaphore is closed";
        };
        ClosedException first = assertThrows(ClosedException.class, closable::tryTake);
        ClosedException second = assertThrows(ClosedException.class, closable::tryTake);
        assertEquals(what, first.getMessage());
        assertNotSame(first, second, "each exception has a stack trace of its own");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestCountedBeforeTheCloseAndQueuedAfterItFails(Kind kind) {
        Closable closable = kind.make().taken();
        List<TestWaiter> behind = new ArrayList<>();
        TestWaiter late = closable.waiterAfter(
                () -> {
                    behind.add(closable.waiter("behind"));
                    closable.close(cause);
                },
                "late");
        assertFailed(cause, late);
        assertFailed(cause, behind.get(0));
        closable.assertIdle(0);
        closable.putBack();
        closable.assertIdle(1);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestCountedBeforeTheCloseWhoseFactoryThrowsAfterItLeavesNothing(Kind kind) {
        Closable closable = kind.make().taken();
        List<TestWaiter> behind = new ArrayList<>();
        closable.failInFactoryAfter(() -> {
            behind.add(closable.waiter("behind"));
            closable.close(cause);
        });
        assertFailed(cause, behind.get(0));
        closable.assertIdle(0);
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterMayReleaseAndRequestAgainAsItFails(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter first = closable.waiter("first");
        TestWaiter second = closable.waiter("second");
        TestWaiter third = closable.waiter("third");
        first.onResume = value -> {
            closable.putBack(); // the permit of the holder
            assertClosed(cause, () -> closable.request(() -> null));
            assertFalse(closable.close(null));
            assertFalse(second.cancelNow()); // all waiters are claimed before the first is resumed
        };
        assertTrue(closable.close(cause));
        assertFailed(cause, first);
        assertFailed(cause, second);
        assertFailed(cause, third);
        closable.assertIdle(1);
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatRefusesToFailStopsNoOther(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter gone = closable.waiter("gone");
        TestWaiter next = closable.waiter("next");
        gone.accepts = false;
        closable.close(cause);
        assertFailed(cause, next);
        closable.assertIdle(0);
        closable.putBack();
        closable.assertIdle(1);
    }

    @ParameterizedTest
    @EnumSource
    void aGrantedWaiterIsResumedWithThePrimitive(Kind kind) {
        Closable closable = kind.make().taken();
        TestWaiter waiter = closable.waiter("waiter");
        closable.putBack();
        assertSame(closable.core(), waiter.value);
    }

    // On semaphores

    @Test
    void requestsOfAllWeightsAndBothModesFailInFifoOrder() {
        Semaphore semaphore = new Semaphore(0);
        List<TestWaiter> failed = new ArrayList<>();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int n : new int[] {1, 1, 3, 1, 0, 2, 1}) { // the third request upgrades the semaphore
            TestWaiter waiter = enqueue(semaphore, n);
            waiter.onResume = value -> failed.add(waiter);
            waiters.add(waiter);
        }
        semaphore.reducePermits(2);
        assertTrue(semaphore.close(cause));
        assertEquals(waiters, failed);
        waiters.forEach(waiter -> assertFailed(cause, waiter));
        assertEquals(0, semaphore.queueLength());
        assertEquals(-2, semaphore.availablePermits());
    }

    @Test
    void permitsThatWereFreeStayFree() {
        Semaphore semaphore = Semaphore.bounded(5, 2);
        TestWaiter four = enqueue(semaphore, 4);
        semaphore.close(cause);
        assertFailed(cause, four);
        assertEquals(3, semaphore.availablePermits());
        semaphore.release(2);
        assertThrows(IllegalStateException.class, semaphore::release);
        assertThrows(IllegalStateException.class, () -> semaphore.release(7));
        assertEquals(5, semaphore.availablePermits());
    }

    @Test
    void allOperationsThatTakePermitsRefuse() {
        Semaphore semaphore = Semaphore.bounded(5);
        semaphore.close(cause);
        for (int n = 0; n <= 5; n++) {
            int number = n;
            assertClosed(cause, () -> semaphore.tryAcquire(number));
            assertClosed(cause, () -> semaphore.acquire(number, null, FactoryFailure.FACTORY));
            assertClosed(cause, () -> semaphore.tryAcquireFairly(number));
        }
        assertClosed(cause, semaphore::tryAcquire);
        assertClosed(cause, semaphore::drainPermits);
        assertEquals(5, semaphore.availablePermits());
        assertEquals(0, semaphore.queueLength());
        assertThrows(IllegalArgumentException.class, () -> semaphore.tryAcquire(-1));
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquire(6, null, FactoryFailure.FACTORY));
    }

    @Test
    void noChangeOfThePermitsReopensIt() {
        Semaphore semaphore = new Semaphore(3);
        semaphore.close(cause);
        semaphore.reducePermits(10);
        assertEquals(-7, semaphore.availablePermits());
        assertClosed(cause, semaphore::tryAcquire);
        semaphore.release(20);
        assertEquals(13, semaphore.availablePermits());
        assertClosed(cause, semaphore::tryAcquire);
        semaphore.reducePermits(Integer.MAX_VALUE);
        semaphore.reducePermits(0);
        semaphore.release(0);
        assertClosed(cause, semaphore::drainPermits);
        semaphore.release();
        assertClosed(cause, () -> semaphore.acquire(null, FactoryFailure.FACTORY));
        assertTrue(semaphore.isClosed());
    }

    @Test
    void aSemaphoreInDebtCanBeClosed() {
        Semaphore semaphore = new Semaphore(-2);
        TestWaiter one = enqueue(semaphore, 1);
        TestWaiter none = enqueue(semaphore, 0);
        semaphore.close(cause);
        assertFailed(cause, one);
        assertFailed(cause, none);
        assertEquals(-2, semaphore.availablePermits());
        semaphore.release(5);
        assertEquals(3, semaphore.availablePermits());
    }

    @Test
    void failingAHundredThousandWaitersThatReleaseInTryResumeDoesNotGrowTheStack() {
        Semaphore semaphore = new Semaphore(0);
        int count = 100_000;
        TestWaiter last = null;
        for (int i = 0; i < count; i++) {
            last = enqueue(semaphore, 1 + i % 2);
            last.onResume = value -> {
                assertTrue(value instanceof Closed);
                semaphore.release();
            };
        }
        semaphore.close(cause);
        assertFailed(cause, last);
        assertEquals(count, semaphore.availablePermits());
    }
}
