package dev.cqs.amc.graph;

/** What an event does. */
public enum Kind {
    /** The value of a location before all threads. It belongs to no thread and happens before everything. */
    INIT,
    READ,
    WRITE,
    FENCE,
    /** A choice of the program; its value is the option taken. */
    CHOICE,
    /** Starts the thread that is its value. */
    CREATE,
    /** The beginning of a thread that is not there at once. Its source is the event that has created it, if it is one. */
    START,
    /** The end of a thread that has been created. */
    END,
    /** Its source is the end of another thread. */
    JOIN
}
