package dev.cqs.threads;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A latch with the methods and the contract of {@link java.util.concurrent.CountDownLatch}. Changing the import is the
 * migration.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before a {@code countDown} that takes one off the count happen-before
 * actions of another thread after a successful {@code await}.
 *
 * <pre>{@code
 * CountDownLatch done = new CountDownLatch(workers);
 * // each worker, at its end:
 * done.countDown();
 * // the thread that needs all of them:
 * done.await();
 * }</pre>
 */
public class CountDownLatch {
    static { // as ThreadWaiter.rehearse
        dev.cqs.sync.CountDownLatch nobodys = new dev.cqs.sync.CountDownLatch(1);
        Objects.requireNonNull(nobodys.await(Thread.currentThread(), ThreadWaiter.NEW))
                .leaveAtOnce(nobodys);
    }

    private final dev.cqs.sync.CountDownLatch core;

    /*
     * Padding against false sharing between a view and the core that is allocated after it: on the same cache line, each
     * write to the word of the core would make the next caller wait for the view.
     */
    private final long unused1 = 0;
    private final long unused2 = 0;
    private final long unused3 = 0;
    private final long unused4 = 0;
    private final long unused5 = 0;

    /**
     * Creates a latch.
     *
     * @param count how often it has to be counted down until threads pass
     * @throws IllegalArgumentException if {@code count} is negative
     */
    public CountDownLatch(int count) {
        this(new dev.cqs.sync.CountDownLatch(count));
    }

    private CountDownLatch(dev.cqs.sync.CountDownLatch core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * {@return the view for threads of a latch that other callers share, coroutines among them} Do not wait through
     * this view inside a coroutine: it blocks the thread that other coroutines need.
     *
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static CountDownLatch viewOf(dev.cqs.sync.CountDownLatch core) {
        return new CountDownLatch(core);
    }

    /** {@return the latch that this is a view of; all its views share the count} */
    public final dev.cqs.sync.CountDownLatch core() {
        return core;
    }

    /**
     * Waits until the count is zero.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    public void await() throws InterruptedException {
        await(ThreadWaiter.FOREVER);
    }

    /**
     * Waits until the count is zero, but no longer than the timeout; with a timeout of zero or less it does not wait.
     *
     * @param timeout how long to wait at most
     * @param unit of the timeout
     * @return whether the count is zero
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return await(unit.toNanos(timeout));
    }

    private boolean await(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (nanos <= 0) {
            return core.isOpen();
        }
        ThreadWaiter waiter = core.await(Thread.currentThread(), ThreadWaiter.NEW);
        return waiter == null || waiter.await(core, nanos);
    }

    /** Takes one off the count and wakes all waiting threads if it was the last; does nothing if the count is zero. */
    public void countDown() {
        core.countDown();
    }

    /** {@return the count at this moment} */
    public long getCount() {
        return core.count();
    }

    /** Identifies the latch and says its count. */
    @Override
    public String toString() {
        return super.toString() + "[Count = " + getCount() + "]";
    }
}
