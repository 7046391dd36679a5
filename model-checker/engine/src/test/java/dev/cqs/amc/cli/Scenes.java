package dev.cqs.amc.cli;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Execution;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Small scenarios, one for each exit code. */
final class Scenes {

    private Scenes() {}

    static class HandsOver {
        private static final VarHandle READY;

        static {
            try {
                READY = MethodHandles.lookup().findVarHandle(HandsOver.class, "ready", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        int data;
        boolean ready;

        @Actor
        void writer() {
            data = 42;
            READY.setRelease(this, true);
        }

        @Actor
        int reader() {
            return (boolean) READY.getAcquire(this) ? data : 0;
        }
    }

    static class Races {
        int data;

        @Actor(2)
        void writes() {
            data++;
        }
    }

    static class Hangs {
        volatile boolean ready;

        @Actor
        void waits() {
            while (!ready) {
                Thread.onSpinWait();
            }
        }
    }

    static class Miscounts {
        volatile int count;

        @Actor(2)
        void counts() {
            count++;
        }

        @Arbiter
        void counted() {
            if (count != 2) {
                throw new AssertionError("a \"lost\" update");
            }
        }
    }

    static class Throws {
        @Actor
        void runs() {
            throw new IllegalStateException("out of luck");
        }
    }

    static class Spins {
        boolean ready;

        @Actor
        void waits() {
            while (!ready) {
                Thread.onSpinWait();
            }
        }

        @Actor
        void wakes() {
            ready = true;
        }
    }

    /** A scenario with a huge number of executions. */
    static class Large {
        volatile int count;

        @Actor(6)
        void counts() {
            count++;
            count++;
        }
    }

    /** A loop that is longer than the default bound, and ends. */
    static class FillsMuch {
        final int[] numbers = new int[40];

        @Actor
        void fills() {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = i;
            }
        }
    }

    /** The same, in some executions only. */
    static class MayFillMuch extends FillsMuch {
        @Override
        @Actor
        void fills() {
            if (Execution.choose(2) == 1) {
                super.fills();
            }
        }
    }

    /** Another node becomes the last one, so the first node has another path. */
    static class MovesOn {
        static class Node {
            int data;
        }

        final Node first = new Node();
        Node last = new Node();
        Node spare = first;

        @Actor
        int moves() {
            Node was = last;
            was.data++;
            last = spare;
            throw new IllegalStateException();
        }
    }

    static class LeavesAllOut {
        @Actor
        void runs() {
            Execution.assume(false);
        }
    }

    static class BreaksTheMachine {
        @Actor
        void runs() {
            throw new InternalError("as if the machine were broken");
        }
    }
}
