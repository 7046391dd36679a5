package dev.cqs.amc.graph;

import java.util.List;

/**
 * What a thread has done with final fields between two events. {@link dev.cqs.amc.dpor.Freezes} says what follows from it.
 *
 * @param freezes the freezes, by their numbers
 */
public record FreezeNote(int[] freezes, List<Sight> sights) {

    /**
     * A thread has got a reference other than by a read that is in the graph.
     *
     * @param object the object that it refers to
     * @param holder the object that has it in a final field; -1 if it was got in another way
     * @param freeze the number of the freeze of that field, or -1
     */
    public record Sight(int object, int holder, int freeze) {}
}
