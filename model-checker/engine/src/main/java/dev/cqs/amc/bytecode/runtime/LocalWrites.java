package dev.cqs.amc.bytecode.runtime;

import java.util.Arrays;

/**
 * Records which of its own objects a run has changed, and when. Changes of an object that was made in the same
 * iteration, and is not live after it, are no effects of the iteration. Objects are identified by their serial numbers,
 * which increase.
 */
final class LocalWrites {

    /** Of all writes so far: those without a later write to an older object. Both arrays increase. */
    private long[] times = new long[8];

    private int[] serials = new int[8];
    private int count;
    private long now;

    void clear() {
        count = 0;
        now = 0;
    }

    /** The number of writes so far. */
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

    /** Whether an object that is older than {@code serial} was changed since {@code since}. */
    boolean hasOlder(int serial, long since) {
        for (int i = count - 1; i >= 0 && times[i] >= since; i--) {
            if (serials[i] < serial) {
                return true;
            }
        }
        return false;
    }
}
