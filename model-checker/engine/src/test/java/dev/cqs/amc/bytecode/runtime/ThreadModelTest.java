package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Start, end, join, interrupts and parking of threads. */
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
        // A day may also pass at a further read of the clock; the remainder of a day by 1000 is 0.
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

    /**
     * The JDK promises no effect of unpark on a thread that was not started, and its threads park then. An interrupt is
     * kept.
     */
    @Test
    void permitOfAThreadThatHasNotStartedIsLost() {
        expect(UnparkedBeforeItStarts.class, Verdict.HANG);
        assertEquals(set("1"), outcomes(UnparkedWhenItHasStarted.class));
        assertEquals(set("2"), outcomes(InterruptedBeforeItStarts.class));
    }

    /** The opaque flag shows that the thread runs, but orders nothing, and neither does reading that it was started. */
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
                // The program must not catch it.
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

    /** A join before the start does not wait; a join during the start waits for the end. */
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

    /** Otherwise the ten million iterations of the outer loop would take hours. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void idleIterationsOfLoopsInLoopsAreCountedTogether() {
        refused(LoopsInALoop.class, "without accessing shared memory");
    }
}
