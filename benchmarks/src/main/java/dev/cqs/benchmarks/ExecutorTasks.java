package dev.cqs.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Tasks of a {@link ThreadPoolExecutor} that starts a thread whenever none is idle, as the JDK's cached thread pool does: the
 * nanoseconds of one task. This is figure 7 of Scherer, Lea and Scott, Scalable Synchronous Queues (PPoPP 2006).
 *
 * <p>The work is fixed: some chains of tasks, of which each submits the next one and ends. So there are as many tasks at a
 * time as chains, and about twice as many threads, which stay from one invocation to the next.
 *
 * <p>Not measured: the work of a task, and how soon idle threads end.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class ExecutorTasks {
    private static final int TASKS = 1 << 14;

    @Param({"1", "4", "16", "32"})
    public int chains;

    @Param({"fair", "unfair", "jdkFair", "jdkUnfair"})
    public String what;

    private ThreadPoolExecutor executor;
    private CountDownLatch done;

    @Setup
    public void start() {
        executor = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, SynchronousQueues.queue(what));
    }

    @TearDown
    public void stop() {
        executor.shutdownNow();
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void tasks() throws InterruptedException {
        done = new CountDownLatch(chains);
        for (int i = 0; i < chains; i++) {
            executor.execute(new Chain());
        }
        done.await();
    }

    private final class Chain implements Runnable {
        /** The remaining tasks. Each task passes it to the next. */
        private int left = TASKS / chains;

        @Override
        public void run() {
            if (--left > 0) {
                executor.execute(this);
            } else {
                done.countDown();
            }
        }
    }
}
