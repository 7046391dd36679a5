package dev.cqs.amc.graph;

import java.util.List;

/**
 * The actions of a thread on final fields between two events. {@link dev.cqs.amc.dpor.Freezes} uses them.
 *
 * @param freezes the freezes, by their numbers
 */
public record FreezeNote(int[] freezes, List<Sight> sights) {

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
