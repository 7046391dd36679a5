package dev.cqs.spi;

import dev.cqs.sync.Pool;
import dev.cqs.sync.ResourcePool;
import java.lang.invoke.MethodHandles;

/**
 * Where adapters find the steps of each primitive. They keep them in a {@code static final} field, which the
 * compiler sees through.
 *
 * <p>The steps are no public methods of the primitives, because application code has no use for them. Each
 * primitive hands them over here when its class is initialized.
 */
public final class SyncAccess {
    private static PoolSteps pool;
    private static ResourceSteps resources;

    private SyncAccess() {}

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

    /** Called once, by the class {@link Pool}. */
    public static void offerPool(PoolSteps steps) {
        pool = once(pool, steps);
    }

    /** Called once, by the class {@link ResourcePool}. */
    public static void offerResources(ResourceSteps steps) {
        resources = once(resources, steps);
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
