package dev.cqs.examples;

import dev.cqs.threads.ReentrantLock;
import java.util.Arrays;

/** A counter that threads share. Every thread gets its turn, because the lock is handed over in FIFO order. */
public final class FairCounter {
    private final ReentrantLock lock = new ReentrantLock();
    private int value;

    void add(int amount) {
        lock.lock();
        try {
            value += amount;
        } finally {
            lock.unlock();
        }
    }

    void addTwice(int amount) {
        lock.lock(); // reentrant: add() takes the lock again
        try {
            add(amount);
            add(amount);
        } finally {
            lock.unlock();
        }
    }

    int value() {
        lock.lock();
        try {
            return value;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        FairCounter counter = new FairCounter();
        Thread[] threads = new Thread[4];
        Arrays.setAll(
                threads,
                i -> new Thread(() -> {
                    for (int turn = 0; turn < 10_000; turn++) {
                        counter.addTwice(1);
                    }
                }));
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("counted to " + counter.value() + " of 80000");
    }
}
