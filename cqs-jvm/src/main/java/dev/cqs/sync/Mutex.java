package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.spi.MutexSteps;
import dev.cqs.spi.SyncAccess;
import java.util.function.Consumer;

/**
 * A fair mutual exclusion lock that callers of every kind can share: threads, virtual threads and coroutines
 * wait for it in one queue. This object holds the state and the operations that never wait; waiting for it is
 * done through a face, for example {@code dev.cqs.threads.Mutex}.
 *
 * <p><b>Fairness.</b> First in, first out. {@link #unlock} hands the mutex to the request that has waited
 * longest. A request has its place from the moment at which its waiter is in the queue. {@link #tryLock}
 * succeeds only if the mutex is free, and it is never free while somebody waits.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the
 * length of the queue nor the number of requests given up before; later owners do not pay for it.
 *
 * <p><b>Memory consistency.</b> What is done before {@code unlock} happens-before what is done by the next
 * holder after it has got the mutex.
 *
 * <p><b>Ownership.</b> The mutex itself does not check who unlocks it; faces for threads do.
 *
 * <pre>{@code
 * Mutex mutex = new Mutex();
 * if (mutex.tryLock()) {
 *     try {
 *         ...
 *     } finally {
 *         mutex.unlock();
 *     }
 * }
 * }</pre>
 */
public final class Mutex extends UnitPermits {
    /*
     * A mutex is a single permit, see UnitPermits. Beside it stands the record of the owning thread: the
     * superclass's field and `reentries`. Both are written by the holder only and read by others as a hint.
     * A thread reads its own writes, so "is it me" is exact without any ordering: the field equals the
     * current thread only if that thread wrote it last, and it clears it before it unlocks.
     */

    private static final long serialVersionUID = 1L;

    /** The ticket of a counted request. */
    private static final int WAITS = 1;

    static {
        SyncAccess.offer(new StepsOfMutex());
    }

    /** How often the owner has entered again. Plain: written and read by the owner. */
    private transient int reentries;

    /** Creates a free mutex. */
    public Mutex() {
        super(1, 1);
    }

    /**
     * Takes the mutex if it is free.
     *
     * @return whether the caller now holds it
     */
    public boolean tryLock() {
        return tryTake();
    }

    /**
     * Gives the mutex to the first who waits, or frees it.
     *
     * @throws IllegalStateException if the mutex is not locked; it then stays as it is
     */
    public void unlock() {
        if (getExclusiveOwnerThread() != null) {
            if (count() > 0) {
                throw excess(); // a record without a lock is another's, made a moment ago: leave it
            }
            reentries = 0;
            setExclusiveOwnerThread(null);
        }
        put();
    }

    /** Whether somebody holds the mutex at this moment. */
    public boolean isLocked() {
        return count() <= 0;
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0L, -count()));
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show
     * those who come or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        forEachInQueue(action);
    }

    /** Says whether the mutex is locked, by which thread if one is on record, and how many wait. */
    @Override
    public String toString() {
        Thread owner = getExclusiveOwnerThread();
        String held = !isLocked() ? "unlocked" : owner == null ? "locked" : "locked by " + owner.getName();
        return "Mutex@" + Integer.toHexString(hashCode()) + "[" + held + ", " + queueLength() + " waiting]";
    }

    @Override
    IllegalStateException excess() {
        return new IllegalStateException("unlock of a mutex that is not locked");
    }

    private static final class StepsOfMutex extends MutexSteps {
        @Override
        public int reserve(Mutex mutex, int n) {
            return mutex.take() > 0 ? GRANTED : WAITS;
        }

        @Override
        public boolean tryReserve(Mutex mutex, int n) {
            return mutex.tryTake();
        }

        @Override
        public boolean enqueue(Mutex mutex, Waiter waiter, int ticket) {
            return mutex.suspend(waiter);
        }

        @Override
        public void abandon(Mutex mutex, int ticket) {
            mutex.abandonTaken();
        }

        @Override
        public Thread owner(Mutex mutex) {
            return mutex.getExclusiveOwnerThread();
        }

        @Override
        public void setOwner(Mutex mutex, Thread owner) {
            mutex.setExclusiveOwnerThread(owner);
        }

        @Override
        public int reentries(Mutex mutex) {
            return mutex.reentries;
        }

        @Override
        public void setReentries(Mutex mutex, int reentries) {
            mutex.reentries = reentries;
        }
    }
}
