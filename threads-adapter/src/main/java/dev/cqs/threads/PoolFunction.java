package dev.cqs.threads;

/**
 * What to do with an element while it is borrowed.
 *
 * @param <E> the element
 * @param <R> the result
 * @param <X> what it throws besides unchecked exceptions; inferred as {@link RuntimeException} if that is nothing
 */
@FunctionalInterface
public interface PoolFunction<E, R, X extends Exception> {
    /** Uses the element, which must not be kept. */
    R apply(E element) throws X;
}
