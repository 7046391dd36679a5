package dev.cqs.examples;

import dev.cqs.threads.Semaphore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Many workers, few slots: a semaphore limits how many work at the same time. A worker that waits too long gives up. */
public final class BoundedWorkers {
    private final Semaphore slots = new Semaphore(3);
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger gaveUp = new AtomicInteger();

    private void handle() {
        try {
            if (!slots.tryAcquire(35, TimeUnit.MILLISECONDS)) {
                gaveUp.incrementAndGet();
                return;
            }
            try {
                work();
            } finally {
                slots.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() throws InterruptedException {
        mostAtOnce.accumulateAndGet(working.incrementAndGet(), Math::max);
        try {
            Thread.sleep(10); // a request to a server, say
            done.incrementAndGet();
        } finally {
            working.decrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        BoundedWorkers workers = new BoundedWorkers();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(workers::handle, "worker " + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(workers.done + " done and " + workers.gaveUp + " gave up, of 20; at most "
                + workers.mostAtOnce + " worked at once, of 3 allowed");
    }
}
