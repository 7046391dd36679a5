package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutual exclusion, ordering, wait and notify of monitors. */
class MonitorsTest {

    static class Counter {
        private int count;

        @Actor(3)
        synchronized void add() {
            synchronized (this) {
                count++;
            }
            assert Thread.holdsLock(this);
        }

        @Arbiter
        int end() {
            assert !Thread.holdsLock(this);
            return count;
        }
    }

    @Test
    void threadsEnterOneAfterTheOther() {
        assertEquals(set("3"), outcomes(Counter.class));
        verified(Counter.class, 6);
    }

    static class Statics {
        private static int count;

        private static synchronized void add() {
            count++;
        }

        @Actor
        void first() {
            add();
        }

        @Actor
        void second() {
            synchronized (Statics.class) {
                count++;
            }
        }
    }

    @Test
    void staticMethodsLockTheClass() {
        verified(Statics.class, 2);
    }

    static class DifferentMonitors {
        private final Object one = new Object();
        private final Object other = new Object();
        private int count;

        @Actor
        void first() {
            synchronized (one) {
                count++;
            }
        }

        @Actor
        void second() {
            synchronized (other) {
                count++;
            }
        }
    }

    static class ReadWithoutMonitor {
        private int count;

        @Actor
        synchronized void writer() {
            count++;
        }

        @Actor
        int reader() {
            return count;
        }
    }

    static class NotifyOrdersNothing {
        private int x;
        private boolean done;

        @Actor
        void waiter() throws InterruptedException {
            synchronized (this) {
                while (!done) {
                    wait();
                }
            }
            x++;
        }

        @Actor
        void waker() {
            synchronized (this) {
                done = true;
                notifyAll();
            }
            x = 1;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DifferentMonitors.class, ReadWithoutMonitor.class, NotifyOrdersNothing.class})
    void nothingElseIsOrdered(Class<?> scenario) {
        expect(scenario, Verdict.DATA_RACE);
    }

    /** The object escapes while its maker holds its monitor. */
    static class PublishedWhileHeld {
        static class Cell {
            int value;
        }

        @RacyAllowed
        Cell cell;

        @Actor
        void writer() {
            Cell made = new Cell();
            synchronized (made) {
                cell = made;
                made.value = 1;
            }
        }

        @Actor
        int reader() {
            Cell seen = cell;
            if (seen == null) {
                return 0;
            }
            synchronized (seen) {
                return seen.value;
            }
        }
    }

    /** The monitor is released before. */
    static class PublishedAfterwards extends PublishedWhileHeld {
        @Override
        @Actor
        void writer() {
            Cell made = new Cell();
            synchronized (made) {
                made.value = 1;
            }
            cell = made;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {PublishedWhileHeld.class, PublishedAfterwards.class})
    void monitorOfAnObjectThatGetsKnownOrders(Class<?> scenario) {
        assertEquals(set("0", "1"), outcomes(scenario));
    }

    /** Holding a monitor that has not escaped does not keep a loop from being an await. */
    static class WaitsWithAMonitorOfItsOwn {
        volatile boolean ready;

        @Actor
        void waiter() {
            Object mine = new Object();
            while (!ready) {
                synchronized (mine) {
                    Thread.onSpinWait();
                }
            }
        }

        @Actor
        void waker() {
            ready = true;
        }
    }

    @Test
    void ownMonitorIsNoEffectOfAnIteration() {
        verified(WaitsWithAMonitorOfItsOwn.class, 1);
    }

    static class Deadlock {
        private final Object one = new Object();
        private final Object other = new Object();

        @Actor
        void first() {
            synchronized (one) {
                synchronized (other) {
                    other.notify();
                }
            }
        }

        @Actor
        void second() {
            synchronized (other) {
                synchronized (one) {
                    one.notify();
                }
            }
        }
    }

    static class LostNotify {
        private volatile boolean done;

        @Actor
        void waiter() throws InterruptedException {
            if (!done) {
                synchronized (this) {
                    wait();
                }
            }
        }

        @Actor
        void waker() {
            done = true;
            synchronized (this) {
                notify();
            }
        }
    }

    static class OneOfTwoIsWoken {
        private boolean done;

        @Actor(2)
        synchronized void waiter() throws InterruptedException {
            while (!done) {
                wait();
            }
        }

        @Actor
        synchronized void waker() {
            done = true;
            notify();
        }
    }

    static class NobodyEndsTheWait {
        @Actor
        synchronized void actor() throws InterruptedException {
            wait();
        }
    }

    static class MonitorIsNotLeft {
        private volatile boolean stop;

        @Actor
        void first() {
            synchronized (this) {
                while (!stop) {
                    Thread.onSpinWait();
                }
            }
        }

        @Actor
        void second() {
            synchronized (this) {
                stop = true;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Deadlock.class,
                LostNotify.class,
                OneOfTwoIsWoken.class,
                NobodyEndsTheWait.class,
                MonitorIsNotLeft.class
            })
    void waitThatNobodyEndsIsAHang(Class<?> scenario) {
        expect(scenario, Verdict.HANG);
    }

    static class Handover {
        private int item;
        private int taken;

        private synchronized void put(int next) throws InterruptedException {
            while (item != 0) {
                wait();
            }
            item = next;
            notifyAll();
        }

        private synchronized int take() throws InterruptedException {
            while (item == 0) {
                wait();
            }
            int next = item;
            item = 0;
            notifyAll();
            return next;
        }

        @Actor
        void producer() throws InterruptedException {
            put(1);
            put(2);
        }

        @Actor
        void consumer() throws InterruptedException {
            taken = 10 * take() + take();
        }

        @Arbiter
        int end() {
            return taken;
        }
    }

    @Test
    void waitersAreWokenAndLookAgain() {
        assertEquals(set("12"), outcomes(Handover.class));
    }

    static class WaitsReentrantly {
        private boolean done;

        @Actor
        synchronized int waiter() throws InterruptedException {
            synchronized (this) {
                synchronized (this) {
                    while (!done) {
                        wait();
                    }
                }
            }
            assert Thread.holdsLock(this);
            return 1;
        }

        @Actor
        synchronized void waker() {
            done = true;
            Runnable wake = this::notifyAll;
            wake.run();
        }
    }

    @Test
    void waitLeavesTheMonitorAltogether() {
        assertEquals(set("1"), outcomes(WaitsReentrantly.class));
    }

    static class WithoutMonitor {
        private final Object lock = new Object();

        @Actor
        int actor() throws InterruptedException {
            int found = 0;
            try {
                lock.notify();
            } catch (IllegalMonitorStateException e) {
                found++;
            }
            try {
                lock.wait();
            } catch (IllegalMonitorStateException e) {
                found++;
            }
            try {
                lock.wait(5);
            } catch (IllegalMonitorStateException e) {
                found++;
            }
            synchronized (lock) {
                try {
                    lock.wait(-1);
                } catch (IllegalArgumentException e) {
                    found++;
                }
                try {
                    lock.wait(1, 1_000_000);
                } catch (IllegalArgumentException e) {
                    found++;
                }
            }
            try {
                synchronized (nothing()) {
                    found += 100;
                }
            } catch (NullPointerException e) {
                found++;
            }
            return found;
        }

        private Object nothing() {
            return null;
        }
    }

    @Test
    void wrongUseIsThatOfJava() {
        assertEquals(set("6"), outcomes(WithoutMonitor.class));
    }

    static class TimedWait {
        private boolean done;

        @Actor
        synchronized boolean waiter() throws InterruptedException {
            if (!done) {
                wait(10);
            }
            return done;
        }

        @Actor
        synchronized void waker() {
            done = true;
            notify();
        }
    }

    @Test
    void timedWaitEndsBothWays() {
        assertEquals(set("0", "1"), outcomes(TimedWait.class));
    }

    static class InterruptedWait {
        private volatile Thread waiter;
        private int x;

        @Actor
        int waiter() {
            waiter = Thread.currentThread();
            synchronized (this) {
                try {
                    wait();
                    return -1;
                } catch (InterruptedException e) {
                    assert Thread.holdsLock(this) && !Thread.interrupted();
                    return x;
                }
            }
        }

        @Actor
        void other() {
            while (waiter == null) {
                Thread.onSpinWait();
            }
            x = 1;
            waiter.interrupt();
        }
    }

    @Test
    void interruptEndsAWait() {
        assertEquals(set("1"), outcomes(InterruptedWait.class));
    }

    static class Woken {
        private boolean done;

        @Actor
        synchronized int waiter() {
            try {
                while (!done) {
                    wait();
                }
                return Thread.interrupted() ? 1 : 0;
            } catch (InterruptedException e) {
                return done ? 2 : 3;
            }
        }

        @Actor
        void other() {
            synchronized (this) {
                done = true;
                notify();
            }
        }
    }

    @Test
    void wokenThreadSeesWhatItWaitedFor() {
        assertEquals(set("0"), outcomes(Woken.class));
    }
}
