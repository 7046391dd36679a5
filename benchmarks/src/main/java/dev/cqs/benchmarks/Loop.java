package dev.cqs.benchmarks;

/**
 * Work outside of what is measured: turns of an uncontended loop, their number geometrically distributed, so that
 * threads do not fall into step.
 */
final class Loop {
    private final int limit;
    private int seed;

    /** So many turns on average. */
    Loop(int mean, int seed) {
        this.limit = (int) (Integer.MIN_VALUE + Math.min(0xFFFF_FFFFL, (1L << 32) / mean));
        this.seed = seed * 0x9E3779B9 | 1;
    }

    /** Works; the result is to be used, or the compiler leaves it out. */
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
