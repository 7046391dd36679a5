package dev.cqs.benchmarks;

import dev.cqs.threads.ReentrantLock;
import dev.cqs.threads.Semaphore;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
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
 * Many threads pass one permit around: the nanoseconds from one holder to the next, wake-ups included.
 *
 * <p>The work is fixed: the same number of turns for each thread, timed until all are done. The permit is released when all
 * threads are in the queue. From then on a fair lock hands it over, so every turn is a hand-off.
 *
 * <p>Not measured: work inside or outside the lock, and threads that arrive at intervals. If the threads may use two
 * processors, most of the time is the wake-up of an idle one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PermitHandOff {
    private static final int TURNS = 1 << 15;

    @Param({"8", "32"})
    public int threads;

    @Param({"platform", "virtual"})
    public String kind;

    @Param({"semaphore", "lock", "jdkSemaphore", "jdkLock"})
    public String what;

    private Permit permit;
    private CyclicBarrier gate;

    @Setup
    public void start() {
        permit = create(what);
        gate = new CyclicBarrier(threads + 1);
        for (int i = 0; i < threads; i++) {
            if (kind.equals("virtual")) {
                VirtualThreads.start(this::turns);
            } else {
                Thread thread = new Thread(this::turns);
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void turns() {
        for (; ; ) {
            pass();
            for (int i = TURNS / threads; i > 0; i--) {
                permit.take();
                permit.give();
            }
            pass();
        }
    }

    private void pass() {
        try {
            gate.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    @Benchmark
    @OperationsPerInvocation(TURNS)
    public void handOff() {
        permit.take();
        pass();
        while (permit.waiting() < threads) {
            Thread.yield();
        }
        permit.give();
        pass();
    }

    /** One implementation is loaded per fork, so the calls are direct. */
    private interface Permit {
        void take();

        void give();

        int waiting();
    }

    private static Permit create(String what) {
        return switch (what) {
            case "semaphore" -> new OurSemaphore();
            case "lock" -> new OurLock();
            case "jdkSemaphore" -> new JdkSemaphore();
            case "jdkLock" -> new JdkLock();
            default -> throw new IllegalArgumentException(what);
        };
    }

    private static final class OurSemaphore implements Permit {
        private final Semaphore semaphore = new Semaphore(1);

        @Override
        public void take() {
            semaphore.acquireUninterruptibly();
        }

        @Override
        public void give() {
            semaphore.release();
        }

        @Override
        public int waiting() {
            return semaphore.getQueueLength();
        }
    }

    private static final class OurLock implements Permit {
        private final ReentrantLock lock = new ReentrantLock();

        @Override
        public void take() {
            lock.lock();
        }

        @Override
        public void give() {
            lock.unlock();
        }

        @Override
        public int waiting() {
            return lock.getQueueLength();
        }
    }

    private static final class JdkSemaphore implements Permit {
        private final java.util.concurrent.Semaphore semaphore = new java.util.concurrent.Semaphore(1, true);

        @Override
        public void take() {
            semaphore.acquireUninterruptibly();
        }

        @Override
        public void give() {
            semaphore.release();
        }

        @Override
        public int waiting() {
            return semaphore.getQueueLength();
        }
    }

    private static final class JdkLock implements Permit {
        private final java.util.concurrent.locks.ReentrantLock lock =
                new java.util.concurrent.locks.ReentrantLock(true);

        @Override
        public void take() {
            lock.lock();
        }

        @Override
        public void give() {
            lock.unlock();
        }

        @Override
        public int waiting() {
            return lock.getQueueLength();
        }
    }
}
