package dev.cqs.examples;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Threads that stand in the queue of one gate, in an order that is known: each is started when the one before it
 * has parked. The thread that makes the line holds all permits until it serves the line.
 */
final class WaitingLine {
    private final Gate gate;
    private final int permits;
    private final Team team;
    private final int[] served; // written by who holds the one permit that goes round
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

    /** Puts the waiters in the queue, and tells now and then how many there are. */
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
     * Microseconds that it takes to join the queue and to leave it again, as the mean over some time. The timeout
     * is a nanosecond: it is over before the thread would park, and what is left is the work.
     */
    double microsPerTimeout(int millis) throws InterruptedException {
        long begin = System.nanoTime();
        long enough = TimeUnit.MILLISECONDS.toNanos(millis);
        long spent;
        int calls = 0;
        do {
            if (gate.tryAcquire(1)) {
                throw new IllegalStateException("acquired what others hold");
            }
            calls++;
            spent = System.nanoTime() - begin;
        } while (spent < enough);
        return spent / 1e3 / calls;
    }

    /** Lets one permit go round until all have had it, and says whether they had it in the order they came. */
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
