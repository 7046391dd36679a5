package dev.cqs.amc.bytecode.heap;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of threads. A program depends on differences of times, not on a time itself.
 */
public final class Times {
    /*
     * By default each thread has a clock of its own, which stands still until the thread has waited for some time, or a
     * day passes at once. That is all that a thread can observe about time by itself, and it costs few executions. It
     * is unsound as soon as a thread obtains a time that another thread has read. To detect that, each run of a thread
     * begins at another time, far from all other numbers. A time that is written to shared memory, or that is in an
     * object that escapes, is recognized by its magnitude. A value that is derived from a time and hides it (a
     * remainder, a narrow number, a text, an outcome) differs in the next run of the same code, which is a mismatch.
     * Then the search restarts with a shared clock: a location of the graph that only increases (see ThreadClock.now),
     * so that times are ordered as far as happens-before orders the reads of the clock.
     *
     * The set-up has a clock that is earlier than those of the threads. If both the set-up and a thread read the time,
     * the search needs the shared clock too.
     *
     * A program may use a time as a number, for example its remainder as a slot or a seed. The times at which the runs
     * of a thread begin agree in no remainder: from one run to the next all lower bits are inverted, and no time is a
     * multiple of a longer unit. So such a use is a mismatch, unless the thread has only one run. The shared clock
     * hides it, and so does the clock of the set-up. So in these cases there is a second search, in which the clocks
     * begin at a time that differs in all lower bits. Other times are not tried, and the result says so.
     */

    public static final String NOTE =
            "The clock is read. There was a search for each of two times at which the clock begins, which differ in all"
                    + " lower bits; if the code uses a time as a number, such as a slot or a seed, then other times are not checked."
                    + " The executions counted are those of one search.";
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    /** About 36 years. */
    private static final long EPOCH = 320_256 * HOUR;
    /** The times at which runs begin are within this number of hours. */
    private static final int BEGINS = 9_973;
    /** The maximum distance of a time from the beginning. */
    private static final long RANGE = 80_064 * HOUR;
    /** The time between two reads of the clock by the set-up. */
    private static final long STEP = 1_000;
    /** Less than an hour. */
    private static final long LOWER_BITS = (1L << 41) - 1;

    private static final long MIXER = 0x9E3779B97F4A7C15L;

    private int runs;
    private final boolean isLate;
    private long setUp;
    private boolean isSetUpTimed;
    private boolean isFixed;
    private boolean isTimed;
    /** For each thread that has read the clock, its first run that did. */
    private final Map<Integer, Integer> firstLooks = new HashMap<>();
    /** The threads that have also read the clock in a run with inverted lower bits. */
    private final Set<Integer> repeated = new HashSet<>();

    /** The clock begins at one of two times. */
    Times(boolean isLate) {
        this.isLate = isLate;
        setUp = isLate ? EPOCH ^ LOWER_BITS : EPOCH;
    }

    /** The time at which the {@code count}-th run of a thread begins, by the thread's own clock. */
    public long begin(int count) {
        runs = (runs + 4_999) % BEGINS;
        long lower = (count >> 1) * MIXER >>> 23;
        boolean isTurned = (count & 1) == 1 != isLate;
        return (EPOCH + HOUR * (1 + runs) & ~LOWER_BITS) + (isTurned ? lower ^ LOWER_BITS : lower);
    }

    /** The time at which the shared clock begins. The clock of the set-up stands still from now on. */
    long beginAll() {
        isFixed = true;
        return setUp;
    }

    /** The set-up reads the clock. */
    public long ofSetUp() {
        isSetUpTimed = true;
        setUp += isFixed ? 0 : STEP;
        return setUp;
    }

    /** The set-up waits for this time, but for at most an hour. */
    public void passInSetUp(long nanos) {
        setUp += isFixed ? 0 : Math.min(nanos, HOUR);
    }

    public boolean isSetUpTimed() {
        return isSetUpTimed;
    }

    /** A thread reads the clock, in its {@code count}-th run. */
    public void look(int thread, int count) {
        isTimed = true;
        if ((firstLooks.computeIfAbsent(thread, key -> count) - count & 1) != 0) {
            repeated.add(thread);
        }
    }

    /** Whether the code may use a time as a number without a mismatch. */
    public boolean mayBeNumbers() {
        return isSetUpTimed || repeated.size() < firstLooks.size();
    }

    /** Whether any thread has read the clock. */
    public boolean isTimed() {
        return isTimed;
    }

    /** Whether a number may be a time, in one of the usual units. */
    public boolean mayBeTime(long value) {
        if (!isTimed) {
            return false;
        }
        long unit = 1;
        for (int i = 0; i < 4; i++) {
            if (value >= (EPOCH - RANGE) / unit && value <= (EPOCH + RANGE) / unit) {
                return true;
            }
            unit *= 1_000;
        }
        return false;
    }
}
