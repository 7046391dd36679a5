/**
 * Fair, abortable synchronization: the queue of waiters and the primitives on it.
 *
 * <p>{@code dev.cqs.sync} holds the objects that callers of every kind share, and {@code dev.cqs.pool} the pools. {@code dev.cqs}
 * holds the queue for authors of their own primitives, and the waiter for authors of their own adapters.
 */
module dev.cqs {
    // Annotations: callers compile against them, nobody needs them to run.
    requires static transitive org.jspecify;

    exports dev.cqs;
    exports dev.cqs.pool;
    exports dev.cqs.sync;
}
