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
 * One thread requests a permit behind many parked virtual threads and times out: nanoseconds per attempt, with a timeout that
 * is too short to park. The figure is the cost of being enqueued and cancelled.
 *
 * <p>Not measured: the timer of a longer timeout, concurrent timeouts, and a cancellation in the middle of the queue.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class TimedOut {
    @Param({"0", "1000", "10000", "100000"})
    public int parked;

    @Param({"semaphore", "jdkSemaphore"})
    public String what;

    private final Semaphore semaphore = new Semaphore(0);
    private final java.util.concurrent.Semaphore jdkSemaphore = new java.util.concurrent.Semaphore(0, true);

    /** The waiters are never woken. They end with the fork. */
    @Setup
    public void park() throws InterruptedException {
        boolean ours = what.equals("semaphore");
        Runnable wait = ours ? semaphore::acquireUninterruptibly : jdkSemaphore::acquireUninterruptibly;
        for (int i = 0; i < parked; i++) {
            VirtualThreads.start(wait);
        }
        while ((ours ? semaphore.getQueueLength() : jdkSemaphore.getQueueLength()) < parked) {
            Thread.sleep(10); // lets the other threads park; not measured
        }
    }

    @Benchmark
    public boolean semaphore() throws InterruptedException {
        return semaphore.tryAcquire(1, TimeUnit.NANOSECONDS);
    }

    @Benchmark
    public boolean jdkSemaphore() throws InterruptedException {
        return jdkSemaphore.tryAcquire(1, TimeUnit.NANOSECONDS);
    }
}
