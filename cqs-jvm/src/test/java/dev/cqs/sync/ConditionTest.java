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
import dev.cqs.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
    /** More than two segments. */
    private static final int MANY = 80;

    /** Two or three segments with their arrays, for both queues. */
    private static final int FEW = 40;

    private final Mutex mutex = new Mutex();
    private final Condition condition = mutex.newCondition();

    // Signals

    @Test
    void aSignalMovesTheFirstToTheMutexWithoutWakingIt() {
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
        assertFalse(mutex.tryLock(), "it was handed over");
        assertEquals(List.of(second), waiting());
        mutex.unlock();
        assertFalse(mutex.isLocked(), "nobody else waits for it");
    }

    @Test
    void aSignalledOneStandsBehindThoseWhoWaitForTheMutex() {
        lock();
        TestConditionWaiter signalled = waiter("signalled");
        TestWaiter before = queuedWaiter("before");
        condition.signal();
        TestWaiter after = queuedWaiter("after");
        assertEquals(List.of(before, signalled, after), queued());
        grantedInOrder(List.of(before, signalled, after));
    }

    @Test
    void signalsGoToTheirReceiversInOrderAndSoDoesTheMutex() {
        lock();
        List<TestConditionWaiter> waiters = waiters(MANY);
        for (int i = 0; i < MANY; i++) {
            assertEquals(waiters.subList(i, MANY), waiting());
            condition.signal();
        }
        grantedInOrder(waiters);
    }

    @Test
    void signalAllMovesAllInOrder() {
        lock();
        List<TestConditionWaiter> waiters = waiters(MANY);
        condition.signalAll();
        assertEquals(0, condition.queueLength());
        assertEquals(waiters, queued());
        grantedInOrder(waiters);
    }

    @Test
    void aSignalForNobodyIsForgotten() {
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
    void whoeverHoldsTheMutexAgainMayWaitAgain() {
        lock();
        for (int i = 0; i < MANY; i++) {
            TestConditionWaiter waiter = waiter("round " + i);
            mutex.unlock();
            lock();
            condition.signal();
            grantedInOrder(List.of(waiter));
            lock();
        }
        assertEquals(0, condition.queueLength());
    }

    // Giving up

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSignalPassesThoseWhoLeft(boolean all) {
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
        grantedInOrder(stayed);
        left.forEach(waiter -> assertFalse(waiter.isResumed(), waiter.name));
        left.forEach(waiter -> assertFalse(waiter.cancelNow(), "it has left before"));
    }

    /** With the same waiter, since there may be no memory for another. */
    @Test
    void whoHasLeftWaitsForTheMutexBehindTheOthers() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        TestConditionWaiter second = waiter("second");
        TestWaiter before = queuedWaiter("before");
        assertTrue(waiter.cancelNow());
        condition.reacquire(waiter);
        assertEquals(List.of(before, waiter), queued());
        assertFalse(waiter.cancelNow(), "it is not here any more");
        condition.signal();
        condition.signal();
        assertEquals(List.of(before, waiter, second), queued(), "its signal goes to the next");
        grantedInOrder(List.of(before, waiter, second));
    }

    /** Otherwise the mutex would lose a request, and the signal with it. */
    @Test
    void whoWasSignalledCannotLeaveAnyMore() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        condition.signal();
        assertFalse(waiter.cancelNow());
        assertEquals(List.of(waiter), queued());
        assertEquals(1, mutex.queueLength());
        mutex.unlock();
        assertSame(mutex, waiter.value);
        assertFalse(waiter.cancelNow());
        assertTrue(mutex.isLocked(), "the waiter holds it");
    }

    /** Both queues at the same index of their first segments: the cells must not be confused. */
    @Test
    void leavingDoesNotTouchTheOneThatStandsAtTheSamePlaceOfTheOtherQueue() {
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

    /**
     * Everywhere the first leaves while it is signalled, by two threads that go through the same conditions side by side.
     * Either it has left, and the second has the signal, or it has the signal.
     */
    @Test
    @Timeout(60)
    void ofASignalAndALeaveThatRaceExactlyOneWinsAndTheSignalIsNotLost() throws InterruptedException {
        int signals = 0;
        int leaves = 0;
        for (int round = 0; round < 20 || signals == 0 || leaves == 0; round++) {
            List<Contended> all = Stream.generate(Contended::new).limit(1_000).toList();
            AtomicInteger arrivals = new AtomicInteger();
            Thread leaver = new Thread(() -> sideBySide(arrivals, all, each -> each.left = each.first.cancelNow()));
            leaver.start();
            sideBySide(arrivals, all, each -> each.condition.signal());
            leaver.join();
            for (Contended each : all) {
                each.check();
                leaves += each.left ? 1 : 0;
                signals += each.left ? 0 : 1;
            }
        }
    }

    /** Does this to each, beginning at about the same time as the other thread. */
    private static void sideBySide(AtomicInteger arrivals, List<Contended> all, Consumer<Contended> action) {
        SplittableRandom random = new SplittableRandom();
        int expected = 0;
        for (Contended each : all) {
            expected += 2;
            arrivals.incrementAndGet();
            for (int turn = 0; arrivals.get() < expected; turn++) {
                if (turn < 1_000) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield(); // the other one may need this processor
                }
            }
            for (int turns = random.nextInt(32); turns > 0; turns--) {
                arrivals.get();
            }
            action.accept(each);
        }
    }

    /** A condition with two who wait. */
    private static final class Contended {
        final Mutex mutex = new Mutex();
        final Condition condition = mutex.newCondition();
        final TestConditionWaiter first = new TestConditionWaiter("first");
        final TestConditionWaiter second = new TestConditionWaiter("second");
        boolean left;

        Contended() {
            for (TestConditionWaiter each : List.of(first, second)) {
                assertTrue(mutex.tryLock());
                condition.await(each);
            }
            assertTrue(mutex.tryLock());
        }

        void check() {
            assertEquals(left ? 0 : 1, condition.queueLength());
            assertEquals(1, mutex.queueLength());
            mutex.unlock();
            assertEquals(left ? null : mutex, first.value);
            assertEquals(left ? mutex : null, second.value);
            mutex.unlock();
            assertFalse(mutex.isLocked());
        }
    }

    // Giving the mutex up

    @Test
    void aHolderThatWaitsHandsTheMutexToTheFirstThatWaitsForIt() {
        lock();
        TestWaiter next = queuedWaiter("next");
        TestConditionWaiter waiter = new TestConditionWaiter("waiter");
        condition.await(waiter);
        assertSame(mutex, next.value);
        assertTrue(mutex.isLocked());
        assertEquals(List.of(waiter), waiting());
        condition.signal();
        grantedInOrder(List.of(waiter));
    }

    @Test
    void aThreadThatWaitsGivesUpAllItsHoldsAndItsPlaceOnRecord() {
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
    void aHolderWithATokenThatWaitsIsOffTheRecord() {
        Object token = new Object();
        assertTrue(mutex.tryLockWithToken(token));
        condition.await(new TestConditionWaiter("waiter"));
        assertFalse(mutex.isLocked());
        assertNull(mutex.ownerToken());
    }

    // Misuse

    @Test
    void signalsAndWaitsNeedALockedMutexAndChangeNothingWithoutIt() {
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
    void aWaiterStandsInOneQueueAtATime() {
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

    /** Somebody unlocks the core while its holder signals. */
    @Test
    void aMovedOneThatFindsTheMutexFreeHoldsItAtOnce() {
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
    void aHundredThousandThatLeftLeaveNothingAndAreNoSteps() {
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
    void thousandsThatLeftAtOnceLeaveNothing() {
        lock();
        List<TestConditionWaiter> waiters = waiters(100_000);
        waiters.forEach(waiter -> assertTrue(waiter.cancelNow()));
        assertTrue(
                Reachable.from(condition).size() <= FEW,
                () -> Reachable.from(condition).size() + " objects");
        assertEquals(0, condition.queueLength());
    }

    @Test
    void whoeverIsDoneIsNotReachableAndKeepsNothing() {
        lock();
        List<TestConditionWaiter> waiters = waiters(2 * MANY);
        for (int i = 0; i < waiters.size(); i += 2) {
            assertTrue(waiters.get(i).cancelNow());
        }
        condition.signalAll();
        for (int i = 0; i <= MANY; i++) {
            mutex.unlock(); // each in the name of the one who holds it
        }
        assertFalse(mutex.isLocked());
        lock();
        TestConditionWaiter last = waiter("last");
        Set<Object> reachable = Reachable.from(condition);
        assertTrue(reachable.contains(last), "it is looked for in the right place");
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
        assertEquals(4, idle.size(), "and how the mutex looks to its conditions, with an empty list");
        assertEquals(4, Reachable.from(mutex.newCondition()).size());
        lock();
        condition.signal();
        condition.forEachWaiter(waiter -> assertNull(waiter, "nobody waits"));
        assertEquals(idle, Reachable.from(condition));
    }

    // Against a model

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomHistoriesAreThoseOfTwoLists(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TestConditionWaiter> inCondition = new ArrayList<>();
        List<TestWaiter> inMutex = new ArrayList<>();
        lock();
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    inCondition.add(waiter("w" + step));
                    if (!inMutex.isEmpty()) {
                        assertSame(mutex, inMutex.remove(0).value);
                    }
                }
                case 2 -> {
                    if (!inCondition.isEmpty()) {
                        TestConditionWaiter any = inCondition.remove(random.nextInt(inCondition.size()));
                        assertTrue(any.cancelNow());
                    }
                }
                case 3 -> {
                    condition.signal();
                    if (!inCondition.isEmpty()) {
                        inMutex.add(inCondition.remove(0));
                    }
                }
                case 4 -> {
                    if (random.nextInt(20) == 0) {
                        condition.signalAll();
                        inMutex.addAll(inCondition);
                        inCondition.clear();
                    } else {
                        inMutex.add(queuedWaiter("q" + step));
                    }
                }
                default -> {
                    if (!inMutex.isEmpty()) {
                        mutex.unlock();
                        assertSame(mutex, inMutex.remove(0).value);
                    }
                }
            }
            inMutex.forEach(waiter -> assertFalse(waiter.isResumed()));
            assertEquals(inCondition, waiting());
            assertEquals(inMutex, queued());
        }
    }

    // Helpers

    private void lock() {
        assertTrue(mutex.tryLock());
    }

    /** One that waits for a signal. */
    private TestConditionWaiter waiter(String name) {
        TestConditionWaiter waiter = new TestConditionWaiter(name);
        await(condition, waiter);
        return waiter;
    }

    /** The mutex goes to the first that waits for it; if there is none, it is locked again. */
    private void await(Condition condition, TestConditionWaiter waiter) {
        condition.await(waiter);
        if (!mutex.isLocked()) {
            lock();
        }
    }

    private List<TestConditionWaiter> waiters(int count) {
        List<TestConditionWaiter> waiters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            waiters.add(waiter("waiter " + i));
        }
        return waiters;
    }

    /** One that waits for the mutex and was never on the condition. */
    private TestWaiter queuedWaiter(String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertSame(waiter, mutex.lock(waiter, TestWaiter.ITSELF));
        return waiter;
    }

    /** Unlocks until all of them have had the mutex, one after the other. */
    private void grantedInOrder(List<? extends TestWaiter> waiters) {
        for (TestWaiter waiter : waiters) {
            assertFalse(waiter.isResumed(), waiter.name);
            mutex.unlock();
            assertSame(mutex, waiter.value, waiter.name);
        }
        mutex.unlock();
        assertFalse(mutex.isLocked());
    }

    private List<Waiter> waiting() {
        List<Waiter> waiting = new ArrayList<>();
        condition.forEachWaiter(waiting::add);
        return waiting;
    }

    private List<Waiter> queued() {
        List<Waiter> queued = new ArrayList<>();
        mutex.forEachWaiter(queued::add);
        return queued;
    }
}
