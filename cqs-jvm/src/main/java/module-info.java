/**
 * Fair, abortable synchronization: the queue of waiters and the primitives on it.
 *
 * <p>{@code dev.cqs.sync} holds the objects that code of every kind shares, and {@code dev.cqs.pool} the pools.
 * {@code dev.cqs} holds the queue for people who build their own primitive. The steps that adapters take on our own
 * primitives are exported to the adapters alone.
 */
@SuppressWarnings("module") // the coroutine adapter is named here before it is on every module path
module dev.cqs {
    exports dev.cqs;
    exports dev.cqs.pool;
    exports dev.cqs.sync;
    exports dev.cqs.spi to dev.cqs.threads, dev.cqs.coroutines;
}
