package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many short-lived semaphores. On each of them, threads acquire, cancel, refuse grants and release concurrently. They are
 * short-lived because a semaphore is upgraded to weighted mode only once.
 */
@Tag("slow")
class SemaphoreStressTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 15_000;
    private static final int STEPS_OF_A_LIFE = 12;
    private static final int PERMITS = 3;

    private enum Requests {
        UNIT(1),
        WEIGHTED(3);

        final int largest;

        Requests(int largest) {
            this.largest = largest;
        }
    }

    @ParameterizedTest
    @EnumSource
    void atTheEndAllPermitsAreFreeAndNoThreadWaits(Requests requests) throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int round = 0; round < ROUNDS; round++) {
            Semaphore semaphore = Semaphore.bounded(PERMITS);
            CountDownLatch start = new CountDownLatch(THREADS);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom((long) round * THREADS + t);
                Thread thread = new Thread(() -> runBody(semaphore, random, requests.largest, start));
                thread.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join(60_000);
                assertTrue(!thread.isAlive(), "round " + round + " hangs: " + semaphore);
            }
            assertEquals(List.of(), failures, "round " + round);
            assertEquals(0, semaphore.queueLength(), "round " + round);
            assertEquals(PERMITS, semaphore.availablePermits(), "round " + round);
        }
    }

    private static void runBody(Semaphore semaphore, SplittableRandom random, int largest, CountDownLatch start) {
        start.countDown();
        while (start.getCount() > 0) {
            Thread.yield();
        }
        for (int step = 0; step < STEPS_OF_A_LIFE; step++) {
            int n = 1 + random.nextInt(largest);
            boolean got = random.nextInt(8) == 0 ? semaphore.tryAcquire(n) : acquire(semaphore, n, random);
            if (got) {
                for (int turn = random.nextInt(4); turn > 0; turn--) {
                    Thread.onSpinWait();
                }
                semaphore.release(n);
            }
        }
    }

    private static boolean acquire(Semaphore semaphore, int n, SplittableRandom random) {
        int fate = random.nextInt(8);
        if (fate == 0) {
            try {
                return semaphore.acquire(n, null, FactoryFailure.FACTORY) == null;
            } catch (FactoryFailure e) {
                return false;
            }
        }
        TestWaiter waiter = new TestWaiter("waiter", n);
        CountDownLatch gone = new CountDownLatch(1);
        if (fate == 1) { // refuses its grant, as a future that its user has completed does
            waiter.accepts = false;
            waiter.onResume = value -> gone.countDown();
        }
        if (semaphore.acquire(n, waiter, TestWaiter.ITSELF) == null) {
            return true;
        }
        int patience = fate < 5 ? random.nextInt(32) : Integer.MAX_VALUE;
        while (!waiter.isResumed() && gone.getCount() > 0) {
            if (patience-- == 0 && waiter.cancelNow()) {
                return false;
            }
            Thread.yield(); // on one processor, the holders of the permits must run
        }
        return waiter.isResumed();
    }
}
