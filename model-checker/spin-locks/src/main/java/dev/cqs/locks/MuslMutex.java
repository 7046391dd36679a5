package dev.cqs.locks;

/**
 * The internal lock of the C library musl: one word with a bit for the holder, and the number of threads that hold the
 * lock or wait. An unlock wakes a waiter only if others are counted. Waiters park, so it suits more threads than
 * processors.
 *
 * <p>Unfair: a newcomer can barge in before the thread that is woken.
 */
public final class MuslMutex implements SpinLock {
    /*
     * A thread that finds the lock held counts itself, and waits on the word that results. Every later step of other
     * threads changes the word. So a thread that does not sleep yet notices the change and retries, and a sleeping
     * thread is woken by a thread that unlocks, because it is counted.
     */

    private static final int HELD = Integer.MIN_VALUE;
    /** Held, with the holder as the only counted thread. */
    private static final int HELD_BY_ONE = HELD + 1;

    private static final int FREE = 0;

    private final Futex state = new Futex();

    /** Creates a free lock. */
    public MuslMutex() {}

    @Override
    public void lock() {
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        if ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, HELD_BY_ONE) != FREE) {
            lockCounted();
        }
    }

    private void lockCounted() {
        // acquire only because no getAndAdd is weaker: it only counts. As a read-modify-write it continues the release
        // sequence of the holder's unlock
        int seen = (int) Futex.VALUE.getAndAddAcquire(state, 1) + 1;
        while (true) {
            if (seen < 0) {
                state.await(seen);
                seen -= HELD_BY_ONE; // the word if the holder has unlocked, and nothing else has changed
            }
            // acquire: as above
            int found = (int) Futex.VALUE.compareAndExchangeAcquire(state, seen, HELD + seen);
            if (found == seen) {
                return;
            }
            seen = found;
        }
    }

    @Override
    public void unlock() {
        // release: pairs with the acquires in lock()
        if ((int) Futex.VALUE.getAndAddRelease(state, -HELD_BY_ONE) != HELD_BY_ONE) {
            state.wakeOne();
        }
    }
}
