package dev.cqs.threads;

/**
 * An action on an element while it is borrowed, without a result.
 *
 * @param <E> the element
 * @param <X> the checked exceptions; inferred as {@link RuntimeException} if there are none
 */
@FunctionalInterface
public interface PoolAction<E, X extends Exception> {
    /**
     * Uses the element, which must not be kept.
     *
     * @param element borrowed until this returns
     * @throws X if the action fails; the pool puts the element back and passes the exception on
     */
    void accept(E element) throws X;
}
