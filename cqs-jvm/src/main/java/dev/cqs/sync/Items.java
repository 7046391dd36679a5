package dev.cqs.sync;

import dev.cqs.spi.Slot;

/** The places that nobody has: those with an idle element are lent first. */
final class Items<E> extends Idle<Slot<E>> {
    /*
     * An item can lose its element while it is here: an eviction ends it without taking it out of the middle of a
     * store. It has a right of its own for that while it holds the item (ResourcePool: evict), so there are as many
     * other items as others may take out, and those pass the held one by. It goes to the empty ones, which is where it
     * belongs when it is gone, and those are a queue, so that one who passes it by comes to others behind it.
     */

    private final Idle<Slot<E>> idle;
    private final Idle<Slot<E>> empty = new IdleQueue<>();

    Items(boolean stack) {
        this.idle = stack ? new IdleStack<>() : new IdleQueue<>();
    }

    @Override
    void insert(Slot<E> slot) {
        (of(slot).isIdle() ? idle : empty).insert(slot);
    }

    /** An idle one, or if there is none, an empty one. */
    @Override
    Slot<E> retrieve() {
        for (; ; ) {
            Slot<E> slot = poll();
            if (slot != null) {
                return slot;
            }
            Thread.onSpinWait(); // it is on its way from one store to the other
        }
    }

    @Override
    Slot<E> poll() {
        Slot<E> slot = pollIdle();
        return slot != null ? slot : pollEmpty();
    }

    /** An empty one, or if there is none, an idle one. */
    Slot<E> retrieveEmpty() {
        for (; ; ) {
            Slot<E> slot = pollEmpty();
            if (slot == null) {
                slot = pollIdle();
            }
            if (slot != null) {
                return slot;
            }
            Thread.onSpinWait();
        }
    }

    private Slot<E> pollIdle() {
        for (; ; ) {
            Slot<E> slot = idle.poll();
            if (slot == null || of(slot).isIdle()) {
                return slot;
            }
            empty.insert(slot);
        }
    }

    private Slot<E> pollEmpty() {
        Slot<E> slot = empty.poll();
        if (slot == null || !of(slot).isHeld()) {
            return slot;
        }
        empty.insert(slot);
        return null;
    }

    static <E> Item<E> of(Slot<E> slot) {
        return (Item<E>) slot;
    }
}
