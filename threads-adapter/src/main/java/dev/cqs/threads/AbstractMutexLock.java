package dev.cqs.threads;

import dev.cqs.spi.MutexSteps;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import dev.cqs.sync.Mutex;
import dev.cqs.threads.ThreadWaiter.End;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** What both locks over a mutex share: a thread that holds it is on record as its owner. */
abstract class AbstractMutexLock implements Lock {
    /*
     * The record is kept by the holder. The thread that has been granted the mutex sets it, after it woke;
     * the thread that unlocks clears it before. So "am I the owner" is exact, and nobody ever overwrites
     * another's record.
     *
     * A thread parks with the core mutex as its blocker. The core mutex is an AbstractOwnableSynchronizer,
     * which is what thread dumps and the JVM's search for deadlocks look for.
     */

    static final MutexSteps STEPS = SyncAccess.mutex();

    static {
        Mutex nobodys = new Mutex();
        nobodys.tryLock();
        ThreadWaiter.rehearse(STEPS, nobodys);
        FutureWaiter.rehearse();
    }

    final Mutex core;

    /** For a subclass that is read from a stream, from whatever package: a free lock. */
    protected AbstractMutexLock() {
        this(new Mutex());
    }

    AbstractMutexLock(Mutex core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /** The mutex that this lock is a face of; whoever shares it shares the lock. */
    public final Mutex core() {
        return core;
    }

    final boolean ownedBy(Thread thread) {
        return STEPS.owner(core) == thread;
    }

    /** Takes the mutex for a thread that does not hold it. */
    final void lockFor(Thread thread) {
        int ticket = STEPS.reserve(core, 1);
        if (ticket != Steps.GRANTED) {
            checkMayWait(thread, ticket);
            ThreadWaiter.await(STEPS, core, 1, ticket, false, ThreadWaiter.FOREVER);
        }
        STEPS.setOwner(core, thread);
    }

    /** The same, to be cut short by an interrupt. */
    final void lockInterruptiblyFor(Thread thread) throws InterruptedException {
        int ticket = STEPS.reserve(core, 1);
        if (ticket != Steps.GRANTED) {
            await(thread, ticket, ThreadWaiter.FOREVER);
        }
        STEPS.setOwner(core, thread);
    }

    /** The same, to be cut short by an interrupt or after so many nanoseconds. */
    final boolean tryLockFor(Thread thread, long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return tryLockFor(thread);
        }
        int ticket = STEPS.reserve(core, 1);
        if (ticket != Steps.GRANTED && !await(thread, ticket, nanos)) {
            return false;
        }
        STEPS.setOwner(core, thread);
        return true;
    }

    /** The same, if it is free. */
    final boolean tryLockFor(Thread thread) {
        if (!core.tryLock()) {
            return false;
        }
        STEPS.setOwner(core, thread);
        return true;
    }

    private boolean await(Thread thread, int ticket, long nanos) throws InterruptedException {
        checkMayWait(thread, ticket);
        End end = ThreadWaiter.await(STEPS, core, 1, ticket, true, nanos);
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        return end == End.GRANTED;
    }

    /** A holder that waits for itself waits for ever. */
    private void checkMayWait(Thread thread, int ticket) {
        if (ownedBy(thread)) {
            STEPS.abandon(core, ticket);
            throw new IllegalStateException(
                    "the current thread holds this mutex already, and the mutex is not reentrant");
        }
    }

    /** Undoes one hold of the current thread, whichever face it came from; the last one gives the mutex up. */
    final void unlockOnce() {
        checkHeld();
        int reentries = STEPS.reentries(core);
        if (reentries == 0) {
            core.unlock(); // takes the owner off the record
        } else {
            STEPS.setReentries(core, reentries - 1);
        }
    }

    private IllegalMonitorStateException notTheOwner() {
        Thread owner = STEPS.owner(core);
        return new IllegalMonitorStateException("the current thread does not hold this lock; "
                + (owner == null ? "no thread does" : "thread " + owner.getName() + " does"));
    }

    /**
     * A condition of this lock. Its methods throw {@link IllegalMonitorStateException} unless the current thread holds
     * the lock. A signal goes to the thread that has waited longest and wakes it only when the lock is its own.
     *
     * <p>Closing the core ends all waits for a signal with a {@link dev.cqs.sync.ClosedException}, which a thread gets, like
     * any other outcome, when it holds the lock again: it unlocks as usual. A wait that begins later ends with the
     * exception at once. An interrupt that has not ended the wait before stays pending.
     */
    @Override
    public Condition newCondition() {
        return freshCondition();
    }

    final LockCondition freshCondition() {
        return new OfThis(core.newCondition());
    }

    /**
     * The face for threads of a condition that others use as well, coroutines among them. All wait in one queue; see
     * {@link #newCondition()}.
     *
     * @throws IllegalArgumentException if the condition is not one of the {@linkplain #core() core} of this lock
     * @throws NullPointerException if the condition is {@code null}
     */
    public final Condition conditionOver(dev.cqs.sync.Condition core) {
        if (core.mutex() != this.core) {
            throw new IllegalArgumentException("the condition is not of this lock: " + core);
        }
        return new OfThis(core);
    }

    final void checkHeld() {
        if (!ownedBy(Thread.currentThread())) {
            throw notTheOwner();
        }
    }

    // Looking

    /** Whether the current thread holds this lock. */
    public boolean isHeldByCurrentThread() {
        return ownedBy(Thread.currentThread());
    }

    /** Whether anybody holds this lock at this moment. */
    public boolean isLocked() {
        return core.isLocked();
    }

    /** The thread that holds this lock at this moment, or {@code null} if none is known. */
    protected Thread getOwner() {
        return STEPS.owner(core);
    }

    /** Whether anybody may be waiting, on a shared core a coroutine perhaps; they may leave at any time. */
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

    /** About how many requests wait, through all faces of the core. */
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
        Thread owner = STEPS.owner(core);
        String held = owner != null ? "[Locked by thread " + owner.getName() + "]" : isLocked() ? "[Locked]" : "[Unlocked]";
        return super.toString() + held;
    }

    private final class OfThis extends LockCondition {
        private static final long serialVersionUID = 1L;

        OfThis(dev.cqs.sync.Condition core) {
            super(core);
        }

        @Override
        void checkHeld() {
            AbstractMutexLock.this.checkHeld();
        }

        @Override
        int unlockFully() {
            int reentries = STEPS.reentries(core);
            core.unlock(); // takes the record off
            return reentries;
        }

        @Override
        void heldBy(Thread thread, int reentries) {
            STEPS.setOwner(core, thread);
            STEPS.setReentries(core, reentries);
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
