package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The striped count of a latch: the number and the choice of stripes, and threads that take from it concurrently. */
class StripedCountdownTest {
    private static final int THREADS = 4;

    /** Counts with less than one for each stripe, and counts that leave a remainder, are among them. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "2, 2", "3, 4", "100, 8", "101, 8", "127, 16", "1000, 64"})
    void takeSucceedsAsOftenAsTheCount(int count, int size) {
        StripedCountdown divided = new StripedCountdown(count, size);
        for (int left = count; left > 0; left--) {
            assertEquals(left, divided.left());
            assertTrue(divided.take());
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(0, divided.left());
            assertFalse(divided.take());
        }
    }

    @Test
    void theLargestCountIsPossible() {
        StripedCountdown divided = new StripedCountdown(Integer.MAX_VALUE, 64);
        assertTrue(divided.take());
        assertEquals(Integer.MAX_VALUE - 1, divided.left());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 8", "3, 8", "4, 16", "16, 64", "100, 64"})
    void aLargeCountGetsAStripeForEachProcessor(int processors, int size) {
        assertEquals(size, StripedCountdown.worth(Integer.MAX_VALUE, processors));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "127, 0", "128, 1", "255, 1", "256, 2", "1023, 4", "1024, 8", "1000000, 8"})
    void noStripeIsSmall(int count, int size) {
        assertEquals(size, StripedCountdown.worth(count, 2));
    }

    // The choice of a stripe

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 32, 64})
    void everyStripeIsTheFirstChoiceOfSomeThread(int size) {
        StripedCountdown divided = new StripedCountdown(size, size);
        Set<Integer> parts =
                LongStream.range(1, 4L * size).mapToObj(divided::own).collect(Collectors.toSet());
        assertEquals(IntStream.range(0, size).boxed().collect(Collectors.toSet()), parts);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    void aThreadWhoseStripeIsEmptyGoesToOneThatIsNot(int size) {
        Random random = new Random(size);
        for (int i = 0; i < 10_000; i++) {
            int own = random.nextInt(size);
            long living = random.nextLong() >>> Long.SIZE - size & ~(1L << own) & random.nextLong();
            if (living != 0) {
                int other = StripedCountdown.other(own, living);
                assertTrue((living >>> other & 1) != 0, other + " of " + Long.toBinaryString(living));
            }
        }
    }

    /** As many threads as run at once. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 6, 8, 12, 16, 24, 32})
    void threadsWithConsecutiveIdsHaveStripesOfTheirOwn(int processors) {
        int size = StripedCountdown.worth(Integer.MAX_VALUE, processors);
        StripedCountdown divided = new StripedCountdown(size, size);
        for (long first = 1; first < 1_000; first++) {
            Set<Integer> parts = LongStream.range(first, first + processors)
                    .mapToObj(divided::own)
                    .collect(Collectors.toSet());
            assertEquals(processors, parts.size(), "from " + first);
        }
    }

    // Races

    /** No thread finds the count at zero too early, and no count is taken twice. */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    @Timeout(60)
    void concurrentThreadsTakeExactlyTheCount(int size) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < 1_000; round++) {
                int count = round % 2 == 0 ? round % 300 : 10_000;
                StripedCountdown divided = new StripedCountdown(count, size);
                List<Callable<Integer>> takers = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    takers.add(() -> takeAll(divided));
                }
                int taken = 0;
                for (Future<Integer> taker : threads.invokeAll(takers)) {
                    taken += taker.get();
                }
                assertEquals(count, taken);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static int takeAll(StripedCountdown divided) {
        int taken = 0;
        for (int before = divided.left(); divided.take(); taken++) {
            int left = divided.left();
            assertTrue(left < before, left + " after " + before);
            before = left;
        }
        assertEquals(0, divided.left());
        return taken;
    }
}
