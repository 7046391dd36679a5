package dev.cqs.spi;

import dev.cqs.Waiter;
import dev.cqs.sync.SynchronousQueue;

/**
 * Waiting for a counterpart at a synchronous queue. To try without a waiter first there are {@link SynchronousQueue#offer}
 * and {@link SynchronousQueue#poll}, which overtake nobody.
 *
 * <p>Nothing is reserved before the waiter enters, so nothing has to be abandoned: a waiter that cannot be made leaves no
 * trace. Both methods return with the waiter in the queue, or resumed. {@code tryResume} of the waiter has to answer true:
 * what cannot be used any more, because its coroutine was cancelled meanwhile, say, is the adapter's to report.
 */
public abstract class HandOffSteps {
    /** What a sender is resumed with when its element was taken. */
    public static final Object TAKEN = new Object();

    /** For the queues of this library. */
    protected HandOffSteps() {}

    /** Lets the sender wait for a receiver of what it brings. It is resumed with {@link #TAKEN} or a {@link Closed}. */
    public abstract <E, W extends Waiter & Bringer<E>> void send(SynchronousQueue<E> queue, W sender);

    /** Lets the receiver wait for an element. It is resumed with that or with a {@link Closed}. */
    public abstract <E> void receive(SynchronousQueue<E> queue, Waiter receiver);
}
