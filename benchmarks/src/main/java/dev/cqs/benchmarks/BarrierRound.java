package dev.cqs.benchmarks;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Rounds of a barrier: the nanoseconds of a round, wake-ups included.
 *
 * <p>All parties but one run for ever. The measured one completes the rounds. {@code spin} is a barrier at which no thread
 * parks, for two free processors.
 *
 * <p>Not measured: work between the rounds, barrier actions.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class BarrierRound {
    @Param({"2", "8"})
    public int parties;

    @Param({"barrier", "jdkBarrier", "spin"})
    public String what;

    private Barrier barrier;

    @Setup
    public void start() {
        barrier = create(what, parties);
        for (int i = 1; i < parties; i++) {
            Thread thread = new Thread(this::rounds);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void rounds() {
        try {
            for (; ; ) {
                barrier.await();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    @Benchmark
    public void round() throws InterruptedException, BrokenBarrierException {
        barrier.await();
    }

    /** One implementation is loaded per fork, so the calls are direct. */
    private interface Barrier {
        void await() throws InterruptedException, BrokenBarrierException;
    }

    private static Barrier create(String what, int parties) {
        return switch (what) {
            case "barrier" -> new dev.cqs.threads.CyclicBarrier(parties)::await;
            case "jdkBarrier" -> new java.util.concurrent.CyclicBarrier(parties)::await;
            case "spin" -> new Spinning(parties);
            default -> throw new IllegalArgumentException(what);
        };
    }

    private static final class Spinning implements Barrier {
        private final int parties;
        private final AtomicInteger arrived = new AtomicInteger();
        private volatile int round;

        Spinning(int parties) {
            this.parties = parties;
        }

        @Override
        public void await() {
            int present = round;
            if (arrived.incrementAndGet() == parties) {
                arrived.set(0);
                round = present + 1;
                return;
            }
            while (round == present) {
                Thread.onSpinWait();
            }
        }
    }
}
