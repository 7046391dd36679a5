package dev.cqs.threads;

import dev.cqs.threads.FutureWaiter.WeightedFutureWaiter;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import dev.cqs.threads.ThreadWaiter.WeightedThreadWaiter;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A counting semaphore with the methods and the contract of {@link java.util.concurrent.Semaphore} in its fair
 * mode. Changing the import is the migration.
 *
 * <p><b>Fairness.</b> Always FIFO, whatever the argument of the constructor. A thread has its place from the moment at which
 * it is in the queue. A request for several permits at the head is not overtaken, except by the untimed {@link
 * #tryAcquire()}, {@link #tryAcquire(int)} and {@link #drainPermits}.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait. Of an interrupt, a
 * timeout and a grant that race, exactly one wins, and no permit is lost. A thread that is granted its permits
 * although it was interrupted meanwhile returns with its interrupt status set.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before {@code release} happen-before actions of another thread after a
 * successful acquisition.
 *
 * <p><b>Closing.</b> Once its {@linkplain #core core} is closed, threads that wait and threads that come later get a
 * {@link dev.cqs.sync.ClosedException}, and an interrupt that has not ended the wait stays pending. Permits are
 * put back as before.
 *
 * <p><b>Serialization.</b> As with the JDK's class, a semaphore that is read from a stream has the permits that were free
 * when the other was written, and no waiters. A {@linkplain #bounded bounded} one has its maximum, so that the permits that
 * were out can be released. It has an open {@linkplain #core core} of its own, even if the other shared its core.
 *
 * <pre>{@code
 * Semaphore slots = new Semaphore(2);
 * slots.acquire();
 * try {
 *     ...
 * } finally {
 *     slots.release();
 * }
 * }</pre>
 */
public class Semaphore implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final BiFunction<Object, Integer, ThreadWaiter> NEW_WEIGHTED =
            (primitive, permits) -> new WeightedThreadWaiter(Thread.currentThread(), permits);

    static { // as ThreadWaiter.rehearse
        dev.cqs.sync.Semaphore nobodys = new dev.cqs.sync.Semaphore(0);
        Objects.requireNonNull(nobodys.acquire(Thread.currentThread(), ThreadWaiter.NEW))
                .leaveAtOnce(nobodys);
        Objects.requireNonNull(nobodys.acquire(2, 2, NEW_WEIGHTED)).leaveAtOnce(nobodys);
        FutureWaiter.rehearse();
    }

    /** @serial written in a form of its own, in which there are the free permits, the maximum and the fairness */
    private final dev.cqs.sync.Semaphore core;

    /**
     * Creates a semaphore.
     *
     * @param permits how many are free; if negative, as many releases must come before the first acquisition
     */
    public Semaphore(int permits) {
        this(new dev.cqs.sync.Semaphore(permits));
    }

    Semaphore(dev.cqs.sync.Semaphore core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * Creates a semaphore; it is fair in any case.
     *
     * @param permits how many are free; if negative, as many releases must come before the first acquisition
     * @param fair accepted for compatibility: {@code false} permits barging but does not require it
     */
    public Semaphore(int permits, boolean fair) {
        this(permits);
    }

    /**
     * {@return the view for threads of a semaphore that other callers share, coroutines among them} All wait for its
     * permits in one queue. If the core has a {@linkplain dev.cqs.sync.Semaphore#bounded bound}, then a release beyond
     * it throws {@link IllegalStateException} and puts nothing back, and a request beyond it throws {@link
     * IllegalArgumentException}. Do not wait through this view inside a coroutine: it blocks the thread that other
     * coroutines need, perhaps the holders of the permits.
     *
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static Semaphore viewOf(dev.cqs.sync.Semaphore core) {
        return new Semaphore(core);
    }

    /**
     * Creates a semaphore that has no more than {@code maximum} permits, with all of them free. A release beyond them throws
     * {@link IllegalStateException} and puts nothing back, and a request beyond them throws {@link
     * IllegalArgumentException}. It can be {@linkplain #resize resized}.
     *
     * @param maximum how many permits there are, until a {@link #resize}
     * @return a semaphore with all its permits free
     * @throws IllegalArgumentException if {@code maximum} is not positive
     */
    public static Semaphore bounded(int maximum) {
        return new Semaphore(dev.cqs.sync.Semaphore.bounded(maximum));
    }

    /** {@return the semaphore that this is a view of; all its views share the permits} */
    public final dev.cqs.sync.Semaphore core() {
        return core;
    }

    // One permit

    /**
     * Takes a permit, waiting for it if need be.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    public void acquire() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        ThreadWaiter waiter = core.acquire(Thread.currentThread(), ThreadWaiter.NEW);
        if (waiter != null) {
            waiter.await(core, ThreadWaiter.FOREVER);
        }
    }

    /** Takes a permit, waiting for it if need be; an interrupt meanwhile stays pending. */
    public void acquireUninterruptibly() {
        ThreadWaiter waiter = core.acquire(Thread.currentThread(), ThreadWaiter.NEW);
        if (waiter != null) {
            waiter.awaitUninterruptibly(core);
        }
    }

    /**
     * Takes a permit if one is free, even if threads wait for more permits than are free.
     *
     * @return whether a permit was taken
     */
    public boolean tryAcquire() {
        return core.tryAcquire();
    }

    /**
     * Takes a permit, waiting for it no longer than the timeout. With a timeout of zero or less it neither waits nor
     * overtakes a request.
     *
     * @param timeout how long to wait at most
     * @param unit of the timeout
     * @return whether a permit was taken
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    /** Puts a permit back; the thread that has waited longest gets it. */
    public void release() {
        try {
            core.release();
        } catch (IllegalStateException e) {
            throw exceeded(e);
        }
    }

    // Several permits

    /**
     * Takes {@code permits} permits, all at once, waiting for them if need be.
     *
     * @param permits how many, zero or more
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public void acquire(int permits) throws InterruptedException {
        checkNotNegative(permits);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        ThreadWaiter waiter = takeOrWait(permits);
        if (waiter != null) {
            waiter.await(core, ThreadWaiter.FOREVER);
        }
    }

    /**
     * Takes {@code permits} permits, all at once, waiting for them if need be; an interrupt meanwhile stays pending.
     *
     * @param permits how many, zero or more
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public void acquireUninterruptibly(int permits) {
        checkNotNegative(permits);
        ThreadWaiter waiter = takeOrWait(permits);
        if (waiter != null) {
            waiter.awaitUninterruptibly(core);
        }
    }

    /**
     * Takes {@code permits} permits if at least that many are free, even if threads wait for more than are free.
     *
     * @param permits how many, zero or more
     * @return whether they were taken
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public boolean tryAcquire(int permits) {
        checkNotNegative(permits);
        return core.tryAcquire(permits);
    }

    /**
     * Takes {@code permits} permits, all at once, waiting for them no longer than the timeout. With a timeout of zero or
     * less it neither waits nor overtakes a request.
     *
     * @param permits how many, zero or more
     * @param timeout how long to wait at most
     * @param unit of the timeout
     * @return whether they were taken
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public boolean tryAcquire(int permits, long timeout, TimeUnit unit) throws InterruptedException {
        checkNotNegative(permits);
        long nanos = unit.toNanos(timeout);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (nanos <= 0) {
            return core.tryAcquireFairly(permits);
        }
        ThreadWaiter waiter = takeOrWait(permits);
        return waiter == null || waiter.await(core, nanos);
    }

    /**
     * Puts {@code permits} permits back; the threads that have waited longest get them, as far as they suffice.
     *
     * @param permits how many, zero or more; the caller need not have acquired them
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public void release(int permits) {
        checkNotNegative(permits);
        try {
            core.release(permits);
        } catch (IllegalStateException e) {
            throw exceeded(e);
        }
    }

    // Futures

    /**
     * As {@link #acquireAsync(int)}, for one permit.
     *
     * @return completes with the grant
     */
    public CompletableFuture<Grant> acquireAsync() {
        return acquireAsync(1);
    }

    /**
     * Requests {@code permits} permits without blocking the thread. The future completes when it is this request's turn, with
     * a {@link Grant} that puts the permits back when it is closed, by any thread. Until then any other completion of the
     * future, a cancellation or a timeout included, cancels the request; permits that were on their way to it are not lost.
     * That has to be a completion of this future itself: one that was derived from it, by {@code thenApply} or {@code copy},
     * say, can be cancelled without any effect on this one. If the semaphore is closed, the future fails with a
     * {@link dev.cqs.sync.ClosedException}.
     *
     * <p>An abandoned future still gets its permits, and with them the duty to close the grant. So a caller that gives up
     * must cancel the future, and if {@code cancel} answers {@code false}, close the grant that is there.
     *
     * <p>Dependents of the future run in the thread that releases, one after the other; stack depth is bounded even if they
     * release as well. A dependent must not block, because other requests may be served only after it. One that is long, or
     * may block, belongs into {@code thenAcceptAsync} and its like.
     *
     * <pre>{@code
     * semaphore.acquireAsync(2).orTimeout(1, SECONDS).thenAcceptAsync(grant -> {
     *     try (grant) {
     *         ...
     *     }
     * });
     * }</pre>
     *
     * <p>If the semaphore is {@linkplain #resize resized} below the number of permits of a request that waits, the future
     * fails with an {@link IllegalArgumentException}.
     *
     * @param permits how many, zero or more
     * @return completes with the grant
     * @throws IllegalArgumentException if {@code permits} is negative, or above the maximum
     */
    public CompletableFuture<Grant> acquireAsync(int permits) {
        checkNotNegative(permits);
        return FutureWaiter.request(
                () -> core.release(permits),
                release -> permits == 1
                        ? core.acquire(release, FutureWaiter.NEW)
                        : core.acquire(
                                permits,
                                release,
                                (primitive, same) -> new WeightedFutureWaiter(same, permits).listen()));
    }

    // Looking and adjusting

    /** {@return how many permits are free at this moment; negative after a reduction below zero} */
    public int availablePermits() {
        return core.availablePermits();
    }

    /**
     * {@return the number of permits of a {@linkplain #bounded bounded} semaphore, free or out, until a {@link
     * #resize}} {@link Integer#MAX_VALUE} if the semaphore is not bounded.
     */
    public int maximum() {
        return core.maximum();
    }

    /**
     * Takes all permits that are free. If their number is negative, sets it to zero, unless the semaphore is {@linkplain
     * #bounded bounded}.
     *
     * @return how many there were
     */
    public int drainPermits() {
        return core.drainPermits();
    }

    /**
     * Takes {@code reduction} permits away without waiting, whether free or not.
     *
     * @param reduction how many, zero or more
     * @throws IllegalArgumentException if {@code reduction} is negative
     */
    protected void reducePermits(int reduction) {
        checkNotNegative(reduction);
        try {
            core.reducePermits(reduction);
        } catch (IllegalStateException e) {
            throw new Error("Permit count underflow", e);
        }
    }

    /**
     * Changes the number of permits, free or out, of a {@linkplain #bounded bounded} semaphore to {@code maximum}. Permits
     * that are gained go to waiting requests. Permits that are lost are taken from the free ones; what is missing becomes a
     * debt, which later releases pay before any request is served. The release of a permit that was acquired is never
     * refused.
     *
     * <p>From now on a request for more than the maximum throws {@link IllegalArgumentException}. So does one that waits
     * already, when its turn comes, unless the semaphore has grown again by then.
     *
     * @param maximum how many permits there are from now on
     * @throws IllegalArgumentException if {@code maximum} is not positive
     * @throws IllegalStateException if the semaphore is not bounded
     */
    public void resize(int maximum) {
        core.resize(maximum);
    }

    /** {@return always {@code true}} */
    public boolean isFair() {
        return true;
    }

    /** {@return whether requests may be waiting, through any view of the core; they may leave at any time} */
    public final boolean hasQueuedThreads() {
        return core.queueLength() > 0;
    }

    /** {@return approximately how many requests wait, through all views of the core} */
    public final int getQueueLength() {
        return core.queueLength();
    }

    /** {@return the threads that may be waiting, first to last; a snapshot that may be out of date} */
    protected Collection<Thread> getQueuedThreads() {
        QueuedThreads threads = new QueuedThreads();
        core.forEachWaiter(threads);
        return threads.get();
    }

    /** Identifies the semaphore and says how many permits are free and how many requests wait. */
    @Override
    public String toString() {
        return super.toString() + "[Permits = " + availablePermits() + ", waiting = " + getQueueLength() + "]";
    }

    /** The waiter, or null if the permits were taken. */
    private @Nullable ThreadWaiter takeOrWait(int permits) {
        if (permits == 1) {
            return core.acquire(Thread.currentThread(), ThreadWaiter.NEW);
        }
        // tryAcquireFairly comes first, because a number that is passed to a factory is an object
        return core.tryAcquireFairly(permits) ? null : core.acquire(permits, permits, NEW_WEIGHTED);
    }

    /** The exception of the JDK's class, unless the core was made with a maximum of its own. */
    private RuntimeException exceeded(IllegalStateException e) {
        if (core.maximum() == Integer.MAX_VALUE) {
            throw new Error("Maximum permit count exceeded", e);
        }
        return e;
    }

    private static void checkNotNegative(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("the number of permits must not be negative, but is " + permits);
        }
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        if (core == null) {
            throw new InvalidObjectException("a semaphore without its core");
        }
    }
}
