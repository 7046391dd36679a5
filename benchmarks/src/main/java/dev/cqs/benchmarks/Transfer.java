package dev.cqs.benchmarks;

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
 * Senders and receivers at a synchronous queue at full speed: the nanoseconds of one transfer, waits and wake-ups included.
 *
 * <p>The work is fixed: all senders send the same number of elements, and all receivers receive the same number, timed until
 * all are done. These are figures 3 to 5 of Scherer, Lea and Scott, Scalable Synchronous Queues (PPoPP 2006).
 *
 * <p>The warm-up is long because threads are rarely preempted in the middle of an operation. If the other side then finds a
 * state that the JIT compiler has not seen yet, the operation is compiled again.
 *
 * <p>Not measured: work between two transfers, and threads that arrive at intervals. If the threads may use two processors,
 * most of the time is the wake-up of an idle one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class Transfer {
    private static final int TRANSFERS = 1 << 14;

    @Param({"1", "2", "4", "8", "16", "32"})
    public int senders;

    @Param({"1", "2", "4", "8", "16", "32"})
    public int receivers;

    @Param({"platform", "virtual"})
    public String kind;

    @Param({"fair", "unfair", "jdkFair", "jdkUnfair", "semaphores", "monitor"})
    public String what;

    private CyclicBarrier gate;
    private SynchronousQueues.Shared queue;

    @Setup
    public void start() {
        queue = SynchronousQueues.create(what);
        gate = new CyclicBarrier(senders + receivers + 1);
        for (int i = 0; i < senders; i++) {
            start(this::send);
        }
        for (int i = 0; i < receivers; i++) {
            start(this::receive);
        }
    }

    private void start(Turns turns) {
        Runnable loop = () -> {
            try {
                for (; ; ) {
                    gate.await();
                    turns.run();
                    gate.await();
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
        if (kind.equals("virtual")) {
            VirtualThreads.start(loop);
        } else {
            Thread thread = new Thread(loop);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void send() throws InterruptedException {
        for (int i = TRANSFERS / senders; i > 0; i--) {
            queue.put(this);
        }
    }

    private void receive() throws InterruptedException {
        for (int i = TRANSFERS / receivers; i > 0; i--) {
            if (queue.take() != this) {
                throw new AssertionError("the received element was not sent");
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRANSFERS)
    public void transfer() throws Exception {
        gate.await();
        gate.await();
    }

    private interface Turns {
        void run() throws Exception;
    }
}
