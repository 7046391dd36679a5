package dev.cqs.amc.search;

/**
 * Which thread goes on when several can. What is explored does not depend on it, only in which order.
 *
 * @param order the threads, the one to prefer first
 * @param seed 0 to let a thread run until it ends or is blocked, else the seed of short turns in a mixed order
 */
record Schedule(int[] order, long seed) {

    /** Each thread runs to its end, the first one first. */
    static Schedule inOrder(int threads) {
        int[] order = new int[threads];
        for (int i = 0; i < threads; i++) {
            order[i] = i;
        }
        return new Schedule(order, 0);
    }

    /** A number that depends on the seed and on how large the graph is. */
    private int mixed(int size) {
        long z = (seed + size) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        return (int) (z >>> 33);
    }

    /** How many events the thread that runs now may add to a graph of this size. */
    int turn(int size) {
        return seed == 0 ? Integer.MAX_VALUE : 1 + mixed(size) % 3;
    }

    /** The place in {@link #order} at which to look first for a thread that can run. */
    int first(int size) {
        return seed == 0 ? 0 : mixed(size + 7) % order.length;
    }
}
