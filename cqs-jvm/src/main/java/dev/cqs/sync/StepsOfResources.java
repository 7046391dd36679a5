package dev.cqs.sync;

import dev.cqs.spi.ResourceSteps;
import dev.cqs.spi.PoolSlot;

/** The steps of {@link ResourcePool}. */
final class StepsOfResources extends ResourceSteps {
    @Override
    public <E> Pool<PoolSlot<E>> slots(ResourcePool<E> pool) {
        return pool.places;
    }

    @Override
    public void tidy(ResourcePool<?> pool) {
        pool.tidy();
    }

    @Override
    public <E> E lend(ResourcePool<E> pool, PoolSlot<E> slot, String borrower) {
        return pool.lend(slot, borrower);
    }

    @Override
    public <E> E fill(ResourcePool<E> pool, E made, String borrower) {
        return pool.fill(made, borrower);
    }

    @Override
    public void fail(ResourcePool<?> pool) {
        pool.giveBackEmpty();
    }

    @Override
    public <E> E lendOrMake(ResourcePool<E> pool, PoolSlot<E> slot, String borrower) {
        E element = pool.lend(slot, borrower);
        return element != null ? element : pool.make(borrower);
    }

    @Override
    public <E> void free(ResourcePool<E> pool, PoolSlot<E> slot) {
        pool.giveBack(slot);
    }

    @Override
    public <E> void putIfLent(ResourcePool<E> pool, E element) {
        pool.putIfLent(element);
    }
}
