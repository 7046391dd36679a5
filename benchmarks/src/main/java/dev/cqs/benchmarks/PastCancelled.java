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
 * The holder of the only permit of a semaphore releases it, and the live waiters stand behind cancelled ones:
 * nanoseconds per release. A waiter is a field that is set, so waking is not in the figure, and what is left is
 * finding the one to resume.
 *
 * <ul>
 *   <li>{@code none}: many semaphores, in each one live waiter.
 *   <li>{@code million}: the same behind 1,000,000 cancelled ones and half a segment more, which is the average place
 *       of a waiter.
 *   <li>{@code row}: one semaphore with as many live waiters, released one after the other.
 *   <li>{@code sparse}: the same with so many cancelled ones between them that each segment has one live waiter.
 * </ul>
 *
 * <p>Each shot needs its queues made anew. They are looked through once before, so that no layout pays for cache
 * misses that another does not, and the releasing code is compiled by then. Releases that race are not measured.
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
     * Compiles what is measured, and what it needs. The waiter stands at the same place of its segment: a branch that
     * is first taken in a shot would throw the compiled code away, and a shot is too short to compile it anew.
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
                cancelled(layout.equals("million") ? semaphore : new Semaphore(0), many); // the same garbage in both
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
        Flag first = enqueue(semaphore); // stays until the end, so that the semaphore always has a waiter
        for (int i = 1; i < count; i++) {
            enqueue(semaphore).giveUp();
        }
        first.giveUp();
    }

    private static Flag enqueue(Semaphore semaphore) {
        Flag flag = semaphore.acquire(null, (same, nothing) -> new Flag());
        if (flag == null) {
            throw new AssertionError("nobody has released");
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
                throw new AssertionError("nobody has released");
            }
        }
    }
}
