package dev.cqs.amc.jdk;

import dev.cqs.amc.bytecode.runtime.ThreadHooks;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A variable of which each thread has its own. No other thread can see what a thread has there, so it is no variable of the
 * graph. What the scenario's constructor sets is that of no actor, as the constructor runs in a thread of its own.
 */
@SuppressWarnings("JavaLangClash") // it stands for that
public class ThreadLocal<T extends @Nullable Object> {

    private final Supplier<? extends T> initial;

    /** A variable that is null at first, unless a subclass says otherwise. */
    public ThreadLocal() {
        this(() -> null);
    }

    private ThreadLocal(Supplier<? extends T> initial) {
        this.initial = Objects.requireNonNull(initial);
    }

    /** A variable whose first value comes from {@code supplier}. */
    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        return new ThreadLocal<>(supplier);
    }

    /** The value at first. */
    protected T initialValue() {
        return initial.get();
    }

    /** The value of the thread that calls. */
    @SuppressWarnings({"unchecked", "NullAway"}) // what is there is a T
    public T get() {
        if (!ThreadHooks.hasThreadLocal(this)) {
            ThreadHooks.setThreadLocal(this, initialValue());
        }
        return (T) ThreadHooks.getThreadLocal(this);
    }

    /** Sets the value of the thread that calls. */
    public void set(T value) {
        ThreadHooks.setThreadLocal(this, value);
    }

    /** Has the value of the thread that calls be the first one again when it is asked for. */
    public void remove() {
        ThreadHooks.removeThreadLocal(this);
    }
}
