package dev.cqs.pool;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A report of an element that is lent.
 *
 * @param <E> the elements of the pool
 * @param element the element, or {@code null} if it was dropped by its borrower
 * @param borrower the name of the borrower: that of a thread, unless the view says otherwise
 * @param since for how long it has been lent
 * @param trace where it was borrowed, or {@code null} if the pool does not record that
 */
public record Lease<E>(
        @Nullable E element,
        String borrower,
        Duration since,
        @Nullable Throwable trace) {
    /**
     * Checks that there is a borrower and a time.
     *
     * @param element the element, or {@code null} if it was dropped by its borrower
     * @param borrower the name of the borrower: that of a thread, unless the view says otherwise
     * @param since for how long it has been lent
     * @param trace where it was borrowed, or {@code null} if the pool does not record that
     */
    public Lease {
        Objects.requireNonNull(borrower, "borrower");
        Objects.requireNonNull(since, "since");
    }
}
