package dev.cqs.examples;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.IntSupplier;

/** The operations that a lock and a semaphore have in common. */
interface Gate {
    void acquire() throws InterruptedException;

    /** Acquires the gate. Returns whether that succeeded in time. */
    boolean tryAcquire(long nanos) throws InterruptedException;

    void release();

    /** The number of waiting threads. */
    int waiting();

    /** A gate of a lock, ours or the JDK's. */
    static Gate of(Lock lock, IntSupplier waiting) {
        return new Gate() {
            @Override
            public void acquire() throws InterruptedException {
                lock.lockInterruptibly();
            }

            @Override
            public boolean tryAcquire(long nanos) throws InterruptedException {
                return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void release() {
                lock.unlock();
            }

            @Override
            public int waiting() {
                return waiting.getAsInt();
            }
        };
    }

    static Gate of(dev.cqs.threads.Semaphore semaphore) {
        return new Gate() {
            @Override
            public void acquire() throws InterruptedException {
                semaphore.acquire();
            }

            @Override
            public boolean tryAcquire(long nanos) throws InterruptedException {
                return semaphore.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void release() {
                semaphore.release();
            }

            @Override
            public int waiting() {
                return semaphore.getQueueLength();
            }
        };
    }

    static Gate of(java.util.concurrent.Semaphore semaphore) {
        return new Gate() {
            @Override
            public void acquire() throws InterruptedException {
                semaphore.acquire();
            }

            @Override
            public boolean tryAcquire(long nanos) throws InterruptedException {
                return semaphore.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void release() {
                semaphore.release();
            }

            @Override
            public int waiting() {
                return semaphore.getQueueLength();
            }
        };
    }
}
