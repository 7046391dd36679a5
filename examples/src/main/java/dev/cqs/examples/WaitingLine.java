package dev.cqs.examples;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Threads in the queue of one gate, in a known order: each is started when the one before it has parked. The creating thread
 * holds all permits until it serves the queue.
 */
final class WaitingLine {
    private final Gate gate;
    private final int permits;
    private final Team team;
    private final int[] served; // guarded by the single permit that is passed on
    private int next;

    WaitingLine(Gate gate, int permits, ThreadFactory factory, int waiters) throws InterruptedException {
        this.gate = gate;
        this.permits = permits;
        this.team = new Team(factory);
        this.served = new int[waiters];
        for (int i = 0; i < permits; i++) {
            gate.acquire();
        }
    }

    /** Starts the waiters, and reports their number at intervals. */
    void fill(IntConsumer progress) {
        for (int i = 0; i < served.length; i++) {
            int place = i;
            team.awaitParked(team.start(() -> waitAt(place)));
            if (i % 100 == 99) {
                progress.accept(i + 1);
            }
        }
        if (gate.waiting() != served.length) {
            throw new IllegalStateException(gate.waiting() + " threads wait, not " + served.length);
        }
    }

    private void waitAt(int place) throws InterruptedException {
        gate.acquire();
        try {
            served[next++] = place;
        } finally {
            gate.release();
        }
    }

    /**
     * The mean time in microseconds to be enqueued and cancelled again. The timeout is a nanosecond, which is over before the
     * thread would park, so only the work is measured.
     */
    double microsPerTimeout(int millis) throws InterruptedException {
        long begin = System.nanoTime();
        long enough = TimeUnit.MILLISECONDS.toNanos(millis);
        long spent;
        int calls = 0;
        do {
            if (gate.tryAcquire(1)) {
                throw new IllegalStateException("acquired a permit that the creating thread holds");
            }
            calls++;
            spent = System.nanoTime() - begin;
        } while (spent < enough);
        return spent / 1e3 / calls;
    }

    /** Passes one permit on until all have had it. Returns whether they had it in FIFO order. */
    boolean serveInOrder() throws InterruptedException {
        gate.release();
        team.join();
        for (int i = 1; i < permits; i++) {
            gate.release();
        }
        boolean inOrder = next == served.length;
        for (int i = 0; i < served.length; i++) {
            inOrder &= served[i] == i;
        }
        return inOrder;
    }
}
