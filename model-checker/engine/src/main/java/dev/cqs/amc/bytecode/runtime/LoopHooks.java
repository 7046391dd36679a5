package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.liveness.IdleLoops;

/** The {@link Hooks} for the beginnings and iterations of loops. */
public final class LoopHooks {

    /** How many iterations loops of the set-up have run. */
    private static int iterationsOfSetUp;

    private LoopHooks() {}

    static void beginSetUp() {
        iterationsOfSetUp = 0;
    }

    /** A loop is entered, or its next iteration begins. Calls of {@code live} with its live variables follow. */
    public static void beginLoop() {
        if (Hooks.current != null) {
            Hooks.current.iterations.beginLoop();
        }
    }

    /** A live variable of the loop. */
    public static void live(int value) {
        if (Hooks.current != null) {
            Hooks.current.iterations.live((long) value);
        }
    }

    /** A live variable of the loop. */
    public static void live(long value) {
        if (Hooks.current != null) {
            Hooks.current.iterations.live(value);
        }
    }

    /** A live variable of the loop. */
    public static void live(float value) {
        if (Hooks.current != null) {
            Hooks.current.iterations.live(Float.floatToRawIntBits(value));
        }
    }

    /** A live variable of the loop. */
    public static void live(double value) {
        if (Hooks.current != null) {
            Hooks.current.iterations.live(Double.doubleToRawLongBits(value));
        }
    }

    /** A live variable of the loop. */
    public static void live(Object value) {
        if (Hooks.current != null) {
            Hooks.current.iterations.live(value);
        }
    }

    /** The loop begins. Returns a token, which the code keeps in a local variable. */
    public static int enterLoop(int site) {
        return Hooks.current == null ? 0 : Hooks.current.iterations.enterLoop();
    }

    /** An iteration of the loop has ended, and another one begins. */
    public static void nextIteration(int loop, int site) {
        if (Hooks.current != null) {
            Hooks.current.iterations.nextIteration(loop, site);
        } else if (Hooks.heap != null) {
            turned(++iterationsOfSetUp);
        }
    }

    /** A loop that cannot access shared memory has run this many iterations. */
    public static void turned(int iterations) {
        if (Hooks.current != null) {
            Hooks.current.run.waiting().countIdleIteration();
        } else if (IdleLoops.isTooLong(iterations)) {
            throw Hooks.refused(IdleLoops.refusal("A constructor or initializer"));
        }
    }

    /** An iteration of a loop that does nothing at all has ended. */
    public static void neverEnds(int site) {
        if (Hooks.current == null) {
            turned(++iterationsOfSetUp);
        } else {
            Hooks.current.run.waiting().spinForever();
        }
    }
}
