package dev.cqs.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * More threads than elements: how long a borrower waits, as percentiles over all waits of all threads.
 *
 * <p>The work is fixed. Each thread does the same number of turns: it takes an element, keeps it for some time, puts it back,
 * and works without it for some time. It spends both times parked, as while it waits for an answer. The times are random
 * around their means. The load is a little more than the elements can serve.
 *
 * <p>Not measured: the total time. A pool that starves its threads may finish first.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class Borrow {
    private static final int TURNS = 400;
    private static final int ELEMENTS = 8;
    private static final int THREADS = 32;
    private static final int KEEP_NANOS = 200_000;
    private static final int REST_NANOS = 400_000;

    @Param({"platform", "virtual"})
    public String kind;

    @Param({
        "queuePool",
        "stackPool",
        "linkedQueue",
        "arrayQueue",
        "fairArrayQueue",
        "commonsPool",
        "hikariBag",
        "stormpot"
    })
    public String what;

    private final long[] waits = new long[THREADS * TURNS];
    private CyclicBarrier gate;
    private Pools.Shared pool;

    @Setup
    public void start() throws Exception {
        pool = Pools.create(what, ELEMENTS);
        gate = new CyclicBarrier(THREADS + 1);
        for (int i = 0; i < THREADS; i++) {
            int own = i;
            if (kind.equals("virtual")) {
                VirtualThreads.start(() -> turns(own));
            } else {
                Thread thread = new Thread(() -> turns(own));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void turns(int own) {
        SplittableRandom random = new SplittableRandom(own);
        try {
            for (; ; ) {
                gate.await();
                for (int turn = 0; turn < TURNS; turn++) {
                    long asked = System.nanoTime();
                    Object element = pool.take();
                    waits[own * TURNS + turn] = System.nanoTime() - asked;
                    LockSupport.parkNanos(random.nextInt(2 * KEEP_NANOS));
                    pool.put(element);
                    LockSupport.parkNanos(random.nextInt(2 * REST_NANOS));
                }
                gate.await();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The waits, in nanoseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Waits {
        public long p50;
        public long p99;
        public long p999;
        public long longest;
    }

    @Benchmark
    public void work(Waits found) throws Exception {
        gate.await();
        gate.await();
        Arrays.sort(waits);
        found.p50 = at(0.5);
        found.p99 = at(0.99);
        found.p999 = at(0.999);
        found.longest = waits[waits.length - 1];
    }

    private long at(double part) {
        return waits[(int) Math.ceil(part * waits.length) - 1];
    }
}
