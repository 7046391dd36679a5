package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.PATIENCE;
import static dev.cqs.threads.Waiting.run;
import static dev.cqs.threads.Waiting.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ConditionWay.Case;
import dev.cqs.threads.Waiting.Attempt;
import dev.cqs.threads.Waiting.End;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts and timeouts that race with a signal: it goes to the first or to the next, and never to both or nobody. */
class ConditionRaceTest {
    /*
     * One thread waits and another behind it; the test signals once while the first is interrupted, or while its time
     * passes. Either the first has the signal, and the next still waits, or the next has it. The side that has won starts
     * later in the next round, ever more so as long as it wins and less so when it loses. So the rounds come to the point
     * where either may win, on any machine; that both have won is checked.
     */
    private static final int ROUNDS = 100;

    static Stream<Case> interruptible() {
        return ConditionWay.cases(by -> by.interruptible);
    }

    static Stream<Case> timed() {
        return ConditionWay.cases(by -> by.timed && by != ConditionWay.AWAIT_UNTIL); // dates are too coarse to race
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void ofAnInterruptAndASignalThatRaceExactlyOneWinsAndTheSignalIsNotLost(Case c) throws InterruptedException {
        Race race = new Race(c);
        Attempt interrupter = run(ThreadKind.PLATFORM, race::interruptInEachRound);
        for (int round = 1; round <= ROUNDS; round++) {
            race.begin(LONG);
            until("the first waits", () -> race.first.isOver() || race.room.isWaiting(race.first));
            race.beginNext();
            race.room.lock.lock();
            race.toInterrupt.release();
            int number = round;
            until("the interrupter is ready", () -> race.ready == number);
            race.fire = round;
            spin(race.handicap);
            race.room.condition.signal();
            race.finish(race.interrupted);
            assertEquals(race.end == End.GRANTED, race.interruptPending, "the exception or the pending interrupt");
        }
        race.over();
        interrupter.isGranted();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void ofATimeoutAndASignalThatRaceExactlyOneWinsAndTheSignalIsNotLost(Case c) throws InterruptedException {
        Race race = new Race(c);
        for (int round = 1; round <= ROUNDS; round++) {
            race.begin(200_000 + Math.max(0, -race.handicap));
            int number = round;
            until("the first enters", () -> race.entering == number);
            race.beginNext();
            race.room.lock.lock();
            spin(race.handicap);
            race.room.condition.signal();
            race.finish(new Semaphore(1));
        }
        race.over();
    }

    private static void spin(long nanos) {
        for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) {
            Thread.onSpinWait();
        }
    }

    /** The rounds of two waiters. */
    private static final class Race {
        private static final long FIRST_STEP = 100;
        private static final long LONGEST_STEP = 10_000_000;

        final Case c;
        final ConditionFixture room;
        final Attempt first;
        final Attempt next;

        /** By how many nanoseconds the signal starts later than its rival, or earlier if negative. */
        volatile long handicap;

        private volatile long timeout;
        private long step = FIRST_STEP;
        private int firstWon;
        private int nextWon;
        private boolean firstWonLast;

        // Each lets its thread do the next part of the round.
        private final Semaphore toEnter = new Semaphore(0);
        private final Semaphore nextToEnter = new Semaphore(0);
        final Semaphore toInterrupt = new Semaphore(0);
        final Semaphore interrupted = new Semaphore(0);
        private final Semaphore toLeave = new Semaphore(0);
        private final Semaphore finished = new Semaphore(0);
        private final Semaphore nextFinished = new Semaphore(0);

        // The number of the round, once so far.
        volatile int entering;
        volatile int ready;
        volatile int fire;

        volatile End end;
        volatile boolean interruptPending;

        Race(Case c) {
            this.c = c;
            this.room = c.room();
            this.first = run(c.kind(), this::enterInEachRound);
            this.next = run(ThreadKind.PLATFORM, this::enterNextInEachRound);
        }

        private void enterInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                toEnter.acquireUninterruptibly();
                room.lock.lock();
                entering = i;
                try {
                    end = room.awaitAndUnlock(c.by(), timeout) ? End.GRANTED : End.REFUSED;
                } catch (InterruptedException e) {
                    end = End.INTERRUPTED;
                }
                toLeave.acquireUninterruptibly(); // the interrupt may still be under way
                interruptPending = Thread.interrupted();
                finished.release();
            }
        }

        private void enterNextInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                nextToEnter.acquireUninterruptibly();
                room.lock.lock();
                room.condition.awaitUninterruptibly();
                room.lock.unlock();
                nextFinished.release();
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
                first.thread.interrupt();
                interrupted.release();
            }
        }

        /** Lets the first come. */
        void begin(long nanos) {
            timeout = nanos;
            toEnter.release();
        }

        /** Lets the next come, and waits until it waits. */
        void beginNext() {
            nextToEnter.release();
            until("the next waits", () -> next.isOver() || room.isWaiting(next));
        }

        /** Lets them have the lock and looks who has the signal. */
        void finish(Semaphore rival) throws InterruptedException {
            boolean won = room.isWaiting(next); // the first, since the next has no signal
            room.lock.unlock();
            assertTrue(rival.tryAcquire(PATIENCE, NANOSECONDS));
            toLeave.release();
            await(finished, first);
            if (c.by() != ConditionWay.AWAIT_NANOS || end == End.INTERRUPTED) { // which may find the time up anyway
                assertEquals(won, end == End.GRANTED, "whether the first has the signal");
            }
            if (won) {
                assertTrue(room.isWaiting(next), "one signal for one thread");
                room.signal();
            }
            await(nextFinished, next);
            room.assertIdle();
            firstWon += won ? 1 : 0;
            nextWon += won ? 0 : 1;
            step = won == firstWonLast ? Math.min(2 * step, LONGEST_STEP) : Math.max(step / 8, FIRST_STEP);
            handicap += won ? step : -step;
            firstWonLast = won;
        }

        private void await(Semaphore done, Attempt attempt) throws InterruptedException {
            if (!done.tryAcquire(PATIENCE, NANOSECONDS)) {
                attempt.isGranted(); // throws what it has thrown, or that it has not ended
            }
        }

        void over() {
            first.isGranted();
            next.isGranted();
            assertTrue(firstWon > 0, "signals won");
            assertTrue(nextWon > 0, "interrupts or timeouts won");
        }
    }
}
