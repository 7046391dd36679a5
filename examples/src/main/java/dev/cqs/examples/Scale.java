package dev.cqs.examples;

/**
 * How much the demo does.
 *
 * @param rounds how often each side has its turn; each side also has one turn before that does not count
 * @param contentionMillis the length of a turn under contention
 * @param timeoutMillis the length of a turn of timed-out acquires
 * @param platformThreads how many platform threads contend
 * @param virtualThreads how many virtual threads contend
 * @param platformWaiters how many platform threads wait in each queue
 * @param virtualWaiters how many virtual threads wait in each queue
 */
record Scale(
        int rounds,
        int contentionMillis,
        int timeoutMillis,
        int platformThreads,
        int virtualThreads,
        int platformWaiters,
        int virtualWaiters) {

    /** Some ten seconds, with one kind of threads or with two. */
    static Scale full(int kinds) {
        int threads = Math.max(32, Math.min(256, 8 * Runtime.getRuntime().availableProcessors()));
        return kinds == 1
                ? new Scale(5, 260, 80, threads, 0, 1_000, 0)
                : new Scale(3, 160, 50, threads, 1_000, 1_000, 10_000);
    }

    /** A glimpse, for a test: the same code, and figures that mean nothing. */
    static Scale quick() {
        return new Scale(1, 5, 2, 4, 20, 50, 200);
    }

    int threads(ThreadKinds.Kind kind) {
        return kind.virtual() ? virtualThreads : platformThreads;
    }

    int waiters(ThreadKinds.Kind kind) {
        return kind.virtual() ? virtualWaiters : platformWaiters;
    }

    /** About how long a comparison takes, in milliseconds. */
    double millisPerComparison(ThreadKinds.Kind kind) {
        return 2 * ((rounds + 1) * (contentionMillis + timeoutMillis) + waiters(kind) * Comparison.MILLIS_PER_WAITER);
    }
}
