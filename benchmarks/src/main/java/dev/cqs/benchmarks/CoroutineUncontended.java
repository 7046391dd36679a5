package dev.cqs.benchmarks;

import java.util.concurrent.TimeUnit;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.sync.Mutex;
import kotlinx.coroutines.sync.Semaphore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One coroutine acquires and releases without contention: the fast path, in nanoseconds per pair.
 *
 * <p>The functions are called as the Kotlin compiler calls them, and never suspend. Both sides are called through the
 * interfaces of kotlinx. Not measured: the coroutine itself, and what {@link Uncontended} leaves out.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CoroutineUncontended {
    private static final Continuation<Unit> CALLER = new Continuation<>() {
        @Override
        public CoroutineContext getContext() {
            return EmptyCoroutineContext.INSTANCE;
        }

        @Override
        public void resumeWith(Object result) {
            throw new AssertionError("it has suspended");
        }
    };

    private final Semaphore semaphore = Peers.semaphore(Peers.OURS, 1, 0);
    private final Mutex mutex = Peers.mutex(Peers.OURS, false);
    private final Semaphore kotlinxSemaphore = Peers.semaphore(Peers.KOTLINX, 1, 0);
    private final Mutex kotlinxMutex = Peers.mutex(Peers.KOTLINX, false);

    @Benchmark
    public Object semaphore() {
        Object result = semaphore.acquire(CALLER);
        semaphore.release();
        return result;
    }

    @Benchmark
    public Object mutex() {
        Object result = mutex.lock(null, CALLER);
        mutex.unlock(null);
        return result;
    }

    @Benchmark
    public Object kotlinxSemaphore() {
        Object result = kotlinxSemaphore.acquire(CALLER);
        kotlinxSemaphore.release();
        return result;
    }

    @Benchmark
    public Object kotlinxMutex() {
        Object result = kotlinxMutex.lock(null, CALLER);
        kotlinxMutex.unlock(null);
        return result;
    }
}
