package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The only permit of a semaphore is released, and the only live waiter is behind a million cancelled coroutines: the
 * nanoseconds of that release. The dispatcher only stores the coroutine, so its resumption is not included.
 *
 * <p>Each shot is a single release and needs a new queue. For ours, the figure is mostly the overhead of the measurement;
 * {@link PastCancelled} measures this case more exactly.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 7)
public class CoroutinePastCancelled {
    private static final int SEGMENT = 32;
    private static final int MILLION = 1_000_000 + SEGMENT / 2;
    private static final int FEW = 2 * SEGMENT + SEGMENT / 2;

    @Param({Peers.OURS, Peers.KOTLINX})
    public String whose;

    private QueueWithCancelled queue;

    /** Compiles the measured code, with the coroutine in the same cell of its segment. */
    @Setup(Level.Trial)
    public void compile() {
        rehearse(20_000);
    }

    @Setup(Level.Invocation)
    public void prepare() {
        QueueWithCancelled million = new QueueWithCancelled(whose, MILLION);
        rehearse(100); // so that the code is in the caches, and the queue is not
        queue = million;
    }

    private void rehearse(int times) {
        for (int i = 0; i < times; i++) {
            queue = new QueueWithCancelled(whose, FEW);
            handOver();
            queue.check();
        }
    }

    @Benchmark
    public void handOver() {
        queue.release();
    }

    @TearDown(Level.Invocation)
    public void check() {
        queue.check();
    }
}
