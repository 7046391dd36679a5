package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@link java.util.concurrent.atomic.AtomicReference}, over a variable that the checker observes.
 *
 * @param <V> what it refers to
 */
@SuppressWarnings("unchecked") // the handle knows the erased type of its field only
public class AtomicReference<V extends @Nullable Object> implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle VALUE = Handles.own(MethodHandles.lookup(), "value", Object.class);

    /** Accessed in the mode of the called method. */
    @SuppressWarnings({"serial", "NullAway.Init"}) // serializable if what it refers to is, which may be nothing
    private volatile V value;

    /** Holds {@code initial} initially. */
    public AtomicReference(V initial) {
        value = initial;
    }

    /** Holds null initially. */
    public AtomicReference() {}

    public final V get() {
        return value;
    }

    public final void set(V next) {
        value = next;
    }

    public final V getPlain() {
        return (V) VALUE.get(this);
    }

    public final void setPlain(V next) {
        VALUE.set(this, next);
    }

    public final V getOpaque() {
        return (V) VALUE.getOpaque(this);
    }

    public final void setOpaque(V next) {
        VALUE.setOpaque(this, next);
    }

    public final V getAcquire() {
        return (V) VALUE.getAcquire(this);
    }

    public final void setRelease(V next) {
        VALUE.setRelease(this, next);
    }

    public final void lazySet(V next) {
        VALUE.setRelease(this, next);
    }

    public final boolean compareAndSet(V expected, V next) {
        return VALUE.compareAndSet(this, expected, next);
    }

    public final V compareAndExchange(V expected, V next) {
        return (V) VALUE.compareAndExchange(this, expected, next);
    }

    public final V compareAndExchangeAcquire(V expected, V next) {
        return (V) VALUE.compareAndExchangeAcquire(this, expected, next);
    }

    public final V compareAndExchangeRelease(V expected, V next) {
        return (V) VALUE.compareAndExchangeRelease(this, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public final boolean weakCompareAndSet(V expected, V next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetPlain(V expected, V next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(V expected, V next) {
        return VALUE.weakCompareAndSet(this, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(V expected, V next) {
        return VALUE.weakCompareAndSetAcquire(this, expected, next);
    }

    public final boolean weakCompareAndSetRelease(V expected, V next) {
        return VALUE.weakCompareAndSetRelease(this, expected, next);
    }

    public final V getAndSet(V next) {
        return (V) VALUE.getAndSet(this, next);
    }

    public final V getAndUpdate(UnaryOperator<V> update) {
        V now;
        do {
            now = value;
        } while (!compareAndSet(now, update.apply(now)));
        return now;
    }

    public final V updateAndGet(UnaryOperator<V> update) {
        V now;
        V next;
        do {
            now = value;
            next = update.apply(now);
        } while (!compareAndSet(now, next));
        return next;
    }

    public final V getAndAccumulate(V operand, BinaryOperator<V> function) {
        return getAndUpdate(now -> function.apply(now, operand));
    }

    public final V accumulateAndGet(V operand, BinaryOperator<V> function) {
        return updateAndGet(now -> function.apply(now, operand));
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
