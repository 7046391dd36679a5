package dev.cqs.spi;

import dev.cqs.sync.Condition;
import dev.cqs.sync.CyclicBarrier;
import dev.cqs.sync.Pool;
import dev.cqs.sync.ResourcePool;
import dev.cqs.sync.ReadWriteMutex;
import dev.cqs.sync.SynchronousQueue;
import java.lang.invoke.MethodHandles;

/**
 * Where adapters find the steps of each primitive. They keep them in a {@code static final} field, which the
 * compiler sees through.
 *
 * <p>The steps are no public methods of the primitives, because application code has no use for them. Each
 * primitive hands them over here when its class is initialized.
 */
public final class SyncAccess {
    private static BarrierSteps barrier;
    private static ConditionSteps condition;
    private static PoolSteps pool;
    private static ResourceSteps resources;
    private static ReadWriteSteps readWrite;
    private static HandOffSteps handOff;

    private SyncAccess() {}

    /** The steps of a barrier. */
    public static BarrierSteps barrier() {
        initialize(CyclicBarrier.class);
        return barrier;
    }

    /** The steps of a condition. */
    public static ConditionSteps condition() {
        initialize(Condition.class);
        return condition;
    }

    /** The steps of a pool. */
    public static PoolSteps pool() {
        initialize(Pool.class);
        return pool;
    }

    /** The steps of a pool of resources. */
    public static ResourceSteps resources() {
        initialize(ResourcePool.class);
        return resources;
    }

    /** The steps of a read-write lock. */
    public static ReadWriteSteps readWrite() {
        initialize(ReadWriteMutex.class);
        return readWrite;
    }

    /** The steps of a synchronous queue. */
    public static HandOffSteps handOff() {
        initialize(SynchronousQueue.class);
        return handOff;
    }

    /** Called once, by the class {@link CyclicBarrier}. */
    public static void offerBarrier(BarrierSteps steps) {
        barrier = once(barrier, steps);
    }

    /** Called once, by the class {@link Condition}. */
    public static void offerCondition(ConditionSteps steps) {
        condition = once(condition, steps);
    }

    /** Called once, by the class {@link Pool}. */
    public static void offerPool(PoolSteps steps) {
        pool = once(pool, steps);
    }

    /** Called once, by the class {@link ResourcePool}. */
    public static void offerResources(ResourceSteps steps) {
        resources = once(resources, steps);
    }

    /** Called once, by the class {@link ReadWriteMutex}. */
    public static void offerReadWrite(ReadWriteSteps steps) {
        readWrite = once(readWrite, steps);
    }

    /** Called once, by the class {@link SynchronousQueue}. */
    public static void offerHandOff(HandOffSteps steps) {
        handOff = once(handOff, steps);
    }

    private static <S> S once(S present, S offered) {
        if (present != null) {
            throw new IllegalStateException("the steps have been handed over already: " + present);
        }
        return offered;
    }

    private static void initialize(Class<?> primitive) {
        try {
            MethodHandles.lookup().ensureInitialized(primitive);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e); // the primitives are public classes of this module
        }
    }
}
