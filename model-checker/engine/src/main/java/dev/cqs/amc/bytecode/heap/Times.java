package dev.cqs.amc.bytecode.heap;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The times that threads are told. What one says is nothing to a program; what passes between two is.
 */
public final class Times {
    /*
     * Mostly each thread has a clock of its own, which stands still until the thread has waited for some time, or a day passes at
     * once; that is all that a thread can find out about time by itself, and costs few executions. It is wrong as soon as a thread
     * gets to know a time that another one has looked at. So that this does not go unnoticed, each run of a thread begins at another
     * time, far from all other numbers: a time that is written to shared memory, or that is in something that others get to know, is
     * told by its size; and what is made of it in a way that hides that (a remainder, a narrow number, a text, an outcome) is another
     * one in the next run of the same code, which is a mismatch. Then the search begins anew, with one clock for all: a location of
     * the graph that only grows (see CodeRun.now), so that times are in order as far as something orders the looks at them.
     *
     * The set-up has a clock that goes on before those of the threads. A thread that looks at the time when the set-up has done so
     * needs the one clock, too.
     *
     * By a time itself, by its remainder say, a program may choose a slot or a seed. The times at which the runs of a thread begin agree
     * in no remainder: from one run to the next, all lower bits are the other way round, and nothing is a whole number of a longer unit.
     * So that is a mismatch, unless there is one run only. One clock for all hides it, and so does the clock of the set-up. Wherever
     * one of these is used, or a thread has looked at all, there is a second search, in which the clocks begin at a time that differs in
     * all lower bits. More is not tried, which the result says where there is one clock.
     */

    public static final String NOTE =
            "Times are looked at. There was a search for each of two times at which the clock begins, which differ in all"
                    + " lower bits; if a time is taken for a number, as a slot or a seed, then what is done with other numbers is not known."
                    + " The executions counted are those of one search.";
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    /** Some 36 years. */
    private static final long EPOCH = 320_256 * HOUR;
    /** The times that runs begin at are within this number of hours. */
    private static final int BEGINS = 9_973;
    /** A time is less than so far away from the beginning. */
    private static final long RANGE = 80_064 * HOUR;
    /** From one look to the next of the set-up, in which nothing waits. */
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
    /** For each thread that has looked at the time, the first of its runs in which it has. */
    private final Map<Integer, Integer> firstLooks = new HashMap<>();
    /** Those that have looked in a run whose lower bits are the other way round, too. */
    private final Set<Integer> repeated = new HashSet<>();

    /** The clock begins at one of two times. */
    Times(boolean isLate) {
        this.isLate = isLate;
        setUp = isLate ? EPOCH ^ LOWER_BITS : EPOCH;
    }

    /** When the {@code count}-th run of a thread with a clock of its own begins. */
    public long begin(int count) {
        runs = (runs + 4_999) % BEGINS;
        long lower = (count >> 1) * MIXER >>> 23;
        boolean isTurned = (count & 1) == 1 != isLate;
        return (EPOCH + HOUR * (1 + runs) & ~LOWER_BITS) + (isTurned ? lower ^ LOWER_BITS : lower);
    }

    /** When the clock begins that all threads have. The set-up's own stands still from now on. */
    long beginAll() {
        isFixed = true;
        return setUp;
    }

    /** The set-up looks at the time. */
    public long ofSetUp() {
        isSetUpTimed = true;
        setUp += isFixed ? 0 : STEP;
        return setUp;
    }

    /** The set-up waits for so long, or for an hour at most. */
    public void passInSetUp(long nanos) {
        setUp += isFixed ? 0 : Math.min(nanos, HOUR);
    }

    public boolean isSetUpTimed() {
        return isSetUpTimed;
    }

    /** A thread looks at the time, in the {@code count}-th of its runs. */
    public void look(int thread, int count) {
        isTimed = true;
        if ((firstLooks.computeIfAbsent(thread, key -> count) - count & 1) != 0) {
            repeated.add(thread);
        }
    }

    /** Whether a time may be taken for a number without a mismatch. */
    public boolean mayBeNumbers() {
        return isSetUpTimed || repeated.size() < firstLooks.size();
    }

    /** Whether any thread has looked at the time. */
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
