package dev.cqs;

import dev.cqs.sync.WeightedWaiter;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A waiter that records the value that it is resumed with. No thread waits, so a test can act at every moment of a wait. */
public class TestWaiter extends Waiter implements WeightedWaiter {
    /** A waiter factory for requests whose argument is the waiter. */
    public static final BiFunction<Object, TestWaiter, TestWaiter> ITSELF = (primitive, waiter) -> waiter;

    public final String name;
    private final int weight;

    /** What {@code tryResume} runs besides recording the value. It may throw. */
    public volatile Consumer<Object> onResume = value -> {};

    /** What {@code tryResume} returns. With {@code false} the waiter refuses the value, as one whose owner has gone does. */
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

    /** Records a value as if the waiter had been resumed, for a request that is granted without waiting. */
    public void resumeNow(Object value) {
        tryResume(value);
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
