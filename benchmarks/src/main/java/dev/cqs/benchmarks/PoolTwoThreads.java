package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Two threads take an element and put it back, in nanoseconds per pair and thread. There are enough elements, so no thread
 * waits.
 *
 * <p>HikariCP and Stormpot keep an element for the thread that had it last, so their threads share nothing here. Such pools
 * are not fair.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PoolTwoThreads {
    @Param({"4", "16", "64"})
    public int elements;

    @Param({"queuePool", "stackPool", "linkedQueue", "arrayQueue", "commonsPool", "hikariBag", "stormpot"})
    public String what;

    private Pools.Shared pool;

    @Setup
    public void create() throws Exception {
        pool = Pools.create(what, elements);
    }

    @Benchmark
    public void takeAndPut() throws Exception {
        pool.put(pool.take());
    }
}
