package dev.cqs.examples;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import java.util.concurrent.atomic.AtomicLong;

/** A primitive of your own: a count, the queue, and a waiter that parks. It is fair, and an interrupt ends a wait. */
public final class TinySemaphore {
    private final AtomicLong free; // below zero: minus the number of waiters
    private final CancellableQueueSynchronizer<Boolean> queue =
            new CancellableQueueSynchronizer<>(ResumeMode.ASYNC, CancellationMode.SMART) {
                @Override
                protected boolean onCancellation(Waiter waiter) {
                    return free.getAndIncrement() < 0; // false: the permit is back, refuse the resume
                }
            };

    TinySemaphore(int permits) {
        free = new AtomicLong(permits);
    }

    void acquire() throws InterruptedException {
        if (free.getAndDecrement() <= 0) {
            Parked waiter = new Parked();
            queue.suspend(waiter);
            waiter.await();
        }
    }

    void release() {
        if (free.getAndIncrement() < 0) {
            queue.resume(true);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        TinySemaphore semaphore = new TinySemaphore(0);
        Runnable customer = () -> {
            String name = Thread.currentThread().getName();
            try {
                semaphore.acquire();
                System.out.println(name + " got a permit");
            } catch (InterruptedException e) {
                System.out.println(name + " gave up");
            }
        };
        Thread hasty = new Thread(customer, "hasty");
        Thread patient = new Thread(customer, "patient");
        hasty.start();
        patient.start();
        hasty.interrupt();
        hasty.join();
        semaphore.release(); // the patient thread gets it, wherever it is in the queue
        patient.join();
    }
}
