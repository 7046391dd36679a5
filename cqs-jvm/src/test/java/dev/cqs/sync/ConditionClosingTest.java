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
import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a mutex on whose conditions somebody waits: all of them fail, and all of them hold the mutex when they do. */
@Timeout(60)
class ConditionClosingTest {
    /** More than two segments. */
    private static final int MANY = 80;

    private final Throwable cause = new Throwable("the cause");
    private final Mutex mutex = new Mutex();
    private final Condition condition = mutex.newCondition();

    // Who fails

    @Test
    void allWhoWaitFailAndHaveTheMutexInTheirOrderAfterItsHolder() {
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
        waiters.forEach(this::failed);
        haveTheMutexInOrder(waiters);
    }

    @Test
    void oneAtATimeHasAFreeMutex() {
        lock();
        List<TestConditionWaiter> waiters = List.of(waiter("first"), waiter("second"), waiter("third"));
        mutex.unlock();
        mutex.close(cause);
        assertSame(mutex, waiters.get(0).value);
        waiters.forEach(this::failed);
        haveTheMutexInOrder(waiters);
    }

    @Test
    void whoWasSignalledBeforeDoesNotFailAndIsFirst() {
        lock();
        TestConditionWaiter first = waiter("first");
        TestConditionWaiter second = waiter("second");
        TestConditionWaiter third = waiter("third");
        condition.signal();
        condition.signal();
        mutex.close(cause);
        assertNull(first.closing);
        assertNull(second.closing);
        failed(third);
        haveTheMutexInOrder(List.of(first, second, third));
    }

    @Test
    void whoHadLeftBeforeDoesNotFailWhetherItWaitsForTheMutexBeforeOrAfter() {
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
        failed(waiting);
        haveTheMutexInOrder(List.of(back, waiting, late));
    }

    @Test
    void whoHadLeftBeforeTakesAFreeMutexThatIsClosed() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        assertTrue(waiter.cancelNow());
        mutex.unlock();
        mutex.close(cause);
        condition.reacquire(waiter);
        assertNull(waiter.closing);
        haveTheMutexInOrder(List.of(waiter));
    }

    @Test
    void nobodyLeavesOrIsSignalledAfterTheClosing() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        mutex.close(cause);
        assertFalse(waiter.cancelNow());
        condition.signal();
        condition.signalAll();
        assertEquals(List.of(waiter), queued());
        failed(waiter);
        haveTheMutexInOrder(List.of(waiter));
    }

    @Test
    void onlyTheFirstClosingCounts() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        assertTrue(mutex.close(cause));
        assertFalse(mutex.close(new Throwable("another")));
        failed(waiter);
        haveTheMutexInOrder(List.of(waiter));
    }

    // Coming later

    @Test
    void whoComesLaterFailsAtOnceAndKeepsTheMutex() {
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
        haveTheMutexInOrder(List.of(before));
        assertThrows(IllegalStateException.class, condition::signal, "as before");
    }

    @Test
    void aConditionThatIsMadeOfAClosedMutexIsClosed() {
        lock();
        Mutex fresh = new Mutex();
        assertTrue(fresh.tryLock());
        fresh.close(cause);
        Condition late = fresh.newCondition();
        assertThrows(ClosedException.class, () -> late.await(new TestConditionWaiter("refused")));
        fresh.unlock();
        assertFalse(fresh.isLocked());
    }

    // The others

    /** Those who come back stand before, between and behind them, in more than one segment. */
    @Test
    void thoseInLineForTheMutexFailAtOnceWhoeverStandsBeforeThem() {
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
        failed(waiting);
        back.add(waiting);
        assertEquals(back, queued());
        haveTheMutexInOrder(back);
    }

    /** Whoever locks, and those who come back, one of them in the middle of being resumed. */
    @Test
    void whoIsResumedMayCloseAndTheNextHasTheMutexAfterIt() {
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
        failed(third);
        haveTheMutexInOrder(List.of(third));
    }

    @Test
    void theOwnerEntersNothingAndNobodyTakesAClosedMutexThatSomebodyComesBackTo() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        mutex.close(cause);
        mutex.unlock();
        assertThrows(ClosedException.class, mutex::tryLock);
        assertThrows(ClosedException.class, () -> mutex.lock(new TestWaiter("refused"), TestWaiter.ITSELF));
        haveTheMutexInOrder(List.of(waiter));
        assertThrows(IllegalStateException.class, mutex::unlock, "nobody else has had it");
    }

    /** Asked for its weight by the server, that is, while the server is at work. */
    private static final class Asked extends TestWaiter {
        private Runnable onceAsked = () -> {};

        Asked() {
            super("asked");
        }

        @Override
        public int weight() {
            Runnable action = onceAsked;
            onceAsked = () -> {};
            action.run();
            return super.weight();
        }
    }

    /** The other has not come to those who stand in line yet. */
    @Test
    void whoWasSignalledBeforeIsFirstIfTwoCloseAtOnce() {
        lock();
        TestConditionWaiter signalled = waiter("signalled");
        TestConditionWaiter waiting = waiter("waiting");
        Asked inLine = new Asked();
        assertSame(inLine, mutex.lock(inLine, TestWaiter.ITSELF));
        condition.signal();
        inLine.onceAsked = () -> assertFalse(mutex.close(cause));
        mutex.close(cause);
        failed(waiting);
        haveTheMutexInOrder(List.of(signalled, waiting));
    }

    @Test
    void whoIsSignalledInTheMiddleOfTheClosingIsNotOvertaken() {
        lock();
        mutex.upgrade(); // what a closing does first
        TestConditionWaiter signalled = waiter("signalled");
        condition.signal();
        TestWaiter inLine = queuedWaiter("in line");
        mutex.unlock();
        assertSame(mutex, signalled.value);
        mutex.unlock();
        assertSame(mutex, inLine.value);
    }

    /** Their code is run by the closing, which has not come to those who wait for a signal. */
    @Test
    void nobodyIsKeptWaitingByTheCodeOfThoseWhoFail() {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        TestWaiter inLine = queuedWaiter("in line");
        inLine.onResume = value -> {
            assertFalse(waiter.cancelNow(), "its time is up");
            failed(waiter);
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
        haveTheMutexInOrder(List.of(waiter));
    }

    /** The request was counted before, and its cell is filled or broken after the closing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestThatIsOnItsWayFailsAndIsNotInTheWay(boolean broken) {
        lock();
        TestConditionWaiter waiter = waiter("waiter");
        TestWaiter late = new TestWaiter("late");
        BiFunction<Mutex, TestWaiter, TestWaiter> factory = (same, itself) -> {
            if (broken) {
                mutex.unlock(); // finds the cell empty and breaks it
                lock();
            }
            mutex.close(cause);
            failed(waiter);
            return itself;
        };
        if (broken) {
            assertThrows(ClosedException.class, () -> mutex.lock(late, factory));
            assertNull(late.value);
        } else {
            assertSame(late, mutex.lock(late, factory));
            assertInstanceOf(Closed.class, late.value);
        }
        haveTheMutexInOrder(List.of(waiter));
    }

    // Conditions in use

    /** Rounds of new conditions, of which some stay in use. */
    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "100,7", "400,1", "1000,1000"})
    void theClosingFindsAllWhateverTheNumberOfConditions(int conditions, int eachOfThemStays) {
        lock();
        List<TestConditionWaiter> staying = new ArrayList<>();
        List<Condition> all = new ArrayList<>();
        for (int i = 0; i < conditions; i++) {
            Condition fresh = mutex.newCondition();
            all.add(fresh);
            TestConditionWaiter waiter = waiter(fresh, "waiter " + i);
            if (i % eachOfThemStays == 0) {
                staying.add(waiter);
            } else if (i % 2 == 0) {
                assertTrue(waiter.cancelNow());
            } else {
                fresh.signal();
            }
        }
        for (int i = 0; i < conditions; i += 5) { // those that went come back
            staying.add(waiter(all.get(i), "again " + i));
        }
        mutex.close(cause);
        staying.forEach(this::failed);
        all.forEach(each -> assertEquals(0, each.queueLength()));
        for (int left = mutex.queueLength(); left > 0; left--) {
            mutex.unlock();
        }
        staying.forEach(waiter -> assertSame(mutex, waiter.value, waiter.name));
    }

    @Test
    void conditionsThatNobodyWaitsOnAreForgotten() {
        lock();
        TestConditionWaiter staying = waiter("staying");
        for (int i = 0; i < 10_000; i++) {
            Condition fresh = mutex.newCondition();
            assertTrue(waiter(fresh, "waiter").cancelNow());
        }
        Set<Object> reachable = Reachable.from(mutex);
        assertTrue(reachable.contains(staying), "it is looked for in the right place");
        assertTrue(reachable.size() <= 60, reachable.size() + " objects");
    }

    @Test
    void whoHasComeBackIsNotReachableAndKeepsNothing() {
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

    // Against a model

    /** Two conditions and those who lock, step by step; from some step on the mutex is closed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void randomHistoriesAreThoseOfThreeLists(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int history = 0; history < 300; history++) {
            new Model(random).live();
        }
    }

    private final class Model {
        final SplittableRandom random;
        final Mutex mutex = new Mutex();
        final List<Condition> conditions = List.of(mutex.newCondition(), mutex.newCondition());
        final List<List<TestConditionWaiter>> waiting = List.of(new ArrayList<>(), new ArrayList<>());
        final List<TestWaiter> inLine = new ArrayList<>();

        /** The lists in the order in which their conditions were first waited on, which is that of the closing. */
        final List<List<TestConditionWaiter>> inUse = new ArrayList<>();

        final List<TestConditionWaiter> left = new ArrayList<>();
        boolean closed;

        Model(SplittableRandom random) {
            this.random = random;
            assertTrue(mutex.tryLock());
        }

        void live() {
            int steps = 20 + random.nextInt(60);
            int end = random.nextInt(steps);
            for (int step = 0; step < steps; step++) {
                if (step == end) {
                    close();
                }
                act(random.nextInt(2), "w" + step);
                check();
            }
        }

        private void close() {
            mutex.close(cause);
            closed = true;
            for (TestWaiter waiter : inLine) {
                if (!(waiter instanceof TestConditionWaiter)) {
                    assertInstanceOf(Closed.class, waiter.value);
                }
            }
            inLine.removeIf(waiter -> !(waiter instanceof TestConditionWaiter));
            inUse.forEach(list -> {
                list.forEach(ConditionClosingTest.this::failed);
                inLine.addAll(list);
                list.clear();
            });
        }

        private void act(int which, String name) {
            Condition condition = conditions.get(which);
            List<TestConditionWaiter> list = waiting.get(which);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> enqueue(condition, list, name);
                case 3 -> {
                    condition.signal();
                    if (!list.isEmpty()) {
                        inLine.add(list.remove(0));
                    }
                }
                case 4 -> {
                    if (!list.isEmpty()) {
                        TestConditionWaiter any = list.remove(random.nextInt(list.size()));
                        assertTrue(any.cancelNow());
                        left.add(any);
                    }
                }
                case 5 -> {
                    if (!left.isEmpty()) {
                        TestConditionWaiter any = left.remove(random.nextInt(left.size()));
                        condition.reacquire(any);
                        inLine.add(any);
                    }
                }
                case 6 -> {
                    if (!closed) {
                        inLine.add(ConditionClosingTest.this.queuedWaiter(mutex, name));
                    }
                }
                default -> {
                    if (!inLine.isEmpty()) {
                        mutex.unlock();
                        assertSame(mutex, inLine.remove(0).value);
                    }
                }
            }
        }

        private void enqueue(Condition condition, List<TestConditionWaiter> list, String name) {
            TestConditionWaiter waiter = new TestConditionWaiter(name);
            if (closed) {
                assertThrows(ClosedException.class, () -> condition.await(waiter));
            } else {
                await(condition, waiter);
                if (!inLine.isEmpty()) {
                    assertSame(mutex, inLine.remove(0).value);
                }
                if (inUse.stream().noneMatch(used -> used == list)) {
                    inUse.add(list);
                }
                list.add(waiter);
            }
        }

        private void check() {
            assertTrue(mutex.isLocked());
            inLine.forEach(waiter -> assertFalse(waiter.isResumed()));
            assertEquals(inLine, shown(mutex::forEachWaiter));
            assertEquals(inLine.size(), mutex.queueLength());
            for (int i = 0; i < 2; i++) {
                assertEquals(waiting.get(i), shown(conditions.get(i)::forEachWaiter));
                waiting.get(i).forEach(waiter -> assertNull(waiter.closing));
            }
        }
    }

    // Helpers

    private void lock() {
        assertTrue(mutex.tryLock());
    }

    private TestConditionWaiter waiter(String name) {
        return waiter(condition, name);
    }

    private static TestConditionWaiter waiter(Condition condition, String name) {
        TestConditionWaiter waiter = new TestConditionWaiter(name);
        await(condition, waiter);
        return waiter;
    }

    /** The mutex goes to the first that waits for it; if there is none, it is locked again. */
    private static void await(Condition condition, TestConditionWaiter waiter) {
        condition.await(waiter);
        if (!condition.mutex().isLocked()) {
            assertTrue(condition.mutex().tryLock());
        }
    }

    private TestWaiter queuedWaiter(String name) {
        return queuedWaiter(mutex, name);
    }

    /** One that waits for the mutex and was never on a condition. */
    private TestWaiter queuedWaiter(Mutex mutex, String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertSame(waiter, mutex.lock(waiter, TestWaiter.ITSELF));
        return waiter;
    }

    private void failed(TestConditionWaiter waiter) {
        assertTrue(waiter.closing != null, waiter.name + " has failed");
        assertSame(cause, waiter.closing.cause());
        assertEquals("mutex", waiter.closing.what());
    }

    /** Unlocks until all of them have had the mutex, one after the other, the first perhaps already. */
    private void haveTheMutexInOrder(List<TestConditionWaiter> waiters) {
        for (TestConditionWaiter waiter : waiters) {
            if (waiter != waiters.get(0) || !waiter.isResumed()) {
                assertFalse(waiter.isResumed(), waiter.name);
                mutex.unlock();
            }
            assertSame(mutex, waiter.value, waiter.name);
            assertTrue(mutex.isLocked());
        }
        mutex.unlock();
        assertFalse(mutex.isLocked());
        assertEquals(0, mutex.queueLength());
        assertEquals(List.of(), queued());
    }

    private List<Waiter> queued() {
        return shown(mutex::forEachWaiter);
    }

    private static List<Waiter> shown(Consumer<Consumer<Waiter>> queue) {
        List<Waiter> waiters = new ArrayList<>();
        queue.accept(waiters::add);
        return waiters;
    }
}
