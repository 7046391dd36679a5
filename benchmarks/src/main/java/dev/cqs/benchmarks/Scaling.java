package dev.cqs.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The lock-free base of a fork with two threads: how much more two threads count together than one alone, each on a
 * counter of its own. Two, if they have a processor each; if not, what the fork says about contention is worthless.
 * Taken right before and right after each iteration, of which the worse one counts.
 */
@SuppressWarnings("rawtypes") // the interface of JMH has them
public final class Scaling implements InternalProfiler {
    /** The name of the result. */
    static final String NAME = "scaling";

    private static final long MILLIS = 25;
    private static final int APART = 32; // longs: no two counters on one cache line, nor on neighbouring ones

    private double before;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = measure();
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double worse = Math.min(before, measure());
        return List.of(new ScalarResult(NAME, worse, "x", AggregationPolicy.MIN));
    }

    private static double measure() {
        return (double) count(2) / count(1);
    }

    private static long count(int threads) {
        AtomicLongArray counters = new AtomicLongArray((threads + 1) * APART);
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(threads);
        Thread[] crew = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int own = (i + 1) * APART;
            crew[i] = new Thread(() -> {
                started.countDown();
                while (!stop.get()) {
                    for (int turn = 0; turn < 1000; turn++) {
                        counters.getAndIncrement(own);
                    }
                }
            });
            crew[i].start();
        }
        try {
            started.await();
            long begin = System.nanoTime();
            long from = sum(counters);
            TimeUnit.MILLISECONDS.sleep(MILLIS);
            long counted = sum(counters) - from;
            long took = System.nanoTime() - begin;
            stop.set(true);
            for (Thread thread : crew) {
                thread.join();
            }
            return counted * 1_000_000 / took;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long sum(AtomicLongArray counters) {
        long sum = 0;
        for (int i = 0; i < counters.length(); i += APART) {
            sum += counters.get(i);
        }
        return sum;
    }

    @Override
    public String getDescription() {
        return "compares two threads with one";
    }
}
