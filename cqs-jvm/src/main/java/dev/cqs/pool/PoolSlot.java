package dev.cqs.pool;

import org.jspecify.annotations.Nullable;

/**
 * A slot of a {@link ResourcePool} that a caller has taken: the right to have one of the elements. A caller waits for a slot.
 * Once it has one, it gets an element out of it, or makes one, and no other request waits for that.
 *
 * <p>A view takes a slot, by {@link ResourcePool#tryTakeSlot} or {@link ResourcePool#takeSlot}, or is handed one as the
 * value of its waiter. Then:
 *
 * <pre>{@code
 * E element = slot.lend(borrower);
 * if (element == null) {                               // none is idle, and the caller may make one
 *     E made;
 *     try {
 *         made = ...;                                  // may suspend, may fail
 *     } catch (Throwable t) {
 *         slot.giveBack();
 *         throw t;
 *     }
 *     element = slot.fill(made, borrower);
 * }
 * }</pre>
 *
 * <p>A slot is used once: by a call that returns an element, that throws, or that gives the slot back. The pool then has it
 * again, or has it on record as lent, and the caller must not use it any more. Only a {@code lend} that has answered {@code
 * null} leaves the slot to the caller. The lent element is {@linkplain ResourcePool#put put} back.
 *
 * @param <E> the elements
 */
public sealed interface PoolSlot<E> permits ResourceSlot {
    /**
     * Lends an idle element that is valid. An exception of the validator is passed on, and the slot is given back then.
     *
     * @param borrower the name of the borrower, for reports
     * @return the element, or {@code null} if none is idle; the caller then {@linkplain #fill fills} the slot, or {@linkplain
     *     #giveBack gives} it back
     * @throws NullPointerException if the borrower is {@code null}; the slot is given back then
     */
    @Nullable
    E lend(String borrower);

    /**
     * Lends an element that the caller has made, after {@link #lend} has answered {@code null}.
     *
     * @param made the new element; not {@code null}
     * @param borrower the name of the borrower, for reports
     * @return the element
     * @throws NullPointerException if the element or the borrower is {@code null}; the slot is given back then
     * @throws IllegalStateException if the pool has this element already, or this slot has an idle one; the slot is given
     *     back then
     */
    E fill(E made, String borrower);

    /**
     * Lends an idle element that is valid, or one that the factory of the pool makes now. An exception of the factory is
     * passed on, and the slot is given back then.
     *
     * @param borrower the name of the borrower, for reports
     * @return the element
     * @throws IllegalStateException if an element is to be made and the pool has no factory; the slot is given back then
     */
    E lendOrMake(String borrower);

    /**
     * Gives back a slot that is not used, for example because the caller was cancelled after the slot had been handed over,
     * or could not make an element.
     */
    void giveBack();
}
