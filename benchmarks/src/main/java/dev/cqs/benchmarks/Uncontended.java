package dev.cqs.benchmarks;

import dev.cqs.threads.Mutex;
import dev.cqs.threads.ReentrantLock;
import dev.cqs.threads.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread acquires and releases without contention: the fast path, in nanoseconds per pair.
 *
 * <p>The lower bound is a pair of atomic additions to one word whose results are used, as a count needs.
 *
 * <p>Not measured: a word that another processor has written, and code around the pair that the compiler could move.
 * Everything here stays in the first-level cache.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("LockNotBeforeTry") // the bare pair is measured
public class Uncontended {
    private final Semaphore semaphore = new Semaphore(1);
    private final Mutex mutex = new Mutex();
    private final ReentrantLock lock = new ReentrantLock();
    private final java.util.concurrent.Semaphore jdkSemaphore = new java.util.concurrent.Semaphore(1, true);
    private final java.util.concurrent.locks.ReentrantLock jdkLock = new java.util.concurrent.locks.ReentrantLock(true);
    private final AtomicLong word = new AtomicLong(1);

    @Benchmark
    public void semaphore() throws InterruptedException {
        semaphore.acquire();
        semaphore.release();
    }

    @Benchmark
    public void mutex() {
        mutex.lock();
        mutex.unlock();
    }

    @Benchmark
    public void lock() {
        lock.lock();
        lock.unlock();
    }

    @Benchmark
    public void jdkSemaphore() throws InterruptedException {
        jdkSemaphore.acquire();
        jdkSemaphore.release();
    }

    @Benchmark
    public void jdkLock() {
        jdkLock.lock();
        jdkLock.unlock();
    }

    @Benchmark
    public long rawPair() {
        return word.getAndAdd(-1) + word.getAndAdd(1);
    }

    /** The two steps of a mutex, which frees by compare-and-set. */
    @Benchmark
    public long rawMutexPair() {
        return word.getAndAdd(-1) + (word.compareAndSet(0, 1) ? 1 : 0);
    }
}
