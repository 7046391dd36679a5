package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue without nodes (Dice, Kogan 2021): each thread has one grant word for all its locks, into which it writes the
 * lock that it releases. A waiter spins on the grant word of its predecessor. The lock itself is one reference.
 *
 * <p>FIFO. A release waits until the successor has taken the grant. If a thread holds several contended locks, all
 * their first waiters spin on its one word.
 */
public final class Hemlock implements SpinLock {

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Grant.class);
    private static final ThreadLocal<Grant> GRANTS = ThreadLocal.withInitial(Grant::new);

    /** The grant word of the last waiter or holder, null if the lock is free. */
    private volatile @Nullable Grant tail;

    /** The grant word of a thread. */
    private static final class Grant {
        static final VarHandle LOCK = Fields.handle(MethodHandles.lookup(), "lock", Hemlock.class);

        /** The lock that the thread hands to its successor, which clears it; null otherwise. */
        private volatile @Nullable Hemlock lock;
    }

    /** Creates a free lock. */
    public Hemlock() {}

    @Override
    public void lock() {
        // volatile, because no exchange is both acquire and release. Acquire: pairs with the release of the tail in
        // unlock(), for the last holder's writes. Release: pairs with the acquire of the next exchange; without it the
        // successor may read the grant of an earlier hand-off, which was cleared already
        Grant before = (Grant) TAIL.getAndSet(this, GRANTS.get());
        if (before == null) {
            return;
        }
        // acquire: pairs with the release of the grant in unlock(); without it the last holder's writes may not be seen
        while (Grant.LOCK.getAcquire(before) != this) {
            Thread.onSpinWait();
        }
        // opaque: it only signals that the grant was taken
        Grant.LOCK.setOpaque(before, null);
    }

    @Override
    public void unlock() {
        Grant mine = GRANTS.get();
        // opaque: the holder reads its own word, or that of a later thread, and then only learns that a successor
        // waits. release: pairs with the acquire of the exchange in lock()
        if (TAIL.getOpaque(this) == mine && TAIL.compareAndExchangeRelease(this, mine, null) == mine) {
            return;
        }
        // release: pairs with the acquire in the wait of lock()
        Grant.LOCK.setRelease(mine, this);
        // opaque: the word is free for the next lock that this thread releases
        while (Grant.LOCK.getOpaque(mine) != null) {
            Thread.onSpinWait();
        }
    }
}
