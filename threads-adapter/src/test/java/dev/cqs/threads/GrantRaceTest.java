package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.PATIENCE;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts and timeouts that race with a grant. */
class GrantRaceTest {
    /*
     * One thread waits. The test grants while another thread interrupts, or while the timeout passes. The side that wins a
     * round starts later in the next, by more each time as long as it wins. So the rounds reach the point at which either
     * side may win, on any machine. The test checks that both have won.
     *
     * Between the rounds the threads park on semaphores of the JDK: a spinning thread would take whole time slices from the
     * threads that must run.
     */
    private static final int ROUNDS = 1000;

    static Stream<Case> waiting() {
        return cases().filter(c -> c.by().waits);
    }

    static Stream<Case> timed() {
        return cases().filter(c -> c.by().timed);
    }

    /** One lock of the JDK's is enough. */
    private static Stream<Case> cases() {
        return AcquireVariant.cases(by -> true).filter(c -> c.target() != Kind.JDK_WRITE_LOCK);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void exactlyOneOfARacingInterruptAndGrantWins(Case c) throws InterruptedException {
        Race race = new Race(c);
        Attempt interrupter = run(ThreadKind.PLATFORM, race::interruptInEachRound);
        for (int round = 1; round <= ROUNDS; round++) {
            race.begin();
            until("the waiter is queued", () -> race.waiter.isQueued(race.target) || race.waiter.isOver());
            race.toInterrupt.release();
            int number = round;
            until("the interrupter is ready", () -> race.ready == number);
            race.fire = round;
            spin(race.handicap);
            race.target.exit(c.by().permits);
            race.finish(race.interrupted);
            assertTrue(race.end == End.GRANTED || c.by().interruptible);
            // as in the JDK: either the exception, or the permits and the interrupt still pending
            assertEquals(race.end == End.GRANTED, race.interruptPending);
        }
        race.waiter.isGranted();
        interrupter.isGranted();
        assertEquals(c.by().interruptible, race.ends.contains(End.INTERRUPTED), "interrupts won");
        assertTrue(race.ends.contains(End.GRANTED), "grants won");
    }

    @ParameterizedTest
    @MethodSource("timed")
    void exactlyOneOfARacingTimeoutAndGrantWins(Case c) throws InterruptedException {
        Race race = new Race(c);
        for (int round = 1; round <= ROUNDS; round++) {
            race.timeout = 20_000 + Math.max(0, -race.handicap);
            race.begin();
            int number = round;
            until("the waiter enters", () -> race.entering == number);
            spin(race.handicap);
            race.target.exit(c.by().permits);
            race.finish(new Semaphore(1));
        }
        race.waiter.isGranted();
        assertTrue(race.ends.contains(End.REFUSED), "timeouts won");
        assertTrue(race.ends.contains(End.GRANTED), "grants won");
    }

    private static void spin(long nanos) {
        for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) {
            Thread.onSpinWait();
        }
    }

    /** The rounds of one waiter. */
    private static final class Race {
        private static final long FIRST_STEP = 100;
        private static final long LONGEST_STEP = 5_000;

        final Case c;
        final Target target;
        final Attempt waiter;
        final Set<End> ends = EnumSet.noneOf(End.class);
        volatile long timeout = LONG;

        /** By how many nanoseconds the grant starts later than its rival, or earlier if negative. */
        volatile long handicap;

        private long step = FIRST_STEP;
        private End lastEnd;

        // Each permit lets a thread do its next part of the round.
        private final Semaphore toEnter = new Semaphore(0);
        final Semaphore toInterrupt = new Semaphore(0);
        final Semaphore interrupted = new Semaphore(0);
        private final Semaphore toLeave = new Semaphore(0);
        private final Semaphore finished = new Semaphore(0);

        // The number of the last round in which this point was reached.
        volatile int entering;
        volatile int ready;
        volatile int fire;

        volatile End end;
        volatile boolean interruptPending;

        Race(Case c) {
            this.c = c;
            this.target = c.free();
            this.waiter = run(c.kind(), this::enterInEachRound);
        }

        private void enterInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                toEnter.acquireUninterruptibly();
                entering = i;
                try {
                    end = c.by().enter(target, timeout) ? End.GRANTED : End.REFUSED;
                } catch (InterruptedException e) {
                    end = End.INTERRUPTED;
                }
                toLeave.acquireUninterruptibly(); // the interrupt may not have arrived yet
                interruptPending = Thread.interrupted();
                if (end == End.GRANTED) {
                    assertEquals(0, target.free());
                    target.exit(c.by().permits);
                }
                finished.release();
            }
        }

        void interruptInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                toInterrupt.acquireUninterruptibly();
                ready = i;
                while (fire != i) {
                    Thread.yield();
                }
                spin(-handicap);
                waiter.thread.interrupt();
                interrupted.release();
            }
        }

        /** Takes all permits and lets the waiter arrive. */
        void begin() {
            c.by().enterNow(target);
            toEnter.release();
        }

        /** Waits for the rival and then for the waiter, and finds which side has won. */
        void finish(Semaphore rival) throws InterruptedException {
            assertTrue(rival.tryAcquire(PATIENCE, NANOSECONDS));
            toLeave.release();
            if (!finished.tryAcquire(PATIENCE, NANOSECONDS)) {
                waiter.isGranted(); // fails with what the waiter has thrown, or because it has not ended
            }
            assertIdle(target, c.by().permits);
            ends.add(end);
            step = end == lastEnd ? Math.min(2 * step, LONGEST_STEP) : FIRST_STEP;
            if (c.by().interruptible) {
                handicap += end == End.GRANTED ? step : -step;
            }
            lastEnd = end;
        }
    }
}
