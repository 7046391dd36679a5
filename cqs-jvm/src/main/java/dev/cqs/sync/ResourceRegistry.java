package dev.cqs.sync;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The elements that a pool has made and not destroyed, found by identity. */
final class ResourceRegistry<E> {
    /*
     * A map from weak tags to items. Idle elements are kept by their items. Lent ones are too, unless the pool tracks
     * them: then nothing here keeps them, and the tag of one that nobody has any more comes to the queue of dropped ones.
     */

    /** For a caller that finds no memory for a lookup of its own. */
    private final ResourceSlot.Lookup spare = new ResourceSlot.Lookup(null);

    private final ConcurrentHashMap<Object, ResourceSlot<E>> items = new ConcurrentHashMap<>();
    private final ReferenceQueue<E> dropped;
    private final PoolCallbacks<E> upkeep;

    ResourceRegistry(boolean tracking, PoolCallbacks<E> upkeep) {
        this.dropped = tracking ? new ReferenceQueue<>() : null;
        this.upkeep = upkeep;
    }

    boolean tracks() {
        return dropped != null;
    }

    /** An item for an element that was made, held; null if the element is here already. */
    ResourceSlot<E> add(E made) {
        ResourceSlot<E> item = new ResourceSlot<>(made, dropped);
        try {
            return items.putIfAbsent(item.tag, item) == null ? item : null;
        } catch (Throwable t) { // no memory, perhaps once it was entered
            items.remove(item.tag, item);
            throw t;
        }
    }

    /** The item of an element, or null. Without memory as well: an element that is put back has nowhere else to go. */
    ResourceSlot<E> find(Object element) {
        ResourceSlot.Lookup lookup;
        try {
            lookup = new ResourceSlot.Lookup(element);
        } catch (OutOfMemoryError e) {
            return findWithSpare(element);
        }
        return items.get(lookup);
    }

    private ResourceSlot<E> findWithSpare(Object element) {
        synchronized (spare) { // rarely, and for a few steps
            spare.element = element;
            try {
                return items.get(spare);
            } finally {
                spare.element = null;
            }
        }
    }

    void remove(ResourceSlot<E> item) {
        items.remove(item.tag);
    }

    /** Removes an item whose element its borrower has dropped; null if there is none. */
    ResourceSlot<E> pollDropped() {
        for (; ; ) {
            Reference<? extends E> tag = dropped.poll();
            ResourceSlot<E> item = tag == null ? null : items.remove(tag);
            if (tag == null || item != null) {
                return item;
            } // else the element was destroyed before
        }
    }

    Collection<ResourceSlot<E>> all() {
        return items.values();
    }

    int size() {
        return items.size();
    }

    int idle() {
        int idle = 0;
        for (ResourceSlot<E> item : items.values()) {
            idle += item.isIdle() ? 1 : 0;
        }
        return idle;
    }

    List<Lease<E>> lent() {
        List<Lease<E>> lent = new ArrayList<>();
        for (ResourceSlot<E> item : items.values()) {
            long seen = item.state();
            E element = item.tag.get();
            if (ResourceSlot.isLent(seen) && element != null) {
                Lease<E> report = report(item, element);
                VarHandle.acquireFence(); // what was read of the item, before the second look at its state
                if (report != null && item.state() == seen) { // else it came back meanwhile
                    lent.add(report);
                }
            }
        }
        return List.copyOf(lent);
    }

    /** The report of a lent item, or null if it comes back at this moment. */
    Lease<E> report(ResourceSlot<E> item, E element) {
        String borrower = item.borrower;
        long begun = item.since;
        Duration since = Duration.ofNanos(upkeep.nowSince(begun) - begun);
        return borrower == null ? null : new Lease<>(element, borrower, since, item.trace);
    }
}
