package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number of permits that threads take and give back. The thread that gives them back need not be the one that took them.
 *
 * <p>Unfair: barging. A thread that wants many permits may wait as long as others want few.
 */
public final class SpinSemaphore {

    private static final VarHandle PERMITS = Fields.handle(MethodHandles.lookup(), "permits", long.class);

    /** Never negative. It is long so that it does not overflow, whatever is given back. */
    private volatile long permits;

    /**
     * Makes a semaphore.
     *
     * @param permits how many are free at first
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public SpinSemaphore(int permits) {
        check(permits);
        this.permits = permits;
    }

    /**
     * Waits until there are {@code wanted} permits, and takes them all at once.
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
            // acquire: pairs with the release in release(); without it what happened under the permits may not be seen
        } while (!PERMITS.weakCompareAndSetAcquire(this, seen, seen - wanted));
    }

    /**
     * Takes {@code wanted} permits if there are as many right now.
     *
     * @param wanted how many, zero or more
     * @return whether it has
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
     * Gives permits back, or adds some.
     *
     * @param returned how many, zero or more
     * @throws IllegalArgumentException if {@code returned} is negative
     */
    public void release(int returned) {
        check(returned);
        // release: pairs with the acquire in acquire(); additions in between keep what they add to released
        PERMITS.getAndAddRelease(this, (long) returned);
    }

    private static void check(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("The number of permits must not be negative, but is " + permits + ".");
        }
    }
}
