package dev.cqs.amc.conformance.litmus;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Atomicity of single accesses, independence of neighbouring variables, and progress.
 *
 * <p>Left out: word tearing of a long, because a plain access that races is an error already, and racy fields are not
 * torn here; byte buffers and bit sets, because the checker refuses to share these JDK classes.
 */
final class Atomicity {

    private Atomicity() {}

    static List<LitmusCase> cases() {
        return List.of(
                LitmusCase.wrong(
                        "an object handed over by a plain write is a race", PlainHandOver.class, Verdict.DATA_RACE),
                LitmusCase.that("an object that is seen has its class", AllowedHandOver.class)
                        .ordinary("0", "1")
                        .never("-1"),
                LitmusCase.wrong("a plain long races", PlainLong.class, Verdict.DATA_RACE),
                LitmusCase.that("a volatile long is whole", VolatileLong.class)
                        .ordinary("0", "-1")
                        .never("4294967295", "-4294967296"),
                LitmusCase.that("an opaque long is whole", OpaqueLong.class)
                        .ordinary("0", "-1")
                        .never("4294967295", "-4294967296"),
                LitmusCase.that("an allowed racy int is whole", AllowedInt.class)
                        .ordinary("0", "-1")
                        .never("65535", "-65536"),
                LitmusCase.that("neighbours in an array do not disturb each other", Neighbours.class)
                        .ordinary("11")
                        .never("1", "10"),
                LitmusCase.that("updates of neighbouring fields both succeed", NeighbouringFields.class)
                        .ordinary("1 1")
                        .never("0 1", "1 0"),
                LitmusCase.wrong("waiting on a plain field may last forever", PlainWait.class, Verdict.PLAIN_SPIN),
                LitmusCase.that("waiting on a volatile field ends", VolatileWait.class)
                        .ordinary("1"),
                LitmusCase.that("waiting by opaque reads ends", OpaqueWait.class)
                        .ordinary("1"),
                LitmusCase.that("waiting by looking under a lock ends", SynchronizedWait.class)
                        .ordinary("1"),
                LitmusCase.that("increments of a volatile field lose all but two", VolatileCounter.class)
                        .ordinary("2", "3", "4", "5", "6")
                        .never("0", "1"),
                LitmusCase.that("increments of an atomic number lose none", AtomicCounter.class)
                        .ordinary("6")
                        .never("1", "2", "3", "4", "5"));
    }

    static class PlainHandOver {
        Object handed;

        @Actor
        void giver() {
            handed = new PlainHandOver();
        }

        @Actor
        int taker() {
            return handed == null ? 0 : 1;
        }
    }

    static class AllowedHandOver {
        @RacyAllowed
        Object handed;

        @Actor
        void giver() {
            handed = new AllowedHandOver();
        }

        @Actor
        int taker() {
            Object seen = handed;
            return seen == null ? 0 : seen.getClass() == AllowedHandOver.class ? 1 : -1;
        }
    }

    static class PlainLong {
        long number;

        @Actor
        long reader() {
            return number;
        }

        @Actor
        void writer() {
            number = -1;
        }
    }

    static class VolatileLong {
        volatile long number;

        @Actor
        long reader() {
            return number;
        }

        @Actor
        void writer() {
            number = -1;
        }
    }

    static class OpaqueLong {
        static final VarHandle NUMBER;

        static {
            try {
                NUMBER = MethodHandles.lookup().findVarHandle(OpaqueLong.class, "number", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        long number;

        @Actor
        long reader() {
            return (long) NUMBER.getOpaque(this);
        }

        @Actor
        void writer() {
            NUMBER.setOpaque(this, -1L);
        }
    }

    static class AllowedInt {
        @RacyAllowed
        int number;

        @Actor
        int reader() {
            return number;
        }

        @Actor
        void writer() {
            number = -1;
        }
    }

    static class Neighbours {
        final boolean[] set = new boolean[2];

        @Actor(2)
        void writer(int index) {
            set[index] = true;
        }

        @Arbiter
        int both() {
            return (set[0] ? 10 : 0) + (set[1] ? 1 : 0);
        }
    }

    static class NeighbouringFields {
        static final VarHandle LEFT;
        static final VarHandle RIGHT;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                LEFT = lookup.findVarHandle(NeighbouringFields.class, "left", boolean.class);
                RIGHT = lookup.findVarHandle(NeighbouringFields.class, "right", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        boolean left;
        boolean right;

        @Actor
        boolean one() {
            return LEFT.compareAndSet(this, false, true);
        }

        @Actor
        boolean other() {
            return RIGHT.compareAndSet(this, false, true);
        }
    }

    static class PlainWait {
        boolean ready;

        @Actor
        void signaller() {
            ready = true;
        }

        @Actor
        boolean waiter() {
            while (!ready) {
                Thread.onSpinWait();
            }
            return true;
        }
    }

    static class VolatileWait {
        volatile boolean ready;

        @Actor
        void signaller() {
            ready = true;
        }

        @Actor
        boolean waiter() {
            while (!ready) {
                Thread.onSpinWait();
            }
            return ready;
        }
    }

    static class OpaqueWait extends TwoNumbers {

        @Actor
        void signaller() {
            X.setOpaque(this, 1);
        }

        @Actor
        int waiter() {
            while ((int) X.getOpaque(this) == 0) {
                Thread.onSpinWait();
            }
            return (int) X.getOpaque(this);
        }
    }

    static class SynchronizedWait {
        boolean ready;

        @Actor
        void signaller() {
            synchronized (this) {
                ready = true;
            }
        }

        @Actor
        boolean waiter() {
            while (true) {
                synchronized (this) {
                    if (ready) {
                        return true;
                    }
                }
            }
        }
    }

    static class VolatileCounter {
        volatile int count;

        @Actor(2)
        void counter() {
            for (int i = 0; i < 3; i++) {
                count = count + 1;
            }
        }

        @Arbiter
        int counted() {
            return count;
        }
    }

    static class AtomicCounter {
        final AtomicInteger count = new AtomicInteger();

        @Actor(2)
        void counter() {
            for (int i = 0; i < 3; i++) {
                count.incrementAndGet();
            }
        }

        @Arbiter
        int counted() {
            return count.get();
        }
    }
}
