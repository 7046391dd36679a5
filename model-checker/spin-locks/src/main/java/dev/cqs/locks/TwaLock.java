package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ticket lock with a waiting array (Dice, Kogan 2019): only the next in line looks at the counter. The others wait for a
 * change of some element of an array that all locks share, which the ticket names. As small as a ticket lock, and nearly as
 * good with many waiters as a queue.
 *
 * <p>Fair: first come, first served. Waiters whose elements happen to be the same are woken in vain now and then.
 */
public final class TwaLock implements SpinLock {

    private static final VarHandle TICKET = Fields.handle(MethodHandles.lookup(), "ticket", int.class);
    private static final VarHandle GRANT = Fields.handle(MethodHandles.lookup(), "grant", int.class);
    private static final VarHandle CHANGES = MethodHandles.arrayElementVarHandle(int[].class);

    private static final int ELEMENTS = 4096;
    /** Odd, so that tickets in a row have different elements; large, so that those are in different cache lines. */
    private static final int STRIDE = 127;
    /** For all locks: how often a waiter has been told to look again. */
    private static final int[] WAITING_ARRAY = new int[ELEMENTS];

    /** The next ticket. */
    private volatile int ticket;
    /** The ticket of the holder, or of the next one; written by the holder alone. */
    private volatile int grant;

    private final int home = System.identityHashCode(this);

    /** Makes a lock that is free. */
    public TwaLock() {}

    @Override
    public void lock() {
        // acquire only because no getAndAdd is weaker: the number is all that is wanted
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
     * Waits until the ticket is the next one. The element is read before the grant: the grant that makes this ticket the next
     * one is either seen, or followed by a change of the element that is still to come.
     */
    private void awaitNextInLine(int mine) {
        int element = element(mine);
        // acquire: pairs with the release of the change in unlock(); without it the change may be seen, and the grant
        // not
        int seen = (int) CHANGES.getAcquire(WAITING_ARRAY, element);
        // opaque: it only tells when to go on; lock() is what orders
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
