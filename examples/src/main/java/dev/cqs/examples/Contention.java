package dev.cqs.examples;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that acquire and release one gate at full speed, with a little work inside and outside. They begin with all of them
 * in the queue. Otherwise it would depend on chance and the number of processors whether there is a queue at all.
 */
final class Contention {
    private final Gate gate;
    private final LongAdder acquired = new LongAdder();
    private volatile boolean over;
    private volatile long sink; // keeps the JIT compiler from removing the work

    private Contention(Gate gate) {
        this.gate = gate;
    }

    /** The acquires per second, of all threads together. */
    static double perSecond(Gate gate, int permits, ThreadFactory factory, int threads, int millis)
            throws InterruptedException {
        return new Contention(gate).run(permits, factory, threads, millis);
    }

    private double run(int permits, ThreadFactory factory, int threads, int millis) throws InterruptedException {
        Team team = new Team(factory);
        for (int i = 0; i < permits; i++) {
            gate.acquire();
        }
        for (int i = 1; i <= threads; i++) {
            long seed = i;
            team.awaitParked(team.start(() -> contend(seed)));
        }
        long begin = System.nanoTime();
        for (int i = 0; i < permits; i++) {
            gate.release();
        }
        TimeUnit.MILLISECONDS.sleep(millis);
        over = true;
        team.join();
        return acquired.sum() * 1e9 / (System.nanoTime() - begin);
    }

    private void contend(long seed) throws InterruptedException {
        long count = 0;
        long state = seed;
        while (!over) {
            gate.acquire();
            try {
                state = work(state);
            } finally {
                gate.release();
            }
            state = work(state);
            count++;
        }
        acquired.add(count);
        sink = state;
    }

    /** Works for some tens of nanoseconds. */
    private static long work(long seed) {
        long state = seed;
        for (int i = 0; i < 20; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }
}
