package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * Coroutines that send and as many that receive, on the default dispatcher with two workers: the nanoseconds of one transfer.
 *
 * <p>The work is fixed: the same number of elements for each coroutine, timed until all are done. The start of the coroutines
 * is included, one for many transfers.
 *
 * <p>With {@code others}, coroutines have waited by other functions before. So the JIT compiler has seen several kinds of
 * continuations, as in most programs.
 *
 * <p>Not measured: work between two transfers, and coroutines that arrive at intervals.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        jvmArgsAppend = {
            "-Dkotlinx.coroutines.scheduler.core.pool.size=2",
            "-Dkotlinx.coroutines.scheduler.max.pool.size=2"
        })
public class CoroutineTransfer {
    private static final int TRANSFERS = 1 << 16;

    @Param({"1", "4", "32"})
    public int pairs;

    @Param({"fair", "unfair", Peers.KOTLINX})
    public String what;

    @Param("false")
    public boolean others;

    private Exchanges exchanges;

    @Setup
    public void create() {
        if (others) {
            Exchanges.waitInOtherWays();
        }
        exchanges = switch (what) {
            case "fair" -> new QueueExchanges(true, pairs, TRANSFERS);
            case "unfair" -> new QueueExchanges(false, pairs, TRANSFERS);
            case Peers.KOTLINX -> new ChannelExchanges(pairs, TRANSFERS);
            default -> throw new IllegalArgumentException(what);
        };
    }

    @Benchmark
    @OperationsPerInvocation(TRANSFERS)
    public void transfer() {
        exchanges.run();
    }
}
