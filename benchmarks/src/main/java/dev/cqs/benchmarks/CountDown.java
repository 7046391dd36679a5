package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Two threads alternate between work and a count-down of one latch, in nanoseconds per turn and thread. {@link #work} is the
 * same without a latch. The cost of a latch is the difference.
 *
 * <p>Not measured: the opening, and waiting for it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CountDown {
    /** The latches, never counted down to zero. */
    @State(Scope.Benchmark)
    public static class Latches {
        dev.cqs.threads.CountDownLatch latch;
        java.util.concurrent.CountDownLatch jdkLatch;

        /** Only one slot in the middle is used, so that it has a cache line of its own. */
        AtomicLongArray counter;

        @Setup(Level.Iteration)
        public void create() {
            counter = new AtomicLongArray(64);
            latch = new dev.cqs.threads.CountDownLatch(Integer.MAX_VALUE);
            jdkLatch = new java.util.concurrent.CountDownLatch(Integer.MAX_VALUE);
        }
    }

    /** The work of each thread between two count-downs. */
    @State(Scope.Thread)
    public static class Between {
        private static final AtomicInteger SEEDS = new AtomicInteger();

        @Param({"50", "100", "200"})
        public int work;

        Loop loop;

        @Setup
        public void create() {
            loop = new Loop(work, SEEDS.incrementAndGet());
        }
    }

    @Benchmark
    public int work(Between between) {
        return between.loop.run();
    }

    @Benchmark
    public int latch(Between between, Latches latches) {
        latches.latch.countDown();
        return between.loop.run();
    }

    /** The minimum for any latch that counts in one word. */
    @Benchmark
    public int addition(Between between, Latches latches) {
        latches.counter.getAndAdd(32, -1);
        return between.loop.run();
    }

    @Benchmark
    public int jdkLatch(Between between, Latches latches) {
        latches.jdkLatch.countDown();
        return between.loop.run();
    }
}
