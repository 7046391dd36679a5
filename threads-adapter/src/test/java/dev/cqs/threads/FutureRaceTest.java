package dev.cqs.threads;

import static dev.cqs.threads.FutureTarget.granted;
import static dev.cqs.threads.TestThreads.PATIENCE;
import static dev.cqs.threads.TestThreads.run;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Trampoline;
import dev.cqs.threads.FutureTarget.Kind;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Futures that other threads complete while they are being granted. */
class FutureRaceTest {
    private static final int ROUNDS = 300;
    private static final int EACH = 50_000;
    private static final Exception GIVEN_UP = new Exception();

    // Order chosen by the test: a grant in the trampoline has left the queue, and has not reached its future yet.

    @ParameterizedTest
    @EnumSource
    void aFutureCancelledBetweenItsGrantAndItsCompletionPassesTheGrantOn(Kind kind) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> first = target.waiting();
        CompletableFuture<Grant> second = target.waiting();
        Trampoline.run(() -> {
            holder.close();
            assertGrantedOnly(target, first, 1);
            assertTrue(first.cancel(true));
            assertFalse(second.isDone(), "the first gives the grant back only when it is completed");
        });
        assertTrue(first.isCancelled());
        granted(second).close();
        target.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aFutureCompletedByItsUserBetweenItsGrantAndItsCompletionKeepsThatValue(Kind kind) {
        FutureTarget target = kind.make();
        AtomicInteger closed = new AtomicInteger();
        Grant other = new Grant(closed::incrementAndGet);
        Grant holder = target.hold();
        CompletableFuture<Grant> future = target.waiting();
        Trampoline.run(() -> {
            holder.close();
            assertGrantedOnly(target, future, 0);
            assertTrue(future.complete(other));
        });
        target.assertIdle();
        assertSame(other, future.join());
        assertEquals(0, closed.get());
    }

    @ParameterizedTest
    @EnumSource
    void aFutureCancelledAsThePrimitiveIsClosedLeavesNothing(Kind kind) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> first = target.waiting();
        CompletableFuture<Grant> second = target.waiting();
        Trampoline.run(() -> {
            target.close(null);
            assertGrantedOnly(target, first, 0);
            assertTrue(first.cancel(true));
        });
        assertTrue(first.isCancelled());
        assertThrows(CompletionException.class, second::join);
        assertFalse(target.isFree());
        holder.close();
        target.assertIdle();
    }

    private static void assertGrantedOnly(FutureTarget target, CompletableFuture<Grant> future, int behind) {
        assertEquals(behind, target.queueLength(), "it has left the queue");
        assertFalse(future.isDone(), "it is completed after this action");
    }

    // Order chosen by the machine

    /**
     * The side that wins a round starts later in the next, by more each time as long as it wins. So the rounds reach the
     * point at which either side may win, on any machine. The test checks that both have won.
     */
    @ParameterizedTest
    @EnumSource
    void exactlyOneOfARacingCancellationAndGrantWins(Kind kind) throws InterruptedException {
        FutureTarget target = kind.make();
        Semaphore toCancel = new Semaphore(0);
        Semaphore cancelled = new Semaphore(0);
        Race race = new Race();
        Attempt canceller = run(ThreadKind.PLATFORM, () -> {
            for (int i = 1; i <= ROUNDS; i++) {
                toCancel.acquireUninterruptibly();
                race.await(i);
                spin(-race.handicap);
                race.won = race.future.cancel(true);
                cancelled.release();
            }
        });
        for (int i = 1; i <= ROUNDS; i++) {
            Grant holder = target.hold();
            race.future = target.waiting();
            CompletableFuture<Grant> next = i % 2 == 0 ? target.waiting() : null;
            toCancel.release();
            race.fire(i);
            spin(race.handicap);
            holder.close();
            assertTrue(cancelled.tryAcquire(PATIENCE, NANOSECONDS));
            assertNotEquals(race.won, !race.future.isCancelled(), "cancel() says whether it has won");
            if (!race.won) {
                granted(race.future).close();
            }
            if (next != null) {
                granted(next).close();
            }
            target.assertIdle();
            race.end(race.won ? Side.CANCEL : Side.GRANT);
        }
        canceller.isGranted();
        assertEquals(EnumSet.allOf(Side.class), race.winners);
    }

    private enum Side {
        CANCEL,
        GRANT
    }

    private static final class Race {
        volatile CompletableFuture<Grant> future;
        volatile boolean won;
        final Set<Side> winners = EnumSet.noneOf(Side.class);

        /** By how many nanoseconds the grant starts later than the cancellation, or earlier if negative. */
        volatile long handicap;

        private long step = 100;
        private Side lastWinner;
        private volatile int ready;
        private volatile int fired;

        void end(Side winner) {
            step = winner == lastWinner ? Math.min(2 * step, 5_000) : 100;
            handicap += winner == Side.GRANT ? step : -step;
            lastWinner = winner;
            winners.add(winner);
        }

        void fire(int round) {
            TestThreads.until("the canceller is ready", () -> ready == round);
            fired = round;
        }

        void await(int round) {
            ready = round;
            while (fired != round) {
                Thread.yield();
            }
        }
    }

    private static void spin(long nanos) {
        for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) {
            Thread.onSpinWait();
        }
    }

    /** Several threads request, cancel, and close grants of each other. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void everyFutureEndsOnceAndThePermitsBalance(Kind kind) {
        FutureTarget target = kind.make();
        Outcomes crowd = new Outcomes();
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            SplittableRandom random = new SplittableRandom(t);
            attempts.add(run(ThreadKind.PLATFORM, () -> {
                for (int i = 0; i < EACH; i++) {
                    CompletableFuture<Grant> future = target.request();
                    future.whenComplete(crowd::count);
                    completeOrCancel(future, random.nextInt(8));
                    crowd.closeOne();
                }
            }));
        }
        attempts.forEach(Attempt::isGranted);
        while (crowd.closeOne()) {
            // serves the next request
        }
        target.assertIdle();
        assertEquals(3 * EACH, crowd.granted.get() + crowd.givenUp.get());
        assertEquals(1, crowd.mostHolders.get());
        assertTrue(crowd.granted.get() > 0 && crowd.givenUp.get() > 0, "both happen");
    }

    /** Counts the ends of the futures. */
    private static final class Outcomes {
        final AtomicInteger mostHolders = new AtomicInteger();
        final AtomicInteger granted = new AtomicInteger();
        final AtomicInteger givenUp = new AtomicInteger();
        private final AtomicInteger holders = new AtomicInteger();
        private final Queue<Grant> held = new ConcurrentLinkedQueue<>();

        void count(Grant grant, Throwable thrown) {
            if (grant == null) {
                givenUp.incrementAndGet();
            } else {
                granted.incrementAndGet();
                mostHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
                held.add(grant);
            }
        }

        boolean closeOne() {
            Grant grant = held.poll();
            if (grant != null) {
                holders.decrementAndGet();
                grant.close();
            }
            return grant != null;
        }
    }

    private static void completeOrCancel(CompletableFuture<Grant> future, int fate) {
        if (fate == 0) {
            future.complete(null);
        } else if (fate == 1) {
            Thread.yield();
            future.completeExceptionally(GIVEN_UP);
        }
    }
}
