package dev.cqs;

/** What a {@link CancellableQueueSynchronizer#resume(Object) resume} does when it meets a cancelled waiter. */
public enum CancellationMode {
    /** It fails. */
    SIMPLE,
    /** It skips the waiter, or is refused as {@link CancellableQueueSynchronizer#onCancellation} has decided. */
    SMART
}
