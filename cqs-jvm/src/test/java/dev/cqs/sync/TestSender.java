package dev.cqs.sync;

import dev.cqs.TestWaiter;
import dev.cqs.spi.Bringer;

/** A sender that only remembers what it was resumed with. */
final class TestSender<E> extends TestWaiter implements Bringer<E> {
    private final E element;

    TestSender(E element) {
        super("sender of " + element);
        this.element = element;
    }

    @Override
    public E brought() {
        return element;
    }
}
