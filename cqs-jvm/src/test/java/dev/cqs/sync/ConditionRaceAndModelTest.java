package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A signal that races with a cancellation, and random histories of a condition on a model of two lists. */
class ConditionRaceAndModelTest extends MutexConditionFixture {

    // A race

    /**
     * On each condition, one thread cancels the first waiter while another signals. Either the first waiter is cancelled and
     * the second has the signal, or the first has the signal.
     */
    @Test
    @Timeout(60)
    void exactlyOneOfARacingSignalAndCancellationWinsAndTheSignalIsNotLost() throws InterruptedException {
        int signals = 0;
        int leaves = 0;
        for (int round = 0; round < 20 || signals == 0 || leaves == 0; round++) {
            List<Contended> all = Stream.generate(Contended::new).limit(1_000).toList();
            PairedRace.run(all, each -> each.left = each.first.cancelNow(), each -> each.condition.signal());
            for (Contended each : all) {
                each.check();
                leaves += each.left ? 1 : 0;
                signals += each.left ? 0 : 1;
            }
        }
    }

    /** A condition with two waiters. */
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

    // Comparison with a model

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomHistoriesAgreeWithTwoLists(long seed) {
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
}
