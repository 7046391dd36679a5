package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Execution;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An exception that leaves the code of a thread goes to the handler of the thread, as in Java. */
class UncaughtExceptionsTest {

    private static void fail() {
        throw new IllegalStateException("failing");
    }

    static class HandlerPublishes {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            Thread.UncaughtExceptionHandler handler = (who, thrown) -> {
                assert who == Thread.currentThread()
                        && who.isAlive()
                        && thrown.getMessage().equals("failing");
                x = 7;
            };
            thread.setUncaughtExceptionHandler(handler);
            assert thread.getUncaughtExceptionHandler() == handler;
            thread.start();
            thread.join();
            assert !thread.isAlive() && thread.getState() == Thread.State.TERMINATED;
            assert thread.getUncaughtExceptionHandler() == null;
            return x;
        }
    }

    static class Keeper implements Thread.UncaughtExceptionHandler {
        private Throwable kept;

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            kept = thrown;
        }
    }

    static class HandlerIsAnObject {
        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            Keeper keeper = new Keeper();
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler(keeper);
            thread.start();
            thread.join();
            return keeper.kept instanceof IllegalStateException ? 7 : 0;
        }
    }

    static class HandlerOfASubclass {
        private int x;

        class Own extends Thread {
            @Override
            public void run() {
                fail();
            }

            @Override
            public UncaughtExceptionHandler getUncaughtExceptionHandler() {
                return (who, thrown) -> x = 7;
            }
        }

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Own();
            thread.start();
            thread.join();
            return x;
        }
    }

    static class HandlerThrows {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            thread.setUncaughtExceptionHandler((who, thrown) -> {
                x = 7;
                throw new IllegalArgumentException(thrown);
            });
            thread.start();
            thread.join();
            return x;
        }
    }

    static class HandlerIsNotNeeded {
        private int x;

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(() -> x += 7);
            thread.setUncaughtExceptionHandler((who, thrown) -> x += 100);
            thread.start();
            thread.join();
            return x;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                HandlerPublishes.class,
                HandlerIsAnObject.class,
                HandlerOfASubclass.class,
                HandlerThrows.class,
                HandlerIsNotNeeded.class
            })
    void handlerRunsBeforeTheThreadEnds(Class<?> scenario) {
        assertEquals(set("7"), outcomes(scenario));
        verified(scenario, 1);
    }

    static class NeverJoined {
        private int x;

        @Actor
        int actor() {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            thread.setUncaughtExceptionHandler((who, thrown) -> x = 1);
            thread.start();
            return x;
        }
    }

    static class AliveOrNot {
        private int x;

        @Actor
        int actor() {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            thread.setUncaughtExceptionHandler((who, thrown) -> x = 1);
            thread.start();
            return thread.isAlive() ? -1 : x;
        }
    }

    @Test
    void threadIsAliveUntilItsHandlerHasReturned() {
        assertEquals(set("-1", "1"), outcomes(AliveOrNot.class));
    }

    @Test
    void nothingElseOrdersWhatAHandlerDoes() {
        expect(NeverJoined.class, Verdict.DATA_RACE);
    }

    static class ReplacedRacily {
        private int x;
        private final Thread thread = new Thread(UncaughtExceptionsTest::fail);

        ReplacedRacily() {
            thread.setUncaughtExceptionHandler((who, thrown) -> x = 1);
        }

        @Actor
        int starts() throws InterruptedException {
            thread.start();
            thread.join();
            return x;
        }

        @Actor
        void replaces() {
            thread.setUncaughtExceptionHandler((who, thrown) -> x = 2);
        }
    }

    static class SetRacily {
        private final Thread thread = new Thread(UncaughtExceptionsTest::fail);

        @Actor
        void starts() {
            thread.start();
        }

        @Actor
        void sets() {
            thread.setUncaughtExceptionHandler((who, thrown) -> {});
        }
    }

    static class PublishesByTheHandler {
        private int x;
        private final Thread thread = new Thread(() -> {
            while (!(Thread.currentThread().getUncaughtExceptionHandler() instanceof Keeper)) {
                Thread.onSpinWait();
            }
            Execution.observe(x);
        });

        @Actor
        void starts() {
            thread.start();
        }

        @Actor
        void sets() {
            x = 7;
            thread.setUncaughtExceptionHandler(new Keeper());
        }
    }

    /** The handler is read before or after the other write: two executions. */
    @Test
    void handlerIsAVolatileVariable() {
        assertEquals(set("1", "2"), outcomes(ReplacedRacily.class));
        verified(ReplacedRacily.class, 2);
        Result failed = expect(SetRacily.class, Verdict.EXCEPTION);
        assertInstanceOf(IllegalStateException.class, failed.counterExample().cause());
        assertEquals(set("7"), outcomes(PublishesByTheHandler.class));
    }

    static class ByDefault {
        private int x;

        private int run(Thread thread) throws InterruptedException {
            thread.start();
            thread.join();
            return x;
        }

        @Actor
        int actor() throws InterruptedException {
            assert Thread.getDefaultUncaughtExceptionHandler() == null;
            Thread.UncaughtExceptionHandler handler = (who, thrown) -> x = 4;
            Thread.setDefaultUncaughtExceptionHandler(handler);
            assert Thread.getDefaultUncaughtExceptionHandler() == handler;
            int first = run(new Thread(UncaughtExceptionsTest::fail));
            Thread other = new Thread(UncaughtExceptionsTest::fail);
            other.setUncaughtExceptionHandler((who, thrown) -> x = 5);
            return first * 10 + run(other);
        }
    }

    static class ByDefaultOfTheSetUp {
        private int x;

        ByDefaultOfTheSetUp() {
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> x = 45);
        }

        @Actor
        int actor() throws InterruptedException {
            Thread thread = new Thread(new ThreadGroup("group"), UncaughtExceptionsTest::fail);
            thread.start();
            thread.join();
            return x;
        }
    }

    static class ByDefaultInsideOfTheThread {
        private int x;

        @Actor
        int actor() {
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> x = 45);
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, new IllegalStateException());
            return x;
        }
    }

    static class NoneAtAll {
        @Actor
        void actor() throws InterruptedException {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            thread.setUncaughtExceptionHandler((who, thrown) -> {});
            thread.setUncaughtExceptionHandler(null);
            thread.start();
            thread.join();
        }
    }

    static class NoneForTheCaller {
        @Actor
        void actor() {
            Thread current = Thread.currentThread();
            try {
                current.getUncaughtExceptionHandler().uncaughtException(current, new IllegalStateException());
            } catch (Throwable thrown) {
                return;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ByDefault.class, ByDefaultOfTheSetUp.class, ByDefaultInsideOfTheThread.class})
    void handlerByDefaultIsForThreadsWithoutOne(Class<?> scenario) {
        assertEquals(set("45"), outcomes(scenario));
        for (Class<?> without : new Class<?>[] {NoneAtAll.class, NoneForTheCaller.class}) {
            Result failed = expect(without, Verdict.EXCEPTION);
            assertInstanceOf(
                    IllegalStateException.class, failed.counterExample().cause());
        }
    }

    // Failed checks

    static class FailedCheckInAThread {
        @Actor
        void actor() {
            Thread thread = new Thread(() -> {
                throw new AssertionError("a check");
            });
            thread.setUncaughtExceptionHandler((who, thrown) -> {});
            thread.start();
        }
    }

    static class FailedCheckByDefault {
        @Actor
        void actor() {
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> {});
            new Thread(() -> {
                        throw new AssertionError("a check");
                    })
                    .start();
        }
    }

    static class FailedCheckInAHandler {
        @Actor
        void actor() {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            thread.setUncaughtExceptionHandler((who, thrown) -> {
                throw new AssertionError("a check");
            });
            thread.start();
        }
    }

    static class FailedCheckInAnActor {
        @Actor
        void actor() {
            Thread.currentThread().setUncaughtExceptionHandler((who, thrown) -> {});
            throw new AssertionError("a check");
        }
    }

    static class FailedCheckHandedOver {
        @Actor
        void actor() {
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> {});
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, new AssertionError("a check"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FailedCheckInAThread.class,
                FailedCheckByDefault.class,
                FailedCheckInAHandler.class,
                FailedCheckInAnActor.class,
                FailedCheckHandedOver.class
            })
    void failedCheckGoesToNoHandler(Class<?> scenario) {
        Result failed = expect(scenario, Verdict.CHECK_FAILED);
        assertEquals("a check", failed.counterExample().cause().getMessage());
    }

    // Actors

    static class ActorWithAHandler {
        private int x;

        @Actor
        int actor() {
            Thread.currentThread()
                    .setUncaughtExceptionHandler((who, thrown) -> x = who == Thread.currentThread() ? 6 : 0);
            throw new IllegalStateException();
        }

        @Arbiter
        int end() {
            return x;
        }
    }

    static class ActorWithAHandlerThatThrows {
        private int x;

        @Actor
        void actor() {
            Thread.currentThread().setUncaughtExceptionHandler((who, thrown) -> {
                x = 6;
                fail();
            });
            fail();
        }

        @Arbiter
        int end() {
            return x;
        }
    }

    static class ActorWithADefault {
        @Actor
        void actor() {
            Thread.currentThread();
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> {});
            fail();
        }
    }

    static class ActorWithAHandlerOfAnother {
        private volatile Thread actor;

        @Actor
        void fails() {
            actor = Thread.currentThread();
            fail();
        }

        @Actor
        void sets() {
            Thread known = actor;
            if (known != null) {
                known.setUncaughtExceptionHandler((who, thrown) -> {});
            }
        }
    }

    static class ActorWaitsForItsHandler {
        private volatile Thread actor;
        private volatile boolean isSet;
        private int x;

        @Actor
        void fails() {
            actor = Thread.currentThread();
            while (!isSet) {
                Thread.onSpinWait();
            }
            fail();
        }

        @Actor
        void sets() {
            while (actor == null) {
                Thread.onSpinWait();
            }
            actor.setUncaughtExceptionHandler((who, thrown) -> x = 6);
            isSet = true;
        }

        @Arbiter
        int end() {
            return x;
        }
    }

    /** A default handler is for threads of the code, and does not handle the failure of an actor. */
    @Test
    void actorFailsUnlessItsOwnThreadHasAHandler() {
        assertEquals(set("6"), outcomes(ActorWithAHandler.class));
        assertEquals(set("6"), outcomes(ActorWithAHandlerThatThrows.class));
        assertEquals(set("6"), outcomes(ActorWaitsForItsHandler.class));
        expect(ActorWithADefault.class, Verdict.EXCEPTION);
        expect(ActorWithAHandlerOfAnother.class, Verdict.EXCEPTION);
    }

    // Handlers that wait

    abstract static class HandlerWaits {
        private volatile boolean ready;

        abstract boolean comes();

        @Actor
        int joins() throws InterruptedException {
            Thread thread = new Thread(UncaughtExceptionsTest::fail);
            thread.setUncaughtExceptionHandler((who, thrown) -> {
                while (!ready) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            thread.join();
            return ready ? 1 : 0;
        }

        @Actor
        void sets() {
            if (comes()) {
                ready = true;
            }
        }
    }

    static class HandlerIsReleased extends HandlerWaits {
        @Override
        boolean comes() {
            return true;
        }
    }

    static class HandlerHangs extends HandlerWaits {
        @Override
        boolean comes() {
            return false;
        }
    }

    @Test
    void waitInAHandlerIsAWait() {
        assertEquals(set("1"), outcomes(HandlerIsReleased.class));
        expect(HandlerHangs.class, Verdict.HANG);
    }

    // Recordings

    static class HandlerComesLate {
        private volatile int handled;
        private final Thread thread = new Thread(UncaughtExceptionsTest::fail);

        HandlerComesLate() {
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> handled = 1);
        }

        @Actor
        void starts() throws InterruptedException {
            thread.start();
            thread.join();
            assert handled != 2 : "handled by the other one";
        }

        @Actor
        void sets() {
            thread.setUncaughtExceptionHandler((who, thrown) -> handled = 2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                HandlerComesLate.class,
                SetRacily.class,
                ActorWithAHandlerOfAnother.class,
                FailedCheckInAHandler.class,
                NoneForTheCaller.class,
                HandlerHangs.class
            })
    void executionWithAHandlerRunsAgainAsItWas(Class<?> scenario) {
        for (Model model : Model.values()) {
            AwaitModelChecker checker = AwaitModelChecker.under(model);
            Result found = checker.check(scenario);
            Result again = checker.replay(scenario, found.counterExample().replay());
            assertEquals(found.verdict(), again.verdict());
            assertEquals(found.counterExample().text(), again.counterExample().text());
        }
    }

    // What is refused

    static class OverflowsWithAHandler {
        private int turn(int x) {
            return turn(x + 1) + 1;
        }

        @Actor
        void actor() {
            Thread thread = new Thread(() -> turn(0));
            thread.setUncaughtExceptionHandler((who, thrown) -> {});
            thread.start();
        }
    }

    static class GroupIsTheHandler {
        @Actor
        void actor() {
            new Thread(() -> {}).setUncaughtExceptionHandler(new ThreadGroup("group"));
        }
    }

    static class GroupIsTheDefaultHandler {
        GroupIsTheDefaultHandler() {
            Thread.setDefaultUncaughtExceptionHandler(new ThreadGroup("group"));
        }

        @Actor
        void actor() {
            new Thread(UncaughtExceptionsTest::fail).start();
        }
    }

    static class GroupHasAHandler {
        static class Group extends ThreadGroup {
            Group() {
                super("group");
            }

            @Override
            public void uncaughtException(Thread thread, Throwable thrown) {
                throw new AssertionError();
            }
        }

        @Actor
        void actor() {
            Thread.setDefaultUncaughtExceptionHandler((who, thrown) -> {});
            new Thread(new ThreadGroup(new Group(), "inner"), UncaughtExceptionsTest::fail).start();
        }
    }

    static class AsksForTheHandlerOfAnActor {
        private volatile Thread actor;

        @Actor
        void first() {
            actor = Thread.currentThread();
        }

        @Actor
        void second() {
            if (actor != null) {
                actor.getUncaughtExceptionHandler();
            }
        }
    }

    @Test
    void groupsAndTheEndsOfActorsAreRefused() {
        refused(OverflowsWithAHandler.class, "used up its stack");
        refused(GroupIsTheHandler.class, "java.lang.ThreadGroup", "instrumented");
        refused(GroupIsTheDefaultHandler.class, "java.lang.ThreadGroup", "instrumented");
        refused(GroupHasAHandler.class, "thread group");
        refused(AsksForTheHandlerOfAnActor.class, "actor");
    }
}
