package dev.cqs.internal;

/** Back-off while another thread completes a step that is under way. */
public final class Spin {
    /**
     * How many back-offs spin before the wait counts as long and yields. A running thread needs a few dozen nanoseconds for
     * its step, a few spins; a preempted one needs far more than any spin. Tests shrink it to make long waits common.
     */
    public static final int BOUND = Tuning.positive("dev.cqs.spinBound", 64, 1 << 20);

    private Spin() {}

    /**
     * Backs off once. {@code turns} counts the back-offs so far.
     *
     * @return the count after this one; at most {@link #BOUND}, so that it never overflows
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
