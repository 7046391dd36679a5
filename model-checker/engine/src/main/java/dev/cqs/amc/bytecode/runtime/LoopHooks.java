package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.liveness.IdleLoops;

/** The part of the {@link Hooks} that says where loops begin, and when a round of one is over. */
public final class LoopHooks {

    /** How often loops have turned in constructors and initializers, which are no part of any run. */
    private static int roundsOfSetUp;

    private LoopHooks() {}

    static void beginSetUp() {
        roundsOfSetUp = 0;
    }

    /** A loop is entered, or its next round begins. Its live variables follow, by the methods named live. */
    public static void beginLoop() {
        if (Hooks.current != null) {
            Hooks.current.rounds.beginLoop();
        }
    }

    /** A live variable of the loop. */
    public static void live(int value) {
        if (Hooks.current != null) {
            Hooks.current.rounds.live((long) value);
        }
    }

    /** A live variable of the loop. */
    public static void live(long value) {
        if (Hooks.current != null) {
            Hooks.current.rounds.live(value);
        }
    }

    /** A live variable of the loop. */
    public static void live(float value) {
        if (Hooks.current != null) {
            Hooks.current.rounds.live(Float.floatToRawIntBits(value));
        }
    }

    /** A live variable of the loop. */
    public static void live(double value) {
        if (Hooks.current != null) {
            Hooks.current.rounds.live(Double.doubleToRawLongBits(value));
        }
    }

    /** A live variable of the loop. */
    public static void live(Object value) {
        if (Hooks.current != null) {
            Hooks.current.rounds.live(value);
        }
    }

    /** The loop begins. Returns what tells it from others that are under way; it is kept in a local variable. */
    public static int enterLoop(int site) {
        return Hooks.current == null ? 0 : Hooks.current.rounds.enterLoop();
    }

    /** A round of the loop is over, and another one is to begin. */
    public static void nextRound(int loop, int site) {
        if (Hooks.current != null) {
            Hooks.current.rounds.nextRound(loop, site);
        } else if (Hooks.heap != null) {
            turned(++roundsOfSetUp);
        }
    }

    /** A loop that cannot touch what is shared has turned so often. */
    public static void turned(int rounds) {
        if (Hooks.current != null) {
            Hooks.current.run.waiting().countIdleRound();
        } else if (IdleLoops.isTooLong(rounds)) {
            throw Hooks.refused(IdleLoops.refusal("A constructor or initializer"));
        }
    }

    /** A round is over of a loop that does nothing at all. */
    public static void neverEnds(int site) {
        if (Hooks.current == null) {
            turned(++roundsOfSetUp);
        } else {
            Hooks.current.run.waiting().spinForever();
        }
    }
}
