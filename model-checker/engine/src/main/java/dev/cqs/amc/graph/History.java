package dev.cqs.amc.graph;

import org.jspecify.annotations.Nullable;

/**
 * What a thread has done up to some event, and has read. It is the same one for all graphs in which this is the same, and so
 * what the thread does next is the same.
 */
public final class History {

    /** Histories of different ages have nothing to do with each other. */
    public final int age;
    /** What its code does next, or null if that is not known. */
    public @Nullable Step next;

    /** What the last event has read or chosen, if it has. */
    private final long value;
    /** Of a read of a reference: the history of the thread that has written it. Null for any other event. */
    private final @Nullable History giver;
    /** Those with one more event, the latest that was asked for first. */
    private @Nullable History child;

    private @Nullable History sibling;

    public History(int age, long value, @Nullable History giver) {
        this.age = age;
        this.value = value;
        this.giver = giver;
    }

    /** This one and an event that has read or chosen the value; null if there has been none. */
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

    /** This one and an event that has read or chosen the value, for the first time. */
    public History add(long value, @Nullable History giver) {
        History added = new History(age, value, giver);
        added.sibling = child;
        child = added;
        return added;
    }
}
