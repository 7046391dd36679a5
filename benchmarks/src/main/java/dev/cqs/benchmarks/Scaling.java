package dev.cqs.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
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
 * Whether a fork of two threads had two processors. Otherwise its figures about contention are worthless. There are two
 * checks:
 *
 * <ul>
 *   <li>the base, right before and right after each iteration: how much more two threads count than one, each on a counter of
 *       its own;
 *   <li>the use: how many processors this JVM has used during the iteration.
 * </ul>
 *
 * <p>Both are nearly two in a good fork. The base also detects two hardware threads of one core. The use also detects other
 * programs, and an iteration whose threads were scheduled on one processor.
 */
@SuppressWarnings("rawtypes") // JMH's interface has raw types
public final class Scaling implements InternalProfiler {
    /** The name of the result of the base. */
    static final String BASE = "scaling";

    /** The name of the result of the use. */
    static final String USE = "processors";

    private static final long MILLIS = 50;
    private static final int APART = 32; // longs, against false sharing, also of adjacent cache lines

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private double base;
    private long used;
    private long began;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        base = measure();
        used = system.getProcessCpuTime();
        began = System.nanoTime();
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double processors = (double) (system.getProcessCpuTime() - used) / (System.nanoTime() - began);
        return List.of(
                new ScalarResult(BASE, (base + measure()) / 2, "x", AggregationPolicy.AVG),
                new ScalarResult(USE, processors, "x", AggregationPolicy.AVG));
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
