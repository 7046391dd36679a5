package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A counting semaphore. The thread that releases permits need not be the one that acquired them.
 *
 * <p>Unfair: barging. A request for many permits may starve while others request few.
 */
public final class SpinSemaphore {

    private static final VarHandle PERMITS = Fields.handle(MethodHandles.lookup(), "permits", long.class);

    /** Never negative. A long does not overflow, whatever number of permits is released. */
    private volatile long permits;

    /**
     * Creates a semaphore.
     *
     * @param permits how many are free at first
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public SpinSemaphore(int permits) {
        check(permits);
        this.permits = permits;
    }

    /**
     * Waits until {@code wanted} permits are available, and takes all of them at once.
     *
     * @param wanted how many, zero or more
     * @throws IllegalArgumentException if {@code wanted} is negative
     */
    public void acquire(int wanted) {
        check(wanted);
        long seen;
        do {
            // opaque: it only tells when to try
            while ((seen = (long) PERMITS.getOpaque(this)) < wanted) {
                Thread.onSpinWait();
            }
            // acquire: pairs with the release in release(); without it the writes of the last holder may not be visible
        } while (!PERMITS.weakCompareAndSetAcquire(this, seen, seen - wanted));
    }

    /**
     * Takes {@code wanted} permits if they are available.
     *
     * @param wanted how many, zero or more
     * @return whether it did
     * @throws IllegalArgumentException if {@code wanted} is negative
     */
    public boolean tryAcquire(int wanted) {
        check(wanted);
        long seen = (long) PERMITS.getOpaque(this);
        while (seen >= wanted) {
            // acquire: as in acquire()
            long found = (long) PERMITS.compareAndExchangeAcquire(this, seen, seen - wanted);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /**
     * Releases permits, or adds new ones.
     *
     * @param returned how many, zero or more
     * @throws IllegalArgumentException if {@code returned} is negative
     */
    public void release(int returned) {
        check(returned);
        // release: pairs with the acquire in acquire(); read-modify-writes in between continue the release sequence
        PERMITS.getAndAddRelease(this, (long) returned);
    }

    private static void check(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("The number of permits must not be negative, but is " + permits + ".");
        }
    }
}
