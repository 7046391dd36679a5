package dev.cqs.locks;

/**
 * The second mutex of "Futexes are Tricky" (Drepper 2004): free, held, or held with possible waiters. Waiters park, and
 * an unlock wakes no thread if none waits. It suits more threads than processors.
 *
 * <p>Unfair: a newcomer can barge in before the thread that is woken.
 */
public final class TristateMutex implements SpinLock {

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int AWAITED = 2;

    private final Futex state = new Futex();

    /** Creates a free lock. */
    public TristateMutex() {}

    @Override
    public void lock() {
        // acquire: pairs with the releases in unlock(); without it the last holder's writes may not be seen
        if ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, HELD) == FREE) {
            return;
        }
        do {
            // opaque: it only tells whether to wait. An atomic plain compare-and-set is opaque
            if ((int) Futex.VALUE.getOpaque(state) == AWAITED
                    || Futex.VALUE.weakCompareAndSetPlain(state, HELD, AWAITED)) {
                state.await(AWAITED);
            }
            // acquire: as above. Others may still wait, so the state becomes AWAITED
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
