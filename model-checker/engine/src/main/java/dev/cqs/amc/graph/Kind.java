package dev.cqs.amc.graph;

/** The kind of an event. */
public enum Kind {
    /** The initial write of a location. It belongs to no thread and happens before every event. */
    INIT,
    READ,
    WRITE,
    FENCE,
    /** A choice of the program; its value is the option taken. */
    CHOICE,
    /** Starts the thread that is its value. */
    CREATE,
    /** The start of a thread that is created, or of the arbiter. Its source is the creation, if there is one. */
    START,
    /** The end of a created thread. */
    END,
    /** Its source is the end of another thread. */
    JOIN
}
