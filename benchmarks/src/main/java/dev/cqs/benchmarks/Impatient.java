package dev.cqs.benchmarks;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * Senders and receivers with short timeouts at a synchronous queue: the nanoseconds of one attempt, successful or not, and the
 * percentage of attempts that are matched.
 *
 * <p>With adaptive timeouts, each thread halves its timeout after a match and doubles it after a timeout. So the timeout
 * stays between the longest wait that fails and the shortest that succeeds. This is figure 6 of Scherer, Lea and Scott,
 * Scalable Synchronous Queues (PPoPP 2006). With a fixed timeout of one nanosecond, the figure is the cost of an attempt that
 * cannot wait: threads enqueue and cancel in the JDK's queues, while ours detect that the time is over.
 *
 * <p>The work is fixed: a number of attempts, which the threads take from a common counter in small batches, so that all
 * threads are active to the end.
 *
 * <p>Not measured: the time of a transfer. A queue without any match may do the most attempts, so the two figures belong
 * together.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class Impatient {
    private static final int ATTEMPTS = 1 << 15;
    private static final int BATCH = 4;

    /** The longest timeout. It is longer than a wake-up, so it need not grow further where no counterpart arrives. */
    private static final long MOST = 1 << 17;

    @Param({"1", "4", "16"})
    public int pairs;

    @Param({"moving", "1"})
    public String patience;

    @Param({"fair", "unfair", "jdkFair", "jdkUnfair"})
    public String what;

    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger meetings = new AtomicInteger();
    private CyclicBarrier gate;
    private BlockingQueue<Object> queue;
    private boolean moving;

    @Setup
    public void start() {
        queue = SynchronousQueues.queue(what);
        moving = patience.equals("moving");
        gate = new CyclicBarrier(2 * pairs + 1);
        for (int i = 0; i < 2 * pairs; i++) {
            Thread thread = new Thread(new Caller(i % 2 == 0));
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * The body of a thread. The attempts of an invocation are a method, and so is each batch: after a deoptimization, a loop
     * that is never left runs in the interpreter for a long time.
     */
    private final class Caller implements Runnable {
        private final boolean sends;
        private long nanos = 1;

        Caller(boolean sends) {
            this.sends = sends;
        }

        @Override
        public void run() {
            try {
                for (; ; ) {
                    gate.await();
                    meetings.addAndGet(attempts());
                    gate.await();
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private int attempts() throws InterruptedException {
            int met = 0;
            while (left.getAndAdd(-BATCH) > 0) {
                met += batch();
            }
            return met;
        }

        private int batch() throws InterruptedException {
            int met = 0;
            for (int i = 0; i < BATCH; i++) {
                boolean success = attempt();
                met += success ? 1 : 0;
                if (moving) {
                    nanos = success ? Math.max(1, nanos / 2) : Math.min(MOST, nanos * 2);
                }
            }
            return met;
        }

        private boolean attempt() throws InterruptedException {
            return sends
                    ? queue.offer(this, nanos, TimeUnit.NANOSECONDS)
                    : queue.poll(nanos, TimeUnit.NANOSECONDS) != null;
        }
    }

    /** The outcome of the attempts. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Outcome {
        /** The percentage of attempts that were matched. */
        public double met;
    }

    @Benchmark
    @OperationsPerInvocation(ATTEMPTS)
    public void attempt(Outcome outcome) throws Exception {
        left.set(ATTEMPTS);
        meetings.set(0);
        gate.await();
        gate.await();
        outcome.met = 100.0 * meetings.get() / ATTEMPTS;
    }
}
