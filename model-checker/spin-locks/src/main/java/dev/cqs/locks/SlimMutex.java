package dev.cqs.locks;

/**
 * The three states of {@link TristateMutex}, but with exchanges only after the first attempt: a waiter marks the lock
 * as awaited whether or not another thread has done so. Waiters park, so it suits more threads than processors.
 *
 * <p>Unfair: a newcomer can barge in before the thread that is woken.
 */
public final class SlimMutex implements SpinLock {

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int AWAITED = 2;

    private final Futex state = new Futex();

    /** Creates a free lock. */
    public SlimMutex() {}

    @Override
    public void lock() {
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        if ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, HELD) == FREE) {
            return;
        }
        // acquire: as above
        while ((int) Futex.VALUE.getAndSetAcquire(state, AWAITED) != FREE) {
            state.await(AWAITED);
        }
    }

    @Override
    public void unlock() {
        // release: pairs with the acquires in lock()
        if ((int) Futex.VALUE.getAndSetRelease(state, FREE) == AWAITED) {
            state.wakeOne();
        }
    }
}
