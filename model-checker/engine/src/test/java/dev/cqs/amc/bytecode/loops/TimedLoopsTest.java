package dev.cqs.amc.bytecode.loops;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops of timed waits end when the awaited write comes, and hang if it never does. */
class TimedLoopsTest {

    // The awaited write ends the loop, without a bound

    static class Parks {
        volatile boolean ready;

        @Actor
        void waits() {
            while (!ready) {
                LockSupport.parkNanos(10);
            }
        }

        @Actor
        void sets() {
            ready = true;
        }
    }

    static class Sleeps {
        volatile boolean ready;

        @Actor
        void waits() throws InterruptedException {
            while (!ready) {
                Thread.sleep(10); // checked, so no time passes but that of the model
            }
        }

        @Actor
        void sets() {
            ready = true;
        }
    }

    /** No thread notifies, so the loop needs the timeout. */
    static class WaitsUnnotified {
        boolean ready;

        @Actor
        synchronized void waits() throws InterruptedException {
            while (!ready) {
                wait(10);
            }
        }

        @Actor
        synchronized void sets() {
            ready = true;
        }
    }

    static class EntersInTheLoop {
        boolean ready;

        @Actor
        void waits() throws InterruptedException {
            for (; ; ) {
                synchronized (this) {
                    if (ready) {
                        return;
                    }
                    wait(10);
                }
            }
        }

        @Actor
        synchronized void sets() {
            ready = true;
        }
    }

    /** The second thread can enter the monitor because the first one waits in it. */
    static class NeedsTheMonitor {
        boolean first;
        boolean second;

        @Actor
        synchronized void one() throws InterruptedException {
            first = true;
            while (!second) {
                wait(10);
            }
        }

        @Actor
        synchronized void other() throws InterruptedException {
            while (!first) {
                wait(10);
            }
            second = true;
        }
    }

    static class Joins {
        int data;

        @Actor
        int joins() throws InterruptedException {
            Thread thread = new Thread(() -> data = 7);
            thread.start();
            while (thread.isAlive()) {
                thread.join(10);
            }
            return data;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Parks.class,
                Sleeps.class,
                WaitsUnnotified.class,
                EntersInTheLoop.class,
                NeedsTheMonitor.class,
                Joins.class
            })
    void loopThatIsSignalledInTheEndIsVerified(Class<?> scenario) {
        Result result = expect(scenario, Verdict.VERIFIED);
        assertEquals(false, result.boundHit());
        assertTrue(result.complete() > 0);
    }

    // A write that never comes is a hang

    static class ParksForNothing extends Parks {
        @Override
        @Actor
        void sets() {
            ready = false;
        }
    }

    static class SleepsForNothing extends Sleeps {
        @Override
        @Actor
        void sets() {
            ready = false;
        }
    }

    static class WaitsForNothing extends WaitsUnnotified {
        @Override
        @Actor
        synchronized void sets() {
            notifyAll();
        }
    }

    static class EntersForNothing extends EntersInTheLoop {
        @Override
        @Actor
        synchronized void sets() {
            notifyAll();
        }
    }

    static class BothWaitForNothing {
        boolean ready;

        @Actor(2)
        synchronized void waits() throws InterruptedException {
            while (!ready) {
                wait(10);
            }
        }
    }

    static class EachWaitsForTheOther extends NeedsTheMonitor {
        @Override
        @Actor
        synchronized void one() throws InterruptedException {
            while (!second) {
                wait(10);
            }
            first = true;
        }
    }

    static class JoinsOneThatHangs {
        volatile boolean never;

        @Actor
        void joins() throws InterruptedException {
            Thread thread = new Thread(() -> {
                while (!never) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            while (thread.isAlive()) {
                thread.join(10);
            }
        }
    }

    /** The notification may reach the thread whose wait would have timed out. */
    static class NotifiesTheWrongOne {
        boolean ready;

        @Actor
        synchronized void waits() throws InterruptedException {
            while (!ready) {
                wait();
            }
        }

        @Actor
        synchronized void waitsInTurns() throws InterruptedException {
            while (!ready) {
                wait(10);
            }
        }

        @Actor
        synchronized void sets() {
            ready = true;
            notify();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ParksForNothing.class,
                SleepsForNothing.class,
                WaitsForNothing.class,
                EntersForNothing.class,
                BothWaitForNothing.class,
                EachWaitsForTheOther.class,
                JoinsOneThatHangs.class,
                NotifiesTheWrongOne.class
            })
    void loopThatNobodyEndsIsAHang(Class<?> scenario) {
        expect(scenario, Verdict.HANG);
    }

    @Test
    void hangSaysThatItWaitsInTurns() {
        String text =
                expect(WaitsForNothing.class, Verdict.HANG).counterExample().text();
        assertTrue(
                text.contains("waits repeats timed waits forever: each wait times out, and another one begins."), text);
        assertTrue(text.contains("timed wait that times out"), text);
        assertTrue(text.contains("polls ready, and gets false"), text);
    }

    // Other effects of the loop, and of other threads while it waits, are observed

    static class SeesWhatComesBetween {
        boolean ready;
        int number;

        @Actor
        synchronized int waits() throws InterruptedException {
            int seen = 0;
            while (!ready) {
                wait(10);
                seen = 10 * seen + number;
            }
            return seen;
        }

        @Actor
        void sets() {
            synchronized (this) {
                number = 1;
            }
            synchronized (this) {
                number = 2;
                ready = true;
            }
        }
    }

    /** The number of times that the wait is repeated while the number is 1. */
    @Test
    void iterationThatChangesWhatIsKeptIsNoFailedOne() {
        Result result = expect(SeesWhatComesBetween.class, Verdict.VERIFIED_UP_TO_BOUND);
        assertTrue(
                result.outcomes().keySet().stream()
                        .map(outcome -> outcome.get(0))
                        .toList()
                        .containsAll(java.util.List.of(0L, 2L, 12L, 112L)),
                result::toString);
    }

    static class TwoReasons {
        boolean one;
        boolean other;
        int count;

        @Actor
        synchronized int waits() throws InterruptedException {
            while (!one && !other) {
                wait(10);
            }
            return (one ? 1 : 0) + (other ? 2 : 0) + 4 * count;
        }

        @Actor
        synchronized void setsOne() {
            count++;
            one = true;
        }

        @Actor
        synchronized void setsOther() {
            count++;
            other = true;
            notify();
        }
    }

    @Test
    void everyReasonToEndIsTried() {
        assertEquals(set("5", "6", "11"), outcomes(TwoReasons.class));
    }

    // Deadlines

    static class SleepsFirst {
        volatile boolean ready;

        @Actor
        boolean waits() throws InterruptedException {
            long deadline = System.nanoTime() + 1_000_000_000;
            do {
                TimeUnit.NANOSECONDS.sleep(10);
            } while (!ready && System.nanoTime() < deadline);
            return ready;
        }

        @Actor
        void sets() {
            ready = true;
        }
    }

    static class WaitsForTheRest {
        boolean ready;

        @Actor
        synchronized boolean waits() throws InterruptedException {
            long deadline = System.nanoTime() + 25_000_000;
            long left = 25;
            while (!ready && left > 0) {
                wait(left);
                left = (deadline - System.nanoTime()) / 1_000_000;
            }
            return ready;
        }

        @Actor
        synchronized void sets() {
            ready = true;
            notify();
        }
    }

    static class LooksEachTime extends WaitsUnnotified {
        @Actor
        synchronized boolean polls() throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.DAYS.toNanos(3);
            while (!ready) {
                if (System.nanoTime() >= deadline) {
                    return false;
                }
                wait(10);
            }
            return true;
        }

        @Override
        synchronized void waits() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {SleepsFirst.class, WaitsForTheRest.class, LooksEachTime.class})
    void loopWithADeadlineEndsBothWays(Class<?> scenario) {
        assertEquals(set("0", "1"), outcomes(scenario));
    }

    static class DeadlineComes {
        volatile boolean never;

        @Actor
        boolean waits() {
            long deadline = System.nanoTime() + 1_000_000_000;
            while (!never && System.nanoTime() < deadline) {
                LockSupport.parkNanos(10);
            }
            return never;
        }
    }

    @Test
    void loopWithADeadlineDoesNotHang() {
        assertEquals(set("0"), outcomes(DeadlineComes.class));
    }
}
