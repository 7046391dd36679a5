package dev.cqs.amc.jdk;

import java.lang.invoke.VarHandle;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * {@link java.util.concurrent.atomic.AtomicIntegerFieldUpdater}, over a field that the checker observes. User code
 * cannot extend it.
 *
 * @param <T> the class that has the field
 */
public final class AtomicIntegerFieldUpdater<T> {

    private final VarHandle field;

    private AtomicIntegerFieldUpdater(VarHandle field) {
        this.field = field;
    }

    /**
     * An updater of a volatile field, without access checks.
     *
     * @throws IllegalArgumentException if the field is static, or not volatile, or of another type
     * @throws RuntimeException if there is no such field
     */
    public static <U> AtomicIntegerFieldUpdater<U> newUpdater(Class<U> owner, String name) {
        return new AtomicIntegerFieldUpdater<>(Handles.updated(owner, int.class, name));
    }

    public int get(T object) {
        return (int) field.getVolatile(object);
    }

    public void set(T object, int next) {
        field.setVolatile(object, next);
    }

    public void lazySet(T object, int next) {
        field.setRelease(object, next);
    }

    public boolean compareAndSet(T object, int expected, int next) {
        return field.compareAndSet(object, expected, next);
    }

    /** Orders nothing, as its contract says. */
    public boolean weakCompareAndSet(T object, int expected, int next) {
        return field.weakCompareAndSetPlain(object, expected, next);
    }

    public int getAndSet(T object, int next) {
        return (int) field.getAndSet(object, next);
    }

    public int getAndAdd(T object, int delta) {
        return (int) field.getAndAdd(object, delta);
    }

    public int getAndIncrement(T object) {
        return getAndAdd(object, 1);
    }

    public int getAndDecrement(T object) {
        return getAndAdd(object, -1);
    }

    public int addAndGet(T object, int delta) {
        return getAndAdd(object, delta) + delta;
    }

    public int incrementAndGet(T object) {
        return addAndGet(object, 1);
    }

    public int decrementAndGet(T object) {
        return addAndGet(object, -1);
    }

    public int getAndUpdate(T object, IntUnaryOperator update) {
        int now;
        do {
            now = get(object);
        } while (!compareAndSet(object, now, update.applyAsInt(now)));
        return now;
    }

    public int updateAndGet(T object, IntUnaryOperator update) {
        int now;
        int next;
        do {
            now = get(object);
            next = update.applyAsInt(now);
        } while (!compareAndSet(object, now, next));
        return next;
    }

    public int getAndAccumulate(T object, int operand, IntBinaryOperator function) {
        return getAndUpdate(object, now -> function.applyAsInt(now, operand));
    }

    public int accumulateAndGet(T object, int operand, IntBinaryOperator function) {
        return updateAndGet(object, now -> function.applyAsInt(now, operand));
    }
}
