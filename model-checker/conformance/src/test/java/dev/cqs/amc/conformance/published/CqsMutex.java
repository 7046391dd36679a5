package dev.cqs.amc.conformance.published;

import dev.cqs.locks.SpinLock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;

/**
 * A mutex in the shape of a queue of cells, for threads with numbers. An unlock that finds an empty cell leaves a token
 * there, which the next waiter takes. Subclasses may change how it resumes a waiter.
 */
public class CqsMutex implements SpinLock {

    private static final Waiter TOKEN = new Waiter();

    private final AtomicInteger free = new AtomicInteger(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger resumed = new AtomicInteger();
    private final AtomicReferenceArray<Waiter> cells;
    private final Waiter[] waiters;
    private final IntSupplier numberOfThread;

    /** A waiting thread. */
    public static final class Waiter {
        public final AtomicInteger slot = new AtomicInteger();
    }

    public CqsMutex(int threads, IntSupplier numberOfThread) {
        this.numberOfThread = numberOfThread;
        cells = new AtomicReferenceArray<>(threads);
        waiters = new Waiter[threads];
        for (int i = 0; i < threads; i++) {
            waiters[i] = new Waiter();
        }
    }

    /** Resumes a waiter, which then holds the lock. */
    protected void resume(Waiter waiter) {
        waiter.slot.compareAndSet(0, 1);
    }

    @Override
    public final void lock() {
        if (free.getAndAdd(-1) > 0) {
            return;
        }
        Waiter mine = waiters[numberOfThread.getAsInt()];
        mine.slot.setOpaque(0);
        int cell = waiting.getAndAdd(1);
        if (cells.compareAndSet(cell, null, mine)) {
            while (mine.slot.getAcquire() != 1) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public final void unlock() {
        if (free.getAndAdd(1) >= 0) {
            return;
        }
        int cell = resumed.getAndAdd(1);
        if (cells.get(cell) == null && cells.compareAndSet(cell, null, TOKEN)) {
            return;
        }
        Waiter waiter = cells.get(cell);
        cells.set(cell, TOKEN);
        resume(waiter);
    }
}
