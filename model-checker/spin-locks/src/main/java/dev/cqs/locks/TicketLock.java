package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Takes a number and waits until it is called (Reed, Kanodia 1979; Mellor-Crummey, Scott 1991). Two counters, and no memory
 * per thread. All waiters look at one counter, so each hand-over costs a cache miss for each of them.
 *
 * <p>Fair: first come, first served. Any thread may give back what another one took, as the state names no thread.
 */
public final class TicketLock implements SpinLock {

    private static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", int.class);
    private static final VarHandle CALLED = Fields.handle(MethodHandles.lookup(), "called", int.class);

    /** The next ticket; it may wrap around, as long as fewer than 2^32 threads wait. */
    private volatile int next;
    /** The ticket of the holder, or of the next one; written by the holder alone. */
    private volatile int called;

    /** Makes a lock that is free. */
    public TicketLock() {}

    @Override
    public void lock() {
        enter();
    }

    @Override
    public void unlock() {
        leave((int) CALLED.getOpaque(this)); // opaque: only the holder writes it
    }

    /** Locks. Returns the ticket, for a caller that can keep it. */
    int enter() {
        // acquire only because no getAndAdd is weaker: the number is all that is wanted, and atomicity makes it unique
        int ticket = (int) NEXT.getAndAddAcquire(this, 1);
        // acquire: pairs with the release in leave(); without it the last holder's writes may not be seen
        while ((int) CALLED.getAcquire(this) != ticket) {
            Thread.onSpinWait();
        }
        return ticket;
    }

    /** Unlocks, for the holder of the ticket. */
    void leave(int ticket) {
        // release: pairs with the acquire in enter()
        CALLED.setRelease(this, ticket + 1);
    }
}
