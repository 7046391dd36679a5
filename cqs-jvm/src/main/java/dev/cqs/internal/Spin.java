package dev.cqs.internal;

/** Waiting for a step of another thread that is under way. */
public final class Spin {
    /**
     * How many turns a wait lasts before it is taken for a long one. A thread that runs needs a few dozen nanoseconds
     * for its step, a few turns; one that has lost its processor needs far more than any spin. Tests shrink it to
     * make the long waits common.
     */
    public static final int BOUND = Tuning.positive("dev.cqs.spinBound", 64, 1 << 20);

    private Spin() {}

    /**
     * One turn of a wait, of which there have been so many before.
     *
     * @return how many there are now; {@link #BOUND} at most, so that turns beyond it are all the same
     */
    public static int pause(int turns) {
        if (turns < BOUND) {
            Thread.onSpinWait();
            return turns + 1;
        }
        Thread.yield(); // the other thread may need this processor
        return turns;
    }
}
