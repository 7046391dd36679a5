package dev.cqs.amc.conformance.bugs;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Lost wake-ups, waits on plain fields, and objects that are published too early. */
final class WaitingBugs {

    private WaitingBugs() {}

    static List<Bug> bugs() {
        return List.of(
                Bug.everywhere(
                        "a thread that registers and parks without another look",
                        LooksOnce.class,
                        Verdict.HANG,
                        LooksAgain.class),
                Bug.everywhere(
                        "a thread that looks, then registers, then parks",
                        LooksTooEarly.class,
                        Verdict.HANG,
                        LooksAgain.class),
                Bug.withDelayedWrites(
                        "a thread that looks again, but whose registration may be seen later",
                        LooksWeakly.class,
                        Verdict.HANG,
                        LooksAgain.class),
                Bug.everywhere(
                        "a waker that looks for waiters before it sets the flag",
                        WakesTooEarly.class,
                        Verdict.HANG,
                        LooksAgain.class),
                Bug.everywhere(
                        "a plain field of a node is set after its publication",
                        SetsAfterPublication.class,
                        Verdict.DATA_RACE,
                        SetsBeforePublication.class),
                Bug.everywhere(
                        "a node is published by an opaque write",
                        PublishesOpaquely.class,
                        Verdict.DATA_RACE,
                        SetsBeforePublication.class),
                Bug.everywhere(
                        "a loop that waits on a plain field", SpinsPlainly.class, Verdict.PLAIN_SPIN, Spins.class),
                Bug.everywhere(
                        "a handle that reads a volatile field plainly in a loop",
                        PollsPlainly.class,
                        Verdict.PLAIN_SPIN,
                        Polls.class));
    }

    /** A flag, and a thread that waits for it. */
    abstract static class Sleepers {
        volatile boolean ready;
        volatile Thread sleeper;

        @Actor
        void wakes() {
            ready = true;
            LockSupport.unpark(sleeper);
        }
    }

    static class LooksAgain extends Sleepers {
        @Actor
        void sleeps() {
            sleeper = Thread.currentThread();
            while (!ready) {
                LockSupport.park(this);
            }
        }
    }

    /** It reads the flag, but parks once in any case. */
    static class LooksOnce extends Sleepers {
        @Actor
        void sleeps() {
            if (!ready) {
                sleeper = Thread.currentThread();
                LockSupport.park(this);
            }
        }
    }

    static class LooksTooEarly extends Sleepers {
        @Actor
        void sleeps() {
            boolean wait = !ready;
            sleeper = Thread.currentThread();
            while (wait) {
                LockSupport.park(this);
                wait = !ready;
            }
        }
    }

    /** Store buffering: neither thread has to read the preceding write of the other. */
    static class LooksWeakly {
        private static final VarHandle READY;
        private static final VarHandle SLEEPER;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                READY = lookup.findVarHandle(LooksWeakly.class, "ready", boolean.class);
                SLEEPER = lookup.findVarHandle(LooksWeakly.class, "sleeper", Thread.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private volatile boolean ready;
        private volatile Thread sleeper;

        @Actor
        void sleeps() {
            SLEEPER.setRelease(this, Thread.currentThread());
            while (!(boolean) READY.getAcquire(this)) {
                LockSupport.park(this);
            }
        }

        @Actor
        void wakes() {
            READY.setRelease(this, true);
            LockSupport.unpark((Thread) SLEEPER.getAcquire(this));
        }
    }

    static class WakesTooEarly {
        private volatile boolean ready;
        private volatile Thread sleeper;

        @Actor
        void sleeps() {
            sleeper = Thread.currentThread();
            while (!ready) {
                LockSupport.park(this);
            }
        }

        @Actor
        void wakes() {
            Thread found = sleeper;
            ready = true;
            LockSupport.unpark(found);
        }
    }

    /** An entry of a cache, with a non-final weight. */
    static final class Entry {
        int weight;
    }

    abstract static class Publication {
        final AtomicReference<Entry> entry = new AtomicReference<>();

        @Actor
        int reads() {
            Entry seen = entry.getAcquire();
            return seen == null ? -1 : seen.weight;
        }
    }

    static class SetsAfterPublication extends Publication {
        @Actor
        void writes() {
            Entry made = new Entry();
            entry.setRelease(made);
            made.weight = 3;
        }
    }

    static class PublishesOpaquely extends Publication {
        @Actor
        void writes() {
            Entry made = new Entry();
            made.weight = 3;
            entry.setOpaque(made);
        }
    }

    static class SetsBeforePublication extends Publication {
        @Actor
        void writes() {
            Entry made = new Entry();
            made.weight = 3;
            entry.setRelease(made);
        }
    }

    static class SpinsPlainly {
        private boolean ready;

        @Actor
        void sets() {
            ready = true;
        }

        @Actor
        void spins() {
            while (!ready) {
                Thread.onSpinWait();
            }
        }
    }

    static class Spins {
        private volatile boolean ready;

        @Actor
        void sets() {
            ready = true;
        }

        @Actor
        void spins() {
            while (!ready) {
                Thread.onSpinWait();
            }
        }
    }

    abstract static class Polling {
        static final VarHandle READY;

        static {
            try {
                READY = MethodHandles.lookup().findVarHandle(Polling.class, "ready", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private volatile boolean ready;

        @Actor
        void sets() {
            ready = true;
        }
    }

    static class PollsPlainly extends Polling {
        @Actor
        void spins() {
            while (!(boolean) READY.get(this)) {
                Thread.onSpinWait();
            }
        }
    }

    static class Polls extends Polling {
        @Actor
        void spins() {
            while (!(boolean) READY.getVolatile(this)) {
                Thread.onSpinWait();
            }
        }
    }
}
