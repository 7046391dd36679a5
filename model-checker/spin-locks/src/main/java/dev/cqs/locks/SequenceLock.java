package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for writers, and a number by which readers find out whether one was there (as in Linux; Boehm 2012 for the order).
 * Readers write nothing, so they do not disturb each other or a writer. They read again if one was there meanwhile.
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
 * <p>The data must be read and written with opaque accesses at least, as readers read it while it is written.
 * Writers are unfair; readers may read again for as long as writers come.
 */
public final class SequenceLock implements SpinLock {

    private static final VarHandle SEQUENCE = Fields.handle(MethodHandles.lookup(), "sequence", long.class);

    /** Odd while a writer is there. */
    private volatile long sequence;

    /** Makes a lock that is free. */
    public SequenceLock() {}

    /** Waits until no other writer is there. */
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
        // release: pairs with the acquire fence in isValid(); without it a reader may see what is written, and not the
        // odd number
        VarHandle.releaseFence();
    }

    @Override
    public void unlock() {
        // opaque: only writers write it. release: pairs with the acquires in lock() and beginRead()
        SEQUENCE.setRelease(this, (long) SEQUENCE.getOpaque(this) + 1);
    }

    /**
     * Waits until no writer is there. Returns what to ask {@link #isValid} about when the data has been read.
     *
     * @return a stamp of this read
     */
    public long beginRead() {
        long seen;
        // acquire: pairs with the release in unlock(); without it what is read may be older than the number
        while (isOdd(seen = (long) SEQUENCE.getAcquire(this))) {
            Thread.onSpinWait();
        }
        return seen;
    }

    /**
     * {@return whether what has been read since {@link #beginRead} returned {@code stamp} is the work of whole writers}
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
