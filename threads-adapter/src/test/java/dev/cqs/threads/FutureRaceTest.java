package dev.cqs.threads;

import static dev.cqs.threads.FutureTarget.granted;
import static dev.cqs.threads.Waiting.PATIENCE;
import static dev.cqs.threads.Waiting.run;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Trampoline;
import dev.cqs.threads.FutureTarget.Kind;
import dev.cqs.threads.Waiting.Attempt;
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

/** Futures that others complete while they are granted. */
class FutureRaceTest {
    private static final int ROUNDS = 300;
    private static final int EACH = 50_000;
    private static final Exception GIVEN_UP = new Exception();

    // The test chooses the winner: what is in the trampoline is granted in the queue, and not yet in the future.

    @ParameterizedTest
    @EnumSource
    void aFutureCancelledBetweenTheGrantAndItsCompletionPassesTheGrantOn(Kind kind) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> first = asked.waiting();
        CompletableFuture<Grant> second = asked.waiting();
        Trampoline.run(() -> {
            holder.close();
            assertGrantedOnly(asked, first, 1);
            assertTrue(first.cancel(true));
            assertFalse(second.isDone(), "the first gives back only when it learns of its grant");
        });
        assertTrue(first.isCancelled());
        granted(second).close();
        asked.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aFutureCompletedByOthersBetweenTheGrantAndItsCompletionKeepsWhatTheyGave(Kind kind) {
        FutureTarget asked = kind.make();
        AtomicInteger closed = new AtomicInteger();
        Grant other = new Grant(closed::incrementAndGet);
        Grant holder = asked.hold();
        CompletableFuture<Grant> future = asked.waiting();
        Trampoline.run(() -> {
            holder.close();
            assertGrantedOnly(asked, future, 0);
            assertTrue(future.complete(other));
        });
        asked.assertIdle();
        assertSame(other, future.join());
        assertEquals(0, closed.get());
    }

    @ParameterizedTest
    @EnumSource
    void aFutureCancelledAsThePrimitiveIsClosedLeavesNothing(Kind kind) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> first = asked.waiting();
        CompletableFuture<Grant> second = asked.waiting();
        Trampoline.run(() -> {
            asked.close(null);
            assertGrantedOnly(asked, first, 0);
            assertTrue(first.cancel(true));
        });
        assertTrue(first.isCancelled());
        assertThrows(CompletionException.class, second::join);
        assertFalse(asked.isFree());
        holder.close();
        asked.assertIdle();
    }

    private static void assertGrantedOnly(FutureTarget asked, CompletableFuture<Grant> future, int behind) {
        assertEquals(behind, asked.queueLength(), "it is out of the queue");
        assertFalse(future.isDone(), "its turn comes after this action");
    }

    // The machine chooses the winner.

    /**
     * The side that has won starts a little later in the next round, and ever more so as long as it wins. So the
     * rounds come to the point where either may win, on any machine; that both have won is checked.
     */
    @ParameterizedTest
    @EnumSource
    void ofACancellationAndAGrantThatRaceExactlyOneWins(Kind kind) throws InterruptedException {
        FutureTarget asked = kind.make();
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
            Grant holder = asked.hold();
            race.future = asked.waiting();
            CompletableFuture<Grant> next = i % 2 == 0 ? asked.waiting() : null;
            toCancel.release();
            race.fire(i);
            spin(race.handicap);
            holder.close();
            assertTrue(cancelled.tryAcquire(PATIENCE, NANOSECONDS));
            assertNotEquals(race.won, !race.future.isCancelled(), "cancel() has told the truth");
            if (!race.won) {
                granted(race.future).close();
            }
            if (next != null) {
                granted(next).close();
            }
            asked.assertIdle();
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
            Waiting.until("the canceller is ready", () -> ready == round);
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

    /** Several threads ask, give up, and close each other's grants. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void everyFutureEndsOnceAndThePermitsBalance(Kind kind) {
        FutureTarget asked = kind.make();
        Crowd crowd = new Crowd();
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            SplittableRandom random = new SplittableRandom(t);
            attempts.add(run(ThreadKind.PLATFORM, () -> {
                for (int i = 0; i < EACH; i++) {
                    CompletableFuture<Grant> future = asked.ask();
                    future.whenComplete(crowd::count);
                    giveUp(future, random.nextInt(8));
                    crowd.closeOne();
                }
            }));
        }
        attempts.forEach(Attempt::isGranted);
        while (crowd.closeOne()) {
            // lets the next one in
        }
        asked.assertIdle();
        assertEquals(3 * EACH, crowd.granted.get() + crowd.givenUp.get());
        assertEquals(1, crowd.mostHolders.get());
        assertTrue(crowd.granted.get() > 0 && crowd.givenUp.get() > 0, "both happen");
    }

    /** What has become of the futures. */
    private static final class Crowd {
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

    private static void giveUp(CompletableFuture<Grant> future, int fate) {
        if (fate == 0) {
            future.complete(null);
        } else if (fate == 1) {
            Thread.yield();
            future.completeExceptionally(GIVEN_UP);
        }
    }
}
