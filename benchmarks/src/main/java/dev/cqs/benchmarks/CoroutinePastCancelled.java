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
 * The holder of the only permit of a semaphore releases it, and the one coroutine that still waits stands behind a
 * million cancelled ones: nanoseconds for that release. The dispatcher only takes note of the coroutine, so its
 * waking is not in the figure.
 *
 * <p>Each shot needs its queue made anew. A shot is a single release, whose figure for ours is mostly the cost of
 * measuring it; {@link PastCancelled} measures that case closer.
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

    private Line line;

    /** Compiles what is measured, and what it needs, with the coroutine at the same place of its segment. */
    @Setup(Level.Trial)
    public void compile() {
        rehearse(20_000);
    }

    @Setup(Level.Invocation)
    public void prepare() {
        Line million = new Line(whose, MILLION);
        rehearse(100); // the code is in the caches again, the queue is not
        line = million;
    }

    private void rehearse(int times) {
        for (int i = 0; i < times; i++) {
            line = new Line(whose, FEW);
            handOver();
            line.check();
        }
    }

    @Benchmark
    public void handOver() {
        line.release();
    }

    @TearDown(Level.Invocation)
    public void check() {
        line.check();
    }
}
