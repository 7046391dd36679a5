package dev.cqs.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A fair mutual exclusion lock that is not reentrant.
 *
 * <p><b>Fairness.</b> FIFO: {@link #unlock} hands the mutex to the thread that has waited longest. A thread has its place
 * from the moment at which it is in the queue.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait. Of an interrupt, a
 * timeout and a grant that race, exactly one wins.
 *
 * <p><b>Ownership.</b> The thread that locks must unlock. A thread that tries to wait for a mutex that it holds
 * gets an {@link IllegalStateException} instead of a deadlock. The owner shows in thread dumps, and the JVM's
 * deadlock detection sees it.
 *
 * <p><b>Memory consistency.</b> That of {@link java.util.concurrent.locks.Lock}.
 *
 * <p><b>No memory.</b> A thread that finds no memory for its place in the queue gets an {@link OutOfMemoryError}, and nothing
 * has changed. It does not go on without a place, as with the JDK's lock since JDK 25, because the order would be lost.
 * Unlocking, cancelling and coming back from a condition need no memory.
 *
 * <p><b>Closing.</b> Once its {@linkplain #core core} is closed, threads that wait and threads that come later get a
 * {@link dev.cqs.sync.ClosedException}, and an interrupt that has not ended the wait stays pending. The holder
 * unlocks as before. A thread that waits on a {@linkplain #newCondition condition} gets the exception when it holds the mutex
 * again.
 *
 * <pre>{@code
 * Mutex mutex = new Mutex();
 * mutex.lock();
 * try {
 *     ...
 * } finally {
 *     mutex.unlock();
 * }
 * }</pre>
 */
public class Mutex extends AbstractMutexLock {
    /** Creates a free mutex. */
    public Mutex() {
        this(new dev.cqs.sync.Mutex());
    }

    private Mutex(dev.cqs.sync.Mutex core) {
        super(core);
    }

    /**
     * {@return the view for threads of a mutex that other callers share, coroutines among them} All wait for it in one
     * queue. Do not wait through this view inside a coroutine: it blocks the thread that other coroutines need, perhaps
     * the holder of the mutex.
     *
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static Mutex viewOf(dev.cqs.sync.Mutex core) {
        return new Mutex(core);
    }

    /**
     * Takes the mutex, waiting for it if need be; an interrupt meanwhile stays pending.
     *
     * @throws IllegalStateException if the current thread holds it already
     */
    @Override
    public void lock() {
        lockFor(Thread.currentThread());
    }

    /**
     * Takes the mutex, waiting for it if need be.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws IllegalStateException if the current thread holds it already
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        lockInterruptiblyFor(Thread.currentThread());
    }

    /**
     * Takes the mutex if it is free.
     *
     * @return whether the current thread has just taken it
     */
    @Override
    public boolean tryLock() {
        return tryLockFor(Thread.currentThread());
    }

    /**
     * Takes the mutex, waiting for it no longer than the timeout; with a timeout of zero or less it does not wait.
     *
     * @return whether the current thread has just taken it
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws IllegalStateException if it would have to wait for itself
     */
    @Override
    public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return tryLockFor(Thread.currentThread(), nanos);
    }

    /**
     * Hands the mutex to the request that has waited longest, or frees it. If the current thread has reentered
     * through a {@link ReentrantLock} over the same core, this undoes one of those entries instead.
     *
     * @throws IllegalMonitorStateException if the current thread does not hold it
     */
    @Override
    public void unlock() {
        core.unlock(Thread.currentThread());
    }

    /**
     * Requests the mutex without blocking the thread. The future completes when it is this request's turn, with a
     * {@link Grant} that unlocks the mutex when it is closed, by any thread: no thread is on record as the owner
     * meanwhile. Until then any other completion of the future, a cancellation or a timeout included, cancels the request; a
     * mutex that was on its way to it is not lost. That has to be a completion of this future itself: one that was derived
     * from it, by {@code thenApply} or {@code copy}, say, can be cancelled without any effect on this one. If the
     * mutex is closed, the future fails with a {@link dev.cqs.sync.ClosedException}.
     *
     * <p>An abandoned future still gets the mutex, and with it the duty to close the grant. So a caller that gives up must
     * cancel the future, and if {@code cancel} answers {@code false}, close the grant that is there.
     *
     * <p>Dependents of the future run in the thread that unlocks, one after the other; stack depth is bounded even if they
     * unlock as well. A dependent must not block, because other requests may be served only after it. One that is long, or may
     * block, belongs into {@code thenAcceptAsync} and its like.
     *
     * <pre>{@code
     * mutex.lockAsync().thenAcceptAsync(grant -> {
     *     try (grant) {
     *         ...
     *     }
     * });
     * }</pre>
     *
     * @return completes with the grant
     */
    public CompletableFuture<Grant> lockAsync() {
        return FutureWaiter.request(core::unlock, release -> core.lock(release, FutureWaiter.NEW));
    }
}
