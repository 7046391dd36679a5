package dev.cqs;

/** What a cell of the queue holds besides nothing, a waiter or a value. See the overview of the queue. */
enum CellState {
    /** A suspender has taken the value that a resume had left in this cell. */
    TAKEN,
    /** A resumer, in SYNC mode, or a {@code tryMatch} of a {@link FairRendezvous} has given up waiting for the other side. */
    BROKEN,
    /** A resumer has taken the waiter. */
    RESUMED,
    /** The waiter is cancelled, and the primitive is deciding the fate of its request; SMART only. */
    CANCELLING,
    /** The waiter is cancelled, and no resume is owed to this cell in SMART mode. */
    CANCELLED,
    /** The waiter is cancelled, and the resume that is on its way here is refused; SMART only. */
    REFUSED
}
