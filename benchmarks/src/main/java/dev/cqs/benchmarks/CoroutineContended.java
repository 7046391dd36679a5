package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * A thousand coroutines contend, on the default dispatcher with two workers: the nanoseconds of one turn, with a little work
 * inside and as much outside.
 *
 * <p>The work is fixed: the same number of turns for each coroutine, timed until all are done. It begins when all are in the
 * queue, and each request goes to its end. So nearly every turn suspends and is resumed by a release. The bytes include the
 * start of the coroutines, a few bytes a turn.
 *
 * <p>Not measured: a holder that suspends, and coroutines that arrive at intervals.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        jvmArgsAppend = {
            "-Dkotlinx.coroutines.scheduler.core.pool.size=2",
            "-Dkotlinx.coroutines.scheduler.max.pool.size=2"
        })
public class CoroutineContended {
    private static final int COROUTINES = 1000;
    private static final int TURNS = 128;

    @Param({Peers.OURS, Peers.KOTLINX})
    public String whose;

    /** The number of permits of a semaphore, or a mutex. */
    @Param({"mutex", "1", "4", "16"})
    public String permits;

    private ContendingCoroutines coroutines;

    @Setup
    public void create() {
        if (permits.equals("mutex")) {
            coroutines = new ContendingForMutex(Peers.mutex(whose, false), COROUTINES, TURNS);
        } else {
            int number = Integer.parseInt(permits);
            coroutines = new ContendingForSemaphore(Peers.semaphore(whose, number, 0), number, COROUTINES, TURNS);
        }
    }

    @Setup(Level.Invocation)
    public void gather() {
        coroutines.gather();
    }

    @Benchmark
    @OperationsPerInvocation(COROUTINES * TURNS)
    public void turns() {
        coroutines.run();
    }
}
