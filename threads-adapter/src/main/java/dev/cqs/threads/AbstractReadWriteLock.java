package dev.cqs.threads;

import dev.cqs.sync.ReadWriteMutex;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/** The part of a {@link ReentrantReadWriteLock} that reports its state, its waiters and the threads on its conditions. */
abstract class AbstractReadWriteLock implements ReadWriteLock {
    /** For the deserialization of subclasses in any package. */
    protected AbstractReadWriteLock() {}

    abstract ReadWriteMutex core();

    /** Always {@code true}. */
    public final boolean isFair() {
        return true;
    }

    /** The thread that holds the write lock at this moment, or {@code null} if none is known. */
    protected @Nullable Thread getOwner() {
        return core().owner();
    }

    /** How many read locks are held at this moment, through all views of the core. */
    public int getReadLockCount() {
        return core().readLockCount();
    }

    /** Whether the write lock is held at this moment. */
    public boolean isWriteLocked() {
        return core().isWriteLocked();
    }

    /** Whether the current thread holds the write lock. */
    public boolean isWriteLockedByCurrentThread() {
        return core().owner() == Thread.currentThread();
    }

    /** How many more unlocks of the write lock the current thread owes; zero if it does not hold the write lock. */
    public int getWriteHoldCount() {
        return core().writeHoldCount(Thread.currentThread());
    }

    /** How many more unlocks of the read lock the current thread owes. */
    public int getReadHoldCount() {
        return core().readHoldCount(Thread.currentThread());
    }

    // Waiting for the lock

    /** The threads that may be waiting to write, first to last; a snapshot that may be out of date. */
    protected Collection<Thread> getQueuedWriterThreads() {
        QueuedThreads threads = new QueuedThreads();
        core().forEachWaitingWriter(threads);
        return threads.get();
    }

    /** The threads that may be waiting to read, first to last; a snapshot that may be out of date. */
    protected Collection<Thread> getQueuedReaderThreads() {
        QueuedThreads threads = new QueuedThreads();
        core().forEachWaitingReader(threads);
        return threads.get();
    }

    /** The threads that may be waiting, first the writers and then the readers; a snapshot that may be out of date. */
    protected Collection<Thread> getQueuedThreads() {
        QueuedThreads threads = new QueuedThreads();
        core().forEachWaitingWriter(threads);
        core().forEachWaitingReader(threads);
        return threads.get();
    }

    /** Whether requests may be waiting, through any view of the core; they may leave at any time. */
    public final boolean hasQueuedThreads() {
        return getQueueLength() > 0;
    }

    /**
     * Whether this thread is waiting for one of the locks at this moment.
     *
     * @throws NullPointerException if the thread is {@code null}
     */
    public final boolean hasQueuedThread(Thread thread) {
        return getQueuedThreads().contains(Objects.requireNonNull(thread, "thread"));
    }

    /** Approximately how many requests wait, through all views of the core. */
    public final int getQueueLength() {
        return (int) Math.min(Integer.MAX_VALUE, (long) core().waitingWriters() + core().waitingReaders());
    }

    // Waiting on a condition

    /**
     * Whether threads wait on the condition; they may leave at any time.
     *
     * @throws IllegalArgumentException if the condition is not of this lock
     * @throws IllegalMonitorStateException if the current thread does not hold the write lock
     * @throws NullPointerException if the condition is {@code null}
     */
    public boolean hasWaiters(Condition condition) {
        return getWaitQueueLength(condition) > 0;
    }

    /**
     * Approximately how many threads wait on the condition.
     *
     * @throws IllegalArgumentException if the condition is not of this lock
     * @throws IllegalMonitorStateException if the current thread does not hold the write lock
     * @throws NullPointerException if the condition is {@code null}
     */
    public int getWaitQueueLength(Condition condition) {
        return coreOf(condition).queueLength();
    }

    /**
     * The threads that may be waiting on the condition, first to last; a snapshot that may be out of date.
     *
     * @throws IllegalArgumentException if the condition is not of this lock
     * @throws IllegalMonitorStateException if the current thread does not hold the write lock
     * @throws NullPointerException if the condition is {@code null}
     */
    protected Collection<Thread> getWaitingThreads(Condition condition) {
        QueuedThreads threads = new QueuedThreads();
        coreOf(condition).forEachWaiter(threads);
        return threads.get();
    }

    private dev.cqs.sync.Condition coreOf(Condition condition) {
        Objects.requireNonNull(condition, "condition");
        if (!(condition instanceof LockCondition own) || own.core().readWriteMutex() != core()) {
            throw new IllegalArgumentException("the condition is not of this lock: " + condition);
        }
        core().checkOwner(Thread.currentThread());
        return own.core();
    }

    /** Identifies the lock and says how it is held. */
    @Override
    public String toString() {
        Thread owner = core().owner();
        int holds = owner == null ? 1 : Math.max(1, core().writeHoldCount(owner));
        int writes = isWriteLocked() ? holds : 0;
        return super.toString() + "[Write locks = " + writes + ", Read locks = " + getReadLockCount() + "]";
    }
}
