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
final class Inventory<E> {
    /*
     * A map from weak tags to items. Idle elements are kept by their items. Lent ones are too, unless the pool tracks
     * them: then nothing here keeps them, and the tag of one that nobody has any more comes to the queue of dropped ones.
     */

    /** For a caller that finds no memory for a lookup of its own. */
    private final Item.Lookup spare = new Item.Lookup(null);

    private final ConcurrentHashMap<Object, Item<E>> items = new ConcurrentHashMap<>();
    private final ReferenceQueue<E> dropped;
    private final Upkeep<E> upkeep;

    Inventory(boolean tracking, Upkeep<E> upkeep) {
        this.dropped = tracking ? new ReferenceQueue<>() : null;
        this.upkeep = upkeep;
    }

    boolean tracks() {
        return dropped != null;
    }

    /** An item for an element that was made, held; null if the element is here already. */
    Item<E> add(E made) {
        Item<E> item = new Item<>(made, dropped);
        try {
            return items.putIfAbsent(item.tag, item) == null ? item : null;
        } catch (Throwable t) { // no memory, perhaps once it was entered
            items.remove(item.tag, item);
            throw t;
        }
    }

    /** The item of an element, or null. Without memory as well: an element that is put back has nowhere else to go. */
    Item<E> find(Object element) {
        Item.Lookup lookup;
        try {
            lookup = new Item.Lookup(element);
        } catch (OutOfMemoryError e) {
            return findWithSpare(element);
        }
        return items.get(lookup);
    }

    private Item<E> findWithSpare(Object element) {
        synchronized (spare) { // rarely, and for a few steps
            spare.element = element;
            try {
                return items.get(spare);
            } finally {
                spare.element = null;
            }
        }
    }

    void remove(Item<E> item) {
        items.remove(item.tag);
    }

    /** Removes an item whose element its borrower has dropped; null if there is none. */
    Item<E> pollDropped() {
        for (; ; ) {
            Reference<? extends E> tag = dropped.poll();
            Item<E> item = tag == null ? null : items.remove(tag);
            if (tag == null || item != null) {
                return item;
            } // else the element was destroyed before
        }
    }

    Collection<Item<E>> all() {
        return items.values();
    }

    int size() {
        return items.size();
    }

    int idle() {
        int idle = 0;
        for (Item<E> item : items.values()) {
            idle += item.isIdle() ? 1 : 0;
        }
        return idle;
    }

    List<Lent<E>> lent() {
        List<Lent<E>> lent = new ArrayList<>();
        for (Item<E> item : items.values()) {
            long seen = item.state();
            E element = item.tag.get();
            if (Item.isLent(seen) && element != null) {
                Lent<E> report = report(item, element);
                VarHandle.acquireFence(); // what was read of the item, before the second look at its state
                if (report != null && item.state() == seen) { // else it came back meanwhile
                    lent.add(report);
                }
            }
        }
        return List.copyOf(lent);
    }

    /** The report of a lent item, or null if it comes back at this moment. */
    Lent<E> report(Item<E> item, E element) {
        String borrower = item.borrower;
        long begun = item.since;
        Duration since = Duration.ofNanos(upkeep.nowSince(begun) - begun);
        return borrower == null ? null : new Lent<>(element, borrower, since, item.trace);
    }
}
