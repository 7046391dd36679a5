package dev.cqs.amc.search;

/**
 * Selects the thread that runs next. The set of explored executions does not depend on it, only their order.
 *
 * @param order the threads in order of preference
 * @param seed 0 to run a thread until it ends or is blocked, else the seed of short turns in pseudo-random order
 */
record Schedule(int[] order, long seed) {

    /** Runs each thread until it ends or is blocked, in the order of their numbers. */
    static Schedule inOrder(int threads) {
        int[] order = new int[threads];
        for (int i = 0; i < threads; i++) {
            order[i] = i;
        }
        return new Schedule(order, 0);
    }

    /** A hash of the seed and the size of the graph. */
    private int mixed(int size) {
        long z = (seed + size) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        return (int) (z >>> 33);
    }

    /** How many events the running thread may add to a graph of this size. */
    int turn(int size) {
        return seed == 0 ? Integer.MAX_VALUE : 1 + mixed(size) % 3;
    }

    /** The index in {@link #order} at which the search for a ready thread begins. */
    int first(int size) {
        return seed == 0 ? 0 : mixed(size + 7) % order.length;
    }
}
