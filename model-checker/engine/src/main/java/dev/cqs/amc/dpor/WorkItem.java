package dev.cqs.amc.dpor;

import dev.cqs.amc.graph.Event;
import org.jspecify.annotations.Nullable;

/**
 * An alternative that is still to be explored.
 *
 * @param event for {@link Type#REVISIT} the read that is revisited, else the event that takes another option
 * @param write the write to read from, or the write to place {@code event} after in coherence order; null for a choice
 * @param option for a choice: the option
 */
public record WorkItem(Type type, Event event, @Nullable Event write, int option) {

    public enum Type {
        /** The read reads from another write that was in the graph before it (a forward revisit). */
        READ_FROM,
        /** The write goes immediately after another one in coherence order, not at the end. */
        WRITE_AFTER,
        /** The read reads from a write that was added later (a backward revisit). */
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
