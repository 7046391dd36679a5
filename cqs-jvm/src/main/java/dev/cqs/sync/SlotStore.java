package dev.cqs.sync;

import dev.cqs.internal.Spin;
import dev.cqs.spi.PoolSlot;

/** The places that nobody has: those with an idle element are lent first. */
final class SlotStore<E> extends ElementStore<PoolSlot<E>> {
    /*
     * An item can lose its element while it is here: an eviction ends it without taking it out of the middle of a
     * store. Whoever comes to it takes it for an empty one, which is where it goes. It may still be held, though, until its
     * element is destroyed. The eviction has a right of its own for as long (Tidying: evict), so there are as many
     * other items as others may take out. One who wants to fill a place and gets a held one exchanges it; the empty
     * ones are a queue, so that he comes to the others behind it.
     */

    private final ElementStore<PoolSlot<E>> idle;
    private final ElementStore<PoolSlot<E>> empty = new ElementQueue<>();

    SlotStore(boolean stack) {
        this.idle = stack ? new ElementStack<>() : new ElementQueue<>();
    }

    @Override
    void insert(PoolSlot<E> slot) {
        (of(slot).isIdle() ? idle : empty).insert(slot);
    }

    /** An idle one, or if there is none, an empty one. */
    @Override
    PoolSlot<E> takeReserved() {
        for (int turns = 0; ; ) {
            PoolSlot<E> slot = poll();
            if (slot != null) {
                return slot;
            }
            turns = Spin.pause(turns); // it is on its way from one store to the other
        }
    }

    @Override
    PoolSlot<E> poll() {
        PoolSlot<E> slot = pollIdle();
        return slot != null ? slot : empty.poll();
    }

    /** An empty one, or if there is none, an idle one. */
    PoolSlot<E> retrieveEmpty() {
        for (int turns = 0; ; ) {
            PoolSlot<E> slot = empty.poll();
            if (slot == null) {
                slot = pollIdle();
            }
            if (slot != null) {
                return slot;
            }
            turns = Spin.pause(turns);
        }
    }

    private PoolSlot<E> pollIdle() {
        for (; ; ) {
            PoolSlot<E> slot = idle.poll();
            if (slot == null || of(slot).isIdle()) {
                return slot;
            }
            empty.insert(slot);
        }
    }

    static <E> ResourceSlot<E> of(PoolSlot<E> slot) {
        return (ResourceSlot<E>) slot;
    }
}
