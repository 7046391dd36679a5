package dev.cqs;

import dev.cqs.sync.WeightedWaiter;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A waiter that only remembers what it was resumed with. */
public class TestWaiter extends Waiter implements WeightedWaiter {
    /** For a request whose argument is its waiter. */
    public static final BiFunction<Object, TestWaiter, TestWaiter> ITSELF = (primitive, waiter) -> waiter;

    public final String name;
    private final int weight;

    /** What tryResume does besides; may throw. */
    public volatile Consumer<Object> onResume = value -> {};

    /** What tryResume answers. */
    public volatile boolean accepts = true;

    public volatile Object value;

    public TestWaiter(String name) {
        this(name, 1);
    }

    public TestWaiter(String name, int weight) {
        this.name = name;
        this.weight = weight;
    }

    @Override
    protected boolean tryResume(Object value) {
        if (accepts) {
            this.value = value;
        }
        onResume.accept(value);
        return accepts;
    }

    public boolean cancelNow() {
        return cancel();
    }

    public boolean isResumed() {
        return value != null;
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public String toString() {
        return name;
    }
}
