package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.StringJoiner;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** {@link java.util.concurrent.atomic.AtomicIntegerArray}, over an array that the checker observes. */
public class AtomicIntegerArray implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    /** Each element is accessed in the mode of the called method. */
    private final int[] array;

    /** Has {@code length} elements, all 0. */
    public AtomicIntegerArray(int length) {
        array = new int[length];
    }

    /** Has the elements of {@code original}, of which it keeps a copy. */
    public AtomicIntegerArray(int[] original) {
        array = original.clone();
    }

    public final int length() {
        return array.length;
    }

    public final int get(int index) {
        return (int) ELEMENT.getVolatile(array, index);
    }

    public final void set(int index, int next) {
        ELEMENT.setVolatile(array, index, next);
    }

    public final int getPlain(int index) {
        return (int) ELEMENT.get(array, index);
    }

    public final void setPlain(int index, int next) {
        ELEMENT.set(array, index, next);
    }

    public final int getOpaque(int index) {
        return (int) ELEMENT.getOpaque(array, index);
    }

    public final void setOpaque(int index, int next) {
        ELEMENT.setOpaque(array, index, next);
    }

    public final int getAcquire(int index) {
        return (int) ELEMENT.getAcquire(array, index);
    }

    public final void setRelease(int index, int next) {
        ELEMENT.setRelease(array, index, next);
    }

    public final void lazySet(int index, int next) {
        ELEMENT.setRelease(array, index, next);
    }

    public final boolean compareAndSet(int index, int expected, int next) {
        return ELEMENT.compareAndSet(array, index, expected, next);
    }

    public final int compareAndExchange(int index, int expected, int next) {
        return (int) ELEMENT.compareAndExchange(array, index, expected, next);
    }

    public final int compareAndExchangeAcquire(int index, int expected, int next) {
        return (int) ELEMENT.compareAndExchangeAcquire(array, index, expected, next);
    }

    public final int compareAndExchangeRelease(int index, int expected, int next) {
        return (int) ELEMENT.compareAndExchangeRelease(array, index, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public final boolean weakCompareAndSet(int index, int expected, int next) {
        return ELEMENT.weakCompareAndSetPlain(array, index, expected, next);
    }

    public final boolean weakCompareAndSetPlain(int index, int expected, int next) {
        return ELEMENT.weakCompareAndSetPlain(array, index, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(int index, int expected, int next) {
        return ELEMENT.weakCompareAndSet(array, index, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(int index, int expected, int next) {
        return ELEMENT.weakCompareAndSetAcquire(array, index, expected, next);
    }

    public final boolean weakCompareAndSetRelease(int index, int expected, int next) {
        return ELEMENT.weakCompareAndSetRelease(array, index, expected, next);
    }

    public final int getAndSet(int index, int next) {
        return (int) ELEMENT.getAndSet(array, index, next);
    }

    public final int getAndAdd(int index, int delta) {
        return (int) ELEMENT.getAndAdd(array, index, delta);
    }

    public final int getAndIncrement(int index) {
        return getAndAdd(index, 1);
    }

    public final int getAndDecrement(int index) {
        return getAndAdd(index, -1);
    }

    public final int addAndGet(int index, int delta) {
        return getAndAdd(index, delta) + delta;
    }

    public final int incrementAndGet(int index) {
        return addAndGet(index, 1);
    }

    public final int decrementAndGet(int index) {
        return addAndGet(index, -1);
    }

    public final int getAndUpdate(int index, IntUnaryOperator update) {
        int now;
        do {
            now = get(index);
        } while (!compareAndSet(index, now, update.applyAsInt(now)));
        return now;
    }

    public final int updateAndGet(int index, IntUnaryOperator update) {
        int now;
        int next;
        do {
            now = get(index);
            next = update.applyAsInt(now);
        } while (!compareAndSet(index, now, next));
        return next;
    }

    public final int getAndAccumulate(int index, int operand, IntBinaryOperator function) {
        return getAndUpdate(index, now -> function.applyAsInt(now, operand));
    }

    public final int accumulateAndGet(int index, int operand, IntBinaryOperator function) {
        return updateAndGet(index, now -> function.applyAsInt(now, operand));
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
