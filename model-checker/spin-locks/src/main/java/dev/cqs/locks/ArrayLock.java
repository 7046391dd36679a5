package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of flags (Anderson 1990): each waiter spins on one of its own, and the holder raises the next one. A hand-over costs
 * one cache miss, however many wait.
 *
 * <p>Fair: first come, first served. The number of threads that use the lock at once is fixed; with more of them, two would
 * wait for one flag and enter together.
 */
public final class ArrayLock implements SpinLock {

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", int.class);
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);

    private static final int LOWERED = 0;
    private static final int RAISED = 1;
    /** 128 bytes: processors fetch cache lines of 64 in pairs. */
    private static final int DISTANCE = 32;

    /**
     * A flag per place, far enough apart to be in cache lines of their own; raised by the holder for the next one, lowered by
     * the one it was raised for.
     */
    private final int[] flags;

    private final int mask;
    /** How many have come; the places are this modulo a power of two, so it may wrap around. */
    private volatile int tail;
    /** The place of the holder, which alone reads and writes it: what orders the critical sections orders this. */
    private int held;

    /**
     * Makes a lock that is free.
     *
     * @param threads how many threads may hold it or wait for it at once
     * @throws IllegalArgumentException if that is less than one, or more than a million
     */
    public ArrayLock(int threads) {
        if (threads < 1 || threads > 1 << 20) {
            throw new IllegalArgumentException("An array lock is for 1 to 1048576 threads, not " + threads + ".");
        }
        int places = threads == 1 ? 1 : Integer.highestOneBit(threads - 1) << 1;
        mask = places - 1;
        flags = new int[places * DISTANCE];
        flags[0] = RAISED;
    }

    @Override
    public void lock() {
        // volatile, as no getAndAdd both acquires and releases. Release: a thread that comes again has lowered the flag
        // of its
        // last turn.
        // Acquire: a thread that comes around to that flag sees it lowered, and not raised for a thread that has long
        // left
        int place = (int) TAIL.getAndAdd(this, 1) & mask;
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((int) FLAG.getAcquire(flags, index(place)) == LOWERED) {
            Thread.onSpinWait();
        }
        held = place;
    }

    @Override
    public void unlock() {
        int place = held;
        // opaque: the next waiter for this flag comes after a thread that has come again, see lock()
        FLAG.setOpaque(flags, index(place), LOWERED);
        // release: pairs with the acquire in the wait of lock()
        FLAG.setRelease(flags, index(place + 1 & mask), RAISED);
    }

    private static int index(int place) {
        return place * DISTANCE;
    }
}
