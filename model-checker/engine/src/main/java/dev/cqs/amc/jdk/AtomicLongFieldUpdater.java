package dev.cqs.amc.jdk;

import java.lang.invoke.VarHandle;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * {@link java.util.concurrent.atomic.AtomicLongFieldUpdater}, over a field that the checker observes. User code cannot
 * extend it.
 *
 * @param <T> the class that has the field
 */
public final class AtomicLongFieldUpdater<T> {

    private final VarHandle field;

    private AtomicLongFieldUpdater(VarHandle field) {
        this.field = field;
    }

    /**
     * An updater of a volatile field, without access checks.
     *
     * @throws IllegalArgumentException if the field is static, or not volatile, or of another type
     * @throws RuntimeException if there is no such field
     */
    public static <U> AtomicLongFieldUpdater<U> newUpdater(Class<U> owner, String name) {
        return new AtomicLongFieldUpdater<>(Handles.updated(owner, long.class, name));
    }

    public long get(T object) {
        return (long) field.getVolatile(object);
    }

    public void set(T object, long next) {
        field.setVolatile(object, next);
    }

    public void lazySet(T object, long next) {
        field.setRelease(object, next);
    }

    public boolean compareAndSet(T object, long expected, long next) {
        return field.compareAndSet(object, expected, next);
    }

    /** Orders nothing, as its contract says. */
    public boolean weakCompareAndSet(T object, long expected, long next) {
        return field.weakCompareAndSetPlain(object, expected, next);
    }

    public long getAndSet(T object, long next) {
        return (long) field.getAndSet(object, next);
    }

    public long getAndAdd(T object, long delta) {
        return (long) field.getAndAdd(object, delta);
    }

    public long getAndIncrement(T object) {
        return getAndAdd(object, 1);
    }

    public long getAndDecrement(T object) {
        return getAndAdd(object, -1);
    }

    public long addAndGet(T object, long delta) {
        return getAndAdd(object, delta) + delta;
    }

    public long incrementAndGet(T object) {
        return addAndGet(object, 1);
    }

    public long decrementAndGet(T object) {
        return addAndGet(object, -1);
    }

    public long getAndUpdate(T object, LongUnaryOperator update) {
        long now;
        do {
            now = get(object);
        } while (!compareAndSet(object, now, update.applyAsLong(now)));
        return now;
    }

    public long updateAndGet(T object, LongUnaryOperator update) {
        long now;
        long next;
        do {
            now = get(object);
            next = update.applyAsLong(now);
        } while (!compareAndSet(object, now, next));
        return next;
    }

    public long getAndAccumulate(T object, long operand, LongBinaryOperator function) {
        return getAndUpdate(object, now -> function.applyAsLong(now, operand));
    }

    public long accumulateAndGet(T object, long operand, LongBinaryOperator function) {
        return updateAndGet(object, now -> function.applyAsLong(now, operand));
    }
}
