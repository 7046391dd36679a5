package dev.cqs.threads;

import org.jspecify.annotations.Nullable;

/**
 * A function of an element while it is borrowed.
 *
 * @param <E> the element
 * @param <R> the result
 * @param <X> the checked exceptions; inferred as {@link RuntimeException} if there are none
 */
@FunctionalInterface
public interface PoolFunction<E, R extends @Nullable Object, X extends Exception> {
    /** Uses the element, which must not be kept. */
    R apply(E element) throws X;
}
