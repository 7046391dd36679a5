package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue without nodes (Dice, Kogan 2021): each thread has one word for all its locks, in which it names the lock that it
 * gives back. A waiter spins on the word of the thread before it. The lock itself is one reference.
 *
 * <p>Fair: first come, first served. Giving back waits until the next one has seen it. A thread that holds many locks with
 * waiters has all of them look at one word.
 */
public final class Hemlock implements SpinLock {

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", Grant.class);
    private static final ThreadLocal<Grant> GRANTS = ThreadLocal.withInitial(Grant::new);

    /** The last of the queue, null if the lock is free. */
    private volatile @Nullable Grant tail;

    /** The word of a thread. */
    private static final class Grant {
        static final VarHandle LOCK = Fields.handle(MethodHandles.lookup(), "lock", Hemlock.class);

        /** The lock that the thread hands to the one behind it, which clears it; null otherwise. */
        private volatile @Nullable Hemlock lock;
    }

    /** Makes a lock that is free. */
    public Hemlock() {}

    @Override
    public void lock() {
        // volatile, as no exchange both acquires and releases. Acquire: pairs with the release of the tail in unlock(),
        // for the
        // last holder's writes. Release: pairs with the acquire of the next exchange; without it the one behind may see
        // the
        // grant of an earlier turn, whose end this thread has seen
        Grant before = (Grant) TAIL.getAndSet(this, GRANTS.get());
        if (before == null) {
            return;
        }
        // acquire: pairs with the release of the grant in unlock(); without it the last holder's writes may not be seen
        while (Grant.LOCK.getAcquire(before) != this) {
            Thread.onSpinWait();
        }
        // opaque: it only says that the grant has been seen
        Grant.LOCK.setOpaque(before, null);
    }

    @Override
    public void unlock() {
        Grant mine = GRANTS.get();
        // opaque, because no thread is before the holder: its own word, or that of a thread behind it, which says that
        // it is
        // awaited.
        // release: pairs with the acquire of the exchange in lock()
        if (TAIL.getOpaque(this) == mine && TAIL.compareAndExchangeRelease(this, mine, null) == mine) {
            return;
        }
        // release: pairs with the acquire in the wait of lock()
        Grant.LOCK.setRelease(mine, this);
        // opaque: the word is free for the next lock that this thread gives back
        while (Grant.LOCK.getOpaque(mine) != null) {
            Thread.onSpinWait();
        }
    }
}
