package dev.cqs.examples;

/**
 * The amount of work of the demo.
 *
 * @param rounds the number of measured turns of each side; each side also has one turn before them as a warm-up
 * @param contentionMillis the length of a turn under contention
 * @param timeoutMillis the length of a turn of timed-out acquires
 * @param platformThreads the number of contending platform threads
 * @param virtualThreads the number of contending virtual threads
 * @param platformWaiters the number of platform threads in each queue
 * @param virtualWaiters the number of virtual threads in each queue
 */
record Scale(
        int rounds,
        int contentionMillis,
        int timeoutMillis,
        int platformThreads,
        int virtualThreads,
        int platformWaiters,
        int virtualWaiters) {

    /** For some ten seconds, with one kind of threads or two. */
    static Scale full(int kinds) {
        int threads = Math.max(32, Math.min(256, 8 * Runtime.getRuntime().availableProcessors()));
        return kinds == 1
                ? new Scale(5, 260, 80, threads, 0, 1_000, 0)
                : new Scale(3, 160, 50, threads, 1_000, 1_000, 10_000);
    }

    /** For a test: the same code, with figures that mean nothing. */
    static Scale quick() {
        return new Scale(1, 5, 2, 4, 20, 50, 200);
    }

    int threads(ThreadKinds.Kind kind) {
        return kind.virtual() ? virtualThreads : platformThreads;
    }

    int waiters(ThreadKinds.Kind kind) {
        return kind.virtual() ? virtualWaiters : platformWaiters;
    }

    /** The approximate time of a comparison, in milliseconds. */
    double millisPerComparison(ThreadKinds.Kind kind) {
        return 2 * ((rounds + 1) * (contentionMillis + timeoutMillis) + waiters(kind) * Comparison.MILLIS_PER_WAITER);
    }
}
