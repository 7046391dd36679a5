package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.Reachable;
import dev.cqs.TestWaiter;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of a latch, one at a time, and races of threads that count down and wait. */
class CountDownLatchTest {
    /** More than two segments. */
    private static final int MANY = 100;

    /** Objects: two or three segments with their arrays, the queue and the latch. */
    private static final int FEW = 20 + 3 * 32;

    /** A count that is striped, if there are several processors. */
    private static final int LARGE = 10_000;

    private final CountDownLatch latch = new CountDownLatch(2);

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void aNegativeCountIsRefused(int count) {
        assertEquals(
                "the count must not be negative, but is " + count,
                assertThrows(IllegalArgumentException.class, () -> new CountDownLatch(count))
                        .getMessage());
    }

    @Test
    void theLastCountDownOpensItForGood() {
        List<TestWaiter> waiters = enqueue(MANY);
        latch.countDown();
        assertEquals(1, latch.count());
        assertFalse(latch.isOpen());
        assertEquals(List.of(), resumed(waiters));
        for (int i = 0; i < 3; i++) {
            latch.countDown();
            assertEquals(0, latch.count());
            assertTrue(latch.isOpen());
            assertEquals(waiters, resumed(waiters));
            assertEquals(0, latch.queueLength());
        }
    }

    /** The counts are below and above the smallest one that is striped. */
    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 257, 511, 512, LARGE})
    void theLastOfManyCountDownsOpensIt(int count) {
        CountDownLatch large = new CountDownLatch(count);
        List<TestWaiter> waiters = enqueue(large, 3);
        for (int left = count; left > 0; left--) {
            assertEquals(left, large.count());
            assertFalse(large.isOpen());
            assertEquals(List.of(), resumed(waiters));
            large.countDown();
        }
        assertEquals(0, large.count());
        assertTrue(large.isOpen());
        assertEquals(waiters, resumed(waiters));
    }

    @Test
    void aLatchWithACountOfZeroIsOpen() {
        CountDownLatch open = new CountDownLatch(0);
        assertTrue(open.isOpen());
        assertNull(open.await(null, FactoryFailure.FACTORY));
        open.countDown();
        assertEquals(0, open.count());
    }

    @Test
    void theLargestCountIsPossible() {
        CountDownLatch large = new CountDownLatch(Integer.MAX_VALUE);
        enqueue(large, 1);
        large.countDown();
        assertEquals(Integer.MAX_VALUE - 1, large.count());
        assertEquals(1, large.queueLength());
    }

    @Test
    void aRequestToAnOpenLatchDoesNotWait() {
        assertFalse(latch.isOpen());
        open();
        assertTrue(latch.isOpen());
        assertNull(latch.await(null, FactoryFailure.FACTORY));
        assertEquals(0, latch.queueLength());
    }

    /** Otherwise many more count-downs could close it again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, LARGE})
    void aCountDownOfAnOpenLatchChangesNoBit(int count) throws ReflectiveOperationException {
        Field word = CountDownLatch.class.getDeclaredField("word");
        word.setAccessible(true);
        CountDownLatch open = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            open.countDown();
        }
        assertTrue(open.isOpen());
        long before = word.getLong(open);
        for (int i = 0; i < 3; i++) {
            open.countDown();
        }
        assertEquals(before, word.getLong(open));
        assertEquals(0, open.count());
    }

    @Test
    void waitersAreResumedInFifoOrder() {
        List<TestWaiter> order = new ArrayList<>();
        List<TestWaiter> waiters = enqueue(MANY);
        waiters.forEach(waiter -> waiter.onResume = value -> order.add(waiter));
        open();
        assertEquals(waiters, order);
    }

    @Test
    void aRequestThatStallsBeforeItsCellFindsTheLatchOpen() {
        TestWaiter late = latch.await(new TestWaiter("late"), (same, waiter) -> {
            TestWaiter before = enqueue();
            TestWaiter cancelled = enqueue();
            assertEquals(3, latch.queueLength());
            assertTrue(cancelled.cancelNow());
            open();
            assertTrue(before.isResumed());
            assertNull(cancelled.value);
            return waiter;
        });
        assertSame(latch, late.value);
    }

    /** Then the caller that opens the latch creates the queue and leaves the resume in it. */
    @Test
    void aRequestThatStallsBeforeAQueueExistsFindsTheLatchOpen() {
        TestWaiter late = latch.await(new TestWaiter("late"), (same, waiter) -> {
            open();
            return waiter;
        });
        assertSame(latch, late.value);
    }

    // Cancellation

    @Test
    void cancelledRequestsTakeNoResumesFromOthers() {
        for (int every = 1; every <= 3; every++) {
            CountDownLatch closed = new CountDownLatch(1);
            List<TestWaiter> waiters = enqueue(closed, MANY);
            List<TestWaiter> live = new ArrayList<>(waiters);
            for (int i = 0; i < MANY; i += every) {
                assertTrue(waiters.get(i).cancelNow());
                live.remove(waiters.get(i));
                assertEquals(live.size(), closed.queueLength());
            }
            List<Object> waiting = new ArrayList<>();
            closed.forEachWaiter(waiting::add);
            assertEquals(live, waiting);
            closed.countDown();
            assertEquals(live, resumed(waiters));
        }
    }

    @Test
    void aRequestCancelledWhileTheLatchOpensTakesNoResumeFromAnother() {
        List<TestWaiter> waiters = enqueue(4);
        waiters.get(0).onResume = value -> {
            assertTrue(latch.isOpen());
            assertTrue(waiters.get(1).cancelNow());
        };
        open();
        assertEquals(List.of(waiters.get(0), waiters.get(2), waiters.get(3)), resumed(waiters));
        assertFalse(waiters.get(2).cancelNow(), "it was resumed");
        assertEquals(0, latch.queueLength());
        assertTrue(latch.isOpen());
    }

    @Test
    void aWaiterThatRefusesItsResumeTakesNoneFromAnother() {
        List<TestWaiter> waiters = enqueue(3);
        waiters.get(1).accepts = false;
        open();
        assertEquals(List.of(waiters.get(0), waiters.get(2)), resumed(waiters));
    }

    @Test
    void aRequestWhoseFactoryThrowsTakesNoResumeFromAnother() {
        TestWaiter before = enqueue();
        FactoryFailure.propagatesFrom(newWaiter -> latch.await(null, newWaiter), () -> {
            FactoryFailure.propagatesFrom(
                    newWaiter -> latch.await(null, newWaiter), () -> assertEquals(3, latch.queueLength()));
            TestWaiter after = enqueue();
            assertEquals(3, latch.queueLength());
            open();
            assertTrue(before.isResumed());
            assertTrue(after.isResumed());
        });
        assertTrue(latch.isOpen());
    }

    // Races

    /** Both threads count down. In half of the rounds this is one count-down more than needed. */
    @Test
    @Timeout(60)
    void twoThreadsThatCountDownAndWaitAreBothResumed() throws Exception {
        int rounds = 100_000;
        CountDownLatch[] latches = new CountDownLatch[rounds];
        for (int i = 0; i < rounds; i++) {
            latches[i] = new CountDownLatch(1 + i % 2);
        }
        AtomicIntegerArray at = new AtomicIntegerArray(2);
        TestWaiter[][] waiters = new TestWaiter[2][rounds];
        Thread other = new Thread(() -> race(latches, 0, at, waiters[0]));
        other.start();
        race(latches, 1, at, waiters[1]);
        other.join();
        for (int i = 0; i < rounds; i++) {
            assertEquals(0, latches[i].count());
            assertTrue(waiters[0][i].isResumed() && waiters[1][i].isResumed(), "round " + i);
        }
    }

    /** Four threads count down a striped count. A waiter sees everything that they did before. */
    @Test
    @Timeout(60)
    void aStripedCountIsCountedDownByFourThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 500; round++) {
                countDownByFour(threads, 2_500 + round % 5);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void countDownByFour(ExecutorService threads, int each) throws Exception {
        int[] steps = new int[4];
        CountDownLatch large = new CountDownLatch(4 * each);
        List<TestWaiter> waiters = enqueue(large, 3);
        int[] seen = new int[1];
        waiters.get(2).onResume = value -> seen[0] = IntStream.of(steps).sum();
        CyclicBarrier start = new CyclicBarrier(4);
        List<Callable<Boolean>> parts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int self = i;
            parts.add(() -> {
                start.await();
                for (int step = 0; step < each; step++) {
                    steps[self]++;
                    large.countDown();
                }
                return self == 0 && waiters.get(1).cancelNow();
            });
        }
        boolean cancelled = false;
        for (Future<Boolean> part : threads.invokeAll(parts)) {
            cancelled |= part.get();
        }
        assertEquals(4 * each, seen[0]);
        assertTrue(waiters.get(0).isResumed());
        assertEquals(cancelled, !waiters.get(1).isResumed());
        assertEquals(0, large.count());
        assertEquals(0, large.queueLength());
    }

    private static void race(CountDownLatch[] latches, int self, AtomicIntegerArray at, TestWaiter[] waiters) {
        for (int i = 0; i < latches.length; i++) {
            CountDownLatch latch = latches[i];
            at.set(self, i);
            for (int turns = 0; at.get(1 - self) < i; turns++) {
                if (turns > 1000) {
                    Thread.yield();
                }
            }
            for (int turns = self == 0 ? 8 : i / 16 % 16; turns > 0; turns--) { // varies the order of the two threads
                Thread.onSpinWait();
            }
            boolean waitsFirst = (i >> (1 + self)) % 2 == 0;
            if (!waitsFirst) {
                latch.countDown();
            }
            waiters[i] = comeTo(latch, i % 16 < 4);
            if (waitsFirst) {
                latch.countDown();
            }
        }
    }

    /** Waits. The value of the waiter says whether it waited, was cancelled or found the latch open. */
    private static TestWaiter comeTo(CountDownLatch latch, boolean cancels) {
        TestWaiter waiter = new TestWaiter("waiter");
        if (latch.await(waiter, TestWaiter.ITSELF) == null) {
            waiter.value = "at once";
            return waiter;
        }
        if (cancels && waiter.cancelNow()) {
            assertNull(waiter.value);
            waiter.value = "cancelled";
        }
        return waiter;
    }

    // What stays reachable

    @Test
    void aMillionCancelledRequestsLeaveFewObjects() {
        TestWaiter first = enqueue();
        for (int i = 0; i < 1_000; i++) {
            enqueue(1_000).forEach(TestWaiter::cancelNow);
        }
        TestWaiter last = enqueue();
        assertEquals(2, latch.queueLength());
        int reachable = Reachable.from(latch).size();
        assertTrue(reachable <= FEW, () -> reachable + " objects");
        open();
        assertTrue(first.isResumed());
        assertTrue(last.isResumed());
    }

    @Test
    void anOpenLatchReachesNoWaiter() {
        List<TestWaiter> waiters = enqueue(MANY);
        waiters.subList(10, 20).forEach(TestWaiter::cancelNow);
        open();
        assertTrue(waiters.stream().noneMatch(Reachable.from(latch)::contains));
    }

    @Test
    void toStringShowsTheCountAndTheWaiters() {
        enqueue(3);
        assertTrue(latch.toString().endsWith("[count 2, 3 waiting]"), latch.toString());
        open();
        assertTrue(latch.toString().endsWith("[count 0, 0 waiting]"), latch.toString());
    }

    private void open() {
        latch.countDown();
        latch.countDown();
    }

    private TestWaiter enqueue() {
        return enqueue(1).get(0);
    }

    private List<TestWaiter> enqueue(int count) {
        return enqueue(latch, count);
    }

    private static List<TestWaiter> enqueue(CountDownLatch latch, int count) {
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestWaiter waiter = new TestWaiter("waiter " + i);
            assertSame(waiter, latch.await(waiter, TestWaiter.ITSELF));
            waiters.add(waiter);
        }
        return waiters;
    }

    private static List<TestWaiter> resumed(List<TestWaiter> waiters) {
        return waiters.stream().filter(TestWaiter::isResumed).toList();
    }
}
