package dev.cqs.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Ends the elements of a {@link ResourcePool} that have been idle for too long, and finds those that were dropped. */
final class Evictor<E> {
    /*
     * The pool has no thread of its own, so whoever uses it tidies up, and of those who come while a look at the idle
     * elements is due, one looks.
     *
     * An element that is idle for too long is ended where it is, in the middle of a store: see Items. The one who does it
     * has claimed a place of the pool, so there are as many others as others may take, and gives the claim back once the
     * element is destroyed.
     */

    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Evictor.class, "next", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ResourcePool<E> pool;
    private final ResourceRegistry<E> known;
    private final PoolCallbacks<E> upkeep;

    /** When to look for elements that have been idle for too long; moved on by CAS, by the one who looks. */
    private volatile long next;

    Evictor(ResourcePool<E> pool, ResourceRegistry<E> known, PoolCallbacks<E> upkeep) {
        this.pool = pool;
        this.known = known;
        this.upkeep = upkeep;
        NEXT.set(this, evicts() ? upkeep.now() + upkeep.longestIdle : 0); // plain: the object is not shared yet
    }

    /** In passing; throws nothing, because the operation that it follows is done. */
    void tidy() {
        try {
            tidyNow();
        } catch (Throwable t) { // no memory: the next one does
            PoolCallbacks.report(t);
        }
    }

    private void tidyNow() {
        freeDropped();
        if (evicts()) {
            long due = next;
            long now = upkeep.nowSince(due - 1); // not yet, for a clock that throws
            if (now - due >= 0 && NEXT.compareAndSet(this, due, now + Math.max(1, upkeep.longestIdle / 2))) {
                evict(now);
            }
        }
    }

    /** Now; how many were destroyed. */
    int evictIdle() {
        freeDropped();
        return evicts() ? evict(upkeep.now()) : 0;
    }

    private boolean evicts() {
        return upkeep.longestIdle > 0;
    }

    private int evict(long now) {
        int evicted = 0;
        for (ResourceSlot<E> item : known.all()) {
            long seen = item.state();
            if (ResourceSlot.isIdle(seen) && now - item.since >= upkeep.longestIdle && pool.places.claim()) {
                if (item.hold(seen)) { // idle all the time since the look
                    pool.destroy(item);
                    evicted++;
                }
                pool.places.unclaim();
                pool.settle();
            }
        }
        return evicted;
    }

    private void freeDropped() {
        if (known.tracks()) {
            for (ResourceSlot<E> item = known.pollDropped(); item != null; item = known.pollDropped()) {
                Lease<E> report = report(item);
                item.end(); // lent, and nobody has it who could put it
                pool.giveBackEmpty();
                upkeep.dropped(report);
            }
        }
    }

    /** Null if there is no memory for a report; the place is to be freed all the same. */
    private Lease<E> report(ResourceSlot<E> item) {
        try {
            return known.report(item, null);
        } catch (Throwable t) {
            PoolCallbacks.report(t);
            return null;
        }
    }
}
