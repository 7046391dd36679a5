package dev.cqs.threads;

/**
 * What to do with an element while it is borrowed, without a result.
 *
 * @param <E> the element
 * @param <X> what it throws besides unchecked exceptions; inferred as {@link RuntimeException} if that is nothing
 */
@FunctionalInterface
public interface PoolAction<E, X extends Exception> {
    /** Uses the element, which must not be kept. */
    void accept(E element) throws X;
}
