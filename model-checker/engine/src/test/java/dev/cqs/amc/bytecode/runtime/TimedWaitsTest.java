package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timed waits of threads: join, park and sleep with a time limit, and deadlines. */
class TimedWaitsTest {

    static class JoinsForSomeTime {
        private volatile boolean stop;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                while (!stop) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            thread.join(10);
            stop = true;
            thread.join();
            return 1;
        }
    }

    @Test
    void joinForSomeTimeEnds() {
        verified(JoinsForSomeTime.class, 1);
    }

    static class ParksForSomeTime {
        private volatile Thread waiter;
        private volatile int x;

        @Actor
        int waiter() {
            waiter = Thread.currentThread();
            LockSupport.parkNanos(100);
            return x;
        }

        @Actor
        void other() {
            x = 1;
            Thread thread = waiter;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }

    @Test
    void parkForSomeTimeEndsBothWays() {
        assertEquals(set("0", "1"), outcomes(ParksForSomeTime.class));
    }

    static class TimedWaitInterruptedBeforeAHang {
        private final Object lock = new Object();
        private volatile boolean never;

        @Actor
        void actor() {
            Thread.currentThread().interrupt();
            try {
                synchronized (lock) {
                    lock.wait(10);
                }
                throw new AssertionError("interrupted");
            } catch (InterruptedException e) {
                while (!never) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    static class TimedJoinInterruptedBeforeAHang {
        private volatile boolean never;

        @Actor
        void actor() {
            Thread other = new Thread(() -> {});
            other.start();
            Thread.currentThread().interrupt();
            try {
                other.join(10);
                throw new AssertionError("interrupted");
            } catch (InterruptedException e) {
                while (!never) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedWaitInterruptedBeforeAHang.class, TimedJoinInterruptedBeforeAHang.class})
    void timedWaitThatIsInterruptedIsOver(Class<?> scenario) {
        expect(scenario, Verdict.HANG);
    }

    // Sleep

    static class Sleeps {
        @Actor
        boolean actor() throws InterruptedException {
            long before = System.nanoTime();
            long day = System.currentTimeMillis();
            Thread.sleep(20); // checked, so no time passes but that of the model
            TimeUnit.MICROSECONDS.sleep(7);
            return System.nanoTime() - before >= 20_007_000 && System.currentTimeMillis() - day >= 20;
        }
    }

    @Test
    void timePassesForWhoSleeps() {
        assertEquals(set("1"), outcomes(Sleeps.class));
    }

    static class JoinsInTime {
        @Actor
        boolean joins() throws InterruptedException {
            Thread thread = new Thread(() -> {});
            long begin = System.nanoTime();
            thread.start();
            thread.join(10);
            return System.nanoTime() - begin < 10_000_000;
        }
    }

    /** The thread has ended before the timeout, or it has not. */
    @Test
    void timedJoinEndsByTheEndOfTheThreadToo() {
        assertEquals(set("0", "1"), outcomes(JoinsInTime.class));
    }

    static class WaitsTwiceForSomeTime {
        private volatile boolean ready;

        private boolean comes() {
            long deadline = System.nanoTime() + 1_000;
            while (!ready) {
                if (System.nanoTime() > deadline) {
                    return false;
                }
            }
            return true;
        }

        @Actor
        int waits() {
            return (comes() ? 2 : 0) + (comes() ? 1 : 0);
        }

        @Actor
        void sets() {
            ready = true;
        }
    }

    static class WaitsTwiceForNobody {
        private volatile boolean ready;

        @Actor
        boolean waits() {
            boolean came = false;
            for (int i = 0; i < 2; i++) {
                long deadline = System.nanoTime() + 1_000;
                while (!ready && System.nanoTime() <= deadline) {
                    Thread.onSpinWait();
                }
                came |= ready;
            }
            return came;
        }
    }

    /** Each wait of a thread can time out, not only the first. */
    @Test
    void everyWaitForATimeMayEndByTime() {
        assertEquals(set("0", "1", "3"), outcomes(WaitsTwiceForSomeTime.class));
        assertEquals(set("0"), outcomes(WaitsTwiceForNobody.class));
    }

    static class WaitsForVeryLong {
        @Actor
        int waits() throws InterruptedException {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.parkUntil(Long.MAX_VALUE);
            long before = System.nanoTime();
            Thread.sleep(Long.MAX_VALUE); // checked, so no time passes but that of the model
            return System.nanoTime() >= before ? 1 : 0;
        }
    }

    /** Milliseconds that overflow nanoseconds are clamped. */
    @Test
    void veryLongTimesDoNotPassAtOnce() {
        assertEquals(set("1"), outcomes(WaitsForVeryLong.class));
    }
}
