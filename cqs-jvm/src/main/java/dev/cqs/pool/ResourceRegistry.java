package dev.cqs.pool;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The elements that a pool has made and not destroyed, found by identity. */
final class ResourceRegistry<E> {
    /*
     * A map from weak tags to slots. Idle elements are kept by their slots. Lent ones are too, unless the pool tracks them:
     * then nothing here keeps them, and the tag of an element that is not reachable any more comes to the queue of dropped
     * elements.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** For a caller that finds no memory for a lookup of its own. */
    private final Lookup spare = new Lookup(null);

    private final ConcurrentHashMap<Object, ResourceSlot<E>> slots = new ConcurrentHashMap<>();
    private final @Nullable ReferenceQueue<E> dropped;
    private final PoolCallbacks<E> callbacks;

    ResourceRegistry(boolean tracking, PoolCallbacks<E> callbacks) {
        this.dropped = tracking ? new ReferenceQueue<>() : null;
        this.callbacks = callbacks;
    }

    boolean tracks() {
        return dropped != null;
    }

    /** Makes a held slot for a new element; null if the element is here already. */
    @Nullable
    ResourceSlot<E> add(ResourcePool<E> pool, E made) {
        ResourceSlot<E> slot = new ResourceSlot<>(pool, made, dropped);
        try {
            return slots.putIfAbsent(slot.tag, slot) == null ? slot : null;
        } catch (Throwable t) { // no memory, perhaps once it was entered
            slots.remove(slot.tag, slot);
            throw t;
        }
    }

    /** The slot of an element, or null. Works without memory as well: an element that is put back has nowhere else to go. */
    @Nullable
    ResourceSlot<E> find(Object element) {
        Lookup lookup;
        try {
            lookup = new Lookup(element);
        } catch (OutOfMemoryError e) {
            return findWithSpare(element);
        }
        return slots.get(lookup);
    }

    private @Nullable ResourceSlot<E> findWithSpare(Object element) {
        synchronized (spare) { // rarely, and for a few steps
            spare.element = element;
            try {
                return slots.get(spare);
            } finally {
                spare.element = null;
            }
        }
    }

    void remove(ResourceSlot<E> slot) {
        slots.remove(slot.tag);
    }

    /** Removes a slot whose element was dropped by its borrower; null if there is none. */
    @SuppressWarnings("NullAway") // called by a pool that tracks
    @Nullable
    ResourceSlot<E> pollDropped() {
        for (; ; ) {
            Reference<? extends E> tag = dropped.poll();
            ResourceSlot<E> slot = tag == null ? null : slots.remove(tag);
            if (tag == null || slot != null) {
                return slot;
            } // otherwise the element was destroyed before
        }
    }

    Collection<ResourceSlot<E>> all() {
        return slots.values();
    }

    int size() {
        return slots.size();
    }

    int idle() {
        int idle = 0;
        for (ResourceSlot<E> slot : slots.values()) {
            idle += slot.isIdle() ? 1 : 0;
        }
        return idle;
    }

    @SuppressWarnings("NullAway") // slots in the map have a tag
    List<Lease<E>> lent() {
        List<Lease<E>> lent = new ArrayList<>();
        for (ResourceSlot<E> slot : slots.values()) {
            long seen = slot.state();
            E element = slot.tag.get();
            if (ResourceSlot.isLent(seen) && element != null) {
                Lease<E> report = report(slot, element);
                VarHandle.acquireFence(); // what was read of the slot, before the second look at its state
                if (report != null && slot.state() == seen) { // otherwise it came back meanwhile
                    lent.add(report);
                }
            }
        }
        return List.copyOf(lent);
    }

    /** The report of a lent slot, or null if its element comes back at this moment. */
    @Nullable
    Lease<E> report(ResourceSlot<E> slot, @Nullable E element) {
        String borrower = slot.borrower;
        long begun = slot.since;
        Duration since = Duration.ofNanos(callbacks.nowSince(begun) - begun);
        return borrower == null ? null : new Lease<>(element, borrower, since, slot.trace);
    }

    /** An element as a key, by identity; it does not keep it. */
    static final class Tag<E> extends WeakReference<E> {
        private final int hash;

        Tag(E element, @Nullable ReferenceQueue<? super E> dropped) {
            super(element, dropped);
            this.hash = System.identityHashCode(element);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object element = get();
            return element != null && other instanceof Tag<?> tag && tag.get() == element;
        }
    }

    /** Finds the tag of an element. */
    private static final class Lookup {
        /** Changed in the spare, which is reused. */
        @Nullable
        Object element;

        Lookup(@Nullable Object element) {
            this.element = element;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(element);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Tag<?> tag && tag.get() == element;
        }
    }
}
