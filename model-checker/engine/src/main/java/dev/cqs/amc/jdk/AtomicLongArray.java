package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.StringJoiner;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** {@link java.util.concurrent.atomic.AtomicLongArray}, over an array that the checker observes. */
public class AtomicLongArray implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    /** Each element is accessed in the mode of the called method. */
    private final long[] array;

    /** Has {@code length} elements, all 0. */
    public AtomicLongArray(int length) {
        array = new long[length];
    }

    /** Has the elements of {@code original}, of which it keeps a copy. */
    public AtomicLongArray(long[] original) {
        array = original.clone();
    }

    public final int length() {
        return array.length;
    }

    public final long get(int index) {
        return (long) ELEMENT.getVolatile(array, index);
    }

    public final void set(int index, long next) {
        ELEMENT.setVolatile(array, index, next);
    }

    public final long getPlain(int index) {
        return (long) ELEMENT.get(array, index);
    }

    public final void setPlain(int index, long next) {
        ELEMENT.set(array, index, next);
    }

    public final long getOpaque(int index) {
        return (long) ELEMENT.getOpaque(array, index);
    }

    public final void setOpaque(int index, long next) {
        ELEMENT.setOpaque(array, index, next);
    }

    public final long getAcquire(int index) {
        return (long) ELEMENT.getAcquire(array, index);
    }

    public final void setRelease(int index, long next) {
        ELEMENT.setRelease(array, index, next);
    }

    public final void lazySet(int index, long next) {
        ELEMENT.setRelease(array, index, next);
    }

    public final boolean compareAndSet(int index, long expected, long next) {
        return ELEMENT.compareAndSet(array, index, expected, next);
    }

    public final long compareAndExchange(int index, long expected, long next) {
        return (long) ELEMENT.compareAndExchange(array, index, expected, next);
    }

    public final long compareAndExchangeAcquire(int index, long expected, long next) {
        return (long) ELEMENT.compareAndExchangeAcquire(array, index, expected, next);
    }

    public final long compareAndExchangeRelease(int index, long expected, long next) {
        return (long) ELEMENT.compareAndExchangeRelease(array, index, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public final boolean weakCompareAndSet(int index, long expected, long next) {
        return ELEMENT.weakCompareAndSetPlain(array, index, expected, next);
    }

    public final boolean weakCompareAndSetPlain(int index, long expected, long next) {
        return ELEMENT.weakCompareAndSetPlain(array, index, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(int index, long expected, long next) {
        return ELEMENT.weakCompareAndSet(array, index, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(int index, long expected, long next) {
        return ELEMENT.weakCompareAndSetAcquire(array, index, expected, next);
    }

    public final boolean weakCompareAndSetRelease(int index, long expected, long next) {
        return ELEMENT.weakCompareAndSetRelease(array, index, expected, next);
    }

    public final long getAndSet(int index, long next) {
        return (long) ELEMENT.getAndSet(array, index, next);
    }

    public final long getAndAdd(int index, long delta) {
        return (long) ELEMENT.getAndAdd(array, index, delta);
    }

    public final long getAndIncrement(int index) {
        return getAndAdd(index, 1);
    }

    public final long getAndDecrement(int index) {
        return getAndAdd(index, -1);
    }

    public final long addAndGet(int index, long delta) {
        return getAndAdd(index, delta) + delta;
    }

    public final long incrementAndGet(int index) {
        return addAndGet(index, 1);
    }

    public final long decrementAndGet(int index) {
        return addAndGet(index, -1);
    }

    public final long getAndUpdate(int index, LongUnaryOperator update) {
        long now;
        do {
            now = get(index);
        } while (!compareAndSet(index, now, update.applyAsLong(now)));
        return now;
    }

    public final long updateAndGet(int index, LongUnaryOperator update) {
        long now;
        long next;
        do {
            now = get(index);
            next = update.applyAsLong(now);
        } while (!compareAndSet(index, now, next));
        return next;
    }

    public final long getAndAccumulate(int index, long operand, LongBinaryOperator function) {
        return getAndUpdate(index, now -> function.applyAsLong(now, operand));
    }

    public final long accumulateAndGet(int index, long operand, LongBinaryOperator function) {
        return updateAndGet(index, now -> function.applyAsLong(now, operand));
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
