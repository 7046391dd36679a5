package dev.cqs;

import dev.cqs.sync.ConditionWaiter;
import dev.cqs.sync.WaitFailure.Closed;

/** A {@link TestWaiter} for conditions. It also records the closing that it failed with. */
public class TestConditionWaiter extends TestWaiter implements ConditionWaiter {
    public volatile Closed closing;

    public TestConditionWaiter(String name) {
        super(name);
    }

    @Override
    public void fail(Closed closing) {
        if (this.closing != null || value != null) {
            throw new IllegalStateException(name + " has failed or been resumed before");
        }
        this.closing = closing;
    }
}
