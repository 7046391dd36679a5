package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.GivenUp;
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
 * Many short lives of a semaphore, in each of which threads take, cancel, give up and give back all at once, and
 * whose owners may be gone. Short, because the upgrade to weighted mode happens once in a life.
 */
@Tag("slow")
class SemaphoreStressTest {
    private static final int THREADS = 3;
    private static final int LIVES = 15_000;
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
    void everyLifeEndsWithAllPermitsFreeAndNobodyWaiting(Requests requests) throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int life = 0; life < LIVES; life++) {
            Semaphore semaphore = Semaphore.bounded(PERMITS);
            CountDownLatch start = new CountDownLatch(THREADS);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom((long) life * THREADS + t);
                Thread thread = new Thread(() -> live(semaphore, random, requests.largest, start));
                thread.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join(60_000);
                assertTrue(!thread.isAlive(), "life " + life + " hangs: " + semaphore);
            }
            assertEquals(List.of(), failures, "life " + life);
            assertEquals(0, semaphore.queueLength(), "life " + life);
            assertEquals(PERMITS, semaphore.availablePermits(), "life " + life);
        }
    }

    private static void live(Semaphore semaphore, SplittableRandom random, int largest, CountDownLatch start) {
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
                return semaphore.acquire(n, null, GivenUp.AT_ONCE) == null;
            } catch (GivenUp e) {
                return false;
            }
        }
        TestWaiter waiter = new TestWaiter("waiter", n);
        CountDownLatch gone = new CountDownLatch(1);
        if (fate == 1) { // an owner who is gone, as a future that somebody else has completed
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
            Thread.yield(); // who holds the permits may need this processor
        }
        return waiter.isResumed();
    }
}
