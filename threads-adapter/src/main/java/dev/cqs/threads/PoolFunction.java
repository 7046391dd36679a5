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
    /**
     * Uses the element, which must not be kept.
     *
     * @param element borrowed until this returns
     * @return what the caller of the pool gets
     * @throws X if the function fails; the pool puts the element back and passes the exception on
     */
    R apply(E element) throws X;
}
