package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.PATIENCE;
import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.SynchronousQueueVariants.Case;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts and timeouts that race with a counterpart. */
class SynchronousQueueRaceTest {
    /*
     * As in GrantRaceTest, one thread waits, and the test tries to serve it while another thread interrupts it, or while its
     * timeout passes. The side that wins a round starts later in the next, by more each time as long as it wins. So the
     * rounds reach the point at which either side may win, on any machine. The test checks that both have won, and in each
     * round that the two sides agree whether the element was handed over.
     */
    private static final int ROUNDS = 500;

    static Stream<Case> oursThatWait() {
        return SynchronousQueueVariants.cases(by -> by.waits)
                .filter(c -> c.queue().isOurs());
    }

    static Stream<Case> oursThatAreTimed() {
        return oursThatWait().filter(c -> c.by().timed);
    }

    @ParameterizedTest
    @MethodSource("oursThatWait")
    void exactlyOneOfARacingInterruptAndCounterpartWins(Case c) throws InterruptedException {
        Race race = new Race(c);
        Attempt interrupter = run(ThreadKind.PLATFORM, race::interruptInEachRound);
        for (int round = 1; round <= ROUNDS; round++) {
            race.toEnter.release();
            until("the waiter is queued", race::isQueued);
            race.toInterrupt.release();
            int number = round;
            until("the interrupter is ready", () -> race.ready == number);
            race.fire = round;
            spin(race.handicap);
            Object moved = race.tryHandOver(round);
            race.finish(moved, race.interrupted);
            assertEquals(race.end == End.GRANTED, race.interruptPending);
        }
        race.waiter.isGranted();
        interrupter.isGranted();
        assertEquals(EnumSet.of(End.GRANTED, End.INTERRUPTED), race.ends);
    }

    @ParameterizedTest
    @MethodSource("oursThatAreTimed")
    void exactlyOneOfARacingTimeoutAndCounterpartWins(Case c) throws InterruptedException {
        Race race = new Race(c);
        for (int round = 1; round <= ROUNDS; round++) {
            race.timeout = 20_000 + Math.max(0, -race.handicap);
            race.toEnter.release();
            int number = round;
            until("the waiter enters", () -> race.entering == number);
            spin(race.handicap);
            Object moved;
            do {
                moved = race.tryHandOver(round); // the waiter may not have arrived yet
            } while (moved == null && race.left != number);
            race.finish(moved, new Semaphore(1));
        }
        race.waiter.isGranted();
        assertEquals(EnumSet.of(End.GRANTED, End.REFUSED), race.ends);
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
        final SynchronousQueue<Object> queue;
        final Attempt waiter;
        final Set<End> ends = EnumSet.noneOf(End.class);
        volatile long timeout = LONG;

        /** By how many nanoseconds the counterpart starts later than its rival, or earlier if negative. */
        volatile long handicap;

        private long step = FIRST_STEP;
        private End lastEnd;

        // Each permit lets a thread do its next part of the round.
        final Semaphore toEnter = new Semaphore(0);
        final Semaphore toInterrupt = new Semaphore(0);
        final Semaphore interrupted = new Semaphore(0);
        private final Semaphore toLeave = new Semaphore(0);
        private final Semaphore finished = new Semaphore(0);

        // The number of the last round in which this point was reached.
        volatile int entering;
        volatile int left;
        volatile int ready;
        volatile int fire;

        volatile End end;
        volatile boolean interruptPending;
        private volatile Object moved;

        Race(Case c) {
            this.c = c;
            this.queue = (SynchronousQueue<Object>) c.queue().<Object>make();
            this.waiter = run(c.kind(), this::enterInEachRound);
        }

        boolean isQueued() {
            return queue.getQueuedThreads().contains(waiter.thread) || waiter.isOver();
        }

        /** The element that is handed over in this round, or null. */
        Object tryHandOver(Integer round) {
            return c.by().sends ? queue.poll() : queue.offer(round) ? round : null;
        }

        private void enterInEachRound() {
            for (Integer round = 1; round <= ROUNDS; round++) {
                toEnter.acquireUninterruptibly();
                entering = round;
                moved = null;
                try {
                    moved = c.by().move(queue, round, timeout);
                    end = moved != null ? End.GRANTED : End.REFUSED;
                } catch (InterruptedException e) {
                    end = End.INTERRUPTED;
                }
                left = round;
                toLeave.acquireUninterruptibly(); // the interrupt may not have arrived yet
                interruptPending = Thread.interrupted();
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

        /** Waits for the rival and then for the waiter, and finds which side has won. */
        void finish(Object expected, Semaphore rival) throws InterruptedException {
            assertTrue(rival.tryAcquire(PATIENCE, NANOSECONDS));
            toLeave.release();
            if (!finished.tryAcquire(PATIENCE, NANOSECONDS)) {
                waiter.isGranted(); // fails with what the waiter has thrown, or because it has not ended
            }
            assertSame(expected, moved, "both sides have the element, or neither has");
            assertEquals(0, queue.waitingSenders() + queue.waitingReceivers());
            ends.add(end);
            step = end == lastEnd ? Math.min(2 * step, LONGEST_STEP) : FIRST_STEP;
            handicap += end == End.GRANTED ? step : -step;
            lastEnd = end;
        }
    }
}
