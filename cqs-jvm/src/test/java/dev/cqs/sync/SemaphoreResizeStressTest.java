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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many short lives of a semaphore whose maximum changes while threads take, cancel, give up and give back. */
@Tag("slow")
class SemaphoreResizeStressTest {
    private static final int THREADS = 3;
    private static final int LIVES = 1_500;
    private static final int STEPS_OF_A_LIFE = 12;
    private static final int LARGEST = 3;

    /** One semaphore with those who use it. */
    private static final class Life {
        final Semaphore semaphore = Semaphore.bounded(2);
        final CountDownLatch start = new CountDownLatch(THREADS);
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger closed = new AtomicInteger();
        final AtomicInteger tooLarge = new AtomicInteger();
        private final boolean closing;

        Life(boolean closing) {
            this.closing = closing;
        }

        void live(SplittableRandom random) {
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
                assertTrue(n > 1, "one is never too large");
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
                        ? semaphore.acquire(n, null, GivenUp.AT_ONCE)
                        : semaphore.acquire(n, new TestWaiter("waiter", n), TestWaiter.ITSELF);
            } catch (GivenUp e) {
                return false;
            }
            return waiter == null || await(waiter, fate < 4 ? random.nextInt(32) : Integer.MAX_VALUE);
        }

        private static boolean await(TestWaiter waiter, int patience) {
            for (int left = patience; !waiter.isResumed(); left--) {
                if (left == 0 && waiter.cancelNow()) {
                    return false;
                }
                Thread.yield(); // who holds the permits may need this processor
            }
            if (waiter.value instanceof WaitFailure failure) {
                throw failure.exception();
            }
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noHolderIsRefusedAndEveryLifeEndsWithAllPermitsFree(boolean closing) throws Exception {
        int tooLarge = 0;
        int closed = 0;
        for (int number = 0; number < LIVES; number++) {
            Life life = new Life(closing);
            run(life, (long) number * THREADS);
            String where = "life " + number + ": " + life.semaphore;
            assertEquals(List.of(), life.failures, where);
            assertEquals(0, life.semaphore.queueLength(), where);
            assertEquals(life.semaphore.maximum(), life.semaphore.availablePermits(), where);
            tooLarge += life.tooLarge.get();
            closed += life.closed.get();
        }
        assertTrue(tooLarge > LIVES, tooLarge + " requests were too large");
        assertEquals(closing, closed > LIVES / 4, closed + " requests met a close");
    }

    private static void run(Life life, long seed) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SplittableRandom random = new SplittableRandom(seed + t);
            Thread thread = new Thread(() -> life.live(random));
            thread.setUncaughtExceptionHandler((where, thrown) -> life.failures.add(thrown));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(60_000);
            assertTrue(!thread.isAlive(), "hangs: " + life.semaphore);
        }
    }

    /** Each looks for the moment between two looks of the other. */
    @Test
    void aHolderIsNeverRefusedHoweverOftenTheSemaphoreIsResized() throws Exception {
        Semaphore semaphore = Semaphore.bounded(3, 1);
        AtomicInteger left = new AtomicInteger(300_000);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread holder = new Thread(() -> {
            while (left.getAndDecrement() > 0) {
                semaphore.release(); // its own, or in the beginning that of the test
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

    /** Resizes race with nothing but each other; each adds what the order in which they take effect says. */
    @Test
    void resizesThatRaceTakeEffectOneAfterTheOther() throws Exception {
        for (int number = 0; number < LIVES; number++) {
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
