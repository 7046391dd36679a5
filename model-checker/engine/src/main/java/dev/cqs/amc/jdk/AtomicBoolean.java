package dev.cqs.amc.jdk;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** {@link java.util.concurrent.atomic.AtomicBoolean}, over a variable that the checker observes. */
public class AtomicBoolean implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final VarHandle VALUE = Handles.own(MethodHandles.lookup(), "value", boolean.class);

    /** Accessed in the mode of the called method. */
    private volatile boolean value;

    /** Holds {@code initial} initially. */
    public AtomicBoolean(boolean initial) {
        value = initial;
    }

    /** Holds false initially. */
    public AtomicBoolean() {}

    public final boolean get() {
        return value;
    }

    public final void set(boolean next) {
        value = next;
    }

    public final boolean getPlain() {
        return (boolean) VALUE.get(this);
    }

    public final void setPlain(boolean next) {
        VALUE.set(this, next);
    }

    public final boolean getOpaque() {
        return (boolean) VALUE.getOpaque(this);
    }

    public final void setOpaque(boolean next) {
        VALUE.setOpaque(this, next);
    }

    public final boolean getAcquire() {
        return (boolean) VALUE.getAcquire(this);
    }

    public final void setRelease(boolean next) {
        VALUE.setRelease(this, next);
    }

    public final void lazySet(boolean next) {
        VALUE.setRelease(this, next);
    }

    public final boolean compareAndSet(boolean expected, boolean next) {
        return VALUE.compareAndSet(this, expected, next);
    }

    public final boolean compareAndExchange(boolean expected, boolean next) {
        return (boolean) VALUE.compareAndExchange(this, expected, next);
    }

    public final boolean compareAndExchangeAcquire(boolean expected, boolean next) {
        return (boolean) VALUE.compareAndExchangeAcquire(this, expected, next);
    }

    public final boolean compareAndExchangeRelease(boolean expected, boolean next) {
        return (boolean) VALUE.compareAndExchangeRelease(this, expected, next);
    }

    /** Orders nothing, as {@link #weakCompareAndSetPlain}. */
    @Deprecated
    public boolean weakCompareAndSet(boolean expected, boolean next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public boolean weakCompareAndSetPlain(boolean expected, boolean next) {
        return VALUE.weakCompareAndSetPlain(this, expected, next);
    }

    public final boolean weakCompareAndSetVolatile(boolean expected, boolean next) {
        return VALUE.weakCompareAndSet(this, expected, next);
    }

    public final boolean weakCompareAndSetAcquire(boolean expected, boolean next) {
        return VALUE.weakCompareAndSetAcquire(this, expected, next);
    }

    public final boolean weakCompareAndSetRelease(boolean expected, boolean next) {
        return VALUE.weakCompareAndSetRelease(this, expected, next);
    }

    public final boolean getAndSet(boolean next) {
        return (boolean) VALUE.getAndSet(this, next);
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
