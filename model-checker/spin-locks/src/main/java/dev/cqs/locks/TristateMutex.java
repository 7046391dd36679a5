package dev.cqs.locks;

/**
 * The second mutex of "Futexes are tricky" (Drepper 2004): free, held, or held while a thread may wait. Waiters park, and
 * an unlock makes no call to wake one as long as none waits. It is for more threads than processors.
 *
 * <p>Unfair: barging. A thread that comes before the one that is woken has it.
 */
public final class TristateMutex implements SpinLock {

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int AWAITED = 2;

    private final Futex state = new Futex();

    /** Makes a lock that is free. */
    public TristateMutex() {}

    @Override
    public void lock() {
        // acquire: pairs with the releases in unlock(); without it the last holder's writes may not be seen
        if ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, HELD) == FREE) {
            return;
        }
        do {
            // opaque: it only tells whether to wait. The compare-and-set that is named plain is opaque, as it is atomic
            if ((int) Futex.VALUE.getOpaque(state) == AWAITED
                    || Futex.VALUE.weakCompareAndSetPlain(state, HELD, AWAITED)) {
                state.await(AWAITED);
            }
            // acquire: as above. Others may still wait, so it is awaited
        } while ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, AWAITED) != FREE);
    }

    @Override
    public void unlock() {
        // release: pairs with the acquires in lock()
        if ((int) Futex.VALUE.compareAndExchangeRelease(state, HELD, FREE) != HELD) {
            // release: the same
            Futex.VALUE.setRelease(state, FREE);
            state.wakeOne();
        }
    }
}
