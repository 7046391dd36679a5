package dev.cqs.amc.graph;

import org.jspecify.annotations.Nullable;

/**
 * The history of a thread up to some event: the sequence of the values that it has read and chosen. Graphs with equal
 * histories share one object. As threads are deterministic, the next step follows from the history.
 */
public final class History {

    /** The generation: all histories of older generations have been dropped. */
    public final int age;
    /** The next step of the thread, or null if unknown. */
    public @Nullable Step next;

    /** The value that the last event read or chose, if any. */
    private final long value;
    /** Of a read of a reference whose contents matter: the history of the thread that wrote it; else null. */
    private final @Nullable History giver;
    /** The histories with one more event, most recently used first. */
    private @Nullable History child;

    private @Nullable History sibling;

    public History(int age, long value, @Nullable History giver) {
        this.age = age;
        this.value = value;
        this.giver = giver;
    }

    /** The history after an event that read or chose this value; null if there is none. */
    public @Nullable History find(long value, @Nullable History giver) {
        History before = null;
        for (History found = child; found != null; found = found.sibling) {
            if (found.value == value && found.giver == giver) {
                if (before != null) {
                    before.sibling = found.sibling;
                    found.sibling = child;
                    child = found;
                }
                return found;
            }
            before = found;
        }
        return null;
    }

    /** Adds the history after an event that read or chose this value. */
    public History add(long value, @Nullable History giver) {
        History added = new History(age, value, giver);
        added.sibling = child;
        child = added;
        return added;
    }
}
