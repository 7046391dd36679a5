package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.assertIdle;
import static dev.cqs.threads.Waiting.run;
import static dev.cqs.threads.Waiting.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.EntryPoint.Case;
import dev.cqs.threads.Waiting.Attempt;
import dev.cqs.threads.Waiting.End;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts and timeouts that race with the grant. */
class RaceTest {
    /*
     * One thread waits; the test grants while another thread interrupts, or while the timeout passes. After
     * each round the side that has won starts a little later, so that the rounds stay around the point where
     * either may win, on any machine. Thus both outcomes are seen, which is checked.
     */
    private static final int ROUNDS = 2000;

    static Stream<Case> waiting() {
        return EntryPoint.cases(by -> by.waits);
    }

    static Stream<Case> timed() {
        return EntryPoint.cases(by -> by.timed);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void ofAnInterruptAndAGrantThatRaceExactlyOneWins(Case c) {
        Race race = new Race(c);
        Attempt interrupter = run(ThreadKind.PLATFORM, race::interruptInEachRound);
        int handicap = 0; // of the grant, in turns; of the interrupt if negative
        for (int round = 1; round <= ROUNDS; round++) {
            c.by().enterNow(race.target);
            race.start(round);
            until("the waiter is queued", () -> race.target.getQueuedThreads().contains(race.waiter.thread));
            race.interruptHandicap = Math.max(0, -handicap);
            race.fire = round;
            spin(handicap);
            race.target.exit(c.by().permits);
            until("the interrupt is over", () -> race.interrupted == race.round || interrupter.isOver());
            race.finish();
            handicap += race.end == End.GRANTED ? 8 : -8;
            if (race.end == End.INTERRUPTED) {
                assertTrue(c.by().interruptible);
            }
            // as in the JDK: either the exception, or the permits and the interrupt still pending
            assertEquals(race.end == End.GRANTED, race.interruptPending);
        }
        race.isOver();
        interrupter.isGranted();
        assertEquals(c.by().interruptible, race.ends.containsKey(End.INTERRUPTED), "interrupts won");
        assertTrue(race.ends.containsKey(End.GRANTED), "grants won");
    }

    @ParameterizedTest
    @MethodSource("timed")
    void ofATimeoutAndAGrantThatRaceExactlyOneWins(Case c) {
        Race race = new Race(c);
        race.timeout = 20_000;
        long handicap = 0; // of the grant, in nanoseconds
        for (int round = 1; round <= ROUNDS; round++) {
            c.by().enterNow(race.target);
            race.start(round);
            while (race.entering != round) {
                Thread.onSpinWait();
            }
            for (long start = System.nanoTime(); System.nanoTime() - start < handicap; ) {
                Thread.onSpinWait();
            }
            race.target.exit(c.by().permits);
            race.finish();
            if (race.end == End.GRANTED) {
                handicap += 1000;
            } else if (handicap > 0) {
                handicap -= 1000;
            } else {
                race.timeout *= 2;
            }
        }
        race.isOver();
        assertTrue(race.ends.containsKey(End.REFUSED), "timeouts won");
        assertTrue(race.ends.containsKey(End.GRANTED), "grants won");
    }

    private static void spin(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }

    /** The rounds of one waiter. */
    private static final class Race {
        final Case c;
        final Target target;
        final Attempt waiter;
        final Map<End, Integer> ends = new EnumMap<>(End.class);
        volatile long timeout = LONG;

        // Each is set to the number of the round when its step has been done.
        volatile int round;
        volatile int entering;
        volatile int entered;
        volatile int fire;
        volatile int interrupted;
        volatile int checkInterrupt;
        volatile int finished;

        volatile int interruptHandicap;
        volatile End end;
        volatile boolean interruptPending;

        Race(Case c) {
            this.c = c;
            this.target = c.free();
            this.waiter = run(c.kind(), this::enterInEachRound);
        }

        private void enterInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                await(i);
                entering = i;
                try {
                    end = c.by().enter(target, timeout) ? End.GRANTED : End.REFUSED;
                } catch (InterruptedException e) {
                    end = End.INTERRUPTED;
                }
                entered = i;
                while (checkInterrupt != i) { // the interrupt may still be under way
                    Thread.yield();
                }
                interruptPending = Thread.interrupted();
                if (end == End.GRANTED) {
                    assertEquals(0, target.free());
                    target.exit(c.by().permits);
                }
                finished = i;
            }
        }

        private void await(int expected) {
            while (round != expected) {
                Thread.yield();
            }
        }

        void interruptInEachRound() {
            for (int i = 1; i <= ROUNDS; i++) {
                while (fire != i) {
                    Thread.onSpinWait();
                }
                spin(interruptHandicap);
                waiter.thread.interrupt();
                interrupted = i;
            }
        }

        void start(int number) {
            round = number;
        }

        void finish() {
            int number = round;
            until("the waiter is granted, interrupted or timed out", () -> entered == number || waiter.isOver());
            checkInterrupt = number;
            until("the round is over", () -> finished == number || waiter.isOver());
            if (finished != number) {
                waiter.isGranted(); // shows why it failed
            }
            ends.merge(end, 1, Integer::sum);
            assertIdle(target, c.by().permits);
        }

        void isOver() {
            waiter.isGranted();
        }
    }
}
