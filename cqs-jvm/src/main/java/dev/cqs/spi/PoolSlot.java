package dev.cqs.spi;

/**
 * A place of a {@link dev.cqs.sync.ResourcePool}, with an element or without, in the hands of one who wants to borrow. See
 * {@link ResourceSteps}.
 *
 * @param <E> the elements
 */
public abstract class PoolSlot<E> {
    /** For the pools of this library. */
    protected PoolSlot() {}
}
