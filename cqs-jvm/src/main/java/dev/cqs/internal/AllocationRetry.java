package dev.cqs.internal;

import java.util.function.Function;

/**
 * Makes what must be made though memory is short. A primitive makes its queue when somebody first needs it; by then that
 * one has been counted, or has something to hand over, and cannot take that back.
 */
public final class AllocationRetry {
    private AllocationRetry() {}

    /**
     * Makes one, again and again until there is memory for it.
     *
     * @param maker without a state of its own, which there might be no memory for: a constant
     */
    public static <O, T> T create(Function<O, T> maker, O owner) {
        for (; ; ) {
            try {
                return maker.apply(owner);
            } catch (OutOfMemoryError e) {
                Thread.yield(); // others may free some
            }
        }
    }
}
