package dev.cqs.amc.conformance.reports;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Execution;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Scenarios with each kind of error and each kind of step. */
enum Wrong {
    FAILS_A_CHECK(FailsACheck.class, Verdict.CHECK_FAILED),
    THROWS(Throws.class, Verdict.EXCEPTION),
    FAILS_AT_THE_END(FailsAtTheEnd.class, Verdict.CHECK_FAILED),
    RACES(Races.class, Verdict.DATA_RACE),
    SPINS_PLAINLY(SpinsPlainly.class, Verdict.PLAIN_SPIN),
    HANGS(Hangs.class, Verdict.HANG),
    HANGS_IN_MONITORS(HangsInMonitors.class, Verdict.HANG),
    HANGS_IN_A_JOIN(HangsInAJoin.class, Verdict.HANG),
    RACES_WITH_A_THREAD_IT_STARTS(RacesWithAThreadItStarts.class, Verdict.DATA_RACE),
    STARTS_FEWER_THREADS_THAN_BEFORE(StartsFewerThreadsThanBefore.class, Verdict.CHECK_FAILED),
    FAILS_AFTER_A_CHOICE(FailsAfterAChoice.class, Verdict.CHECK_FAILED),
    FAILS_AFTER_A_TIMEOUT(FailsAfterATimeout.class, Verdict.CHECK_FAILED),
    FAILS_WITH_OBJECTS_OF_OTHERS(FailsWithObjectsOfOthers.class, Verdict.CHECK_FAILED),
    FAILS_BEFORE_ANOTHER_GOES_ON(FailsBeforeAnotherGoesOn.class, Verdict.CHECK_FAILED);

    final Class<?> scenario;
    final Verdict verdict;

    Wrong(Class<?> scenario, Verdict verdict) {
        this.scenario = scenario;
        this.verdict = verdict;
    }

    static class FailsACheck {
        private volatile int x;

        @Actor
        void writes() {
            x = 1;
        }

        @Actor
        void checks() {
            if (x == 1) {
                throw new AssertionError("one");
            }
        }
    }

    static class Throws {
        private final int[] cells = new int[1];
        private final AtomicInteger index = new AtomicInteger();

        @Actor
        void moves() {
            index.set(1);
        }

        @Actor
        int reads() {
            return cell(index.get());
        }

        private int cell(int at) {
            return cells[at];
        }
    }

    static class FailsAtTheEnd {
        private volatile int count;

        @Actor(2)
        void counts() {
            count++;
        }

        @Arbiter
        void bothHaveCounted() {
            if (count != 2) {
                throw new AssertionError("lost");
            }
        }
    }

    static class Races {
        private static final VarHandle READY = handle(Races.class, "ready", boolean.class);

        private int data;
        private boolean ready;

        @Actor
        void writes() {
            data = 42;
            READY.setOpaque(this, true);
        }

        @Actor
        int reads() {
            return (boolean) READY.getAcquire(this) ? data : 0;
        }
    }

    static class SpinsPlainly {
        private boolean ready;

        @Actor
        void spins() {
            while (!ready) {
                Thread.onSpinWait();
            }
        }

        @Actor
        void sets() {
            ready = true;
        }
    }

    static class Hangs {
        private static final VarHandle GO = handle(Hangs.class, "go", int.class);
        private static final VarHandle LINKED = handle(Hangs.class, "linked", boolean.class);

        private int go;
        private boolean linked;

        @Actor
        void waits() {
            GO.setOpaque(this, 1);
            LINKED.setOpaque(this, true);
            while ((int) GO.getAcquire(this) != 2) {
                Thread.onSpinWait();
            }
        }

        @Actor
        void wakes() {
            while (!(boolean) LINKED.getAcquire(this)) {
                Thread.onSpinWait();
            }
            GO.setRelease(this, 2);
        }
    }

    static class HangsInMonitors {
        private final Object one = new Object();
        private final Object other = new Object();

        @Actor
        void takesOneFirst() {
            synchronized (one) {
                synchronized (other) {
                    Thread.onSpinWait();
                }
            }
        }

        @Actor
        void takesTheOtherFirst() {
            synchronized (other) {
                synchronized (one) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    static class HangsInAJoin {
        private volatile boolean go;

        @Actor
        void joins() throws InterruptedException {
            Thread waiter = new Thread(() -> {
                while (!go) {
                    Thread.onSpinWait();
                }
            });
            waiter.start();
            waiter.join();
            go = true;
        }
    }

    static class RacesWithAThreadItStarts {
        private int data;

        @Actor
        void idles() {
            Thread idle = new Thread(() -> {});
            idle.start();
        }

        @Actor
        void starts() throws InterruptedException {
            Thread first = new Thread(() -> data = 1);
            Thread second = new Thread(() -> data = 2);
            first.start();
            first.join();
            second.start();
            data = 3;
        }
    }

    /** The first thread that the search starts is not started in the failing execution. */
    static class StartsFewerThreadsThanBefore {
        private volatile boolean started;

        @Actor
        void first() {
            if (started) {
                throw new AssertionError("started");
            }
            new Thread(() -> {}).start();
        }

        @Actor
        void second() {
            new Thread(() -> {}).start();
            started = true;
        }
    }

    static class FailsAfterAChoice {
        private final AtomicInteger sum = new AtomicInteger();

        @Actor
        void adds() {
            sum.addAndGet(Execution.choose(4));
        }

        @Arbiter
        void isNotThree() {
            if (sum.get() == 3) {
                throw new AssertionError("three");
            }
        }
    }

    static class FailsAfterATimeout {
        private volatile boolean timedOut;

        @Actor
        void parks() {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            timedOut = System.nanoTime() - end >= 0;
        }

        @Arbiter
        void timeIsNotOver() {
            if (timedOut) {
                throw new AssertionError("over");
            }
        }
    }

    static class FailsWithObjectsOfOthers {

        static class Box {
            private final int content;

            Box(int content) {
                this.content = content;
            }
        }

        private final AtomicReference<Box> mine = new AtomicReference<>();
        private final AtomicReference<Box> yours = new AtomicReference<>();

        @Actor
        void gives() {
            mine.set(new Box(1));
            Box given = yours.get();
            if (given != null) {
                yours.set(new Box(given.content + 1));
            }
        }

        @Actor
        void returns() {
            Box given = mine.get();
            if (given != null) {
                yours.set(new Box(given.content + 1));
                given = yours.get();
                if (given.content == 3) {
                    throw new AssertionError("three");
                }
            }
        }
    }

    /** The second thread's accesses after it has passed its object are not part of the execution. */
    static class FailsBeforeAnotherGoesOn {
        private final AtomicReference<FailsWithObjectsOfOthers.Box> handed = new AtomicReference<>();
        private volatile int more;

        @Actor
        void fails() {
            FailsWithObjectsOfOthers.Box box = handed.get();
            if (box != null && box.content == 1) {
                throw new AssertionError("handed over");
            }
        }

        @Actor
        void hands() {
            handed.set(new FailsWithObjectsOfOthers.Box(1));
            more = 1;
        }
    }

    private static VarHandle handle(Class<?> owner, String field, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, field, type);
        } catch (ReflectiveOperationException thrown) {
            throw new ExceptionInInitializerError(thrown);
        }
    }
}
