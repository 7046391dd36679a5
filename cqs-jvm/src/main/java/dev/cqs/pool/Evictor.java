package dev.cqs.pool;

import dev.cqs.internal.UncaughtExceptions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Ends the elements of a {@link ResourcePool} that have been idle for too long, and finds elements that were dropped. */
final class Evictor<E> {
    /*
     * The pool has no thread of its own, so each operation tidies up. When a look at the idle elements is due, one of the
     * operations does it.
     *
     * An element that is idle for too long is ended where it is, in the middle of a store: see SlotStore. The evicting
     * operation has claimed a slot of the pool, so there are as many other slots as other operations may take. It gives the
     * claim back when the element is destroyed.
     *
     * Access modes of each field: docs/memory-ordering.md
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
    private final ResourceRegistry<E> registry;
    private final PoolCallbacks<E> callbacks;

    /** When to look for elements that have been idle for too long; moved on by CAS, by the thread that looks. */
    private volatile long next;

    Evictor(ResourcePool<E> pool, ResourceRegistry<E> registry, PoolCallbacks<E> callbacks) {
        this.pool = pool;
        this.registry = registry;
        this.callbacks = callbacks;
        NEXT.set(this, evicts() ? callbacks.now() + callbacks.longestIdle : 0); // plain: the object is not shared yet
    }

    /** Runs after another operation is done, and therefore throws nothing. */
    void tidy() {
        try {
            tidyNow();
        } catch (Throwable t) { // no memory: the next operation does
            UncaughtExceptions.report(t);
        }
    }

    private void tidyNow() {
        freeDropped();
        if (evicts()) {
            long due = next;
            long now = callbacks.nowSince(due - 1); // not yet, for a clock that throws
            if (now - due >= 0 && NEXT.compareAndSet(this, due, now + Math.max(1, callbacks.longestIdle / 2))) {
                evict(now);
            }
        }
    }

    /** Looks now; answers how many were destroyed. */
    int evictIdle() {
        freeDropped();
        return evicts() ? evict(callbacks.now()) : 0;
    }

    private boolean evicts() {
        return callbacks.longestIdle > 0;
    }

    private int evict(long now) {
        int evicted = 0;
        for (ResourceSlot<E> slot : registry.all()) {
            long seen = slot.state();
            if (ResourceSlot.isIdle(seen) && now - slot.since >= callbacks.longestIdle && pool.slots.claim()) {
                if (slot.hold(seen)) { // idle all the time since the look
                    pool.destroy(slot);
                    evicted++;
                }
                pool.slots.unclaim();
                pool.settle();
            }
        }
        return evicted;
    }

    private void freeDropped() {
        if (registry.tracks()) {
            for (ResourceSlot<E> slot = registry.pollDropped(); slot != null; slot = registry.pollDropped()) {
                Lease<E> report = report(slot);
                slot.end(); // lent, and no reference is left by which it could be put
                pool.giveBackEmpty();
                callbacks.dropped(report);
            }
        }
    }

    /** Null if there is no memory for a report; the slot is to be freed all the same. */
    private @Nullable Lease<E> report(ResourceSlot<E> slot) {
        try {
            return registry.report(slot, null);
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
            return null;
        }
    }
}
