package dev.cqs.threads;

import dev.cqs.Rendezvous;
import dev.cqs.sync.WaitFailure.Closed;
import org.jspecify.annotations.Nullable;

/** A thread that waits for a counterpart at a synchronous queue: a sender or a receiver. */
abstract class SynchronousQueueWaiter extends ThreadWaiter {
    static {
        rehearse(dev.cqs.sync.SynchronousQueue.fair());
        rehearse(dev.cqs.sync.SynchronousQueue.unfair());
    }

    /** Initializes this class, and with it what waiting needs: see {@code dev.cqs.internal.Rehearsal}. */
    static void prepare() {}

    private SynchronousQueueWaiter() {
        super(Thread.currentThread());
    }

    /** Has a thread of either side wait in a queue that belongs to no program, and be served. */
    private static void rehearse(dev.cqs.sync.SynchronousQueue<Object> unused) {
        Receiver receiver = new Receiver();
        unused.receive(receiver);
        receiver.leaveAtOnce(unused);
        Sender<Object> sender = new Sender<>("");
        unused.send(sender);
        unused.poll();
        Receiver served = new Receiver();
        unused.receive(served);
        unused.offer("");
        served.element();
    }

    /**
     * Waits for a receiver of the element. If a second look at the clock finds that the time is over, the thread does not
     * enter the queue: it could not be back in time.
     *
     * @param nanos how long to wait at most, or {@link #FOREVER}
     * @return {@code false} if the time is over: the element stays with the caller
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the queue is closed, before or meanwhile
     */
    static <E> boolean send(dev.cqs.sync.SynchronousQueue<E> queue, E element, long nanos) throws InterruptedException {
        long deadline = deadlineIn(nanos);
        if (isOver(deadline)) {
            return false;
        }
        Sender<E> sender = new Sender<>(element);
        queue.send(sender);
        return sender.isMatched(queue, deadline);
    }

    /**
     * Waits for a sender. If a second look at the clock finds that the time is over, the thread does not enter the queue: it
     * could not be back in time.
     *
     * @param nanos how long to wait at most, or {@link #FOREVER}
     * @return the element, or {@code null} if the time is over
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the queue is closed, before or meanwhile
     */
    static <E> @Nullable E receive(dev.cqs.sync.SynchronousQueue<E> queue, long nanos) throws InterruptedException {
        long deadline = deadlineIn(nanos);
        if (isOver(deadline)) {
            return null;
        }
        Receiver receiver = new Receiver();
        queue.receive(receiver);
        return receiver.isMatched(queue, deadline) ? receiver.element() : null;
    }

    /** Waits for a counterpart; false if the time is over. */
    final boolean isMatched(Object queue, long deadline) throws InterruptedException {
        End end = awaitUntil(queue, true, deadline, maySoonBeServed());
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        return end == End.GRANTED;
    }

    private static final class Sender<E> extends SynchronousQueueWaiter implements Rendezvous.Sender<E> {
        /** Published with the waiter. */
        private final E element;

        Sender(E element) {
            this.element = element;
        }

        @Override
        public E element() {
            return element;
        }
    }

    private static final class Receiver extends SynchronousQueueWaiter {
        /**
         * The value of the resume. The slot of the superclass only says that there was one, because an element may be a
         * thread. Plain: written before the slot and read after it.
         */
        private @Nullable Object outcome;

        @Override
        protected boolean tryResume(Object value) {
            outcome = value;
            return super.tryResume(this);
        }

        /** After the match; the superclass does not see that the queue was closed, because its slot holds this. */
        @SuppressWarnings({"unchecked", "NullAway"}) // what is no WaitFailure is an element of the queue
        <E> E element() {
            if (outcome instanceof Closed closing) {
                throw closing.exception();
            }
            return (E) outcome;
        }
    }
}
