package dev.cqs.amc.search;

import dev.cqs.amc.dpor.Frame;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Estimates the number of executions, by random walks down the tree of graphs that the search will visit.
 *
 * <p>The children of a graph are the work items that it leaves. A walk goes from each graph to a random child. If the
 * walk has passed graphs with three, two and five children, then the execution that it meets there is counted thirty
 * times. The estimator is that of Donald E. Knuth, "Estimating the Efficiency of Backtrack Programs", Mathematics of
 * Computation 29 (1975), doi 10.1090/S0025-5718-1975-0373371-6. The mean over many walks converges to the number of
 * executions. The mean over few walks is mostly too small, because they miss rare and large subtrees.
 */
final class ExecutionEstimator {

    /** More walks change the estimate by less than its error. */
    private static final int ENOUGH = 1_000;
    /** The minimum number of walks, even if executions are slow. */
    private static final int AT_LEAST = 100;

    private static final long ENOUGH_NANOS = 300_000_000;
    /** An estimate is not worth more time. */
    private static final long MOST_NANOS = 1_000_000_000;

    private final Explorer explorer;
    private final LongSupplier clock;
    /** The seed is fixed, so that checks of a program take the same walks. */
    private final Random random = new Random(1);

    /** Walks with {@code explorer}, which must not be used for anything else. */
    ExecutionEstimator(Explorer explorer, LongSupplier clock) {
        this.explorer = explorer;
        this.clock = clock;
    }

    /** The estimate, or empty if a walk met an error: then the search ends early. */
    OptionalLong guess() {
        long begin = clock.getAsLong();
        double sum = 0;
        int walks = 0;
        long spent = 0;
        while (spent < MOST_NANOS && (walks < AT_LEAST || walks < ENOUGH && spent < ENOUGH_NANOS)) {
            sum += walk();
            walks++;
            spent = clock.getAsLong() - begin;
            if (explorer.findings().mustRestart()) {
                explorer.clear();
                sum = 0;
                walks = 0;
            } else if (explorer.findings().hasFailed()) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(Math.round(sum / walks));
    }

    private double walk() {
        double size = 0;
        double weight = 1;
        long visited = explorer.visited();
        explorer.begin();
        while (!explorer.findings().hasFailed()) {
            size += weight * (explorer.visited() - visited);
            visited = explorer.visited();
            Frame frame = explorer.frame();
            int options = frame.size();
            if (options == 0) {
                break;
            }
            weight *= options;
            explorer.take(frame.pollOnly(random.nextInt(options)));
        }
        return size;
    }
}
