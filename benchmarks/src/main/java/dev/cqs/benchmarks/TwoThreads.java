package dev.cqs.benchmarks;

import dev.cqs.threads.Semaphore;
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
 * Two threads share a semaphore that has a permit for each, in nanoseconds per pair and thread: the cost of contention for one
 * word.
 *
 * <p>No thread waits, so the queue is not measured. Two threads on one processor do not contend and seem fast; {@link Scaling}
 * finds such a fork.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class TwoThreads {
    @Param({"2", "16"})
    public int permits;

    private Semaphore semaphore;
    private java.util.concurrent.Semaphore jdkSemaphore;

    @Setup
    public void create() {
        semaphore = new Semaphore(permits);
        jdkSemaphore = new java.util.concurrent.Semaphore(permits, true);
    }

    @Benchmark
    public void semaphore() throws InterruptedException {
        semaphore.acquire();
        semaphore.release();
    }

    @Benchmark
    public void jdkSemaphore() throws InterruptedException {
        jdkSemaphore.acquire();
        jdkSemaphore.release();
    }
}
