package dev.cqs.amc.conformance.litmus;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Execution;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/** Volatile accesses of the wrong variable, or in the wrong order. */
final class Misunderstandings {

    private Misunderstandings() {}

    static List<LitmusCase> cases() {
        return List.of(
                LitmusCase.wrong("the elements of a volatile array are plain", VolatileArray.class, Verdict.DATA_RACE),
                LitmusCase.that("opaque elements of a volatile array are not ordered", OpaqueElements.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .weak("1 0"),
                LitmusCase.that("a volatile element guards another one", VolatileElement.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .never("1 0"),
                LitmusCase.that("a volatile element guards a plain one", GuardedElement.class)
                        .ordinary("-1", "1")
                        .never("0"),
                LitmusCase.that("a release that comes too early guards nothing", EarlyRelease.class)
                        .ordinary("0 0", "0 1", "1 0", "1 1"),
                LitmusCase.wrong(
                        "a release that comes too early leaves plain data racing",
                        PlainEarlyRelease.class,
                        Verdict.DATA_RACE),
                LitmusCase.that("an acquire that comes too late guards nothing", LateAcquire.class)
                        .ordinary("0 0", "0 1", "1 0", "1 1"),
                LitmusCase.that("a weak flag does not guard volatile data", WeakGuard.class)
                        .ordinary("0 0", "0 1", "1 1")
                        .weak("1 0"));
    }

    static class VolatileArray {
        volatile int[] array = new int[2];

        @Actor
        void reader() {
            int[] seen = array;
            Execution.observe(seen[1]);
            Execution.observe(seen[0]);
        }

        @Actor
        void writer() {
            int[] seen = array;
            seen[0] = 1;
            seen[1] = 1;
        }
    }

    abstract static class Elements {
        static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

        volatile int[] array = new int[2];
    }

    static class OpaqueElements extends Elements {
        @Actor
        void reader() {
            int[] seen = array;
            Execution.observe((int) ELEMENT.getOpaque(seen, 1));
            Execution.observe((int) ELEMENT.getOpaque(seen, 0));
        }

        @Actor
        void writer() {
            int[] seen = array;
            ELEMENT.setOpaque(seen, 0, 1);
            ELEMENT.setOpaque(seen, 1, 1);
        }
    }

    static class VolatileElement extends Elements {
        @Actor
        void reader() {
            Execution.observe((int) ELEMENT.getVolatile(array, 1));
            Execution.observe((int) ELEMENT.getOpaque(array, 0));
        }

        @Actor
        void writer() {
            ELEMENT.setOpaque(array, 0, 1);
            ELEMENT.setVolatile(array, 1, 1);
        }
    }

    static class GuardedElement extends Elements {
        @Actor
        int reader() {
            return (int) ELEMENT.getVolatile(array, 1) == 0 ? -1 : array[0];
        }

        @Actor
        void writer() {
            ELEMENT.set(array, 0, 1);
            ELEMENT.setVolatile(array, 1, 1);
        }
    }

    abstract static class DataAndFlag {
        @RacyAllowed
        int data;

        volatile int flag;
    }

    static class EarlyRelease extends DataAndFlag {
        @Actor
        void reader() {
            Execution.observe(flag);
            Execution.observe(data);
        }

        @Actor
        void writer() {
            flag = 1;
            data = 1;
        }
    }

    static class PlainEarlyRelease {
        int data;
        volatile int flag;

        @Actor
        int reader() {
            return flag == 0 ? -1 : data;
        }

        @Actor
        void writer() {
            flag = 1;
            data = 1;
        }
    }

    static class LateAcquire extends DataAndFlag {
        @Actor
        void reader() {
            Execution.observe(data);
            Execution.observe(flag);
        }

        @Actor
        void writer() {
            data = 1;
            flag = 1;
        }
    }

    /** Both threads are wrong: the volatile write comes first, and the volatile read last. */
    static class WeakGuard extends DataAndFlag {
        @Actor
        void reader() {
            Execution.observe(data);
            Execution.observe(flag);
        }

        @Actor
        void writer() {
            flag = 1;
            data = 1;
        }
    }
}
