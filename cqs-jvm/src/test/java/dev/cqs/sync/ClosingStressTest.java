package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
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
 * Many short-lived semaphores, each closed while threads acquire, cancel, fail in their factories and release. Every request
 * ends exactly once, and the permits balance.
 */
@Tag("slow")
class ClosingStressTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 4_000;
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

    /** A waiter that counts its ends. */
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

    /** One semaphore and its users. */
    private static final class Round {
        final Semaphore semaphore;
        final Throwable cause = new Throwable();
        final CountDownLatch start = new CountDownLatch(THREADS);
        final List<Counted> waiters = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger closers = new AtomicInteger();
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        private final Requests requests;

        Round(Requests requests) {
            this.requests = requests;
            this.semaphore = Semaphore.bounded(requests.permits);
        }

        void runBody(SplittableRandom random) {
            start.countDown();
            while (start.getCount() > 0) {
                Thread.yield();
            }
            int end = random.nextInt(2 * REQUESTS); // half of the threads close
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
            } catch (FactoryFailure e) {
                return false;
            }
            waiter.queued = true;
            return await(waiter, fate < 5 ? random.nextInt(32) : Integer.MAX_VALUE);
        }

        private static Counted begin(Counted waiter, int fate, SplittableRandom random) {
            if (fate == 0) {
                throw new FactoryFailure();
            }
            if (fate == 1) {
                linger(random); // the request is counted and not in the queue yet
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
            semaphore.forEachWaiter(waiter -> assertEquals(null, waiter, "no waiter is left"));
        }
    }

    private static void linger(SplittableRandom random) {
        for (int turn = random.nextInt(16); turn > 0; turn--) {
            Thread.onSpinWait();
        }
        for (int turn = random.nextInt(4); turn > 0; turn--) {
            Thread.yield(); // lets other requests arrive
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyRequestEndsOnceAndThePermitsBalance(Requests requests) throws Exception {
        int closed = 0;
        int failed = 0;
        for (int number = 0; number < ROUNDS; number++) {
            Round round = new Round(requests);
            List<Runnable> bodies = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom((long) number * THREADS + t);
                bodies.add(() -> round.runBody(random));
            }
            run(bodies, round.failures);
            round.assertBalance();
            closed += round.closers.get();
            failed += round.waiters.stream().anyMatch(waiter -> waiter.value instanceof Closed) ? 1 : 0;
        }
        assertTrue(closed > ROUNDS / 2, closed + " of " + ROUNDS + " rounds were closed");
        assertTrue(failed > 0, "requests were waiting when it was closed");
    }

    /** One thread closes and then releases. The other tries to acquire, and makes the semaphore look at its head. */
    @Test
    void permitsReleasedAfterTheCloseServeNoWaiterInARace() throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < ROUNDS / 4; i++) {
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
                                        assertFactoryIsCalled(semaphore);
                                    }
                                } catch (ClosedException e) {
                                    // the expected end
                                }
                            }),
                    failures);
            assertEquals(List.of(), failures);
            assertTrue(
                    waiter.value instanceof Closed,
                    "it fails, and is not granted permits that were released after the close");
            assertEquals(2, semaphore.availablePermits());
        }
    }

    /** Makes a request that must wait, and so calls its factory, unless the semaphore is closed. */
    private static void assertFactoryIsCalled(Semaphore semaphore) {
        try {
            semaphore.acquire(null, FactoryFailure.FACTORY);
        } catch (FactoryFailure e) {
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
