package dev.cqs.amc.liveness;

/** The status of a thread after a run. */
public enum ThreadStatus {
    READY,
    ENDED,
    /** Blocked in an await whose failed iteration was removed from the graph. */
    WAITING,
    /** The symmetric thread must go first. */
    FOLLOWING,
    /** Blocked in an await whose failed iteration is in the graph. */
    AWAITING,
    /** Blocked in a join. */
    JOINING,
    /** Excluded: an assumption does not hold, or the thread is in a wait that may still end otherwise. */
    LEFT_OUT,
    /** Cut off at a bound. */
    AT_BOUND;

    public boolean isBlocked() {
        return this != READY && this != ENDED;
    }

    /** Whether the thread may be blocked forever. */
    public boolean isAwaiting() {
        return this == AWAITING || this == JOINING;
    }
}
