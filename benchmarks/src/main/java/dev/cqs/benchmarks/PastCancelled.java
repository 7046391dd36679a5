package dev.cqs.benchmarks;

import dev.cqs.Waiter;
import dev.cqs.sync.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
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
 * The only permit of a semaphore is released, and the live waiters are behind cancelled ones: nanoseconds per release. A
 * waiter only sets a field, so the figure does not include a wake-up, but only the search for the waiter to resume.
 *
 * <ul>
 *   <li>{@code none}: many semaphores with one live waiter each.
 *   <li>{@code million}: the same behind 1,000,000 cancelled waiters and half a segment, which is the average position of a
 *       waiter in its segment.
 *   <li>{@code row}: one semaphore with as many live waiters, resumed one after the other.
 *   <li>{@code sparse}: the same with cancelled waiters in between, so that each segment has one live waiter.
 * </ul>
 *
 * <p>Each shot needs new queues. They are traversed once before, so that all layouts have the same cache misses, and the code
 * of the release is compiled by then. Concurrent releases are not measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 7)
public class PastCancelled {
    private static final int RELEASES = 64;
    private static final int SEGMENT = 32;
    private static final int MILLION = 1_000_000 + SEGMENT / 2;

    @Param({"none", "million", "row", "sparse"})
    public String layout;

    private Semaphore[] semaphores;

    /**
     * Compiles the measured code. The waiter is in the same cell of its segment: a branch that is first taken in a shot would
     * deoptimize the code, and a shot is too short to compile it again.
     */
    @Setup(Level.Trial)
    public void compile() {
        for (int i = 0; i < 4000; i++) {
            prepare(2 * SEGMENT + SEGMENT / 2, layout);
            handOver();
        }
    }

    @Setup(Level.Invocation)
    public void prepare() {
        prepare(MILLION, layout);
    }

    private void prepare(int many, String layout) {
        boolean apart = layout.equals("none") || layout.equals("million");
        semaphores = new Semaphore[RELEASES];
        for (int i = 0; i < RELEASES; i++) {
            Semaphore semaphore = apart || i == 0 ? new Semaphore(0) : semaphores[0];
            semaphores[i] = semaphore;
            if (apart) {
                // the same garbage in both layouts
                cancelled(layout.equals("million") ? semaphore : new Semaphore(0), many);
            } else {
                cancelled(layout.equals("sparse") ? semaphore : new Semaphore(0), SEGMENT - 1);
            }
            enqueue(semaphore);
        }
        for (Semaphore semaphore : semaphores) {
            semaphore.forEachWaiter(waiter -> {});
        }
    }

    private static void cancelled(Semaphore semaphore, int count) {
        Flag first = enqueue(semaphore); // is cancelled last, so that the semaphore always has a waiter
        for (int i = 1; i < count; i++) {
            enqueue(semaphore).giveUp();
        }
        first.giveUp();
    }

    private static Flag enqueue(Semaphore semaphore) {
        Flag flag = semaphore.acquire(null, (same, nothing) -> new Flag());
        if (flag == null) {
            throw new AssertionError("the permit was not released");
        }
        return flag;
    }

    @Benchmark
    @OperationsPerInvocation(RELEASES)
    public void handOver() {
        for (Semaphore semaphore : semaphores) {
            semaphore.release();
        }
    }

    private static final class Flag extends Waiter {
        private boolean resumed;

        @Override
        protected boolean tryResume(Object value) {
            resumed = true;
            return true;
        }

        void giveUp() {
            if (!cancel() || resumed) {
                throw new AssertionError("the permit was not released");
            }
        }
    }
}
