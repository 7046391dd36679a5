package dev.cqs.amc.dpor;

import dev.cqs.amc.graph.Event;
import org.jspecify.annotations.Nullable;

/**
 * An option that is still to be explored.
 *
 * @param event of {@link Type#REVISIT}: the read that is revisited, else the event that gets another option
 * @param write the source of the read, or the write that {@code event} is put after; null for a choice
 * @param option of a choice: the option
 */
public record WorkItem(Type type, Event event, @Nullable Event write, int option) {

    public enum Type {
        /** The read takes its value from another write that was there before it. */
        READ_FROM,
        /** The write is put right after another one that is not the latest. */
        WRITE_AFTER,
        /** The read takes its value from a write that has come later. */
        REVISIT,
        CHOOSE
    }

    static WorkItem readFrom(Event read, Event write) {
        return new WorkItem(Type.READ_FROM, read, write, 0);
    }

    static WorkItem writeAfter(Event event, Event write) {
        return new WorkItem(Type.WRITE_AFTER, event, write, 0);
    }

    static WorkItem revisit(Event read, Event write) {
        return new WorkItem(Type.REVISIT, read, write, 0);
    }

    static WorkItem choose(Event choice, int option) {
        return new WorkItem(Type.CHOOSE, choice, null, option);
    }
}
