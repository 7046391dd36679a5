package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * {@link java.util.concurrent.atomic.AtomicReferenceArray}, over an array that the checker observes.
 *
 * @param <E> what the elements refer to
 */
@SuppressWarnings("unchecked") // the array is one of objects, whatever they are
public class AtomicReferenceArray<E> implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);

    /** Each element is accessed in the mode of the called method. */
    @SuppressWarnings("serial") // serializable if what it refers to is
    private final Object[] array;

    /** Has {@code length} elements, all null. */
    public AtomicReferenceArray(int length) {
        array = new Object[length];
    }

    /** Has the elements of {@code original}, of which it keeps a copy. */
    public AtomicReferenceArray(E[] original) {
        array = Arrays.copyOf(original, original.length, Object[].class);
    }

    public final int length() {
        return array.length;
    }

    public final E get(int index) {
        return (E) ELEMENT.getVolatile(array, index);
    }

    public final void set(int index, E next) {
        ELEMENT.setVolatile(array, index, next);
    }

    public final E getPlain(int index) {
        return (E) ELEMENT.get(array, index);
    }

    public final void setPlain(int index, E next) {
        ELEMENT.set(array, index, next);
    }

    public final E getOpaque(int index) {
        return (E) ELEMENT.getOpaque(array, index);
    }

    public final void setOpaque(int index, E next) {
        ELEMENT.setOpaque(array, index, next);
    }

    public final E getAcquire(int index) {
        return (E) ELEMENT.getAcquire(array, index);
    }

    public final void setRelease(int index, E next) {
        ELEMENT.setRelease(array, index, next);
    }

    public final void lazySet(int index, E next) {
        ELEMENT.setRelease(array, index, next);
    }

    public final boolean compareAndSet(int index, E expected, E next) {
        return ELEMENT.compareAndSet(array, index, expected, next);
    }

    public final E compareAndExchange(int index, E expected, E next) {
        return (E) ELEMENT.compareAndExchange(array, index, expected, next);
    }

    public final E compareAndExchangeAcquire(int index, E expected, E next) {
        return (E) ELEMENT.compareAndExchangeAcquire(array, index, expected, next);
    }

    public final E compareAndExchangeRelease(int index, E expected, E next) {
        return (E) ELEMENT.compareAndExchangeRelease(array, index, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public final boolean weakCompareAndSet(int index, E expected, E next) {
        return ELEMENT.weakCompareAndSetPlain(array, index, expected, next);
    }

    public final boolean weakCompareAndSetPlain(int index, E expected, E next) {
        return ELEMENT.weakCompareAndSetPlain(array, index, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(int index, E expected, E next) {
        return ELEMENT.weakCompareAndSet(array, index, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(int index, E expected, E next) {
        return ELEMENT.weakCompareAndSetAcquire(array, index, expected, next);
    }

    public final boolean weakCompareAndSetRelease(int index, E expected, E next) {
        return ELEMENT.weakCompareAndSetRelease(array, index, expected, next);
    }

    public final E getAndSet(int index, E next) {
        return (E) ELEMENT.getAndSet(array, index, next);
    }

    public final E getAndUpdate(int index, UnaryOperator<E> update) {
        E now;
        do {
            now = get(index);
        } while (!compareAndSet(index, now, update.apply(now)));
        return now;
    }

    public final E updateAndGet(int index, UnaryOperator<E> update) {
        E now;
        E next;
        do {
            now = get(index);
            next = update.apply(now);
        } while (!compareAndSet(index, now, next));
        return next;
    }

    public final E getAndAccumulate(int index, E operand, BinaryOperator<E> function) {
        return getAndUpdate(index, now -> function.apply(now, operand));
    }

    public final E accumulateAndGet(int index, E operand, BinaryOperator<E> function) {
        return updateAndGet(index, now -> function.apply(now, operand));
    }

    @Override
    public String toString() {
        StringJoiner elements = new StringJoiner(", ", "[", "]");
        for (int i = 0; i < array.length; i++) {
            elements.add(String.valueOf(get(i)));
        }
        return elements.toString();
    }
}
