package dev.cqs.amc.bytecode;

import java.util.concurrent.TimeUnit;

/**
 * The times that threads are told. What one says is nothing to a program; what passes between two is.
 */
final class Times {
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
     */

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    /** Some 36 years, in whole hours, so that all units of time pass in the same way in all runs. */
    private static final long EPOCH = 320_256 * HOUR;
    /** The times that runs begin at are within so many hours. */
    private static final int BEGINS = 9_973;
    /** A time is less than so far away from the beginning. */
    private static final long RANGE = 80_064 * HOUR;
    /** From one look to the next of the set-up, in which nothing waits. */
    private static final long STEP = 1_000;

    private int runs;
    private long setUp = EPOCH;
    private boolean isSetUpTimed;
    private boolean isFixed;
    private boolean isTimed;

    /** When a run of a thread with a clock of its own begins. */
    long begin() {
        runs = (runs + 4_999) % BEGINS;
        return EPOCH + HOUR * (1 + runs);
    }

    /** When the clock begins that all threads have. The set-up's own stands still from now on. */
    long beginAll() {
        isFixed = true;
        return setUp;
    }

    /** The set-up looks at the time. */
    long ofSetUp() {
        isSetUpTimed = true;
        setUp += isFixed ? 0 : STEP;
        return setUp;
    }

    /** The set-up waits for so long, or for an hour at most. */
    void passInSetUp(long nanos) {
        setUp += isFixed ? 0 : Math.min(nanos, HOUR);
    }

    boolean isSetUpTimed() {
        return isSetUpTimed;
    }

    /** A thread looks at the time. */
    void look() {
        isTimed = true;
    }

    /** Whether any thread has looked at the time. */
    boolean isTimed() {
        return isTimed;
    }

    /** Whether a number may be a time, in one of the usual units. */
    boolean mayBeTime(long value) {
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
