package dev.cqs.spi;

import dev.cqs.MeetingPoint;
import dev.cqs.Waiter;
import dev.cqs.sync.SynchronousQueue;
import java.util.Objects;

/**
 * Meeting a counterpart at a synchronous queue, or waiting for one. Nobody overtakes those who wait.
 *
 * <p>Nothing is reserved before the waiter enters, so nothing has to be abandoned: a waiter that cannot be made leaves no
 * trace. {@code tryResume} of the waiter has to answer true: what cannot be used any more, because its coroutine was
 * cancelled meanwhile, say, is the adapter's to report.
 *
 * <p>Who has a waiter calls {@link #send} or {@link #receive}, perhaps after a try by {@link SynchronousQueue#offer} or
 * {@link SynchronousQueue#poll}: so coroutines, whose waiter needs the continuation. Who can make a waiter where it is needed
 * calls {@link #handOver} or {@link #takeOver} for both tries: so threads.
 *
 * <pre>{@code
 * Sender sender = null;
 * while (!steps.handOver(queue, element, sender)) {
 *     if (sender != null) return sender.await();       // it is in the queue, or resumed
 *     sender = new Sender(element);                    // nobody was there
 * }
 * return true;                                         // a receiver has it
 * }</pre>
 */
public abstract class HandOffSteps {
    /*
     * That the second try is rarely the one that meets somebody matters. If it had a branch of its own for that, the JIT
     * compiler would leave this out, having never seen it taken, and the first time it is, seconds after the start perhaps,
     * would throw away all of the compiled caller. In a loop both tries have the same branch.
     */

    /** What a sender is resumed with when its element was taken. */
    public static final Object TAKEN = new Object();

    /** For the queues of this library. */
    protected HandOffSteps() {}

    /**
     * Hands the element to a receiver that waits, or else lets the sender wait. The sender is then resumed with {@link
     * #TAKEN} or a {@link Closing}, perhaps at once.
     *
     * @param element not {@code null}; the one that the sender brings
     * @param sender {@code null} if nobody is to wait
     * @return whether a receiver has the element; the sender is then neither in the queue nor resumed
     * @throws NullPointerException if the element is {@code null}; nothing has happened then
     * @throws dev.cqs.sync.ClosedException if there is no sender, and the queue is closed
     */
    public abstract <E, W extends Waiter & Bringer<E>> boolean handOver(
            SynchronousQueue<E> queue, E element, W sender);

    /**
     * Takes the element of a sender that waits, or else lets the receiver wait. The receiver is then resumed with an element
     * or a {@link Closing}, perhaps at once.
     *
     * @param receiver {@code null} if nobody is to wait
     * @return the element of the sender, and the receiver is then neither in the queue nor resumed; or {@code null}
     * @throws dev.cqs.sync.ClosedException if there is no receiver, and the queue is closed
     */
    public abstract <E> E takeOver(SynchronousQueue<E> queue, Waiter receiver);

    /** Lets the sender wait for a receiver of what it brings. It is resumed with {@link #TAKEN} or a {@link Closing}. */
    public final <E, W extends Waiter & Bringer<E>> void send(SynchronousQueue<E> queue, W sender) {
        if (handOver(queue, sender.brought(), sender)) {
            MeetingPoint.handOver(sender, TAKEN);
        }
    }

    /** Lets the receiver wait for an element. It is resumed with that or with a {@link Closing}. */
    public final <E> void receive(SynchronousQueue<E> queue, Waiter receiver) {
        Objects.requireNonNull(receiver, "receiver");
        E element = takeOver(queue, receiver);
        if (element != null) {
            MeetingPoint.handOver(receiver, element);
        }
    }
}
