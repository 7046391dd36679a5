package dev.cqs.threads;

import dev.cqs.spi.Bringer;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.HandOffSteps;
import dev.cqs.spi.SyncAccess;

/** A thread that waits for a counterpart at a synchronous queue: a sender or a receiver. */
abstract class HandOffWaiter extends ThreadWaiter {
    private static final HandOffSteps STEPS = SyncAccess.handOff();

    static {
        rehearse(dev.cqs.sync.SynchronousQueue.fair());
        rehearse(dev.cqs.sync.SynchronousQueue.unfair());
    }

    /** Initializes this class, and with it what waiting needs; see {@link ThreadWaiter#leaveAtOnce}. */
    static void prepare() {}

    private HandOffWaiter() {
        super(Thread.currentThread());
    }

    /** As {@link ThreadWaiter#leaveAtOnce}, for both sides. */
    private static void rehearse(dev.cqs.sync.SynchronousQueue<Object> nobodys) {
        Receiver receiver = new Receiver();
        STEPS.receive(nobodys, receiver);
        receiver.awaitInTime(nobodys, false, true, System.nanoTime(), receiver.maySoonBeServed());
        Sender<Object> sender = new Sender<>("");
        STEPS.send(nobodys, sender);
        nobodys.poll();
        sender.outcome();
        Receiver served = new Receiver();
        STEPS.receive(nobodys, served);
        nobodys.offer("");
        served.element();
    }

    /**
     * Waits for a receiver of the element. If the time is over by a second look at the clock, it does not enter the queue: it
     * could not be back in time.
     *
     * @param nanos how long to wait at the most, or {@link #FOREVER}
     * @return {@code false} if the time is over: the element stays with the caller
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the queue is closed, before or meanwhile
     */
    static <E> boolean send(dev.cqs.sync.SynchronousQueue<E> queue, E element, long nanos) throws InterruptedException {
        long deadline = deadline(nanos);
        if (isOver(nanos, deadline)) {
            return false;
        }
        Sender<E> sender = new Sender<>(element);
        STEPS.send(queue, sender);
        return sender.isMet(queue, nanos, deadline);
    }

    /**
     * Waits for a sender. If the time is over by a second look at the clock, it does not enter the queue: it could not be
     * back in time.
     *
     * @param nanos how long to wait at the most, or {@link #FOREVER}
     * @return the element, or {@code null} if the time is over
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the queue is closed, before or meanwhile
     */
    static <E> E receive(dev.cqs.sync.SynchronousQueue<E> queue, long nanos) throws InterruptedException {
        long deadline = deadline(nanos);
        if (isOver(nanos, deadline)) {
            return null;
        }
        Receiver receiver = new Receiver();
        STEPS.receive(queue, receiver);
        return receiver.isMet(queue, nanos, deadline) ? receiver.element() : null;
    }

    private static long deadline(long nanos) {
        return nanos == FOREVER ? 0 : System.nanoTime() + nanos;
    }

    private static boolean isOver(long nanos, long deadline) {
        return nanos != FOREVER && deadline - System.nanoTime() <= 0;
    }

    /** What it was resumed with. */
    abstract Object outcome();

    final boolean isMet(Object queue, long nanos, long deadline) throws InterruptedException {
        End end = awaitInTime(queue, true, nanos != FOREVER, deadline, maySoonBeServed());
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        if (end == End.TIMED_OUT) {
            return false;
        }
        if (outcome() instanceof Closed closing) {
            throw closing.exception();
        }
        return true;
    }

    private static final class Sender<E> extends HandOffWaiter implements Bringer<E> {
        /** Published with the waiter. */
        private final E element;

        Sender(E element) {
            this.element = element;
        }

        @Override
        public E brought() {
            return element;
        }

        @Override
        Object outcome() {
            return value();
        }
    }

    private static final class Receiver extends HandOffWaiter {
        /**
         * What it was resumed with; the slot of the superclass only says that it was, because an element may be a thread.
         * Plain: written before the slot and read after it.
         */
        private Object outcome;

        @Override
        protected boolean tryResume(Object value) {
            outcome = value;
            return super.tryResume(this);
        }

        @Override
        Object outcome() {
            return outcome;
        }

        @SuppressWarnings("unchecked") // what is no Closing is an element of the queue
        <E> E element() {
            return (E) outcome;
        }
    }
}
