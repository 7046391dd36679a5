package dev.cqs.amc.graph;

import java.util.List;

/**
 * What a thread has done between two events, and tells by the later one. {@link dev.cqs.amc.dpor.FreshObjects} and {@link
 * dev.cqs.amc.dpor.Freezes} say what follows from it.
 *
 * @param published the objects that others may know from the later event on
 * @param freezes the freezes of final fields, by their numbers
 */
public record EventNote(int[] published, int[] freezes, List<Sight> sights) {

    /**
     * A thread has got a reference other than by a read that is in the graph.
     *
     * @param object the object that it refers to
     * @param holder the object that has it in a final field; -1 if it was got in another way
     * @param freeze the number of the freeze of that field, or -1
     */
    public record Sight(int object, int holder, int freeze) {}
}
