package dev.cqs.locks;

/**
 * The three states of {@link TristateMutex} with exchanges alone after the first try: a thread that has to wait says so whether or not
 * another one has before. Waiters park. It is for more threads than processors.
 *
 * <p>Unfair: barging. A thread that comes before the one that is woken has it.
 */
public final class SlimMutex implements SpinLock {

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int AWAITED = 2;

    private final Futex state = new Futex();

    /** Makes a lock that is free. */
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
