package dev.cqs.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that are started for one task and joined afterwards. What one of them throws is thrown to the caller. */
final class Team {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The body of a thread. */
    interface Task {
        void run() throws Exception;
    }

    private final ThreadFactory factory;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Team(ThreadFactory factory) {
        this.factory = factory;
    }

    Thread start(Task task) {
        Thread thread = factory.newThread(() -> {
            try {
                task.run();
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            }
        });
        threads.add(thread);
        thread.start();
        return thread;
    }

    /** Waits until the thread is parked, and so is in the queue: it parks nowhere else. */
    void awaitParked(Thread thread) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (thread.getState() != Thread.State.WAITING) {
            check(deadline);
            Thread.yield();
        }
    }

    void join() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                check(deadline);
                thread.join(1000);
            }
        }
        check(deadline);
    }

    private void check(long deadline) {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a thread of the demo has failed", thrown);
        }
        if (System.nanoTime() - deadline > 0) {
            throw new IllegalStateException("a thread of the demo makes no progress");
        }
    }
}
