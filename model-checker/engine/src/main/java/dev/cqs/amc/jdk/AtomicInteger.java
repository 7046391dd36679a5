package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** {@link java.util.concurrent.atomic.AtomicInteger}, over a variable that the checker observes. */
public class AtomicInteger extends Number implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle VALUE = Handles.own(MethodHandles.lookup(), "value", int.class);

    /** Accessed in the mode of the called method. */
    private volatile int value;

    /** Holds {@code initial} initially. */
    public AtomicInteger(int initial) {
        value = initial;
    }

    /** Holds 0 initially. */
    public AtomicInteger() {}

    public final int get() {
        return value;
    }

    public final void set(int next) {
        value = next;
    }

    public final int getPlain() {
        return (int) VALUE.get(this);
    }

    public final void setPlain(int next) {
        VALUE.set(this, next);
    }

    public final int getOpaque() {
        return (int) VALUE.getOpaque(this);
    }

    public final void setOpaque(int next) {
        VALUE.setOpaque(this, next);
    }

    public final int getAcquire() {
        return (int) VALUE.getAcquire(this);
    }

    public final void setRelease(int next) {
        VALUE.setRelease(this, next);
    }

    public final void lazySet(int next) {
        VALUE.setRelease(this, next);
    }

    public final boolean compareAndSet(int expected, int next) {
        return VALUE.compareAndSet(this, expected, next);
    }

    public final int compareAndExchange(int expected, int next) {
        return (int) VALUE.compareAndExchange(this, expected, next);
    }

    public final int compareAndExchangeAcquire(int expected, int next) {
        return (int) VALUE.compareAndExchangeAcquire(this, expected, next);
    }

    public final int compareAndExchangeRelease(int expected, int next) {
        return (int) VALUE.compareAndExchangeRelease(this, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public final boolean weakCompareAndSet(int expected, int next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetPlain(int expected, int next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(int expected, int next) {
        return VALUE.weakCompareAndSet(this, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(int expected, int next) {
        return VALUE.weakCompareAndSetAcquire(this, expected, next);
    }

    public final boolean weakCompareAndSetRelease(int expected, int next) {
        return VALUE.weakCompareAndSetRelease(this, expected, next);
    }

    public final int getAndSet(int next) {
        return (int) VALUE.getAndSet(this, next);
    }

    public final int getAndAdd(int delta) {
        return (int) VALUE.getAndAdd(this, delta);
    }

    public final int getAndIncrement() {
        return getAndAdd(1);
    }

    public final int getAndDecrement() {
        return getAndAdd(-1);
    }

    public final int addAndGet(int delta) {
        return getAndAdd(delta) + delta;
    }

    public final int incrementAndGet() {
        return addAndGet(1);
    }

    public final int decrementAndGet() {
        return addAndGet(-1);
    }

    public final int getAndUpdate(IntUnaryOperator update) {
        int now;
        do {
            now = value;
        } while (!compareAndSet(now, update.applyAsInt(now)));
        return now;
    }

    public final int updateAndGet(IntUnaryOperator update) {
        int now;
        int next;
        do {
            now = value;
            next = update.applyAsInt(now);
        } while (!compareAndSet(now, next));
        return next;
    }

    public final int getAndAccumulate(int operand, IntBinaryOperator function) {
        return getAndUpdate(now -> function.applyAsInt(now, operand));
    }

    public final int accumulateAndGet(int operand, IntBinaryOperator function) {
        return updateAndGet(now -> function.applyAsInt(now, operand));
    }

    @Override
    public int intValue() {
        return value;
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
