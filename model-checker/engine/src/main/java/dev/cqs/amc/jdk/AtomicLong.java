package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** {@link java.util.concurrent.atomic.AtomicLong}, over a variable that the checker observes. */
public class AtomicLong extends Number implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle VALUE = Handles.own(MethodHandles.lookup(), "value", long.class);

    /** Accessed in the mode of the called method. */
    private volatile long value;

    /** Holds {@code initial} initially. */
    public AtomicLong(long initial) {
        value = initial;
    }

    /** Holds 0 initially. */
    public AtomicLong() {}

    public final long get() {
        return value;
    }

    public final void set(long next) {
        value = next;
    }

    public final long getPlain() {
        return (long) VALUE.get(this);
    }

    public final void setPlain(long next) {
        VALUE.set(this, next);
    }

    public final long getOpaque() {
        return (long) VALUE.getOpaque(this);
    }

    public final void setOpaque(long next) {
        VALUE.setOpaque(this, next);
    }

    public final long getAcquire() {
        return (long) VALUE.getAcquire(this);
    }

    public final void setRelease(long next) {
        VALUE.setRelease(this, next);
    }

    public final void lazySet(long next) {
        VALUE.setRelease(this, next);
    }

    public final boolean compareAndSet(long expected, long next) {
        return VALUE.compareAndSet(this, expected, next);
    }

    public final long compareAndExchange(long expected, long next) {
        return (long) VALUE.compareAndExchange(this, expected, next);
    }

    public final long compareAndExchangeAcquire(long expected, long next) {
        return (long) VALUE.compareAndExchangeAcquire(this, expected, next);
    }

    public final long compareAndExchangeRelease(long expected, long next) {
        return (long) VALUE.compareAndExchangeRelease(this, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public final boolean weakCompareAndSet(long expected, long next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetPlain(long expected, long next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(long expected, long next) {
        return VALUE.weakCompareAndSet(this, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(long expected, long next) {
        return VALUE.weakCompareAndSetAcquire(this, expected, next);
    }

    public final boolean weakCompareAndSetRelease(long expected, long next) {
        return VALUE.weakCompareAndSetRelease(this, expected, next);
    }

    public final long getAndSet(long next) {
        return (long) VALUE.getAndSet(this, next);
    }

    public final long getAndAdd(long delta) {
        return (long) VALUE.getAndAdd(this, delta);
    }

    public final long getAndIncrement() {
        return getAndAdd(1);
    }

    public final long getAndDecrement() {
        return getAndAdd(-1);
    }

    public final long addAndGet(long delta) {
        return getAndAdd(delta) + delta;
    }

    public final long incrementAndGet() {
        return addAndGet(1);
    }

    public final long decrementAndGet() {
        return addAndGet(-1);
    }

    public final long getAndUpdate(LongUnaryOperator update) {
        long now;
        do {
            now = value;
        } while (!compareAndSet(now, update.applyAsLong(now)));
        return now;
    }

    public final long updateAndGet(LongUnaryOperator update) {
        long now;
        long next;
        do {
            now = value;
            next = update.applyAsLong(now);
        } while (!compareAndSet(now, next));
        return next;
    }

    public final long getAndAccumulate(long operand, LongBinaryOperator function) {
        return getAndUpdate(now -> function.applyAsLong(now, operand));
    }

    public final long accumulateAndGet(long operand, LongBinaryOperator function) {
        return updateAndGet(now -> function.applyAsLong(now, operand));
    }

    @Override
    public int intValue() {
        return (int) value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public float floatValue() {
        return value;
    }

    @Override
    public double doubleValue() {
        return value;
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
