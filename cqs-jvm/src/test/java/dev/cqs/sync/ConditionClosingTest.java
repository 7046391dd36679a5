package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Reachable;
import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a mutex with waiters on its conditions: all of them fail, and each holds the mutex when its wait ends. */
@Timeout(60)
class ConditionClosingTest extends MutexConditionFixture {
    private final Throwable cause = new Throwable("the cause");

    // Waiters on conditions

    @Test
    void allWaitersFailAndGetTheMutexInFifoOrderAfterItsHolder() {
        Condition other = mutex.newCondition();
        lock();
        List<TestConditionWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            waiters.add(waiter(condition, "waiter " + i));
        }
        waiters.add(waiter(other, "elsewhere"));
        waiters.add(waiter(other, "elsewhere, second"));
        assertTrue(mutex.close(cause));
        assertEquals(0, condition.queueLength());
        assertEquals(0, other.queueLength());
        assertEquals(waiters, queued());
        assertEquals(waiters.size(), mutex.queueLength());
        waiters.forEach(waiter -> assertFalse(waiter.isResumed(), "the mutex is held"));
        waiters.forEach(this::assertFailed);
        assertGetTheMutexInOrder(waiters);
    }

    @Test
    void failedWaitersGetAFreeMutexOneAfterTheOther() {
        lock();
        List<TestConditionWaiter> waiters = List.of(waiter("first"), waiter("second"), waiter("third"));
        mutex.unlock();
        mutex.close(cause);
        assertSame(mutex, waiters.get(0).value);
        waiters.forEach(this::assertFailed);
        assertHaveTheMutexInOrder(waiters);
    }

    @Test
    void aWaiterSignalledBeforeTheCloseDoesNotFailAndIsFirst() {
        lock();
        TestConditionWaiter first = waiter("first");
        TestConditionWaiter second = waiter("second");
        TestConditionWaiter third = waiter("third");
        condition.signal();
        condition.signal();
        mutex.close(cause);
        assertNull(first.closing);
        assertNull(second.closing);
        assertFailed(third);
        assertGetTheMutexInOrder(List.of(first, second, third));
    }

    @Test
    void aWaiterCancelledBeforeTheCloseReacquiresTheMutexBeforeOrAfterIt() {
        lock();
        TestConditionWaiter back = waiter("back");
        TestConditionWaiter late = waiter("late");
        TestConditionWaiter waiting = waiter("waiting");
        assertTrue(back.cancelNow());
        assertTrue(late.cancelNow());
        condition.reacquire(back);
        mutex.close(cause);
        condition.reacquire(late);
        assertNull(back.closing);
        assertNull(late.closing);
        assertFailed(waiting);
        assertGetTheMutexInOrder(List.of(back, waiting, late));
    }

    @Test
    void aWaiterCancelledBeforeTheCloseReacquiresAFreeClosedMutex() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        assertTrue(waiter.cancelNow());
        mutex.unlock();
        mutex.close(cause);
        condition.reacquire(waiter);
        assertNull(waiter.closing);
        assertHaveTheMutexInOrder(List.of(waiter));
    }

    @Test
    void noWaiterIsCancelledOrSignalledAfterTheClose() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        mutex.close(cause);
        assertFalse(waiter.cancelNow());
        condition.signal();
        condition.signalAll();
        assertEquals(List.of(waiter), queued());
        assertFailed(waiter);
        assertGetTheMutexInOrder(List.of(waiter));
    }

    @Test
    void onlyTheFirstCloseHasAnEffect() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        assertTrue(mutex.close(cause));
        assertFalse(mutex.close(new Throwable("another")));
        assertFailed(waiter);
        assertGetTheMutexInOrder(List.of(waiter));
    }

    // Waits that begin after the close

    @Test
    void aWaitThatBeginsAfterTheCloseFailsAtOnceAndKeepsTheMutex() {
        lock();
        TestConditionWaiter before = waiter("before");
        mutex.close(cause);
        Condition late = mutex.newCondition();
        for (Condition each : List.of(condition, late)) {
            for (int i = 0; i < MANY; i++) {
                TestConditionWaiter refused = new TestConditionWaiter("refused");
                assertSame(
                        cause,
                        assertThrows(ClosedException.class, () -> each.await(refused))
                                .getCause());
                assertNull(refused.closing);
                assertFalse(refused.cancelNow());
                assertEquals(0, each.queueLength());
            }
        }
        assertEquals(List.of(before), queued());
        assertGetTheMutexInOrder(List.of(before));
        assertThrows(IllegalStateException.class, condition::signal, "as before");
    }

    @Test
    void aNewConditionOfAClosedMutexIsClosed() {
        lock();
        Mutex fresh = new Mutex();
        assertTrue(fresh.tryLock());
        fresh.close(cause);
        Condition late = fresh.newCondition();
        assertThrows(ClosedException.class, () -> late.await(new TestConditionWaiter("refused")));
        fresh.unlock();
        assertFalse(fresh.isLocked());
    }

    // Waiters in the queue of the mutex

    /** Signalled waiters stand before, between and behind them, in more than one segment. */
    @Test
    void requestsForTheMutexFailAtOnceAlsoBehindSignalledWaiters() {
        lock();
        List<TestConditionWaiter> back = new ArrayList<>();
        List<TestWaiter> inLine = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            back.add(waiter("back " + i));
        }
        TestConditionWaiter waiting = waiter("waiting");
        for (int i = 0; i < MANY; i++) {
            condition.signal();
            if (i % 3 == 0) {
                inLine.add(queuedWaiter("in line " + i));
            }
        }
        mutex.close(cause);
        inLine.forEach(waiter ->
                assertSame(cause, assertInstanceOf(Closed.class, waiter.value).cause()));
        back.forEach(waiter -> assertNull(waiter.closing));
        assertFailed(waiting);
        back.add(waiting);
        assertEquals(back, queued());
        assertGetTheMutexInOrder(back);
    }

    /** A signalled waiter closes the mutex as it is resumed. */
    @Test
    void aWaiterMayCloseTheMutexAsItIsResumedAndTheNextGetsItAfterwards() {
        lock();
        TestConditionWaiter first = waiter("first");
        TestConditionWaiter second = waiter("second");
        TestConditionWaiter third = waiter("third");
        condition.signal();
        condition.signal();
        first.onResume = value -> {
            assertTrue(mutex.close(cause));
            mutex.unlock();
        };
        second.onResume = value -> mutex.unlock();
        mutex.unlock();
        assertSame(mutex, first.value);
        assertSame(mutex, second.value);
        assertNull(second.closing);
        assertFailed(third);
        assertHaveTheMutexInOrder(List.of(third));
    }

    @Test
    void aClosedMutexWithFailedWaitersCanBeLockedByNoOther() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        mutex.close(cause);
        mutex.unlock();
        assertThrows(ClosedException.class, mutex::tryLock);
        assertThrows(ClosedException.class, () -> mutex.lock(new TestWaiter("refused"), TestWaiter.ITSELF));
        assertHaveTheMutexInOrder(List.of(waiter));
        assertThrows(IllegalStateException.class, mutex::unlock, "no other caller has had the mutex");
    }

    /** The other close has not reached the queue of the mutex yet. */
    @Test
    void aWaiterSignalledBeforeTwoConcurrentClosesIsFirst() {
        lock();
        TestConditionWaiter signalled = waiter("signalled");
        TestConditionWaiter waiting = waiter("waiting");
        WeightHookWaiter inLine = new WeightHookWaiter(1);
        assertSame(inLine, mutex.lock(inLine, TestWaiter.ITSELF));
        condition.signal();
        inLine.onWeight = () -> assertFalse(mutex.close(cause));
        mutex.close(cause);
        assertFailed(waiting);
        assertGetTheMutexInOrder(List.of(signalled, waiting));
    }

    @Test
    void aWaiterSignalledDuringTheCloseIsNotOvertaken() {
        lock();
        mutex.upgrade(); // the first step of a close
        TestConditionWaiter signalled = waiter("signalled");
        condition.signal();
        TestWaiter inLine = queuedWaiter("in line");
        mutex.unlock();
        assertSame(mutex, signalled.value);
        mutex.unlock();
        assertSame(mutex, inLine.value);
    }

    /** The close runs the code of a failed request before it reaches the waiters on conditions. */
    @Test
    void theCodeOfAFailedRequestDoesNotDelayWaitersOnConditions() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        TestWaiter inLine = queuedWaiter("in line");
        inLine.onResume = value -> {
            assertFalse(waiter.cancelNow(), "it has failed already");
            assertFailed(waiter);
            mutex.unlock();
            assertSame(mutex, waiter.value);
        };
        List<Throwable> uncaught = new ArrayList<>();
        Thread current = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = current.getUncaughtExceptionHandler();
        current.setUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
        mutex.close(cause);
        current.setUncaughtExceptionHandler(before);
        assertEquals(List.of(), uncaught);
        assertHaveTheMutexInOrder(List.of(waiter));
    }

    /** The request is counted before the close. Its cell is filled after the close, or is broken before it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestThatIsNotYetInItsCellFailsAndDelaysNoWaiter(boolean broken) {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        TestWaiter late = new TestWaiter("late");
        BiFunction<Mutex, TestWaiter, TestWaiter> factory = (same, itself) -> {
            if (broken) {
                mutex.unlock(); // breaks the empty cell
                lock();
            }
            mutex.close(cause);
            assertFailed(waiter);
            return itself;
        };
        if (broken) {
            assertThrows(ClosedException.class, () -> mutex.lock(late, factory));
            assertNull(late.value);
        } else {
            assertSame(late, mutex.lock(late, factory));
            assertInstanceOf(Closed.class, late.value);
        }
        assertGetTheMutexInOrder(List.of(waiter));
    }

    // Conditions in use

    /** Some of the conditions have a waiter; the others had one before. */
    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "100,7", "400,1", "1000,1000"})
    void theCloseFindsTheWaitersOfAllConditions(int conditions, int every) {
        lock();
        List<TestConditionWaiter> staying = new ArrayList<>();
        List<Condition> all = new ArrayList<>();
        for (int i = 0; i < conditions; i++) {
            Condition fresh = mutex.newCondition();
            all.add(fresh);
            TestConditionWaiter waiter = waiter(fresh, "waiter " + i);
            if (i % every == 0) {
                staying.add(waiter);
            } else if (i % 2 == 0) {
                assertTrue(waiter.cancelNow());
            } else {
                fresh.signal();
            }
        }
        for (int i = 0; i < conditions; i += 5) { // conditions that had no waiter get one again
            staying.add(waiter(all.get(i), "again " + i));
        }
        mutex.close(cause);
        staying.forEach(this::assertFailed);
        all.forEach(each -> assertEquals(0, each.queueLength()));
        for (int left = mutex.queueLength(); left > 0; left--) {
            mutex.unlock();
        }
        staying.forEach(waiter -> assertSame(mutex, waiter.value, waiter.name));
    }

    @Test
    void conditionsWithoutWaitersAreNotReachable() {
        lock();
        TestConditionWaiter staying = waiter("staying");
        for (int i = 0; i < 10_000; i++) {
            Condition fresh = mutex.newCondition();
            assertTrue(waiter(fresh, "waiter").cancelNow());
        }
        Set<Object> reachable = Reachable.from(mutex);
        assertTrue(reachable.contains(staying), "the walk reaches waiters");
        assertTrue(reachable.size() <= 60, reachable.size() + " objects");
    }

    @Test
    void aWaiterThatGotTheMutexIsNotReachableAndKeepsNothing() {
        lock();
        List<TestConditionWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < 2 * MANY; i++) {
            waiters.add(waiter("waiter " + i));
        }
        mutex.close(cause);
        for (int i = 0; i < MANY; i++) {
            mutex.unlock();
        }
        Set<Object> reachable = Reachable.from(mutex);
        assertTrue(reachable.contains(waiters.get(2 * MANY - 1)));
        for (TestConditionWaiter waiter : waiters.subList(0, MANY)) {
            assertFalse(reachable.contains(waiter), waiter.name);
            waiter.value = null;
            assertEquals(
                    Set.of(waiter, waiter.name, waiter.onResume, waiter.closing, "mutex", cause),
                    Reachable.from(waiter),
                    waiter.name);
        }
    }

    // Helpers

    private void assertFailed(TestConditionWaiter waiter) {
        assertTrue(waiter.closing != null, waiter.name + " has failed");
        assertSame(cause, waiter.closing.cause());
        assertEquals("mutex", waiter.closing.what());
    }
}
