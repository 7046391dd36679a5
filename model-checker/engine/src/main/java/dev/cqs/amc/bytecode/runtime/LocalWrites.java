package dev.cqs.amc.bytecode.runtime;

import java.util.Arrays;

/**
 * Which objects of its own a run has changed, and when. An object that was made in a round of a loop, and that is not kept, is
 * of no use to the next round, so it does not matter that it was changed. Objects are told by their serials, which count up.
 */
final class LocalWrites {

    /** Of all writes of so far: those with no later one to an older object. Both count up. */
    private long[] times = new long[8];

    private int[] serials = new int[8];
    private int count;
    private long now;

    void clear() {
        count = 0;
        now = 0;
    }

    /** How many writes there have been. */
    long now() {
        return now;
    }

    void add(int serial) {
        while (count > 0 && serials[count - 1] >= serial) {
            count--;
        }
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
            serials = Arrays.copyOf(serials, 2 * count);
        }
        times[count] = now++;
        serials[count++] = serial;
    }

    /** Whether an object that is older than {@code serial} has been changed since then. */
    boolean hasOlder(int serial, long since) {
        for (int i = count - 1; i >= 0 && times[i] >= since; i--) {
            if (serials[i] < serial) {
                return true;
            }
        }
        return false;
    }
}
