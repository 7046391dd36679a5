package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.PATIENCE;
import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AwaitVariant.Case;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Interrupts and timeouts that race with a signal. The signal goes to the first thread or to the next, never to both or none.
 */
class ConditionRaceTest {
    /*
     * One thread waits, and another behind it. The test signals once while the first is interrupted or times out. Either the
     * first has the signal and the next still waits, or the next has it. The side that wins a round starts later in the
     * next, by more each time as long as it wins, and by less when it loses. So the rounds reach the point at which either
     * side may win, on any machine. The test checks that both have won.
     */
    private static final int ROUNDS = 100;

    static Stream<Case> interruptible() {
        return AwaitVariant.cases(by -> by.interruptible);
    }

    static Stream<Case> timed() {
        return AwaitVariant.cases(
                by -> by.timed && by != AwaitVariant.AWAIT_UNTIL); // the resolution of dates is too coarse for a race
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void exactlyOneOfARacingInterruptAndSignalWinsAndTheSignalIsNotLost(Case c) throws InterruptedException {
        Race race = new Race(c);
        Attempt interrupter = run(ThreadKind.PLATFORM, race::interruptInEachRound);
        for (int round = 1; round <= ROUNDS; round++) {
            race.begin(LONG);
            until("the first waits", () -> race.first.isOver() || race.fixture.isWaiting(race.first));
            race.beginNext();
            race.fixture.lock.lock();
            race.toInterrupt.release();
            int number = round;
            until("the interrupter is ready", () -> race.ready == number);
            race.fire = round;
            spin(race.handicap);
            race.fixture.condition.signal();
            race.finish(race.interrupted);
            assertEquals(
                    race.end == End.GRANTED, race.interruptPending, "the interrupt is an exception or stays pending");
        }
        race.over();
        interrupter.isGranted();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void exactlyOneOfARacingTimeoutAndSignalWinsAndTheSignalIsNotLost(Case c) throws InterruptedException {
        Race race = new Race(c);
        for (int round = 1; round <= ROUNDS; round++) {
            race.begin(200_000 + Math.max(0, -race.handicap));
            int number = round;
            until("the first enters", () -> race.entering == number);
            race.beginNext();
            race.fixture.lock.lock();
            spin(race.handicap);
            race.fixture.condition.signal();
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
        final ConditionFixture fixture;
        final Attempt first;
        final Attempt next;

        /** By how many nanoseconds the signal starts later than its rival, or earlier if negative. */
        volatile long handicap;

        private volatile long timeout;
        private long step = FIRST_STEP;
        private int firstWon;
        private int nextWon;
        private boolean firstWonLast;

        // Each permit lets a thread do its next part of the round.
        private final Semaphore toEnter = new Semaphore(0);
        private final Semaphore nextToEnter = new Semaphore(0);
        final Semaphore toInterrupt = new Semaphore(0);
        final Semaphore interrupted = new Semaphore(0);
        private final Semaphore toLeave = new Semaphore(0);
        private final Semaphore finished = new Semaphore(0);
        private final Semaphore nextFinished = new Semaphore(0);

        // The number of the last round in which this point was reached.
        volatile int entering;
        volatile int ready;
        volatile int fire;

        volatile End end;
        volatile boolean interruptPending;

        Race(Case c) {
            this.c = c;
            this.fixture = c.fixture();
            this.first = run(c.kind(), this::enterInEachRound);
            this.next = run(ThreadKind.PLATFORM, this::enterNextInEachRound);
        }

        private void enterInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                toEnter.acquireUninterruptibly();
                fixture.lock.lock();
                entering = i;
                try {
                    end = fixture.awaitAndUnlock(c.by(), timeout) ? End.GRANTED : End.REFUSED;
                } catch (InterruptedException e) {
                    end = End.INTERRUPTED;
                }
                toLeave.acquireUninterruptibly(); // the interrupt may not have arrived yet
                interruptPending = Thread.interrupted();
                finished.release();
            }
        }

        private void enterNextInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                nextToEnter.acquireUninterruptibly();
                fixture.lock.lock();
                fixture.condition.awaitUninterruptibly();
                fixture.lock.unlock();
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

        /** Lets the first thread wait. */
        void begin(long nanos) {
            timeout = nanos;
            toEnter.release();
        }

        /** Lets the next thread wait, and waits until it does. */
        void beginNext() {
            nextToEnter.release();
            until("the next waits", () -> next.isOver() || fixture.isWaiting(next));
        }

        /** Lets both threads reacquire the lock, and finds which has the signal. */
        void finish(Semaphore rival) throws InterruptedException {
            boolean won = fixture.isWaiting(next); // the first thread has the signal if the next still waits
            fixture.lock.unlock();
            assertTrue(rival.tryAcquire(PATIENCE, NANOSECONDS));
            toLeave.release();
            await(finished, first);
            if (c.by() != AwaitVariant.AWAIT_NANOS
                    || end == End.INTERRUPTED) { // awaitNanos may find no time left though it was signalled
                assertEquals(won, end == End.GRANTED, "the first has the signal");
            }
            if (won) {
                assertTrue(fixture.isWaiting(next), "one signal wakes one thread");
                fixture.signal();
            }
            await(nextFinished, next);
            fixture.assertIdle();
            firstWon += won ? 1 : 0;
            nextWon += won ? 0 : 1;
            step = won == firstWonLast ? Math.min(2 * step, LONGEST_STEP) : Math.max(step / 8, FIRST_STEP);
            handicap += won ? step : -step;
            firstWonLast = won;
        }

        private void await(Semaphore done, Attempt attempt) throws InterruptedException {
            if (!done.tryAcquire(PATIENCE, NANOSECONDS)) {
                attempt.isGranted(); // fails with what the thread has thrown, or because it has not ended
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
