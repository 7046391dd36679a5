package dev.cqs.amc.search;

import dev.cqs.amc.dpor.Frame;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Estimates how many executions there are, by random walks through the tree that the search will visit.
 *
 * <p>A graph of the tree has as many children as it leaves options to explore. A walk goes from each graph to one of
 * its children. If it has come by graphs with three, two and five children, then it stands for thirty of its kind, and
 * the execution that it meets there is counted thirty times: Donald E. Knuth, "Estimating the Efficiency of Backtrack
 * Programs", Mathematics of Computation 29 (1975), doi 10.1090/S0025-5718-1975-0373371-6. The mean over many walks tends to the
 * number of executions; that over few walks is mostly too small, because they miss what is rare and large.
 */
final class ExecutionEstimator {

    /** More walks change the guess by less than what it may be wrong by anyway. */
    private static final int ENOUGH = 1_000;
    /** This number of walks is made even if the executions are slow. */
    private static final int AT_LEAST = 100;

    private static final long ENOUGH_NANOS = 300_000_000;
    /** A guess is not worth more time. */
    private static final long MOST_NANOS = 1_000_000_000;

    private final Explorer explorer;
    private final LongSupplier clock;
    /** Walks at random, but along the same way in each check of a program. */
    private final Random random = new Random(1);

    /** Walks with {@code explorer}, which is of no other use then. */
    ExecutionEstimator(Explorer explorer, LongSupplier clock) {
        this.explorer = explorer;
        this.clock = clock;
    }

    /** The guess, or empty if a walk has met an error: then the search ends early. */
    OptionalLong guess() {
        long begin = clock.getAsLong();
        double sum = 0;
        int walks = 0;
        long spent = 0;
        while (spent < MOST_NANOS && (walks < AT_LEAST || walks < ENOUGH && spent < ENOUGH_NANOS)) {
            sum += walk();
            walks++;
            spent = clock.getAsLong() - begin;
            if (explorer.findings().mustBeginAnew()) {
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
