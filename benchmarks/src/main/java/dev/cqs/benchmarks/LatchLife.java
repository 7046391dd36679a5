package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread creates a latch and counts it down to zero: the cost of a striped count without contention.
 *
 * <p>Not measured: waiting.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class LatchLife {
    @Param({"100", "1000", "10000"})
    public int count;

    @Benchmark
    public Object latch() {
        dev.cqs.threads.CountDownLatch latch = new dev.cqs.threads.CountDownLatch(count);
        for (int i = count; i > 0; i--) {
            latch.countDown();
        }
        return latch;
    }

    @Benchmark
    public Object jdkLatch() {
        java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(count);
        for (int i = count; i > 0; i--) {
            latch.countDown();
        }
        return latch;
    }
}
