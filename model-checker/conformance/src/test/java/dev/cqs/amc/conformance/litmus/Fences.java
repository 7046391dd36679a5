package dev.cqs.amc.conformance.litmus;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Execution;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * What orders accesses for threads that do not synchronize: fences do, but locks and volatile fields that other threads
 * do not access do not.
 */
final class Fences {

    private Fences() {}

    static List<LitmusCase> cases() {
        return List.of(
                LitmusCase.that(
                                "two locked sections are not in order for a thread that takes no lock",
                                LockedSections.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .weak("1 0"),
                LitmusCase.that("an empty locked section is no fence", EmptySections.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .weak("1 0"),
                LitmusCase.that("fences order", Fenced.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .never("1 0"),
                LitmusCase.that("fences order plain data that are read on condition", FencedPlain.class)
                        .ordinary("-1", "1")
                        .never("0"),
                LitmusCase.that("a volatile access in between is no fence", VolatileInBetween.class)
                        .ordinary("0 0 0", "0 0 1", "0 1 1", "1 1 1")
                        .weak("1 0 0", "1 0 1")
                        .never("0 1 0", "1 1 0"),
                LitmusCase.that("readers with acquire fences may disagree", HalfFencedReaders.class)
                        .ordinary(Order.fourBits("1 0 1 0"))
                        .weak("1 0 1 0"),
                LitmusCase.that("readers with full fences agree", FencedReaders.class)
                        .ordinary(Order.fourBits("1 0 1 0"))
                        .never("1 0 1 0"),
                LitmusCase.that("one of two fenced flags is seen", FencedFlags.class)
                        .ordinary("0 1", "1 0", "1 1")
                        .never("0 0"));
    }

    static class LockedSections extends TwoNumbers {
        @Actor
        void reader() {
            Execution.observe((int) Y.getVolatile(this));
            Execution.observe((int) X.getVolatile(this));
        }

        @Actor
        void writer() {
            synchronized (this) {
                X.setOpaque(this, 1);
            }
            synchronized (this) {
                Y.setOpaque(this, 1);
            }
        }
    }

    static class EmptySections extends TwoNumbers {
        @Actor
        void reader() {
            Execution.observe((int) Y.getOpaque(this));
            synchronized (new Object()) {
                Execution.observe((int) X.getOpaque(this));
            }
        }

        @Actor
        void writer() {
            X.setOpaque(this, 1);
            synchronized (new Object()) {
                Y.setOpaque(this, 1);
            }
        }
    }

    static class Fenced extends TwoNumbers {
        @Actor
        void reader() {
            Execution.observe((int) Y.getOpaque(this));
            VarHandle.acquireFence();
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor
        void writer() {
            X.setOpaque(this, 1);
            VarHandle.releaseFence();
            Y.setOpaque(this, 1);
        }
    }

    static class FencedPlain extends TwoNumbers {
        @Actor
        int reader() {
            if ((int) Y.getOpaque(this) == 0) {
                return -1;
            }
            VarHandle.acquireFence();
            return x;
        }

        @Actor
        void writer() {
            x = 1;
            VarHandle.releaseFence();
            Y.setOpaque(this, 1);
        }
    }

    static class VolatileInBetween extends TwoNumbers {
        volatile int between;

        @Actor
        void reader() {
            Execution.observe((int) Y.getOpaque(this));
            Execution.observe(between);
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor
        void writer() {
            X.setOpaque(this, 1);
            between = 1;
            Y.setOpaque(this, 1);
        }
    }

    static class HalfFencedReaders extends TwoNumbers {
        @Actor
        void readsFirstX() {
            Execution.observe((int) X.getOpaque(this));
            VarHandle.acquireFence();
            Execution.observe((int) Y.getOpaque(this));
        }

        @Actor
        void readsFirstY() {
            Execution.observe((int) Y.getOpaque(this));
            VarHandle.acquireFence();
            Execution.observe((int) X.getOpaque(this));
        }

        @Actor
        void writesX() {
            VarHandle.fullFence();
            X.setOpaque(this, 1);
        }

        @Actor
        void writesY() {
            VarHandle.fullFence();
            Y.setOpaque(this, 1);
        }
    }

    static class FencedReaders extends TwoNumbers {
        @Actor
        void readsFirstX() {
            Execution.observe((int) X.getOpaque(this));
            VarHandle.fullFence();
            Execution.observe((int) Y.getOpaque(this));
        }

        @Actor
        void readsFirstY() {
            Execution.observe((int) Y.getOpaque(this));
            VarHandle.fullFence();
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

    static class FencedFlags extends TwoNumbers {
        @Actor
        int left() {
            X.setOpaque(this, 1);
            VarHandle.fullFence();
            return (int) Y.getOpaque(this);
        }

        @Actor
        int right() {
            Y.setOpaque(this, 1);
            VarHandle.fullFence();
            return (int) X.getOpaque(this);
        }
    }
}
