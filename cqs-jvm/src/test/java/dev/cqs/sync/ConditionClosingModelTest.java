package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of two conditions and their mutex, which is closed on the way, on a model of three lists. */
@Timeout(60)
class ConditionClosingModelTest extends MutexConditionFixture {
    private final Throwable cause = new Throwable("the cause");

    // Comparison with a model

    /** Random steps on two conditions and their mutex. After some step the mutex is closed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void randomHistoriesAgreeWithThreeLists(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int history = 0; history < 300; history++) {
            new Model(random).run();
        }
    }

    private final class Model {
        final SplittableRandom random;
        final Mutex mutex = new Mutex();
        final List<Condition> conditions = List.of(mutex.newCondition(), mutex.newCondition());
        final List<List<TestConditionWaiter>> waiting = List.of(new ArrayList<>(), new ArrayList<>());
        final List<TestWaiter> inLine = new ArrayList<>();

        /** The lists in the order in which their conditions got their first waiters. The close visits them in this order. */
        final List<List<TestConditionWaiter>> inUse = new ArrayList<>();

        final List<TestConditionWaiter> left = new ArrayList<>();
        boolean closed;

        Model(SplittableRandom random) {
            this.random = random;
            assertTrue(mutex.tryLock());
        }

        void run() {
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
                list.forEach(ConditionClosingModelTest.this::assertFailed);
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
                        inLine.add(queuedWaiter(mutex, name));
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

    private void assertFailed(TestConditionWaiter waiter) {
        assertTrue(waiter.closing != null, waiter.name + " has failed");
        assertSame(cause, waiter.closing.cause());
        assertEquals("mutex", waiter.closing.what());
    }
}
