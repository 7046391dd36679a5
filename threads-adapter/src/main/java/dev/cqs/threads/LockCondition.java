package dev.cqs.threads;

import dev.cqs.sync.ConditionWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.threads.ThreadWaiter.End;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A condition of a lock; the subclass knows how the lock is held. */
abstract class LockCondition implements Condition, Serializable {
    /*
     * A thread that waits has the lock again afterwards, in one of two ways. If it was signalled, its waiter has been moved to
     * the queue of the lock, and the lock resumes it. The same happens if the lock was closed, which has marked the waiter
     * then. If the thread left before, it requests the lock with the same waiter. The core decides which of the two happens,
     * and with it the effect of an interrupt: an exception before the signal, a pending interrupt after it.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    static { // as ThreadWaiter.rehearse
        dev.cqs.sync.Mutex nobodys = new dev.cqs.sync.Mutex();
        nobodys.tryLock();
        dev.cqs.sync.Condition condition = nobodys.newCondition();
        SignalWaiter waiter = new SignalWaiter(Thread.currentThread());
        condition.await(waiter);
        waiter.leaveAtOnce(condition);
        condition.reacquire(waiter);
        nobodys.unlock();
        waiter.throwIfFailed();
    }

    private final transient dev.cqs.sync.Condition core;

    LockCondition(dev.cqs.sync.Condition core) {
        this.core = core;
    }

    final dev.cqs.sync.Condition core() {
        return core;
    }

    /** Throws {@link IllegalMonitorStateException} unless the current thread holds the lock. */
    abstract void checkHeld();

    /** Throws {@link IllegalStateException} if no thread could signal while this thread, which holds the lock, waits. */
    void checkMayWait(Thread thread) {}

    /** How many holds of the lock the current thread has, for {@link #heldBy}. */
    abstract int holds(Thread current);

    /** Notes that the current thread, which was granted the lock, has these holds again. */
    abstract void heldBy(Thread current, int holds);

    /** The blocker with which a thread parks that waits for the lock. */
    abstract Object blocker();

    /** The lock of this condition. */
    abstract Lock lock();

    @Override
    public void await() throws InterruptedException {
        waitUntil(ThreadWaiter.NEVER);
    }

    @Override
    public void awaitUninterruptibly() {
        checkHeld();
        wait(false, ThreadWaiter.NEVER);
    }

    @Override
    public long awaitNanos(long nanosTimeout) throws InterruptedException {
        long deadline = deadlineIn(nanosTimeout);
        waitUntil(deadline);
        return deadline - System.nanoTime();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return waitUntil(deadlineIn(unit.toNanos(time)));
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the interface has it
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        long until = Math.max(0, deadline.getTime()); // as long ago as any, and the difference does not overflow
        long millis = until - System.currentTimeMillis();
        return waitUntil(deadlineIn(TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    /** Never in the past, where the difference to a later time may overflow; never {@link ThreadWaiter#NEVER}. */
    private static long deadlineIn(long nanos) {
        return ThreadWaiter.deadlineIn(Math.max(0, Math.min(nanos, ThreadWaiter.FOREVER - 1)));
    }

    /** Whether it was signalled before the deadline. */
    private boolean waitUntil(long deadline) throws InterruptedException {
        checkHeld();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        End end = wait(true, deadline);
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        return end == End.GRANTED;
    }

    /** Waits for a signal without the lock, and then for the lock. */
    private End wait(boolean interruptible, long deadline) {
        Thread thread = Thread.currentThread();
        checkMayWait(thread);
        int holds = holds(thread);
        SignalWaiter waiter = new SignalWaiter(thread);
        core.await(waiter);
        End end = waiter.awaitUntil(core, interruptible, deadline, waiter.maySoonBeServed());
        if (end != End.GRANTED) {
            core.reacquire(waiter); // the same one: there may be no memory for another
            waiter.awaitUninterruptibly(blocker());
        }
        heldBy(thread, holds);
        waiter.throwIfFailed();
        return end;
    }

    @Override
    public void signal() {
        checkHeld();
        core.signal();
    }

    @Override
    public void signalAll() {
        checkHeld();
        core.signalAll();
    }

    /** Says how many requests wait for a signal. */
    @Override
    public String toString() {
        return super.toString() + "[" + core.queueLength() + " waiting]";
    }

    /** Serializes as the JDK's conditions do: a class with a lock and its conditions is serializable if the lock is. */
    final Object writeReplace() {
        return new SerializedCondition(lock());
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        readObjectNoData();
    }

    private void readObjectNoData() throws InvalidObjectException {
        throw new InvalidObjectException("a condition is not written to a stream itself, but as its serialized form");
    }

    /** A thread that waits for a signal, and after the signal, for the lock. */
    private static final class SignalWaiter extends ThreadWaiter implements ConditionWaiter {
        /** Plain: written before this is resumed, and read by the thread after that. */
        private @Nullable Closed closing;

        SignalWaiter(Thread thread) {
            super(thread);
        }

        @Override
        public void fail(Closed closing) {
            this.closing = closing;
        }

        void throwIfFailed() {
            if (closing != null) {
                throw closing.exception();
            }
        }
    }
}
