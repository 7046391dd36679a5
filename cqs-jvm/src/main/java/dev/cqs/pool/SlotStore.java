package dev.cqs.pool;

import dev.cqs.internal.Spin;
import org.jspecify.annotations.Nullable;

/** The slots that are in the pool. Those with an idle element are taken first. */
final class SlotStore<E> extends ElementStore<ResourceSlot<E>> {
    /*
     * A slot with an element is IDLE while it is here, and at no other time: insert() makes it idle, and the operation that
     * takes it out holds it.
     *
     *   POOL-2  A slot that was taken out of the store, or handed over without having been here, is the taker's alone: it is
     *           empty, or HELD by the taker. No eviction reaches it.
     *
     * An eviction holds an idle slot, too, but leaves it here, in the middle of a store. That slot then belongs to the empty
     * ones, and the operation that comes to it moves it there. While its element is being destroyed, it is passed over. The
     * eviction has a claim of its own for that time (see Evictor), so there are as many other slots as other operations may
     * take out (POOL-1). The empty slots are a queue, so an operation that passes over one comes to the others behind it.
     */

    private final ElementStore<ResourceSlot<E>> idle;
    private final ElementStore<ResourceSlot<E>> empty = new ElementQueue<>();

    SlotStore(boolean stack) {
        this.idle = stack ? new ElementStack<>() : new ElementQueue<>();
    }

    @Override
    void insert(ResourceSlot<E> slot) {
        if (slot.isHeld()) {
            slot.rest();
            idle.insert(slot);
        } else {
            empty.insert(slot);
        }
    }

    /** A slot with an idle element, or if there is none, an empty slot. */
    @Override
    ResourceSlot<E> takeReserved() {
        for (int turns = 0; ; ) {
            ResourceSlot<E> slot = poll();
            if (slot != null) {
                return slot;
            }
            turns = Spin.pause(turns); // a slot is on its way from one store to the other
        }
    }

    @Override
    @Nullable
    ResourceSlot<E> poll() {
        ResourceSlot<E> slot = pollIdle();
        return slot != null ? slot : pollEmpty();
    }

    /** As {@link #takeReserved}, but prefers an empty slot to one with an idle element. */
    ResourceSlot<E> takeReservedEmpty() {
        for (int turns = 0; ; ) {
            ResourceSlot<E> slot = pollEmpty();
            if (slot == null) {
                slot = pollIdle();
            }
            if (slot != null) {
                return slot;
            }
            turns = Spin.pause(turns);
        }
    }

    private @Nullable ResourceSlot<E> pollIdle() {
        for (; ; ) {
            ResourceSlot<E> slot = idle.poll();
            if (slot == null || slot.holdIdle()) {
                return slot;
            }
            empty.insert(slot);
        }
    }

    private @Nullable ResourceSlot<E> pollEmpty() {
        ResourceSlot<E> slot = empty.poll();
        if (slot != null && slot.isHeld()) { // its element is being destroyed
            empty.insert(slot);
            return null;
        }
        return slot;
    }
}
