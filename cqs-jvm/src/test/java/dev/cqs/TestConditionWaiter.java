package dev.cqs;

import dev.cqs.spi.Closing;
import dev.cqs.spi.ConditionWaiter;

/** A waiter that also remembers what it has failed with. */
public class TestConditionWaiter extends TestWaiter implements ConditionWaiter {
    public volatile Closing closing;

    public TestConditionWaiter(String name) {
        super(name);
    }

    @Override
    public void fail(Closing closing) {
        if (this.closing != null || value != null) {
            throw new IllegalStateException(name + " has failed or been resumed before");
        }
        this.closing = closing;
    }
}
