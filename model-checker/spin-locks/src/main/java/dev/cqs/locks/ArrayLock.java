package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of flags (Anderson 1990): each waiter spins on its own flag, and the holder raises the next one. A hand-off
 * costs one cache miss, whatever the number of waiters.
 *
 * <p>FIFO. The number of threads that use the lock at once is fixed; with more of them, two would wait for the same
 * flag and enter together.
 */
public final class ArrayLock implements SpinLock {

    private static final VarHandle TAIL = Fields.handle(MethodHandles.lookup(), "tail", int.class);
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);

    private static final int LOWERED = 0;
    private static final int RAISED = 1;
    /** 128 bytes: processors fetch cache lines of 64 in pairs. */
    private static final int DISTANCE = 32;

    /**
     * One flag per slot, padded to cache lines of their own. The holder raises the flag of its successor, and the
     * successor lowers it.
     */
    private final int[] flags;

    private final int mask;
    /** The number of arrivals. The slot is this modulo a power of two, so it may wrap around. */
    private volatile int tail;
    /** The slot of the holder. Only the holder accesses it, so the order of the critical sections orders it. */
    private int held;

    /**
     * Creates a free lock.
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
        // volatile, because no getAndAdd is both acquire and release. Release: a thread that arrives again has lowered
        // its previous flag. Acquire: a thread that gets that slot later reads the flag as lowered, and not as raised
        // for the previous user of the slot
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
        // opaque: the next user of this slot is ordered by the getAndAdd, see lock()
        FLAG.setOpaque(flags, index(place), LOWERED);
        // release: pairs with the acquire in the wait of lock()
        FLAG.setRelease(flags, index(place + 1 & mask), RAISED);
    }

    private static int index(int place) {
        return place * DISTANCE;
    }
}
