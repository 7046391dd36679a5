package dev.cqs.benchmarks;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Thirty-two threads share a few elements: the nanoseconds of a take and a put, wake-ups included.
 *
 * <p>The work is fixed: the same number of turns for each thread, timed until all are done. The elements are put in when all
 * threads wait. From then on, pools that are fair hand them over.
 *
 * <p>Not measured: work inside or outside, and threads that arrive at intervals; see {@link Borrow}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PoolHandOff {
    private static final int THREADS = 32;
    private static final int TURNS = 1 << 15;

    @Param({"1", "4", "16"})
    public int elements;

    @Param({"queuePool", "stackPool", "fairArrayQueue"})
    public String what;

    private final Thread[] crew = new Thread[THREADS];
    private final CyclicBarrier gate = new CyclicBarrier(THREADS + 1);
    private final AtomicInteger begun = new AtomicInteger();
    private Pools.Shared pool;

    @Setup
    public void start() throws Exception {
        pool = Pools.create(what, elements);
        for (int i = 0; i < THREADS; i++) {
            crew[i] = new Thread(this::turns);
            crew[i].setDaemon(true);
            crew[i].start();
        }
    }

    private void turns() {
        try {
            for (; ; ) {
                gate.await();
                begun.incrementAndGet();
                for (int i = TURNS / THREADS; i > 0; i--) {
                    pool.put(pool.take());
                }
                gate.await();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Benchmark
    @OperationsPerInvocation(TURNS)
    public void takeAndPut() throws Exception {
        Object[] all = new Object[elements];
        for (int i = 0; i < elements; i++) {
            all[i] = pool.take();
        }
        begun.set(0);
        gate.await();
        while (begun.get() < THREADS || !allWait()) {
            Thread.yield();
        }
        for (Object element : all) {
            pool.put(element);
        }
        gate.await();
    }

    /** Whether all threads that have passed the gate wait for an element. No queue of the JDK shows its waiters. */
    private boolean allWait() {
        for (Thread thread : crew) {
            if (thread.getState() != Thread.State.WAITING) {
                return false;
            }
        }
        return true;
    }
}
