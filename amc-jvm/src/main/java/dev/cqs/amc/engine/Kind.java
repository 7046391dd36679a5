package dev.cqs.amc.engine;

/** What an event does. */
enum Kind {
    /** The value of a location before all threads. It belongs to no thread and happens before everything. */
    INIT,
    READ,
    WRITE,
    FENCE,
    /** A choice of the program; its value is the option taken. */
    CHOICE
}
