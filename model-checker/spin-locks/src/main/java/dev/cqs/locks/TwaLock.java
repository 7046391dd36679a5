package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ticket lock with a waiting array (Dice, Kogan 2019): only the first waiter spins on the counter. Each other waiter
 * spins on an element, chosen by its ticket, of an array that all locks share. As small as a ticket lock, and nearly as
 * scalable as a queue lock.
 *
 * <p>FIFO. Waiters whose tickets collide in the array see needless changes now and then.
 */
public final class TwaLock implements SpinLock {

    private static final VarHandle TICKET = Fields.handle(MethodHandles.lookup(), "ticket", int.class);
    private static final VarHandle GRANT = Fields.handle(MethodHandles.lookup(), "grant", int.class);
    private static final VarHandle CHANGES = MethodHandles.arrayElementVarHandle(int[].class);

    private static final int ELEMENTS = 4096;
    /** Odd, so that consecutive tickets have different elements; large, so that these are in different cache lines. */
    private static final int STRIDE = 127;
    /** Shared by all locks. An element counts the signals to its waiters to read the counter again. */
    private static final int[] WAITING_ARRAY = new int[ELEMENTS];

    /** The next ticket. */
    private volatile int ticket;
    /** The ticket of the holder, or of the next holder. Only the holder writes it. */
    private volatile int grant;

    private final int home = System.identityHashCode(this);

    /** Creates a free lock. */
    public TwaLock() {}

    @Override
    public void lock() {
        // acquire only because no getAndAdd is weaker: only the number matters
        int mine = (int) TICKET.getAndAddAcquire(this, 1);
        // acquire: pairs with the release of the grant in unlock(); without it the last holder's writes may not be seen
        int ahead = mine - (int) GRANT.getAcquire(this);
        if (ahead == 0) {
            return;
        }
        if (ahead > 1) {
            awaitNextInLine(mine);
        }
        // acquire: as above
        while ((int) GRANT.getAcquire(this) != mine) {
            Thread.onSpinWait();
        }
    }

    /**
     * Waits until the ticket is the next one. The element is read before the grant: either this reads the grant that
     * makes the ticket the next one, or the change of the element that follows that grant is still to come.
     */
    private void awaitNextInLine(int mine) {
        int element = element(mine);
        // acquire: pairs with the release of the change in unlock(); without it this may read the change and an older
        // grant
        int seen = (int) CHANGES.getAcquire(WAITING_ARRAY, element);
        // opaque: it only ends the wait; lock() orders
        while (mine - (int) GRANT.getOpaque(this) > 1) {
            int last = seen;
            do {
                Thread.onSpinWait();
                // acquire: as above
                seen = (int) CHANGES.getAcquire(WAITING_ARRAY, element);
            } while (seen == last);
        }
    }

    @Override
    public void unlock() {
        // opaque: only the holder writes it
        int next = (int) GRANT.getOpaque(this) + 1;
        // release: pairs with the acquire in lock()
        GRANT.setRelease(this, next);
        // release: pairs with the acquire in awaitNextInLine(), and carries the grant
        CHANGES.getAndAddRelease(WAITING_ARRAY, element(next + 1), 1);
    }

    private int element(int ticket) {
        return home + ticket * STRIDE & ELEMENTS - 1;
    }
}
