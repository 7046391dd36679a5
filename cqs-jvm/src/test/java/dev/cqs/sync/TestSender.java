package dev.cqs.sync;

import dev.cqs.Rendezvous;
import dev.cqs.TestWaiter;

/** A {@link TestWaiter} that sends an element. */
final class TestSender<E> extends TestWaiter implements Rendezvous.Sender<E> {
    private final E element;

    TestSender(E element) {
        super("sender of " + element);
        this.element = element;
    }

    @Override
    public E element() {
        return element;
    }
}
