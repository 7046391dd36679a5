/**
 * Fair, abortable synchronization: the queue of waiters and the primitives on it.
 *
 * <p>{@code dev.cqs.sync} holds the objects that callers of every kind share, and {@code dev.cqs.pool} the pools. {@code dev.cqs}
 * holds the queue for people who build their own primitive, and the waiter for people who build their own adapter.
 */
module dev.cqs {
    exports dev.cqs;
    exports dev.cqs.pool;
    exports dev.cqs.sync;
}
