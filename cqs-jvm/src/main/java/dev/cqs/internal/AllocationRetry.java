package dev.cqs.internal;

import java.util.function.Function;

/**
 * Retries an allocation that must succeed. A primitive makes its queue when a caller first needs it. By then that caller has
 * been counted, or has something to hand over, and cannot take that back.
 */
public final class AllocationRetry {
    private AllocationRetry() {}

    /**
     * Retries until there is memory for the object.
     *
     * @param maker without a state of its own, which there might be no memory for: a constant
     */
    public static <O, T> T create(Function<O, T> maker, O owner) {
        for (; ; ) {
            try {
                return maker.apply(owner);
            } catch (OutOfMemoryError e) {
                Thread.yield(); // other threads may free some
            }
        }
    }
}
