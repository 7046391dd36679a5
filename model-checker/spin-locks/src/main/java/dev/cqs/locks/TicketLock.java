package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A thread takes a ticket and waits until it is called (Reed, Kanodia 1979; Mellor-Crummey, Scott 1991). The lock is
 * two counters, without memory per thread. All waiters spin on one counter, so each hand-off costs a cache miss for
 * each of them.
 *
 * <p>FIFO. The state names no thread, so another thread than the one that locked may unlock.
 */
public final class TicketLock implements SpinLock {

    private static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", int.class);
    private static final VarHandle CALLED = Fields.handle(MethodHandles.lookup(), "called", int.class);

    /** The next ticket. It may wrap around, because fewer than 2^32 threads wait. */
    private volatile int next;
    /** The ticket of the holder, or of the next holder. Only the holder writes it. */
    private volatile int called;

    /** Creates a free lock. */
    public TicketLock() {}

    @Override
    public void lock() {
        enter();
    }

    @Override
    public void unlock() {
        leave((int) CALLED.getOpaque(this)); // opaque: only the holder writes it
    }

    /** Locks. Returns the ticket, for {@link #leave}. */
    int enter() {
        // acquire only because no getAndAdd is weaker: only the number matters, and atomicity makes it unique
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
