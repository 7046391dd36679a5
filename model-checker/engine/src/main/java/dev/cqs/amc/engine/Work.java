package dev.cqs.amc.engine;

/**
 * An option that is still to be explored.
 *
 * @param event of {@link Type#REVISIT}: the read that is revisited, else the event that gets another option
 * @param write the source of the read, or the write that {@code event} is put after; null for a choice
 * @param option of a choice: the option
 */
record Work(Type type, Event event, Event write, int option) {

    enum Type {
        /** The read takes its value from another write that was there before it. */
        READ_FROM,
        /** The write is put right after another one that is not the latest. */
        WRITE_AFTER,
        /** The read takes its value from a write that has come later. */
        REVISIT,
        CHOOSE
    }

    static Work readFrom(Event read, Event write) {
        return new Work(Type.READ_FROM, read, write, 0);
    }

    static Work writeAfter(Event event, Event write) {
        return new Work(Type.WRITE_AFTER, event, write, 0);
    }

    static Work revisit(Event read, Event write) {
        return new Work(Type.REVISIT, read, write, 0);
    }

    static Work choose(Event choice, int option) {
        return new Work(Type.CHOOSE, choice, null, option);
    }
}
