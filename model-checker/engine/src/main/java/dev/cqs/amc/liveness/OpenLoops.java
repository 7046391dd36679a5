package dev.cqs.amc.liveness;

import java.util.Arrays;

/**
 * The stack of loops that a run of a thread is in: where the current iteration of each began, and its live variables
 * then.
 */
final class OpenLoops {

    private int[] begins = new int[8];
    private int[] iterations = new int[8];
    private long[][] variables = new long[8][];
    private int count;

    void clear() {
        count = 0;
    }

    boolean areOpen() {
        return count > 0;
    }

    /** Where the current iteration of the innermost loop began. */
    int latestBegin() {
        return begins[count - 1];
    }

    int enter(int position, long[] values, int length) {
        if (count == begins.length) {
            begins = Arrays.copyOf(begins, 2 * count);
            iterations = Arrays.copyOf(iterations, 2 * count);
            variables = Arrays.copyOf(variables, 2 * count);
        }
        iterations[count] = 0;
        next(count, position, values, length);
        return count++;
    }

    int begin(int loop) {
        return begins[loop];
    }

    void next(int loop, int position, long[] values, int length) {
        begins[loop] = position;
        long[] kept = variables[loop];
        if (kept == null || kept.length < length) {
            variables[loop] = kept = new long[length + 4];
        }
        System.arraycopy(values, 0, kept, 0, length);
    }

    boolean same(int loop, long[] values, int length) {
        return Arrays.equals(variables[loop], 0, length, values, 0, length);
    }

    int countIteration(int loop) {
        return ++iterations[loop];
    }
}
