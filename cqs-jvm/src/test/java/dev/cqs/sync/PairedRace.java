package dev.cqs.sync;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs two operations at about the same time on each of many objects. Two threads go through the objects side by side. For a
 * race that needs thousands of rounds before both orders were seen.
 */
final class PairedRace {
    private PairedRace() {}

    static <T> void run(List<T> subjects, Consumer<? super T> left, Consumer<? super T> right)
            throws InterruptedException {
        AtomicInteger arrivals = new AtomicInteger();
        FutureTask<Void> other = new FutureTask<>(() -> sideBySide(arrivals, subjects, left), null);
        Thread thread = new Thread(other);
        thread.start();
        try {
            sideBySide(arrivals, subjects, right);
        } finally {
            thread.join();
        }
        try {
            other.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static <T> void sideBySide(AtomicInteger arrivals, List<T> subjects, Consumer<? super T> action) {
        try {
            meetAtEach(arrivals, subjects, action);
        } finally {
            arrivals.set(1 << 30); // if this thread has failed, the other continues alone
        }
    }

    private static <T> void meetAtEach(AtomicInteger arrivals, List<T> subjects, Consumer<? super T> action) {
        SplittableRandom random = new SplittableRandom();
        int expected = 0;
        for (T subject : subjects) {
            expected += 2;
            arrivals.incrementAndGet();
            for (int turn = 0; arrivals.get() < expected; turn++) {
                if (turn < 1_000) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield(); // both threads may share one processor
                }
            }
            for (int turns = random.nextInt(32); turns > 0; turns--) {
                arrivals.get();
            }
            action.accept(subject);
        }
    }
}
