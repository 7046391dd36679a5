package dev.cqs.threads;

import dev.cqs.sync.Mutex;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The common part of both locks over a mutex: a thread that holds it is on record as its owner. */
abstract class AbstractMutexLock implements Lock {
    /*
     * The record is kept by the holder. The thread that has been granted the mutex sets it, after it woke;
     * the thread that unlocks clears it before. So a thread's check whether it is the owner is exact, and no thread ever
     * overwrites the record of another.
     *
     * A thread parks with the core mutex as its blocker. The core mutex is an AbstractOwnableSynchronizer, which thread dumps
     * and the JVM's deadlock detection look for.
     */

    private static final BiFunction<Mutex, Thread, ThreadWaiter> NEW_WAITER = AbstractMutexLock::newWaiter;

    static { // as ThreadWaiter.rehearse
        Mutex nobodys = new Mutex();
        nobodys.tryLock();
        Objects.requireNonNull(nobodys.lock(Thread.currentThread(), NEW_WAITER)).leaveAtOnce(nobodys);
        FutureWaiter.rehearse();
    }

    final Mutex core;

    /** For the deserialization of subclasses in any package: a free lock. */
    protected AbstractMutexLock() {
        this(new Mutex());
    }

    AbstractMutexLock(Mutex core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /** The mutex that this lock is a view of; all views of the core share the lock. */
    public final Mutex core() {
        return core;
    }

    /** Refuses a holder, which would wait for itself for ever. */
    private static ThreadWaiter newWaiter(Mutex core, Thread thread) {
        if (core.owner() == thread) {
            throw new IllegalStateException(
                    "the current thread holds this mutex already, and the mutex is not reentrant");
        }
        return new ThreadWaiter(thread);
    }

    /** Takes the mutex for a thread that does not hold it. */
    final void lockFor(Thread thread) {
        ThreadWaiter waiter = core.lock(thread, NEW_WAITER);
        if (waiter != null) {
            waiter.awaitUninterruptibly(core);
        }
        core.setOwner(thread);
    }

    /** The same, with interruption. */
    final void lockInterruptiblyFor(Thread thread) throws InterruptedException {
        ThreadWaiter waiter = core.lock(thread, NEW_WAITER);
        if (waiter != null) {
            waiter.await(core, ThreadWaiter.FOREVER);
        }
        core.setOwner(thread);
    }

    /** The same, with interruption and a timeout in nanoseconds. */
    final boolean tryLockFor(Thread thread, long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return tryLockFor(thread);
        }
        ThreadWaiter waiter = core.lock(thread, NEW_WAITER);
        if (waiter != null && !waiter.await(core, nanos)) {
            return false;
        }
        core.setOwner(thread);
        return true;
    }

    /** The same, if it is free. */
    final boolean tryLockFor(Thread thread) {
        if (!core.tryLock()) {
            return false;
        }
        core.setOwner(thread);
        return true;
    }

    /**
     * A condition of this lock. Its methods throw {@link IllegalMonitorStateException} unless the current thread holds
     * the lock. A signal goes to the thread that has waited longest and wakes it only when it has got the lock.
     *
     * <p>Closing the core ends all waits for a signal with a {@link dev.cqs.sync.ClosedException}. A thread gets it, like any
     * other outcome, when it holds the lock again, and unlocks as usual. A wait that begins later ends with the exception at
     * once. An interrupt that has not ended the wait before stays pending.
     */
    @Override
    public Condition newCondition() {
        return freshCondition();
    }

    final LockCondition freshCondition() {
        return new OwnedCondition(core.newCondition());
    }

    /**
     * The view for threads of a condition that other callers share, coroutines among them. All wait in one queue; see
     * {@link #newCondition()}.
     *
     * @throws IllegalArgumentException if the condition is not one of the {@linkplain #core() core} of this lock
     * @throws NullPointerException if the condition is {@code null}
     */
    @SuppressWarnings("ObjectToString") // which of them it is
    public final Condition conditionViewOf(dev.cqs.sync.Condition core) {
        if (core.mutex() != this.core) {
            throw new IllegalArgumentException("the condition is not of this lock: " + core);
        }
        return new OwnedCondition(core);
    }

    // Looking

    /** Whether the current thread holds this lock. */
    public boolean isHeldByCurrentThread() {
        return core.owner() == Thread.currentThread();
    }

    /** Whether this lock is held at this moment. */
    public boolean isLocked() {
        return core.isLocked();
    }

    /** The thread that holds this lock at this moment, or {@code null} if none is known. */
    protected @Nullable Thread getOwner() {
        return core.owner();
    }

    /** Whether requests may be waiting, through any view of the core; they may leave at any time. */
    public final boolean hasQueuedThreads() {
        return core.queueLength() > 0;
    }

    /**
     * Whether this thread is waiting for the lock at this moment.
     *
     * @throws NullPointerException if the thread is {@code null}
     */
    public final boolean hasQueuedThread(Thread thread) {
        if (thread == null) {
            throw new NullPointerException("thread");
        }
        return getQueuedThreads().contains(thread);
    }

    /** Approximately how many requests wait, through all views of the core. */
    public final int getQueueLength() {
        return core.queueLength();
    }

    /** The threads that may be waiting, first to last; a snapshot that may be out of date. */
    protected Collection<Thread> getQueuedThreads() {
        QueuedThreads threads = new QueuedThreads();
        core.forEachWaiter(threads);
        return threads.get();
    }

    /** Identifies the lock and says which thread holds it. */
    @Override
    public String toString() {
        Thread owner = core.owner();
        String held =
                owner != null ? "[Locked by thread " + owner.getName() + "]" : isLocked() ? "[Locked]" : "[Unlocked]";
        return super.toString() + held;
    }

    private final class OwnedCondition extends LockCondition {
        private static final long serialVersionUID = 1L;

        OwnedCondition(dev.cqs.sync.Condition core) {
            super(core);
        }

        @Override
        void checkHeld() {
            core.checkOwner(Thread.currentThread());
        }

        @Override
        int holds(Thread current) {
            return core.holdCount(current);
        }

        @Override
        void heldBy(Thread current, int holds) {
            core.setOwner(current, holds);
        }

        @Override
        Object blocker() {
            return core;
        }

        @Override
        Lock lock() {
            return AbstractMutexLock.this;
        }
    }
}
