package dev.cqs.amc.liveness;

/** Where a run has left a thread. */
public enum ThreadStatus {
    READY,
    ENDED,
    /** A round of an await would fail, and is not in the graph. */
    WAITING,
    /** Another thread with the same code must go first. */
    FOLLOWING,
    /** A round of an await has failed. */
    AWAITING,
    /** Another thread must end first. */
    JOINING,
    /** An assumption does not hold, or what is waited for may still come to nothing. */
    LEFT_OUT,
    /** A loop has been run as often as it may be. */
    AT_BOUND;

    public boolean isBlocked() {
        return this != READY && this != ENDED;
    }

    /** Whether it may be for ever. */
    public boolean isAwaiting() {
        return this == AWAITING || this == JOINING;
    }
}
