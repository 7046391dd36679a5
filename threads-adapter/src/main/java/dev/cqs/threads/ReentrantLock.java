package dev.cqs.threads;

import dev.cqs.sync.Mutex;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A reentrant lock with the methods and the contract of {@link java.util.concurrent.locks.ReentrantLock} in its
 * fair mode. Changing the import is the migration.
 *
 * <p><b>Fairness.</b> Always FIFO, whatever the argument of the constructor. A thread has its place from the moment at which
 * it is in the queue.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait. Of an interrupt, a
 * timeout and a grant that race, exactly one wins. A thread that is granted the lock although it was interrupted
 * meanwhile returns with its interrupt status set.
 *
 * <p><b>Ownership.</b> The owner shows in thread dumps, and the JVM's deadlock detection sees it.
 *
 * <p><b>Memory consistency.</b> That of {@link java.util.concurrent.locks.Lock}.
 *
 * <p><b>No memory.</b> A thread that finds no memory for its place in the queue gets an {@link OutOfMemoryError}, and nothing
 * has changed. It does not go on without a place, as with the JDK's lock since JDK 25, because the order would be lost.
 * Unlocking, cancelling and coming back from a condition need no memory.
 *
 * <p><b>Closing.</b> Once its {@linkplain #core core} is closed, threads that wait and threads that come later get a
 * {@link dev.cqs.sync.ClosedException}, and an interrupt that has not ended the wait stays pending. The thread that
 * holds the lock reenters and unlocks as before. A thread that waits on a {@linkplain #newCondition condition} gets the
 * exception when it holds the lock again.
 *
 * <p><b>Serialization.</b> As with the JDK's class, a lock that is read from a stream is free, and so are its conditions,
 * whatever the state of the lock that was written. It has an open {@linkplain #core core} of its own, even if the other
 * shared its core.
 *
 * <pre>{@code
 * ReentrantLock lock = new ReentrantLock();
 * lock.lock();
 * try {
 *     ...
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 */
public class ReentrantLock extends AbstractMutexLock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** @serialField fair boolean always {@code true}; {@code false} permits barging, and does not ask for it */
    private static final ObjectStreamField[] serialPersistentFields = {new ObjectStreamField("fair", boolean.class)};

    /** Creates a free lock. */
    public ReentrantLock() {
        this(new Mutex());
    }

    /**
     * Creates a free lock; it is fair in any case.
     *
     * @param fair accepted for compatibility: {@code false} permits barging but does not require it
     */
    public ReentrantLock(boolean fair) {
        this();
    }

    private ReentrantLock(Mutex core) {
        super(core);
    }

    /**
     * {@return the reentrant view for threads of a mutex that other callers share, coroutines among them} All wait for
     * it in one queue. Only a thread that holds it through this view or a {@link dev.cqs.threads.Mutex} can reenter. Do
     * not wait through this view inside a coroutine: it blocks the thread that other coroutines need, perhaps the
     * holder of the mutex.
     *
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static ReentrantLock viewOf(Mutex core) {
        return new ReentrantLock(core);
    }

    /**
     * Takes the lock, waiting for it if need be; an interrupt meanwhile stays pending.
     *
     * @throws Error if the thread has entered more often than an {@code int} can count
     */
    @Override
    public void lock() {
        Thread thread = Thread.currentThread();
        if (!core.tryReenter(thread)) {
            lockFor(thread);
        }
    }

    /**
     * Takes the lock, waiting for it if need be.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws Error if the thread has entered more often than an {@code int} can count
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread thread = Thread.currentThread();
        if (!core.tryReenter(thread)) {
            lockInterruptiblyFor(thread);
        }
    }

    /**
     * Takes the lock if it is free or held by the current thread.
     *
     * @return whether the current thread holds it now
     * @throws Error if the thread has entered more often than an {@code int} can count
     */
    @Override
    public boolean tryLock() {
        Thread thread = Thread.currentThread();
        return core.tryReenter(thread) || tryLockFor(thread);
    }

    /**
     * Takes the lock, waiting for it no longer than the timeout; with a timeout of zero or less it does not wait.
     *
     * @return whether the current thread holds it now
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws Error if the thread has entered more often than an {@code int} can count
     */
    @Override
    public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread thread = Thread.currentThread();
        return core.tryReenter(thread) || tryLockFor(thread, nanos);
    }

    /**
     * Undoes one {@code lock}. The last one hands the lock to the thread that has waited longest, or frees it.
     *
     * @throws IllegalMonitorStateException if the current thread does not hold it
     */
    @Override
    public void unlock() {
        core.unlock(Thread.currentThread());
    }

    // Looking

    /** {@return how many more {@code unlock}s the current thread owes; zero if it does not hold the lock} */
    public int getHoldCount() {
        return core.holdCount(Thread.currentThread());
    }

    /** {@return always {@code true}} */
    public final boolean isFair() {
        return true;
    }

    // Conditions

    /**
     * {@return whether requests may be waiting on the condition, through any view of the core; they may leave at any
     * time}
     *
     * @param condition one of this lock
     * @throws IllegalArgumentException if the condition is not of this lock
     * @throws IllegalMonitorStateException if the current thread does not hold this lock
     * @throws NullPointerException if the condition is {@code null}
     */
    public boolean hasWaiters(Condition condition) {
        return getWaitQueueLength(condition) > 0;
    }

    /**
     * {@return approximately how many requests wait on the condition, through all views of the core}
     *
     * @param condition one of this lock
     * @throws IllegalArgumentException if the condition is not of this lock
     * @throws IllegalMonitorStateException if the current thread does not hold this lock
     * @throws NullPointerException if the condition is {@code null}
     */
    public int getWaitQueueLength(Condition condition) {
        return ofThisLock(condition).queueLength();
    }

    /**
     * {@return the threads that may be waiting on the condition, first to last; a snapshot that may be out of date}
     *
     * @param condition one of this lock
     * @throws IllegalArgumentException if the condition is not of this lock
     * @throws IllegalMonitorStateException if the current thread does not hold this lock
     * @throws NullPointerException if the condition is {@code null}
     */
    protected Collection<Thread> getWaitingThreads(Condition condition) {
        QueuedThreads threads = new QueuedThreads();
        ofThisLock(condition).forEachWaiter(threads);
        return threads.get();
    }

    private dev.cqs.sync.Condition ofThisLock(Condition condition) {
        Objects.requireNonNull(condition, "condition");
        if (!(condition instanceof LockCondition own) || own.core().mutex() != core) {
            throw new IllegalArgumentException("the condition is not of this lock: " + condition);
        }
        core.checkOwner(Thread.currentThread());
        return own.core();
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.putFields().put("fair", isFair());
        out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.readFields(); // always fair
    }
}
