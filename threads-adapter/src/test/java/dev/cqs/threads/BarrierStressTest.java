package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** More threads than parties at one barrier. Every passage is counted. */
@Tag("slow")
class BarrierStressTest {
    private static final int PASSAGES = 120_000; // a multiple of all numbers of parties

    private enum ActionKind {
        NONE,
        COUNTS,
        LINGERS,
        FAILS_NOW_AND_THEN,
        RESETS_NOW_AND_THEN
    }

    /** What an action throws. */
    private static final class WaitFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static Stream<Arguments> undisturbed() {
        return ThreadKind.available().stream()
                .flatMap(kind -> Stream.of(1, 2, 3, 5)
                        .flatMap(parties -> Stream.of(ActionKind.NONE, ActionKind.COUNTS, ActionKind.LINGERS)
                                .map(action -> Arguments.of(kind, parties, action))));
    }

    static Stream<Arguments> disturbed() {
        return ThreadKind.available().stream()
                .flatMap(kind -> Stream.of(1, 2, 3)
                        .flatMap(parties ->
                                Stream.of(ActionKind.values()).map(action -> Arguments.of(kind, parties, action))));
    }

    @ParameterizedTest
    @MethodSource("undisturbed")
    void everyThreadPassesAndEveryRoundHasAllItsParties(ThreadKind kind, int parties, ActionKind action) {
        int passages = PASSAGES / (kind == ThreadKind.VIRTUAL ? 8 : 4);
        Rounds rounds = new Rounds(parties, action);
        AtomicInteger tickets = new AtomicInteger(passages);
        all(rounds, kind, 2 * parties + 1, (self, random) -> {
            while (tickets.getAndDecrement() > 0) {
                rounds.pass(random, false);
            }
        });
        rounds.assertBalance();
        assertEquals(passages / parties, rounds.count(0));
        assertFalse(rounds.barrier.isBroken());
        assertEquals(0, rounds.barrier.getNumberWaiting());
    }

    @ParameterizedTest
    @MethodSource("disturbed")
    void withInterruptsTimeoutsAndResetsEveryThreadEndsAndEveryRoundHasAllItsParties(
            ThreadKind kind, int parties, ActionKind action) {
        int calls = PASSAGES / (kind == ThreadKind.VIRTUAL ? 32 : 16);
        int count = 2 * parties + 1;
        Rounds rounds = new Rounds(parties, action);
        AtomicInteger leaving = new AtomicInteger();
        Thread[] threads = new Thread[count];
        List<Attempt> attempts = all(
                rounds,
                kind,
                count,
                (self, random) -> {
                    threads[self] = Thread.currentThread();
                    for (int i = 0; i < calls || leaving.get() < count; i++) {
                        if (i == calls) {
                            leaving.incrementAndGet();
                        }
                        if (i >= calls) {
                            Thread.yield(); // a virtual thread that never waits would keep its carrier
                        }
                        rounds.disturb(random, threads);
                        rounds.pass(random, true);
                    }
                },
                leaving,
                count);
        attempts.forEach(Attempt::isGranted);
        rounds.assertBalance();
        assertTrue(rounds.count(0) > 0, "rounds were completed");
        assertTrue(rounds.failures.get() > 0, "rounds were broken");
    }

    private interface Body {
        void run(int self, SplittableRandom random);
    }

    private static void all(Rounds rounds, ThreadKind kind, int count, Body body) {
        List<Attempt> attempts = all(rounds, kind, count, body, new AtomicInteger(count + 1), count);
        attempts.forEach(Attempt::isGranted);
    }

    /** Starts the threads. When all are in their last round or over, resets end the rounds that will not be completed. */
    private static List<Attempt> all(
            Rounds rounds, ThreadKind kind, int count, Body body, AtomicInteger leaving, int whenLeaving) {
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < count; t++) {
            int self = t;
            attempts.add(run(kind, () -> {
                body.run(self, new SplittableRandom(self));
                Thread.interrupted(); // clears an interrupt of another thread
            }));
        }
        until(
                "all threads are in their last round or over",
                () -> leaving.get() >= whenLeaving || attempts.stream().allMatch(Attempt::isOver));
        until("all threads are over", () -> {
            if (leaving.get() == whenLeaving) {
                rounds.barrier.reset();
            }
            return attempts.stream().allMatch(Attempt::isOver);
        });
        return attempts;
    }

    /** A barrier and the count of its passages. */
    private static final class Rounds {
        final CyclicBarrier barrier;
        final AtomicInteger failures = new AtomicInteger();
        private final int parties;
        private final ActionKind action;
        private final AtomicIntegerArray passages;
        private volatile boolean acting;

        // Plain: guarded by the barrier.
        private int actions;
        private int failed;
        private int wasReset;

        Rounds(int parties, ActionKind action) {
            this.parties = parties;
            this.action = action;
            this.passages = new AtomicIntegerArray(parties);
            this.barrier = new CyclicBarrier(parties, action == ActionKind.NONE ? null : this::act);
        }

        private void act() {
            assertFalse(acting, "actions overlap");
            acting = true;
            actions++;
            if (action != ActionKind.COUNTS) {
                for (int turns = actions % 64; turns > 0; turns--) {
                    Thread.onSpinWait();
                }
                if (actions % 8 == 0) {
                    Thread.yield();
                }
            }
            if (action == ActionKind.RESETS_NOW_AND_THEN && actions % 16 == 0) {
                wasReset++;
                assertEquals(parties, barrier.getNumberWaiting());
                barrier.reset();
            }
            acting = false;
            if (action == ActionKind.FAILS_NOW_AND_THEN && actions % 16 == 0) {
                failed++;
                throw new WaitFailure();
            }
        }

        void pass(SplittableRandom random, boolean mayFail) {
            try {
                boolean timed = mayFail && random.nextInt(4) == 0;
                int missing = timed ? barrier.await(random.nextInt(50_000), NANOSECONDS) : barrier.await();
                passages.incrementAndGet(missing);
            } catch (InterruptedException | TimeoutException | BrokenBarrierException | WaitFailure e) {
                if (!mayFail) {
                    throw new AssertionError(e);
                }
                failures.incrementAndGet();
                if (barrier.isBroken() || random.nextInt(4) == 0) {
                    barrier.reset();
                }
            }
        }

        void disturb(SplittableRandom random, Thread[] threads) {
            int dice = random.nextInt(32);
            Thread other = threads[random.nextInt(threads.length)];
            if (dice == 0 && other != null) {
                other.interrupt();
            } else if (dice == 1) {
                barrier.reset();
            }
        }

        int count(int missing) {
            return passages.get(missing);
        }

        /** A completed round was passed by each of its parties; a round that its action has reset, by the last party only. */
        void assertBalance() {
            for (int missing = 1; missing < parties; missing++) {
                assertEquals(
                        passages.get(0) - wasReset, passages.get(missing), "passages with " + missing + " missing");
            }
            if (action != ActionKind.NONE) {
                assertEquals(actions - failed, passages.get(0), "actions");
            }
        }
    }
}
