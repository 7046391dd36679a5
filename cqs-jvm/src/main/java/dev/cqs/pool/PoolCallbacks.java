package dev.cqs.pool;

import dev.cqs.internal.UncaughtExceptions;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The user's code that a {@link ResourcePool} runs, and the handling of its exceptions. */
final class PoolCallbacks<E> {
    /*
     * An exception of a factory or a validator goes to the caller that is to get the element, after its slot is given back.
     * All other callbacks run in the middle of operations whose callers need their results: their exceptions go to the
     * uncaught-exception handler of the thread. For a clock that throws, no time has passed.
     */

    private final @Nullable Supplier<? extends E> factory;
    private final @Nullable Predicate<? super E> validator;
    private final @Nullable Consumer<? super E> destroyer;
    private final @Nullable Consumer<? super Lease<E>> onDrop;
    private final LongSupplier nanoTime;
    private final boolean traces;

    /** After this time an idle element is too old; zero if none ever is. */
    final long longestIdle;

    PoolCallbacks(ResourcePool.Builder<E> builder) {
        this.factory = builder.factory;
        this.validator = builder.validator;
        this.destroyer = builder.destroyer;
        this.onDrop = builder.onDrop;
        this.nanoTime = builder.nanoTime;
        this.traces = builder.traces;
        this.longestIdle = builder.longestIdle;
    }

    // What throws

    E make() {
        if (factory == null) {
            throw new IllegalStateException("the pool was built without a factory, and cannot make an element");
        }
        return factory.get();
    }

    boolean accepts(E element) {
        return validator == null || validator.test(element);
    }

    /** Where an element is borrowed, if that is recorded. */
    @Nullable
    Throwable trace() {
        return traces ? new Throwable("borrowed here") : null;
    }

    /** The time, for a caller that has no slot or element in hand. */
    long now() {
        return nanoTime.getAsLong();
    }

    // What does not

    /** The time, which is not before {@code before}. */
    long nowSince(long before) {
        try {
            return nanoTime.getAsLong();
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
            return before;
        }
    }

    /** Whether an element that has been idle since then is too old. */
    boolean isTooOld(long since) {
        return longestIdle > 0 && nowSince(since) - since >= longestIdle;
    }

    void destroy(E element) {
        try {
            if (destroyer != null) {
                destroyer.accept(element);
            }
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
        }
    }

    /** Says that an element was dropped; no report if there was no memory for one. */
    @SuppressWarnings("NullAway") // only a pool with a listener tracks
    void dropped(@Nullable Lease<E> lent) {
        try {
            if (lent != null) {
                onDrop.accept(lent);
            }
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
        }
    }
}
