package dev.cqs.sync;

import dev.cqs.Rendezvous;
import dev.cqs.TestWaiter;

/** A sender that only remembers what it was resumed with. */
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
