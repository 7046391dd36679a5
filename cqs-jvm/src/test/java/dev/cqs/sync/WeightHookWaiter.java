package dev.cqs.sync;

import dev.cqs.TestWaiter;

/**
 * A waiter that runs an action of the test when its weight is read. The drainer of a semaphore reads it between its read of
 * the state and its deduction, so the action runs in the middle of a drain.
 */
final class WeightHookWaiter extends TestWaiter {
    /** Runs at the next read of the weight, once. */
    Runnable onWeight = () -> {};

    WeightHookWaiter(int weight) {
        super("with a hook", weight);
    }

    @Override
    public int weight() {
        Runnable action = onWeight;
        onWeight = () -> {};
        action.run();
        return super.weight();
    }
}
