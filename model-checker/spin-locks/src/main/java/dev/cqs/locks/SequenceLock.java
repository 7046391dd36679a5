package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A sequence lock: a lock for writers, and a sequence number by which readers detect concurrent writers (as in Linux;
 * for the orderings see Boehm 2012). Readers write nothing, so they disturb neither each other nor a writer. They retry
 * after a concurrent write.
 *
 * <pre>{@code
 * long stamp;
 * do {
 *     stamp = lock.beginRead();
 *     x = (int) X.getOpaque(point);
 *     y = (int) Y.getOpaque(point);
 * } while (!lock.isValid(stamp));
 * }</pre>
 *
 * <p>The data must be accessed in opaque mode at least, because reads race with writes. Writers are unfair. Readers may
 * starve while writers keep coming.
 */
public final class SequenceLock implements SpinLock {

    private static final VarHandle SEQUENCE = Fields.handle(MethodHandles.lookup(), "sequence", long.class);

    /** Odd while a writer holds the lock. */
    private volatile long sequence;

    /** Creates a free lock. */
    public SequenceLock() {}

    /** Waits until no other writer holds the lock, and takes it. */
    @Override
    public void lock() {
        long seen;
        do {
            // opaque: it only tells when to try
            while (isOdd(seen = (long) SEQUENCE.getOpaque(this))) {
                Thread.onSpinWait();
            }
            // acquire: pairs with the release in unlock(); without it the last writer's writes may not be seen
        } while (!SEQUENCE.weakCompareAndSetAcquire(this, seen, seen + 1));
        // release: pairs with the acquire fence in isValid(); without it a reader may read the new data, and not the
        // odd number
        VarHandle.releaseFence();
    }

    @Override
    public void unlock() {
        // opaque: only writers write it. release: pairs with the acquires in lock() and beginRead()
        SEQUENCE.setRelease(this, (long) SEQUENCE.getOpaque(this) + 1);
    }

    /**
     * Waits until no writer holds the lock. The read has to be validated by {@link #isValid} afterwards.
     *
     * @return a stamp of this read
     */
    public long beginRead() {
        long seen;
        // acquire: pairs with the release in unlock(); without it the data may be older than the number
        while (isOdd(seen = (long) SEQUENCE.getAcquire(this))) {
            Thread.onSpinWait();
        }
        return seen;
    }

    /**
     * {@return whether no writer has interfered with the reads since {@link #beginRead} returned {@code stamp}}
     *
     * @param stamp from {@link #beginRead}
     */
    public boolean isValid(long stamp) {
        // acquire: pairs with the release fence in lock()
        VarHandle.acquireFence();
        return (long) SEQUENCE.getOpaque(this) == stamp;
    }

    private static boolean isOdd(long number) {
        return (number & 1) != 0;
    }
}
