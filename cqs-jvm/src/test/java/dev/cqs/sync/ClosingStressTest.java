package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.GivenUp;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many short lives of a semaphore that is closed in the middle, while threads take, cancel, give up and give back.
 * Every request ends in exactly one way, and the permits balance.
 */
@Tag("slow")
class ClosingStressTest {
    private static final int THREADS = 3;
    private static final int LIVES = 4_000;
    private static final int REQUESTS = 8;

    private enum Requests {
        UNIT(1, 1),
        WEIGHTED(3, 3);

        final int largest;
        final int permits;

        Requests(int largest, int permits) {
            this.largest = largest;
            this.permits = permits;
        }
    }

    /** Counts what becomes of it. */
    private static final class Counted extends TestWaiter {
        final AtomicInteger resumed = new AtomicInteger();
        boolean queued;
        boolean cancelled;

        Counted(int weight) {
            super("counted", weight);
            onResume = value -> resumed.incrementAndGet();
        }

        void assertEndedOnce() {
            assertEquals(queued ? 1 : 0, resumed.get() + (cancelled ? 1 : 0), "ends");
        }
    }

    /** One semaphore with those who use it. */
    private static final class Life {
        final Semaphore semaphore;
        final Throwable cause = new Throwable();
        final CountDownLatch start = new CountDownLatch(THREADS);
        final List<Counted> waiters = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger closers = new AtomicInteger();
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        private final Requests requests;

        Life(Requests requests) {
            this.requests = requests;
            this.semaphore = Semaphore.bounded(requests.permits);
        }

        void live(SplittableRandom random) {
            start.countDown();
            while (start.getCount() > 0) {
                Thread.yield();
            }
            int end = random.nextInt(2 * REQUESTS); // every other one closes
            for (int i = 0; i < REQUESTS; i++) {
                int n = 1 + random.nextInt(requests.largest);
                try {
                    if (acquire(n, random)) {
                        linger(random);
                        close(i == end);
                        semaphore.release(n);
                    } else {
                        close(i == end);
                    }
                } catch (ClosedException e) {
                    assertSame(cause, e.getCause());
                }
            }
        }

        private void close(boolean now) {
            if (now && semaphore.close(cause)) {
                closers.incrementAndGet();
            }
        }

        private boolean acquire(int n, SplittableRandom random) {
            Counted waiter = new Counted(n);
            waiters.add(waiter);
            int fate = random.nextInt(8);
            try {
                if (semaphore.acquire(n, waiter, (same, itself) -> begin(itself, fate, random)) == null) {
                    return true;
                }
            } catch (GivenUp e) {
                return false;
            }
            waiter.queued = true;
            return await(waiter, fate < 5 ? random.nextInt(32) : Integer.MAX_VALUE);
        }

        private static Counted begin(Counted waiter, int fate, SplittableRandom random) {
            if (fate == 0) {
                throw new GivenUp();
            }
            if (fate == 1) {
                linger(random); // counted, and not yet in the queue
            }
            return waiter;
        }

        private boolean await(Counted waiter, int patience) {
            for (int left = patience; !waiter.isResumed(); left--) {
                if (left == 0 && waiter.cancelNow()) {
                    waiter.cancelled = true;
                    return false;
                }
                Thread.yield();
            }
            if (waiter.value instanceof Closed closing) {
                throw closing.exception();
            }
            assertSame(semaphore, waiter.value);
            return true;
        }

        void assertBalance() {
            assertEquals(List.of(), failures);
            waiters.forEach(Counted::assertEndedOnce);
            assertEquals(semaphore.isClosed() ? 1 : 0, closers.get(), "successful calls of close");
            assertEquals(0, semaphore.queueLength());
            assertEquals(requests.permits, semaphore.availablePermits());
            semaphore.forEachWaiter(waiter -> assertEquals(null, waiter, "nobody is left"));
        }
    }

    private static void linger(SplittableRandom random) {
        for (int turn = random.nextInt(16); turn > 0; turn--) {
            Thread.onSpinWait();
        }
        for (int turn = random.nextInt(4); turn > 0; turn--) {
            Thread.yield(); // others come meanwhile
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyRequestEndsOnceAndThePermitsBalance(Requests requests) throws Exception {
        int closed = 0;
        int failed = 0;
        for (int number = 0; number < LIVES; number++) {
            Life life = new Life(requests);
            List<Runnable> bodies = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom((long) number * THREADS + t);
                bodies.add(() -> life.live(random));
            }
            run(bodies, life.failures);
            life.assertBalance();
            closed += life.closers.get();
            failed += life.waiters.stream().anyMatch(waiter -> waiter.value instanceof Closed) ? 1 : 0;
        }
        assertTrue(closed > LIVES / 2, closed + " of " + LIVES + " lives were closed");
        assertTrue(failed > 0, "somebody was waiting when it was closed");
    }

    /** One closes and then gives back, while others ask and have the head looked at. */
    @Test
    void whatIsGivenBackAfterTheCloseServesNobody() throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < LIVES / 4; i++) {
            Semaphore semaphore = Semaphore.bounded(2, 2);
            Counted waiter = new Counted(2);
            assertSame(waiter, semaphore.acquire(2, waiter, TestWaiter.ITSELF));
            CountDownLatch start = new CountDownLatch(2);
            run(
                    List.of(
                            () -> {
                                start.countDown();
                                while (start.getCount() > 0) {
                                    Thread.yield();
                                }
                                semaphore.close(null);
                                semaphore.release(2);
                            },
                            () -> {
                                start.countDown();
                                try {
                                    for (; ; ) {
                                        assertTrue(!semaphore.tryAcquire(), "taken after the close");
                                        assertGivenUp(semaphore);
                                    }
                                } catch (ClosedException e) {
                                    // as it should end
                                }
                            }),
                    failures);
            assertEquals(List.of(), failures);
            assertTrue(waiter.value instanceof Closed, "granted with what came after the close");
            assertEquals(2, semaphore.availablePermits());
        }
    }

    /** A request has to wait, and so comes to its factory, unless the semaphore is closed. */
    private static void assertGivenUp(Semaphore semaphore) {
        try {
            semaphore.acquire(null, GivenUp.AT_ONCE);
        } catch (GivenUp e) {
            return;
        }
        throw new AssertionError("granted after the close");
    }

    private static void run(List<Runnable> bodies, List<Throwable> failures) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Runnable body : bodies) {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(60_000);
            assertTrue(!thread.isAlive(), "hangs");
        }
    }
}
