package dev.cqs.locks;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs code on two threads at once, and rethrows their failures. */
final class RealThreads {

    private RealThreads() {}

    /** Calls {@code code} with 0 and 1, each on a thread of its own with that number, after both have started. */
    static void two(IntConsumer code) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicInteger missing = new AtomicInteger(2);
        try {
            for (Future<?> future : IntStream.range(0, 2)
                    .mapToObj(number -> threads.submit(() -> {
                        AllLocks.NUMBER.set(number);
                        missing.decrementAndGet();
                        while (missing.get() != 0) {
                            Thread.onSpinWait();
                        }
                        code.accept(number);
                    }))
                    .toList()) {
                future.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
