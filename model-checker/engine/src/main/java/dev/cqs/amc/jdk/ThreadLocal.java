package dev.cqs.amc.jdk;

import dev.cqs.amc.bytecode.runtime.ThreadHooks;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread-local variable. No other thread can access its value, so it is not in the graph. A value that the scenario's
 * constructor sets belongs to no actor, because the constructor runs in a thread of its own.
 */
@SuppressWarnings("JavaLangClash") // it stands for that
public class ThreadLocal<T extends @Nullable Object> {

    private final Supplier<? extends T> initial;

    /** A variable that is initially null, unless a subclass overrides {@link #initialValue}. */
    public ThreadLocal() {
        this(() -> null);
    }

    private ThreadLocal(Supplier<? extends T> initial) {
        this.initial = Objects.requireNonNull(initial);
    }

    /** A variable whose initial value comes from {@code supplier}. */
    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        return new ThreadLocal<>(supplier);
    }

    /** The initial value. */
    protected T initialValue() {
        return initial.get();
    }

    /** The value of the calling thread. */
    @SuppressWarnings({"unchecked", "NullAway"}) // what is there is a T
    public T get() {
        if (!ThreadHooks.hasThreadLocal(this)) {
            ThreadHooks.setThreadLocal(this, initialValue());
        }
        return (T) ThreadHooks.getThreadLocal(this);
    }

    /** Sets the value of the calling thread. */
    public void set(T value) {
        ThreadHooks.setThreadLocal(this, value);
    }

    /** Removes the value of the calling thread, so that the next read gives the initial value. */
    public void remove() {
        ThreadHooks.removeThreadLocal(this);
    }
}
