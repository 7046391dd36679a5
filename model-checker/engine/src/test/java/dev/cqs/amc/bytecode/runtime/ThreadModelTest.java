package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Execution;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads start, end, are joined, are interrupted and park as in Java. */
class ThreadModelTest {

    static class StartAndJoin {
        private int x;

        static class Adder extends Thread {
            private final StartAndJoin owner;

            Adder(StartAndJoin owner) {
                super(null, null, "adder");
                this.owner = owner;
            }

            @Override
            public void run() {
                owner.x += 2;
            }
        }

        @Actor
        int actor() throws InterruptedException {
            x = 1;
            Thread first = new Adder(this);
            Thread second = new Thread(new ThreadGroup("group"), () -> x *= 5, "second", 0);
            first.setDaemon(true);
            assert !first.isAlive()
                    && first.getState() == Thread.State.NEW
                    && first.getName().equals("adder");
            first.start();
            first.join(0);
            assert !first.isAlive() && first.getState() == Thread.State.TERMINATED && first.isDaemon();
            second.start();
            second.join();
            second.join();
            return x;
        }
    }

    @Test
    void whatHappensBeforeStartAndJoinIsSeen() {
        assertEquals(set("15"), outcomes(StartAndJoin.class));
        assertEquals(1, check(StartAndJoin.class).complete());
    }

    static class StartedSometimes {
        volatile int x;

        @Actor
        void sets() {
            x = 1;
        }

        @Actor
        int starts() {
            int seen = x;
            if (seen == 1) {
                new Thread(() -> Execution.observe(7)).start();
            }
            return seen;
        }
    }

    @Test
    void threadObservesNothingWhereItIsNotStarted() {
        assertEquals(set("0", "1,7"), outcomes(StartedSometimes.class));
    }

    static class NeverJoined {
        private int x;

        @Actor
        int actor() {
            new Thread(() -> x = 1).start();
            return x;
        }
    }

    static class ReadAfterStart {
        private int x;

        @Actor
        void actor() throws InterruptedException {
            Thread thread = new Thread(() -> assertSeen(x));
            thread.start();
            x = 1;
            thread.join();
        }

        private static void assertSeen(int seen) {
            assert seen <= 1;
        }
    }

    static class JoinedTooSoon {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(() -> x = 1);
            thread.join();
            thread.start();
            return x;
        }
    }

    static class ParkedOnly {
        private int x;
        private final AtomicInteger stopped = new AtomicInteger();
        private volatile Thread waiter;

        @Actor
        void waiter() {
            waiter = Thread.currentThread();
            while (stopped.getPlain() == 0) {
                LockSupport.park();
            }
            x++;
        }

        @Actor
        void other() {
            x = 1;
            stopped.setOpaque(1);
            LockSupport.unpark(waiter);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {NeverJoined.class, ReadAfterStart.class, JoinedTooSoon.class, ParkedOnly.class})
    void nothingElseIsOrdered(Class<?> scenario) {
        expect(scenario, Verdict.DATA_RACE);
    }

    static class AliveOrNot {
        private int x;

        @Actor
        int actor() {
            Thread thread = new Thread(() -> x = 1);
            thread.start();
            return thread.isAlive() ? -1 : x;
        }
    }

    @Test
    void whoFindsThatAThreadHasEndedSeesWhatItHasDone() {
        assertEquals(set("-1", "1"), outcomes(AliveOrNot.class));
    }

    static class StartedTwice {
        private int starts;
        private final Thread thread = new Thread(() -> starts++);

        @Actor(2)
        int actor() {
            try {
                thread.start();
                return 1;
            } catch (IllegalThreadStateException e) {
                return 0;
            }
        }

        @Arbiter
        int end() {
            return starts;
        }
    }

    @Test
    void threadStartsOnceWhicheverThreadStartsIt() {
        assertEquals(set("0,1,1", "1,0,1"), outcomes(StartedTwice.class));
    }

    static class FailingThread {
        @Actor
        void actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                throw new IllegalArgumentException("failing");
            });
            thread.start();
            thread.join();
        }
    }

    @Test
    void exceptionThatNoThreadCatchesIsAnError() {
        Result result = expect(FailingThread.class, Verdict.EXCEPTION);
        assertInstanceOf(IllegalArgumentException.class, result.counterExample().cause());
    }

    static class JoinsForever {
        private volatile boolean stop;

        @Actor
        void actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                while (!stop) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            thread.join();
            stop = true;
        }
    }

    static class JoinsItself {
        @Actor
        void actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                try {
                    Thread.currentThread().join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            thread.join();
        }
    }

    static class LostPermit {
        private volatile boolean ready;
        private volatile Thread waiter;

        @Actor
        void waiter() {
            waiter = Thread.currentThread();
            if (!ready) {
                LockSupport.park();
                LockSupport.park();
            }
        }

        @Actor
        void other() {
            ready = true;
            LockSupport.unpark(waiter);
            LockSupport.unpark(waiter);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {JoinsForever.class, JoinsItself.class, LostPermit.class})
    void waitThatNobodyEndsIsAHang(Class<?> scenario) {
        expect(scenario, Verdict.HANG);
    }

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

    // Permits

    static class PermitBefore {
        @Actor
        int actor() {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.unpark(null);
            LockSupport.park();
            long before = System.nanoTime();
            LockSupport.parkNanos(5);
            return (int) ((System.nanoTime() - before) % 1_000);
        }
    }

    @Test
    void permitThatWasGivenBeforeIsTaken() {
        // Time may also pass at once when it is looked at again; the rest of a day by 1000 is 0.
        assertEquals(set("5"), outcomes(PermitBefore.class));
    }

    static class UnparkedBeforeItStarts {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                LockSupport.park();
                x = 1;
            });
            LockSupport.unpark(thread);
            thread.start();
            thread.join();
            return x;
        }
    }

    static class UnparkedWhenItHasStarted {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                LockSupport.park();
                x = 1;
            });
            thread.start();
            LockSupport.unpark(thread);
            thread.join();
            return x;
        }
    }

    static class InterruptedBeforeItStarts {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(() -> {
                LockSupport.park();
                x = Thread.interrupted() ? 2 : 1;
            });
            thread.interrupt();
            thread.start();
            thread.join();
            return x;
        }
    }

    /** The JDK promises nothing for a thread that has not been started, and its threads park then. An interrupt is kept. */
    @Test
    void permitOfAThreadThatHasNotStartedIsLost() {
        expect(UnparkedBeforeItStarts.class, Verdict.HANG);
        assertEquals(set("1"), outcomes(UnparkedWhenItHasStarted.class));
        assertEquals(set("2"), outcomes(InterruptedBeforeItStarts.class));
    }

    abstract static class HasAServant {
        private final AtomicInteger served = new AtomicInteger();
        private volatile boolean asked;

        abstract boolean isDaemon();

        @Actor
        void actor() {
            Thread servant = new Thread(() -> {
                while (true) {
                    LockSupport.park();
                    if (asked) {
                        asked = false;
                        served.incrementAndGet();
                    }
                }
            });
            servant.setDaemon(isDaemon());
            servant.start();
            asked = true;
            LockSupport.unpark(servant);
        }

        @Arbiter
        int end() {
            return served.get();
        }
    }

    static class HasADaemon extends HasAServant {
        @Override
        boolean isDaemon() {
            return true;
        }
    }

    static class HasNoDaemon extends HasAServant {
        @Override
        boolean isDaemon() {
            return false;
        }
    }

    static class DaemonWaitsInAMonitor {
        private final Object lock = new Object();
        private int x;

        @Actor
        void actor() {
            Thread daemon = new Thread(() -> {
                synchronized (lock) {
                    while (true) {
                        try {
                            lock.wait();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }
            });
            daemon.setDaemon(true);
            daemon.start();
            synchronized (lock) {
                x++;
            }
        }

        @Arbiter
        int end() {
            synchronized (lock) {
                lock.notifyAll();
            }
            return x;
        }
    }

    static class JoinsADaemon {
        @Actor
        void actor() throws InterruptedException {
            Thread daemon = new Thread(LockSupport::park);
            daemon.setDaemon(true);
            daemon.start();
            daemon.join();
        }
    }

    static class DaemonHoldsALock {
        private final Object lock = new Object();

        @Actor
        void actor() {
            Thread daemon = new Thread(() -> {
                synchronized (lock) {
                    LockSupport.park();
                }
            });
            daemon.setDaemon(true);
            daemon.start();
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }

    static class DaemonFails {
        @Actor
        void actor() {
            Thread daemon = new Thread(() -> {
                throw new IllegalStateException("a daemon fails");
            });
            daemon.setDaemon(true);
            daemon.start();
        }
    }

    /** A daemon makes a thread, which waits for ever. */
    static class DaemonMakesAThread {
        volatile boolean inherited;

        void prepare(Thread made) {}

        @Actor
        boolean actor() {
            Thread daemon = new Thread(() -> {
                Thread made = new Thread(LockSupport::park, "made");
                prepare(made);
                inherited = made.isDaemon();
                made.start();
            });
            daemon.setDaemon(true);
            daemon.start();
            while (!inherited) {
                Thread.onSpinWait();
            }
            return inherited;
        }
    }

    static class DaemonMakesAThreadThatIsNone extends DaemonMakesAThread {
        @Override
        void prepare(Thread made) {
            assert made.isDaemon();
            made.setDaemon(false);
            inherited = true;
        }
    }

    /** What a thread that is no daemon makes is none, also if a daemon starts it. */
    static class DaemonStartsAThread {
        @Actor
        boolean actor() throws InterruptedException {
            Thread made = new Thread(LockSupport::park, "made");
            Thread daemon = new Thread(made::start);
            daemon.setDaemon(true);
            daemon.start();
            daemon.join();
            return made.isDaemon();
        }
    }

    @Test
    void whatADaemonMakesIsADaemon() {
        assertEquals(set("1"), outcomes(DaemonMakesAThread.class));
        expect(DaemonMakesAThreadThatIsNone.class, Verdict.HANG);
        expect(DaemonStartsAThread.class, Verdict.HANG);
    }

    /** Served once; a servant that is no daemon hangs then. A thread that waits for a daemon that waits for ever hangs, too. */
    @Test
    void daemonMayWaitForEver() {
        assertEquals(set("1"), outcomes(HasADaemon.class));
        expect(HasNoDaemon.class, Verdict.HANG);
        assertEquals(set("1"), outcomes(DaemonWaitsInAMonitor.class));
        Result joined = expect(JoinsADaemon.class, Verdict.HANG);
        assertEquals(
                "Nothing can end the wait of actor: all that is waited for has its last value.",
                joined.counterExample().message());
        expect(DaemonHoldsALock.class, Verdict.HANG);
        expect(DaemonFails.class, Verdict.EXCEPTION);
    }

    /** The thread runs, as its flag says, which orders nothing; and so does nothing that finds out that it has been started. */
    abstract static class FindsAThreadStarted {
        static final VarHandle FLAG = flag();

        int flag;
        int data;
        final Thread thread = new Thread(() -> FLAG.setOpaque(this, 1));

        static VarHandle flag() {
            try {
                return MethodHandles.lookup().findVarHandle(FindsAThreadStarted.class, "flag", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        abstract boolean isFound() throws InterruptedException;

        @Actor
        void starter() {
            data = 1;
            thread.start();
        }

        @Actor
        int finder() throws InterruptedException {
            return (int) FLAG.getOpaque(this) == 1 && isFound() ? data : -1;
        }
    }

    static class FindsItAlive extends FindsAThreadStarted {
        @Override
        boolean isFound() {
            return thread.isAlive();
        }
    }

    static class MakesItADaemonTooLate extends FindsAThreadStarted {
        @Override
        boolean isFound() {
            try {
                thread.setDaemon(true);
                return false;
            } catch (IllegalThreadStateException e) {
                return true;
            }
        }
    }

    static class UnparksIt extends FindsAThreadStarted {
        @Override
        boolean isFound() {
            LockSupport.unpark(thread);
            return true;
        }
    }

    static class InterruptsIt extends FindsAThreadStarted {
        @Override
        boolean isFound() {
            thread.interrupt();
            return true;
        }
    }

    static class JoinsItForSomeTime extends FindsAThreadStarted {
        @Override
        boolean isFound() throws InterruptedException {
            thread.join(1);
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FindsItAlive.class,
                MakesItADaemonTooLate.class,
                UnparksIt.class,
                InterruptsIt.class,
                JoinsItForSomeTime.class
            })
    void threadThatIsFoundStartedBringsNoOrder(Class<?> scenario) {
        for (Model model : Model.values()) {
            assertEquals(
                    Verdict.DATA_RACE,
                    AwaitModelChecker.under(model).check(scenario).verdict(),
                    model::toString);
        }
    }

    static class WaitsInTheSetUp {
        private static final Thread MAKER = Thread.currentThread();
        private final boolean isMaker = Thread.currentThread() == MAKER && MAKER.isAlive();

        WaitsInTheSetUp() throws InterruptedException {
            LockSupport.unpark(MAKER);
            LockSupport.park();
            LockSupport.parkNanos(1_000);
            Thread.sleep(1); // checked, so no time passes but that of the model
        }

        @Actor
        boolean actor() {
            return isMaker && Thread.currentThread() != MAKER;
        }
    }

    @Test
    void setUpHasAThreadOfItsOwn() {
        assertEquals(set("1"), outcomes(WaitsInTheSetUp.class));
    }

    static class MakesItselfADaemon {
        @Actor
        boolean actor() {
            try {
                Thread.currentThread().setDaemon(true);
                return true;
            } catch (IllegalThreadStateException e) {
                return false;
            }
        }
    }

    @Test
    void threadThatRunsDoesNotBecomeADaemon() {
        assertEquals(set("0"), outcomes(MakesItselfADaemon.class));
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

    // Time

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

    // What is refused

    static class Virtual {
        @Actor
        void actor() {
            Thread.yield();
            java.util.concurrent.Executors.newSingleThreadExecutor().execute(() -> {});
        }
    }

    static class Loader {
        @Actor
        void actor() {
            new Thread(() -> {}).setContextClassLoader(null);
        }
    }

    static class LoaderInTry {
        @Actor
        void actor() {
            try {
                new Thread(() -> {}).setContextClassLoader(null);
            } catch (Throwable thrown) {
                // Not for the program.
            }
        }
    }

    static class JoinsAnActor {
        private volatile Thread other;

        @Actor
        void first() {
            other = Thread.currentThread();
        }

        @Actor
        void second() throws InterruptedException {
            if (other != null) {
                other.join();
            }
        }
    }

    static class Parallel {
        @Actor
        long actor() {
            return java.util.List.of(1, 2).parallelStream().count();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Virtual.class, Loader.class, LoaderInTry.class, JoinsAnActor.class, Parallel.class})
    void whatCanNotBeFollowedIsRefused(Class<?> scenario) {
        refused(scenario);
    }

    static class JoinMeetsStart {
        private volatile boolean done;
        private final Thread late = new Thread(() -> done = true);

        @Actor
        boolean joins() throws InterruptedException {
            late.join();
            return done;
        }

        @Actor
        void starts() {
            late.start();
        }
    }

    /** Who joins before the start does not wait; who does it while the thread is being started, waits for its end. */
    @Test
    void joinMayMeetTheStart() {
        assertEquals(set("0", "1"), outcomes(JoinMeetsStart.class));
    }

    static class MisusesAMonitor {
        private final Object monitor = new Object();

        @Actor
        void wakes() {
            monitor.notifyAll();
        }
    }

    @Test
    void reportOnAnExceptionShowsTheCodeThatIsCheckedAlone() {
        Result result = check(MisusesAMonitor.class);
        assertEquals(Verdict.EXCEPTION, result.verdict());
        List<String> frames = result.counterExample().explanation().reasons().stream()
                .filter(line -> line.startsWith("    at "))
                .toList();
        assertEquals(1, frames.size(), frames::toString);
        assertTrue(frames.get(0).contains("MisusesAMonitor.wakes (ThreadModelTest.java:"), frames::toString);
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

    /** Either the thread has ended before its time is over, or it has not. */
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

    /** Time is over for each wait of a thread, not for the first one alone. */
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

    /** Milliseconds that are more nanoseconds than there are, are as many as there are. */
    @Test
    void veryLongTimesDoNotPassAtOnce() {
        assertEquals(set("1"), outcomes(WaitsForVeryLong.class));
    }

    static class LoopsInALoop {
        private int turn(int number) {
            int sum = 0;
            for (int i = 0; i < 1_000; i++) {
                sum += i ^ number;
            }
            return sum;
        }

        @Actor
        int turns() {
            int sum = 1;
            while (sum != 0) {
                sum = turn(sum) | 1;
            }
            return sum;
        }
    }

    /** Otherwise the ten million rounds of the outer loop would take hours. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void idleRoundsOfLoopsInLoopsAreCountedTogether() {
        refused(LoopsInALoop.class, "without touching anything shared");
    }
}
