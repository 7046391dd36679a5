package dev.cqs;

/** What a {@link CancellableQueueSynchronizer#resume(Object) resume} does when it comes before its suspend. */
public enum ResumeMode {
    /** It breaks the cell after a bounded wait, and both start again. */
    SYNC,
    /** It leaves the value in the cell. */
    ASYNC
}
