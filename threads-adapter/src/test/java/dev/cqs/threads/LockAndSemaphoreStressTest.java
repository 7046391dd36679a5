package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.run;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Locked;
import dev.cqs.threads.Target.OurMutex;
import dev.cqs.threads.Target.Permits;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Concurrent operations of all kinds on locks and semaphores. At the end every permit is accounted for. */
class LockAndSemaphoreStressTest {
    private static final int RACES = 1_000_000;
    private static final int NEW_SEMAPHORES = 5_000;

    static Stream<Arguments> semaphores() {
        return Stream.of(Kind.SEMAPHORE, Kind.SEMAPHORE_IN_WEIGHTED_MODE)
                .flatMap(kind -> ThreadKind.available().stream().map(threads -> Arguments.of(kind, threads)));
    }

    static Stream<Arguments> locks() {
        return Stream.of(Kind.REENTRANT_LOCK, Kind.MUTEX, Kind.WRITE_LOCK)
                .flatMap(kind -> ThreadKind.available().stream().map(threads -> Arguments.of(kind, threads)));
    }

    static List<ThreadKind> threadKinds() {
        return ThreadKind.available();
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("semaphores")
    void requestsForOnePermitKeepTheBalance(Kind kind, ThreadKind threads) {
        for (int count = 2; count <= 4; count++) {
            Semaphores semaphores = new Semaphores(kind.semaphore(count - 1), count - 1, 1, 0);
            race(threads, count, share(threads, count), semaphores::operate);
            semaphores.assertBalance();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("threadKinds")
    void requestsForOneToThreePermitsKeepTheBalance(ThreadKind threads) {
        for (int count = 2; count <= 4; count++) {
            Semaphores semaphores = new Semaphores(Kind.SEMAPHORE.semaphore(4), 4, 3, 0);
            race(threads, count, share(threads, count), semaphores::operate);
            semaphores.assertBalance();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("threadKinds")
    void reductionsAndDebtsKeepTheBalance(ThreadKind threads) {
        for (int count = 2; count <= 4; count++) {
            Semaphores semaphores = new Semaphores(Kind.SEMAPHORE.semaphore(4), 4, 3, 5);
            race(threads, count, share(threads, count), semaphores::operate);
            semaphores.assertBalance();
        }
    }

    /** Unit requests run when the first large request, or the first debt, upgrades the semaphore. */
    @ParameterizedTest
    @MethodSource("threadKinds")
    void theUpgradeToWeightedModeKeepsTheBalance(ThreadKind threads) {
        for (int i = 0; i < NEW_SEMAPHORES / 100; i++) {
            Semaphores[] each = new Semaphores[100];
            for (int k = 0; k < each.length; k++) {
                each[k] = new Semaphores(Kind.SEMAPHORE.semaphore(2), 2, 2, k % 4);
            }
            CyclicBarrier together = new CyclicBarrier(3);
            race(
                    threads,
                    3,
                    each.length,
                    (random, k) -> {
                        together.await();
                        for (int operation = 0; operation < 10; operation++) {
                            each[k].operate(random, k);
                        }
                        Thread.interrupted();
                    },
                    false);
            for (Semaphores semaphores : each) {
                semaphores.assertBalance();
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("locks")
    void aLockGuardsAPlainCounter(Kind kind, ThreadKind threads) {
        for (int count = 2; count <= 4; count++) {
            Guarded guarded = new Guarded(kind.lock());
            race(threads, count, share(threads, count), guarded::operate);
            guarded.assertBalance();
        }
    }

    /** The operations of each thread. Virtual threads take several times as long for an operation. */
    private static int share(ThreadKind kind, int threads) {
        return RACES / (kind == ThreadKind.VIRTUAL ? 8 : 1) / 3 / threads;
    }

    private interface Operation {
        void run(SplittableRandom random, int number) throws Exception;
    }

    /** Runs {@code operation} {@code each} times in each thread, while the threads interrupt each other. */
    private static void race(ThreadKind kind, int threads, int each, Operation operation) {
        race(kind, threads, each, operation, true);
    }

    private static void race(ThreadKind kind, int threads, int each, Operation operation, boolean interrupts) {
        Thread[] all = new Thread[threads];
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int self = t;
            attempts.add(run(kind, () -> {
                SplittableRandom random = new SplittableRandom(self);
                all[self] = Thread.currentThread();
                try {
                    start.await();
                    for (int i = 0; i < each; i++) {
                        operation.run(random, i);
                        if (interrupts && random.nextInt(8) == 0) {
                            all[random.nextInt(threads)].interrupt();
                        }
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }));
        }
        attempts.forEach(Attempt::isGranted);
    }

    /** Acquires by a random method. */
    private static boolean enter(Target target, AcquireVariant[] ways, SplittableRandom random) {
        AcquireVariant by = ways[random.nextInt(ways.length)];
        try {
            return by.enter(target, timeout(random));
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** A timeout of a nanosecond passes while the request is enqueued. Longer ones are sometimes served. */
    private static long timeout(SplittableRandom random) {
        return random.nextInt(8) == 0 ? 50_000 : 1;
    }

    /** Holds for a moment, so that other requests arrive. */
    private static void linger(SplittableRandom random) {
        for (int turns = random.nextInt(128); turns > 0; turns--) {
            Thread.onSpinWait();
        }
        if (random.nextInt(16) == 0) {
            Thread.yield();
        }
    }

    private static AcquireVariant[] ways(Predicate<AcquireVariant> property) {
        return Stream.of(AcquireVariant.values()).filter(property).toArray(AcquireVariant[]::new);
    }

    /** A semaphore and the permits that are held. */
    private static final class Semaphores {
        private static final AcquireVariant[] UNIT_WAYS = ways(by -> by.on(Permits.class) && by.permits == 1);
        private static final AcquireVariant[] PAIR_WAYS = ways(by -> by.on(Permits.class) && by.permits == 2);

        private final Permits semaphore;
        private final int permits;
        private final int largest;
        private final int reduction;
        private final AtomicInteger held = new AtomicInteger();
        private final LongAdder refused = new LongAdder();

        Semaphores(Permits semaphore, int permits, int largest, int reduction) {
            this.semaphore = semaphore;
            this.permits = permits;
            this.largest = largest;
            this.reduction = reduction;
        }

        void operate(SplittableRandom random, int number) {
            if (reduction > 0 && random.nextInt(8) == 0) {
                int n = random.nextInt(reduction + 1);
                semaphore.reducePermits(n);
                semaphore.release(n);
            }
            int taken = take(random);
            if (taken > 0) {
                assertTrue(held.addAndGet(taken) <= permits, "no more permits are held than exist");
                linger(random);
                held.addAndGet(-taken);
                if (taken == 1) {
                    semaphore.release();
                } else {
                    semaphore.release(taken);
                }
            } else {
                refused.increment();
            }
        }

        /** Takes permits, and returns how many. */
        private int take(SplittableRandom random) {
            if (random.nextInt(8) == 0 && semaphore.tryAcquire(2)) {
                return 2; // put back by a single release, also where all other requests are for one
            }
            int n = 1 + random.nextInt(largest);
            if (n <= 2) {
                return enter(semaphore, n == 1 ? UNIT_WAYS : PAIR_WAYS, random) ? n : 0;
            }
            try {
                if (random.nextBoolean()) {
                    semaphore.acquire(n);
                    return n;
                }
                return semaphore.tryAcquire(n, timeout(random), NANOSECONDS) ? n : 0;
            } catch (InterruptedException e) {
                return 0;
            }
        }

        void assertBalance() {
            assertEquals(0, held.get());
            assertIdle(semaphore, permits);
        }
    }

    /** A lock and the counter that it guards. */
    private static final class Guarded {
        private static final AcquireVariant[] WAYS = ways(by -> by.on(Locked.class));

        private final Locked lock;
        private final LongAdder successes = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private int counter;

        Guarded(Locked lock) {
            this.lock = lock;
        }

        void operate(SplittableRandom random, int number) {
            if (enter(lock, WAYS, random)) {
                counter++;
                linger(random);
                if (lock instanceof OurMutex && random.nextInt(8) == 0) {
                    assertThrows(IllegalStateException.class, lock::lock); // is enqueued and cancelled
                }
                lock.unlock();
                successes.increment();
            } else {
                refused.increment();
            }
        }

        void assertBalance() {
            assertEquals(successes.sum(), counter);
            assertTrue(refused.sum() > 0, "some requests were refused");
            assertIdle(lock, 1);
        }
    }
}
