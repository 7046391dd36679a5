package dev.cqs.amc.jdk;

import java.lang.invoke.VarHandle;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * {@link java.util.concurrent.atomic.AtomicReferenceFieldUpdater}, over a field that the checker observes. User code
 * cannot extend it.
 *
 * @param <T> the class that has the field
 * @param <V> the type of the field
 */
@SuppressWarnings("unchecked") // the handle knows the type of its field, and checks it
public final class AtomicReferenceFieldUpdater<T, V> {

    private final VarHandle field;

    private AtomicReferenceFieldUpdater(VarHandle field) {
        this.field = field;
    }

    /**
     * An updater of a volatile field, without access checks.
     *
     * @throws IllegalArgumentException if the field is static, or not volatile
     * @throws ClassCastException if the field is of another type
     * @throws RuntimeException if there is no such field
     */
    public static <U, W> AtomicReferenceFieldUpdater<U, W> newUpdater(Class<U> owner, Class<W> type, String name) {
        return new AtomicReferenceFieldUpdater<>(Handles.updated(owner, type, name));
    }

    public V get(T object) {
        return (V) field.getVolatile(object);
    }

    public void set(T object, V next) {
        field.setVolatile(object, next);
    }

    public void lazySet(T object, V next) {
        field.setRelease(object, next);
    }

    public boolean compareAndSet(T object, V expected, V next) {
        return field.compareAndSet(object, expected, next);
    }

    /** Orders nothing, as its contract says. */
    public boolean weakCompareAndSet(T object, V expected, V next) {
        return field.weakCompareAndSetPlain(object, expected, next);
    }

    public V getAndSet(T object, V next) {
        return (V) field.getAndSet(object, next);
    }

    public V getAndUpdate(T object, UnaryOperator<V> update) {
        V now;
        do {
            now = get(object);
        } while (!compareAndSet(object, now, update.apply(now)));
        return now;
    }

    public V updateAndGet(T object, UnaryOperator<V> update) {
        V now;
        V next;
        do {
            now = get(object);
            next = update.apply(now);
        } while (!compareAndSet(object, now, next));
        return next;
    }

    public V getAndAccumulate(T object, V operand, BinaryOperator<V> function) {
        return getAndUpdate(object, now -> function.apply(now, operand));
    }

    public V accumulateAndGet(T object, V operand, BinaryOperator<V> function) {
        return updateAndGet(object, now -> function.apply(now, operand));
    }
}
