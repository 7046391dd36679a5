package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Reachable;
import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of a condition of a mutex, one at a time. */
class ConditionTest extends MutexConditionFixture {
    /** Objects: two or three segments with their arrays, for both queues. */
    private static final int FEW = 40;

    // Signals

    @Test
    void aSignalMovesTheFirstWaiterToTheQueueOfTheMutexWithoutResumingIt() {
        lock();
        TestConditionWaiter first = waiter("first");
        TestConditionWaiter second = waiter("second");
        assertEquals(List.of(first, second), waiting());
        condition.signal();
        assertFalse(first.isResumed());
        assertEquals(List.of(second), waiting());
        assertEquals(List.of(first), queued());
        assertEquals(1, mutex.queueLength());
        assertEquals(1, condition.queueLength());
        mutex.unlock();
        assertSame(mutex, first.value);
        assertFalse(mutex.tryLock(), "the mutex was handed over");
        assertEquals(List.of(second), waiting());
        mutex.unlock();
        assertFalse(mutex.isLocked(), "no other request waits");
    }

    @Test
    void aSignalledWaiterStandsBehindEarlierRequestsForTheMutex() {
        lock();
        TestConditionWaiter signalled = waiter("signalled");
        TestWaiter before = queuedWaiter("before");
        condition.signal();
        TestWaiter after = queuedWaiter("after");
        assertEquals(List.of(before, signalled, after), queued());
        assertGetTheMutexInOrder(List.of(before, signalled, after));
    }

    @Test
    void signalsAndThenTheMutexGoToTheWaitersInFifoOrder() {
        lock();
        List<TestConditionWaiter> waiters = waiters(MANY);
        for (int i = 0; i < MANY; i++) {
            assertEquals(waiters.subList(i, MANY), waiting());
            condition.signal();
        }
        assertGetTheMutexInOrder(waiters);
    }

    @Test
    void signalAllMovesAllWaitersInFifoOrder() {
        lock();
        List<TestConditionWaiter> waiters = waiters(MANY);
        condition.signalAll();
        assertEquals(0, condition.queueLength());
        assertEquals(waiters, queued());
        assertGetTheMutexInOrder(waiters);
    }

    @Test
    void aSignalWithoutAWaiterIsLost() {
        lock();
        condition.signal();
        condition.signalAll();
        TestConditionWaiter waiter = waiter("waiter");
        assertTrue(waiter.cancelNow());
        condition.signal();
        condition.signalAll();
        TestConditionWaiter late = waiter("late");
        assertEquals(List.of(late), waiting());
        assertEquals(List.of(), queued());
    }

    @Test
    void theConditionsOfAMutexAreSeparate() {
        Condition other = mutex.newCondition();
        assertNotSame(condition, other);
        assertSame(mutex, condition.mutex());
        assertSame(mutex, other.mutex());
        lock();
        TestConditionWaiter here = waiter("here");
        TestConditionWaiter there = new TestConditionWaiter("there");
        await(other, there);
        condition.signalAll();
        assertEquals(List.of(here), queued());
        assertEquals(1, other.queueLength());
        assertTrue(there.cancelNow());
    }

    @Test
    void aWaiterThatHasReacquiredTheMutexMayWaitAgain() {
        lock();
        for (int i = 0; i < MANY; i++) {
            TestConditionWaiter waiter = waiter("round " + i);
            mutex.unlock();
            lock();
            condition.signal();
            assertGetTheMutexInOrder(List.of(waiter));
            lock();
        }
        assertEquals(0, condition.queueLength());
    }

    // Cancellation

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSignalSkipsCancelledWaiters(boolean all) {
        lock();
        List<TestConditionWaiter> left = new ArrayList<>();
        List<TestConditionWaiter> stayed = new ArrayList<>();
        waiters(MANY).forEach(waiter -> (left.size() <= stayed.size() ? left : stayed).add(waiter));
        left.forEach(waiter -> assertTrue(waiter.cancelNow()));
        assertEquals(stayed, waiting());
        if (all) {
            condition.signalAll();
        } else {
            stayed.forEach(waiter -> condition.signal());
        }
        assertEquals(stayed, queued());
        assertGetTheMutexInOrder(stayed);
        left.forEach(waiter -> assertFalse(waiter.isResumed(), waiter.name));
        left.forEach(waiter -> assertFalse(waiter.cancelNow(), "it was cancelled before"));
    }

    /** The waiter object is used again, since there may be no memory for another. */
    @Test
    void aCancelledWaiterReacquiresTheMutexBehindEarlierRequests() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        TestConditionWaiter second = waiter("second");
        TestWaiter before = queuedWaiter("before");
        assertTrue(waiter.cancelNow());
        condition.reacquire(waiter);
        assertEquals(List.of(before, waiter), queued());
        assertFalse(waiter.cancelNow(), "it has left the condition");
        condition.signal();
        condition.signal();
        assertEquals(List.of(before, waiter, second), queued(), "the signal goes to the next waiter");
        assertGetTheMutexInOrder(List.of(before, waiter, second));
    }

    /** Otherwise the mutex would lose a request, and the signal with it. */
    @Test
    void aSignalledWaiterCannotBeCancelled() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        condition.signal();
        assertFalse(waiter.cancelNow());
        assertEquals(List.of(waiter), queued());
        assertEquals(1, mutex.queueLength());
        mutex.unlock();
        assertSame(mutex, waiter.value);
        assertFalse(waiter.cancelNow());
        assertTrue(mutex.isLocked(), "the waiter holds the mutex");
    }

    /** Both waiters are at the same index of the first segments of their queues. The cells must not be confused. */
    @Test
    void aCancellationDoesNotTouchTheSameCellOfTheOtherQueue() {
        lock();
        TestConditionWaiter moved = waiter("moved");
        TestConditionWaiter here = waiter("here");
        condition.signal();
        TestWaiter there = queuedWaiter("there");
        assertFalse(moved.cancelNow());
        assertEquals(List.of(here), waiting());
        assertEquals(List.of(moved, there), queued());
        assertTrue(there.cancelNow());
        assertEquals(List.of(here), waiting());
        assertEquals(List.of(moved), queued());
    }

    // Releasing the mutex

    @Test
    void aWaitHandsTheMutexToTheFirstRequest() {
        lock();
        TestWaiter next = queuedWaiter("next");
        TestConditionWaiter waiter = new TestConditionWaiter("waiter");
        condition.await(waiter);
        assertSame(mutex, next.value);
        assertTrue(mutex.isLocked());
        assertEquals(List.of(waiter), waiting());
        condition.signal();
        assertGetTheMutexInOrder(List.of(waiter));
    }

    @Test
    void aThreadThatWaitsReleasesAllItsHoldsAndIsNoLongerTheOwner() {
        Thread current = Thread.currentThread();
        lock();
        mutex.setOwner(current);
        assertTrue(mutex.tryReenter(current) && mutex.tryReenter(current));
        int holds = mutex.holdCount(current);
        TestConditionWaiter waiter = new TestConditionWaiter("waiter");
        condition.await(waiter);
        assertFalse(mutex.isLocked());
        assertNull(mutex.owner());
        lock();
        condition.signal();
        mutex.unlock();
        assertSame(mutex, waiter.value);
        assertEquals(0, mutex.holdCount(current));
        mutex.setOwner(current, holds);
        assertEquals(3, mutex.holdCount(current));
    }

    @Test
    void aHolderWithATokenThatWaitsIsNoLongerTheOwner() {
        Object token = new Object();
        assertTrue(mutex.tryLockWithToken(token));
        condition.await(new TestConditionWaiter("waiter"));
        assertFalse(mutex.isLocked());
        assertNull(mutex.ownerToken());
    }

    // Misuse

    @Test
    void signalsAndWaitsOnAFreeMutexAreRefusedAndChangeNothing() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        mutex.unlock();
        TestConditionWaiter refused = new TestConditionWaiter("refused");
        for (Runnable call :
                List.<Runnable>of(condition::signal, condition::signalAll, () -> condition.await(refused))) {
            assertEquals(
                    "the mutex of this condition is not locked",
                    assertThrows(IllegalStateException.class, call::run).getMessage());
            assertEquals(List.of(waiter), waiting());
            assertEquals(List.of(), queued());
            assertFalse(mutex.isLocked());
        }
        lock();
        condition.await(refused);
        assertEquals(List.of(waiter, refused), waiting());
        assertFalse(mutex.isLocked());
    }

    @Test
    void aWaiterIsInOneQueueAtATime() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        assertThrows(IllegalStateException.class, () -> condition.await(waiter));
        assertEquals(List.of(waiter), waiting());
        condition.signal();
        assertThrows(IllegalStateException.class, () -> condition.await(waiter));
        assertThrows(IllegalStateException.class, () -> condition.reacquire(waiter));
        assertEquals(List.of(waiter), queued());
        assertEquals(1, mutex.queueLength());
        assertFalse(waiter.isResumed(), "the mutex is still held");
        assertEquals(0, condition.queueLength());
    }

    /** As if another caller had unlocked the mutex while its holder signals. */
    @Test
    void aSignalledWaiterThatFindsTheMutexFreeGetsItAtOnce() {
        TestConditionWaiter waiter = new TestConditionWaiter("waiter");
        condition.reacquire(waiter);
        assertSame(mutex, waiter.value);
        assertTrue(mutex.isLocked());
        mutex.unlock();
        assertFalse(mutex.isLocked());
    }

    // Memory

    @Test
    @Timeout(60)
    void aHundredThousandCancelledWaitersLeaveNothingAndAreSkippedInOneStep() {
        lock();
        for (int i = 0; i < 100_000; i++) {
            assertTrue(waiter("waiter").cancelNow());
        }
        assertTrue(
                Reachable.from(condition).size() <= FEW,
                () -> Reachable.from(condition).size() + " objects");
        TestConditionWaiter live = waiter("live");
        condition.signal();
        assertEquals(List.of(live), queued());
    }

    @Test
    void thousandsOfCancelledWaitersLeaveNothing() {
        lock();
        List<TestConditionWaiter> waiters = waiters(100_000);
        waiters.forEach(waiter -> assertTrue(waiter.cancelNow()));
        assertTrue(
                Reachable.from(condition).size() <= FEW,
                () -> Reachable.from(condition).size() + " objects");
        assertEquals(0, condition.queueLength());
    }

    @Test
    void aFinishedWaiterIsNotReachableAndKeepsNothing() {
        lock();
        List<TestConditionWaiter> waiters = waiters(2 * MANY);
        for (int i = 0; i < waiters.size(); i += 2) {
            assertTrue(waiters.get(i).cancelNow());
        }
        condition.signalAll();
        for (int i = 0; i <= MANY; i++) {
            mutex.unlock(); // in the name of the waiter that holds it
        }
        assertFalse(mutex.isLocked());
        lock();
        TestConditionWaiter last = waiter("last");
        Set<Object> reachable = Reachable.from(condition);
        assertTrue(reachable.contains(last), "the walk reaches waiters");
        assertTrue(reachable.contains(mutex));
        for (TestConditionWaiter waiter : waiters) {
            assertFalse(reachable.contains(waiter), waiter.name);
            waiter.value = null;
            assertEquals(Set.of(waiter, waiter.name, waiter.onResume), Reachable.from(waiter), waiter.name);
        }
    }

    @Test
    void aConditionThatWasNeverWaitedOnIsSmall() {
        Set<Object> idle = Reachable.from(condition);
        assertTrue(idle.containsAll(Set.of(condition, mutex)));
        assertEquals(4, idle.size(), "the condition, its mutex, and the mutex's empty list of conditions");
        assertEquals(4, Reachable.from(mutex.newCondition()).size());
        lock();
        condition.signal();
        condition.forEachWaiter(waiter -> assertNull(waiter, "no waiter is shown"));
        assertEquals(idle, Reachable.from(condition));
    }

    // Helpers

    private List<TestConditionWaiter> waiters(int count) {
        List<TestConditionWaiter> waiters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            waiters.add(waiter("waiter " + i));
        }
        return waiters;
    }
}
