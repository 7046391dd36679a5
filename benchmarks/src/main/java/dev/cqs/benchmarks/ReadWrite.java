package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;
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
 * Threads lock for reading and sometimes for writing, in nanoseconds per pair and thread.
 *
 * <p>Not measured: reentrancy, downgrades, and locks that only a writer uses.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("LockNotBeforeTry") // the bare pair is measured
public class ReadWrite {
    /** The lock. */
    @State(Scope.Benchmark)
    public static class Locks {
        @Param({"lock", "jdkLock", "stamped"})
        public String what;

        Lock read;
        Lock write;

        @Setup
        public void create() {
            ReadWriteLock lock = create(what);
            read = lock.readLock();
            write = lock.writeLock();
        }

        private static ReadWriteLock create(String what) {
            return switch (what) {
                case "lock" -> new dev.cqs.threads.ReentrantReadWriteLock();
                case "jdkLock" -> new java.util.concurrent.locks.ReentrantReadWriteLock(true);
                case "stamped" -> new StampedLock().asReadWriteLock();
                default -> throw new IllegalArgumentException(what);
            };
        }
    }

    /** The choices of each thread. */
    @State(Scope.Thread)
    public static class Turns {
        private static final AtomicInteger SEEDS = new AtomicInteger();
        /** The percentage of write locks. */
        @Param({"5", "50"})
        public int writers;

        private Loop draws;
        private int limit;

        @Setup
        public void create() {
            draws = new Loop(1, SEEDS.incrementAndGet());
            limit = Integer.MIN_VALUE + (int) ((1L << 32) / 100 * writers);
        }

        /** Whether the next lock is a write lock, at random. */
        boolean next() {
            return draws.run() < limit;
        }
    }

    @Benchmark
    public void read(Locks locks) {
        locks.read.lock();
        locks.read.unlock();
    }

    @Benchmark
    public void mix(Locks locks, Turns turns) {
        Lock lock = turns.next() ? locks.write : locks.read;
        lock.lock();
        lock.unlock();
    }
}
