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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many short-lived semaphores whose maximum changes while threads acquire, cancel and release. */
@Tag("slow")
class SemaphoreResizeStressTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 1_500;
    private static final int STEPS_OF_A_LIFE = 12;
    private static final int LARGEST = 3;

    /** One semaphore and its users. */
    private static final class Round {
        final Semaphore semaphore = Semaphore.bounded(2);
        final CountDownLatch start = new CountDownLatch(THREADS);
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger closed = new AtomicInteger();
        final AtomicInteger tooLarge = new AtomicInteger();
        private final boolean closing;

        Round(boolean closing) {
            this.closing = closing;
        }

        void runBody(SplittableRandom random) {
            start.countDown();
            while (start.getCount() > 0) {
                Thread.yield();
            }
            for (int step = 0; step < STEPS_OF_A_LIFE; step++) {
                if (random.nextInt(4) == 0) {
                    semaphore.resize(1 + random.nextInt(LARGEST));
                } else if (closing && random.nextInt(4 * STEPS_OF_A_LIFE) == 0) {
                    semaphore.close(null);
                } else {
                    takeAndPutBack(1 + random.nextInt(LARGEST), random);
                }
            }
        }

        private void takeAndPutBack(int n, SplittableRandom random) {
            boolean got;
            try {
                got = random.nextInt(8) == 0 ? semaphore.tryAcquire(n) : acquire(n, random);
            } catch (IllegalArgumentException e) {
                tooLarge.incrementAndGet();
                assertTrue(n > 1, "a request for one permit is never too large");
                return;
            } catch (ClosedException e) {
                closed.incrementAndGet();
                return;
            }
            if (got) {
                for (int turn = random.nextInt(4); turn > 0; turn--) {
                    Thread.onSpinWait();
                }
                if (n == 1 || random.nextBoolean()) {
                    semaphore.release(n); // never refused
                } else {
                    semaphore.release(n - 1);
                    semaphore.release();
                }
            }
        }

        private boolean acquire(int n, SplittableRandom random) {
            int fate = random.nextInt(8);
            TestWaiter waiter;
            try {
                waiter = fate == 0
                        ? semaphore.acquire(n, null, FactoryFailure.FACTORY)
                        : semaphore.acquire(n, new TestWaiter("waiter", n), TestWaiter.ITSELF);
            } catch (FactoryFailure e) {
                return false;
            }
            return waiter == null || await(waiter, fate < 4 ? random.nextInt(32) : Integer.MAX_VALUE);
        }

        private static boolean await(TestWaiter waiter, int patience) {
            for (int left = patience; !waiter.isResumed(); left--) {
                if (left == 0 && waiter.cancelNow()) {
                    return false;
                }
                Thread.yield(); // on one processor, the holders of the permits must run
            }
            if (waiter.value instanceof WaitFailure failure) {
                throw failure.exception();
            }
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noReleaseIsRefusedAndAllPermitsAreFreeAtTheEnd(boolean closing) throws Exception {
        int tooLarge = 0;
        int closed = 0;
        for (int number = 0; number < ROUNDS; number++) {
            Round round = new Round(closing);
            run(round, (long) number * THREADS);
            String where = "round " + number + ": " + round.semaphore;
            assertEquals(List.of(), round.failures, where);
            assertEquals(0, round.semaphore.queueLength(), where);
            assertEquals(round.semaphore.maximum(), round.semaphore.availablePermits(), where);
            tooLarge += round.tooLarge.get();
            closed += round.closed.get();
        }
        assertTrue(tooLarge > ROUNDS, tooLarge + " requests were too large");
        assertEquals(closing, closed > ROUNDS / 4, closed + " requests met a close");
    }

    private static void run(Round round, long seed) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SplittableRandom random = new SplittableRandom(seed + t);
            Thread thread = new Thread(() -> round.runBody(random));
            thread.setUncaughtExceptionHandler((where, thrown) -> round.failures.add(thrown));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(60_000);
            assertTrue(!thread.isAlive(), "hangs: " + round.semaphore);
        }
    }

    /** The two threads race without a pause: one resizes, the other releases and acquires. */
    @Test
    void aReleaseIsNeverRefusedWhileTheSemaphoreIsResized() throws Exception {
        Semaphore semaphore = Semaphore.bounded(3, 1);
        AtomicInteger left = new AtomicInteger(300_000);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread holder = new Thread(() -> {
            while (left.getAndDecrement() > 0) {
                semaphore.release(); // its own permit, or at first that of the test
                while (!semaphore.tryAcquire()) {
                    Thread.onSpinWait();
                }
            }
        });
        holder.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
        holder.start();
        SplittableRandom random = new SplittableRandom(1);
        long began = System.nanoTime();
        while (holder.isAlive()) {
            semaphore.resize(1 + random.nextInt(LARGEST));
            assertTrue(System.nanoTime() - began < TimeUnit.MINUTES.toNanos(2), "hangs: " + semaphore);
        }
        holder.join();
        assertEquals(List.of(), failures);
        assertEquals(semaphore.maximum() - 1, semaphore.availablePermits());
    }

    /** Resizes race with each other only. Each changes the free permits by the difference to the resize before it. */
    @Test
    void racingResizesTakeEffectOneAfterTheOther() throws Exception {
        for (int number = 0; number < ROUNDS; number++) {
            Semaphore semaphore = Semaphore.bounded(2, 2);
            CountDownLatch start = new CountDownLatch(2);
            List<Thread> threads = new ArrayList<>();
            List<String> wrong = Collections.synchronizedList(new ArrayList<>());
            for (int mine : new int[] {1, 5}) {
                Thread thread = new Thread(() -> {
                    start.countDown();
                    while (start.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    semaphore.resize(mine);
                    int free = semaphore.availablePermits();
                    if (free != -1 && free != 3) {
                        wrong.add(free + " free of " + mine);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join(60_000);
                assertTrue(!thread.isAlive(), "hangs: " + semaphore);
            }
            assertEquals(List.of(), wrong);
            assertEquals(semaphore.maximum() - 2, semaphore.availablePermits());
        }
    }
}
