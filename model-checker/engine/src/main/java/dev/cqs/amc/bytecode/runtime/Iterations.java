package dev.cqs.amc.bytecode.runtime;

import java.util.Arrays;

/** The rounds of the loops that a run of an actor is in: what there is at the beginning of each, to be compared at its end. */
final class Rounds {

    private final CodeRun code;
    private final LocalWrites writes;
    /** The live variables of the loop that is entered, or of the round that begins. */
    private long[] live = new long[16];

    private int liveCount;
    /** Per loop, what told whether the run does something, when its round began. */
    private long[] stateAtRound = new long[8];
    /** Per loop, what had been written and made when its round began. */
    private long[] writesAtRound = new long[8];

    private int[] madeAtRound = new int[8];

    Rounds(CodeRun code, LocalWrites writes) {
        this.code = code;
        this.writes = writes;
    }

    /** A loop is entered, or its next round begins. */
    void beginLoop() {
        liveCount = 0;
    }

    /** A live variable. */
    void live(long value) {
        if (liveCount == live.length) {
            live = Arrays.copyOf(live, 2 * liveCount);
        }
        live[liveCount++] = value;
    }

    /** A live variable. */
    void live(Object value) {
        // An iterator, for example, changes though the reference does not.
        code.inHands(value);
        live(code.number(value));
    }

    /** The loop begins. Returns what tells it from others that are under way. */
    int enterLoop() {
        int loop = code.run.waiting().enterLoop(live, liveCount);
        if (loop >= stateAtRound.length) {
            stateAtRound = Arrays.copyOf(stateAtRound, 2 * loop);
            writesAtRound = Arrays.copyOf(writesAtRound, 2 * loop);
            madeAtRound = Arrays.copyOf(madeAtRound, 2 * loop);
        }
        beginRound(loop);
        return loop;
    }

    /** A round of the loop is over, and another one is to begin. */
    void nextRound(int loop, int site) {
        boolean effects = code.state() != stateAtRound[loop] || writes.hasOlder(madeAtRound[loop], writesAtRound[loop]);
        code.run.waiting().nextRound(loop, effects, live, liveCount, site);
        beginRound(loop);
    }

    private void beginRound(int loop) {
        stateAtRound[loop] = code.state();
        writesAtRound[loop] = writes.now();
        madeAtRound[loop] = code.made();
    }
}
