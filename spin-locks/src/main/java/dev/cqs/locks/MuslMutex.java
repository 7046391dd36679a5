package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The mutex of the C library musl: a word, and the number of those who wait, which who gives back looks at. Waiters
 * park. It is for more threads than processors.
 *
 * <p>Unfair: whoever comes before the one that is woken has it.
 */
public final class MuslMutex implements SpinLock {

    private static final VarHandle WAITERS = Fields.handle(MethodHandles.lookup(), "waiters", int.class);

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int AWAITED = 2;

    private final Futex state = new Futex();
    /** How many wait, or are about to. */
    private volatile int waiters;

    /** Makes a lock that is free. */
    public MuslMutex() {
    }

    @Override
    public void lock() {
        // acquire: pairs with the release in unlock(); without it the last holder's writes may not be seen
        while ((int) Futex.VALUE.compareAndExchangeAcquire(state, FREE, HELD) != FREE) {
            // acquire and release only because no getAndAdd is weaker: the number is all that is wanted
            WAITERS.getAndAddAcquire(this, 1);
            // plain is opaque, as it is atomic
            Futex.VALUE.weakCompareAndSetPlain(state, HELD, AWAITED);
            state.await(AWAITED);
            WAITERS.getAndAddRelease(this, -1);
        }
    }

    @Override
    public void unlock() {
        // release: pairs with the acquire in lock()
        int was = (int) Futex.VALUE.getAndSetRelease(state, FREE);
        // opaque: who is not counted yet will see the lock free before it waits
        if (was == AWAITED || (int) WAITERS.getOpaque(this) != 0) {
            state.wakeOne();
        }
    }
}
