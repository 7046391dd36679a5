package dev.cqs.benchmarks;

/**
 * Work between measured operations: iterations of a loop. Their number is geometrically distributed, so that threads do not
 * synchronize with each other.
 */
final class Loop {
    private final int limit;
    private int seed;

    /** Creates a loop with {@code mean} iterations on average. */
    Loop(int mean, int seed) {
        this.limit = (int) (Integer.MIN_VALUE + Math.min(0xFFFF_FFFFL, (1L << 32) / mean));
        this.seed = seed * 0x9E3779B9 | 1;
    }

    /** Runs the loop. The caller must use the result, or the compiler removes the loop. */
    int run() {
        int x = seed;
        do {
            x ^= x << 13; // one step of a xorshift generator
            x ^= x >>> 17;
            x ^= x << 5;
        } while (x >= limit);
        seed = x;
        return x;
    }
}
