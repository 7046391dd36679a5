package dev.cqs.locks;

/**
 * The lock that the C library musl has for itself: one word that says whether a thread is inside, and how many are inside or
 * wait. An unlock wakes a waiter only if others are counted. Waiters park. It is for more threads than processors.
 *
 * <p>Unfair: barging. A thread that comes before the one that is woken has it.
 */
public final class MuslMutex implements SpinLock {
    /*
     * A thread that finds the lock held counts itself, and waits for the word that it has made by that. Every later step of
     * others changes the word: so a thread that does not sleep yet sees that and tries again, and one that does is woken by a
     * thread that leaves, as it is counted.
     */

    private static final int HELD = Integer.MIN_VALUE;
    /** One inside, which is counted as well, as no thread gets in without being counted. */
    private static final int HELD_BY_ONE = HELD + 1;

    private static final int FREE = 0;

    private final Futex state = new Futex();

    /** Makes a lock that is free. */
    public MuslMutex() {}

    @Override
    public void lock() {
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        if ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, HELD_BY_ONE) != FREE) {
            lockCounted();
        }
    }

    private void lockCounted() {
        // acquire only because no getAndAdd is weaker: it only counts. As it updates, it hands the holder's release on
        int seen = (int) Futex.VALUE.getAndAddAcquire(state, 1) + 1;
        while (true) {
            if (seen < 0) {
                state.await(seen);
                seen -= HELD_BY_ONE; // what there is if the holder has left, and nothing else has changed
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
