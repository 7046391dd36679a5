package dev.cqs.amc.graph;

import java.util.List;

/**
 * The actions of a thread on objects and final fields between two events, attached to the later one.
 * {@link dev.cqs.amc.dpor.FreshObjects} and {@link dev.cqs.amc.dpor.Freezes} use them.
 *
 * @param published the objects that escape with the later event
 * @param freezes the freezes of final fields, by their numbers
 */
public record EventNote(int[] published, int[] freezes, List<Sight> sights) {

    /**
     * A thread obtained a reference other than by a read event: a link of a dereference chain, in the terms of JLS
     * 17.5.1.
     *
     * @param object the object that it refers to
     * @param holder the object whose final field the reference was read from; -1 if it was obtained otherwise
     * @param freeze the number of the freeze of that field, or -1
     */
    public record Sight(int object, int holder, int freeze) {}
}
