package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
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
 * Two threads wait for each other in turn on conditions of one lock: the nanoseconds of a round trip.
 *
 * <p>Not measured: other threads that want the lock, and signals to more than one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ConditionPingPong {
    @Param({"lock", "mutex", "jdkLock"})
    public String what;

    private Lock lock;
    private Condition pinged;
    private Condition ponged;
    private boolean ping;

    @Setup
    public void start() {
        lock = create(what);
        pinged = lock.newCondition();
        ponged = lock.newCondition();
        Thread other = new Thread(this::answer);
        other.setDaemon(true);
        other.start();
    }

    private static Lock create(String what) {
        return switch (what) {
            case "lock" -> new dev.cqs.threads.ReentrantLock();
            case "mutex" -> new dev.cqs.threads.Mutex();
            case "jdkLock" -> new java.util.concurrent.locks.ReentrantLock(true);
            default -> throw new IllegalArgumentException(what);
        };
    }

    private void answer() {
        try {
            for (; ; ) {
                turn(true, pinged, ponged);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for the turn and passes it to the other thread. */
    private void turn(boolean mine, Condition begun, Condition ended) throws InterruptedException {
        lock.lock();
        try {
            while (ping != mine) {
                begun.await();
            }
            ping = !mine;
            ended.signal();
        } finally {
            lock.unlock();
        }
    }

    @Benchmark
    public void thereAndBack() throws InterruptedException {
        turn(false, ponged, pinged);
    }
}
