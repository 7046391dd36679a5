package dev.cqs.amc.bytecode.runtime;

import java.util.Arrays;

/**
 * Tracks the loops that a run of an actor is in. It records the state at the beginning of each iteration, and compares
 * it at the end.
 */
final class Iterations {

    private final CodeRun code;
    private final LocalWrites writes;
    /** The live variables of the loop that is entered, or of the iteration that begins. */
    private long[] live = new long[16];

    private int liveCount;
    /** Per loop, {@link CodeRun#state()} when its iteration began. */
    private long[] stateAtIteration = new long[8];
    /** Per loop, the number of local writes, and of objects made, when its iteration began. */
    private long[] writesAtIteration = new long[8];

    private int[] madeAtIteration = new int[8];

    Iterations(CodeRun code, LocalWrites writes) {
        this.code = code;
        this.writes = writes;
    }

    /** A loop is entered, or its next iteration begins. */
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
        // An object such as an iterator can change while the reference does not.
        code.inHands(value);
        live(code.number(value));
    }

    /** The loop begins. Returns a token for it. */
    int enterLoop() {
        int loop = code.run.waiting().enterLoop(live, liveCount);
        if (loop >= stateAtIteration.length) {
            stateAtIteration = Arrays.copyOf(stateAtIteration, 2 * loop);
            writesAtIteration = Arrays.copyOf(writesAtIteration, 2 * loop);
            madeAtIteration = Arrays.copyOf(madeAtIteration, 2 * loop);
        }
        beginIteration(loop);
        return loop;
    }

    /** An iteration of the loop has ended, and another one begins. */
    void nextIteration(int loop, int site) {
        boolean effects = code.state() != stateAtIteration[loop]
                || writes.hasOlder(madeAtIteration[loop], writesAtIteration[loop]);
        code.run.waiting().nextIteration(loop, effects, live, liveCount, site);
        beginIteration(loop);
    }

    private void beginIteration(int loop) {
        stateAtIteration[loop] = code.state();
        writesAtIteration[loop] = writes.now();
        madeAtIteration[loop] = code.made();
    }
}
