package dev.cqs.amc.conformance.litmus;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Execution;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Verdict;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ordering of the writes of other threads: to one variable, to several, and by several threads. The names of the
 * literature: reading twice is CoRR, messages are MP, flags are SB, thin air is LB, and two readers of two writes are
 * IRIW.
 *
 * <p>Left out: two plain reads of one variable that read its writes out of order. Such reads race, which is an error
 * here; racy fields are checked as opaque.
 */
final class Order {

    private Order() {}

    static List<LitmusCase> cases() {
        return List.of(
                LitmusCase.wrong("two plain reads of one variable race", PlainTwice.class, Verdict.DATA_RACE),
                LitmusCase.that("two volatile reads do not go back", VolatileTwice.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .never("1 0"),
                LitmusCase.that("two opaque reads do not go back", OpaqueTwice.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .never("1 0"),
                LitmusCase.wrong("plain messages race", PlainMessage.class, Verdict.DATA_RACE),
                LitmusCase.that("opaque writes may be seen in the other order", OpaqueMessage.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .weak("1 0"),
                LitmusCase.that("a volatile flag guards what comes before it", VolatileMessage.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .never("1 0"),
                LitmusCase.that("release and acquire guard as well", ReleasedMessage.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .never("1 0"),
                LitmusCase.that("what is guarded may be plain", GuardedMessage.class)
                        .ordinary("-1", "1")
                        .never("0"),
                LitmusCase.that("a lock also keeps both together", LockedMessage.class)
                        .ordinary("0 0", "1 1")
                        .never("0 1", "1 0"),
                LitmusCase.wrong("plain flags of two threads race", PlainFlags.class, Verdict.DATA_RACE),
                LitmusCase.that("one of two volatile flags is seen", VolatileFlags.class)
                        .ordinary("0 1", "1 0", "1 1")
                        .never("0 0"),
                LitmusCase.that("released flags may both be missed", ReleasedFlags.class)
                        .ordinary("0 1", "1 0", "1 1")
                        .weak("0 0"),
                LitmusCase.that("opaque flags may both be missed", OpaqueFlags.class)
                        .ordinary("0 1", "1 0", "1 1")
                        .weak("0 0"),
                LitmusCase.that("no value comes out of thin air", ThinAir.class)
                        .ordinary("0 0")
                        .never("1 1", "1 0", "0 1"),
                LitmusCase.that("writes that are never reached do not race", PlainThinAir.class)
                        .ordinary("0 0")
                        .never("1 1"),
                LitmusCase.that("two readers may see two opaque writes in two orders", OpaqueReaders.class)
                        .ordinary(fourBits("1 0 1 0"))
                        .weak("1 0 1 0"),
                LitmusCase.that("two readers see two volatile writes in one order", VolatileReaders.class)
                        .ordinary(fourBits("1 0 1 0"))
                        .never("1 0 1 0"),
                LitmusCase.that("all readers see the writes of one variable in one order", Coherent.class)
                        .ordinary(coherent(true))
                        .never(coherent(false)));
    }

    /** All combinations of four bits except one. */
    static Set<List<Long>> fourBits(String butNot) {
        Set<List<Long>> all = new LinkedHashSet<>();
        for (long i = 0; i < 16; i++) {
            List<Long> bits = List.of(i >> 3, i >> 2 & 1, i >> 1 & 1, i & 1);
            if (!bits.toString().equals("[" + butNot.replace(" ", ", ") + "]")) {
                all.add(bits);
            }
        }
        return all;
    }

    /** The outcomes of two readers of a variable, initially 0, to which 1 and 2 are written in either order. */
    private static Set<List<Long>> coherent(boolean wanted) {
        Set<List<Long>> all = new LinkedHashSet<>();
        for (long i = 0; i < 81; i++) {
            List<Long> seen = List.of(i / 27, i / 9 % 3, i / 3 % 3, i % 3);
            boolean oneFirst = seen.get(0) <= seen.get(1) && seen.get(2) <= seen.get(3);
            List<Long> swapped =
                    seen.stream().map(value -> value == 0 ? 0 : 3 - value).toList();
            boolean twoFirst = swapped.get(0) <= swapped.get(1) && swapped.get(2) <= swapped.get(3);
            if ((oneFirst || twoFirst) == wanted) {
                all.add(seen);
            }
        }
        return all;
    }

    static class Box {
        int plain;
        volatile int strong;

        @RacyAllowed
        int racy;
    }

    /** Two references to one object, so that the reads are of one variable without naming it twice. */
    abstract static class TwoNames {
        final Box one = new Box();
        final Box other = one;
    }

    static class PlainTwice extends TwoNames {
        @Actor
        void reader() {
            Execution.observe(one.plain);
            Execution.observe(other.plain);
        }

        @Actor
        void writer() {
            one.plain = 1;
        }
    }

    static class VolatileTwice extends TwoNames {
        @Actor
        void reader() {
            Execution.observe(one.strong);
            Execution.observe(other.strong);
        }

        @Actor
        void writer() {
            one.strong = 1;
        }
    }

    static class OpaqueTwice extends TwoNames {
        @Actor
        void reader() {
            Execution.observe(one.racy);
            Execution.observe(other.racy);
        }

        @Actor
        void writer() {
            one.racy = 1;
        }
    }

    static class PlainMessage extends TwoNumbers {
        @Actor
        void reader() {
            Execution.observe(y);
            Execution.observe(x);
        }

        @Actor
        void writer() {
            x = 1;
            y = 1;
        }
    }

    static class OpaqueMessage extends TwoNumbers {
        @Actor
        void reader() {
            Execution.observe((int) Y.getOpaque(this));
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor
        void writer() {
            X.setOpaque(this, 1);
            Y.setOpaque(this, 1);
        }
    }

    static class VolatileMessage {
        @RacyAllowed
        int data;

        volatile int flag;

        @Actor
        void reader() {
            Execution.observe(flag);
            Execution.observe(data);
        }

        @Actor
        void writer() {
            data = 1;
            flag = 1;
        }
    }

    static class ReleasedMessage extends TwoNumbers {
        @Actor
        void reader() {
            Execution.observe((int) Y.getAcquire(this));
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor
        void writer() {
            X.setOpaque(this, 1);
            Y.setRelease(this, 1);
        }
    }

    /** The reader reads the data only if the flag is set. */
    static class GuardedMessage {
        int data;
        volatile boolean flag;

        @Actor
        int reader() {
            return flag ? data : -1;
        }

        @Actor
        void writer() {
            data = 1;
            flag = true;
        }
    }

    static class LockedMessage extends TwoNumbers {
        @Actor
        void reader() {
            synchronized (this) {
                Execution.observe(y);
                Execution.observe(x);
            }
        }

        @Actor
        void writer() {
            synchronized (this) {
                x = 1;
                y = 1;
            }
        }
    }

    static class PlainFlags extends TwoNumbers {
        @Actor
        int left() {
            x = 1;
            return y;
        }

        @Actor
        int right() {
            y = 1;
            return x;
        }
    }

    static class VolatileFlags {
        volatile int x;
        volatile int y;

        @Actor
        int left() {
            x = 1;
            return y;
        }

        @Actor
        int right() {
            y = 1;
            return x;
        }
    }

    static class ReleasedFlags extends TwoNumbers {
        @Actor
        int left() {
            X.setRelease(this, 1);
            return (int) Y.getAcquire(this);
        }

        @Actor
        int right() {
            Y.setRelease(this, 1);
            return (int) X.getAcquire(this);
        }
    }

    static class OpaqueFlags extends TwoNumbers {
        @Actor
        int left() {
            X.setOpaque(this, 1);
            return (int) Y.getOpaque(this);
        }

        @Actor
        int right() {
            Y.setOpaque(this, 1);
            return (int) X.getOpaque(this);
        }
    }

    static class ThinAir extends TwoNumbers {
        @Actor
        void left() {
            if ((int) X.getOpaque(this) == 1) {
                Y.setOpaque(this, 1);
            }
        }

        @Actor
        void right() {
            if ((int) Y.getOpaque(this) == 1) {
                X.setOpaque(this, 1);
            }
        }

        @Arbiter
        int end() {
            Execution.observe(x);
            return y;
        }
    }

    static class PlainThinAir extends TwoNumbers {
        @Actor
        void left() {
            if (x == 1) {
                y = 1;
            }
        }

        @Actor
        void right() {
            if (y == 1) {
                x = 1;
            }
        }

        @Arbiter
        int end() {
            Execution.observe(x);
            return y;
        }
    }

    static class OpaqueReaders extends TwoNumbers {
        @Actor
        void readsFirstX() {
            Execution.observe((int) X.getOpaque(this));
            Execution.observe((int) Y.getOpaque(this));
        }

        @Actor
        void readsFirstY() {
            Execution.observe((int) Y.getOpaque(this));
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor
        void writesX() {
            X.setOpaque(this, 1);
        }

        @Actor
        void writesY() {
            Y.setOpaque(this, 1);
        }
    }

    static class VolatileReaders extends TwoNumbers {
        @Actor
        void readsFirstX() {
            Execution.observe((int) X.getVolatile(this));
            Execution.observe((int) Y.getVolatile(this));
        }

        @Actor
        void readsFirstY() {
            Execution.observe((int) Y.getVolatile(this));
            Execution.observe((int) X.getVolatile(this));
        }

        @Actor
        void writesX() {
            X.setVolatile(this, 1);
        }

        @Actor
        void writesY() {
            Y.setVolatile(this, 1);
        }
    }

    static class Coherent extends TwoNumbers {
        @Actor(2)
        void reader() {
            Execution.observe((int) X.getOpaque(this));
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor(2)
        void writer(int index) {
            X.setOpaque(this, index + 1);
        }
    }
}
