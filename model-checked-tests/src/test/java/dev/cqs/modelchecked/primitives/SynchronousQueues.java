package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.ClosedException;
import dev.cqs.threads.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Scenarios of synchronous queues, each for a fair and an unfair queue. */
final class SynchronousQueues {

    private SynchronousQueues() {}

    /** The element, with a plain field. */
    static final class Parcel {

        int content;

        Parcel(int content) {
            this.content = content;
        }
    }

    /** Each sent number is received once, or stays with its sender. */
    abstract static class Queue {

        final SynchronousQueue<Parcel> queue;
        // Each slot is written by one thread.
        final int[] sent = new int[3];
        final int[] received = new int[3];

        Queue(boolean fair) {
            queue = new SynchronousQueue<>(fair);
        }

        final void received(int me, Parcel parcel) {
            if (parcel != null) {
                received[me] = parcel.content;
                parcel.content = 0;
            }
        }

        @Arbiter
        void allThatWasSentWasReceived() {
            assert sent[0] + sent[1] + sent[2] == received[0] + received[1] + received[2];
            assert !queue.offer(new Parcel(1)) && queue.poll() == null : "a waiter is left";
        }
    }

    abstract static class PutTake extends Queue {

        PutTake(boolean fair) {
            super(fair);
        }

        @Actor
        void puts() throws InterruptedException {
            sent[0] = 1;
            queue.put(new Parcel(1));
        }

        @Actor
        void takes() throws InterruptedException {
            received(1, queue.take());
        }
    }

    static class FairPutTake extends PutTake {
        FairPutTake() {
            super(true);
        }
    }

    static class UnfairPutTake extends PutTake {
        UnfairPutTake() {
            super(false);
        }
    }

    /** Both wait with a timeout. */
    abstract static class ForSomeTime extends Queue {

        ForSomeTime(boolean fair) {
            super(fair);
        }

        @Actor
        void offers() throws InterruptedException {
            if (queue.offer(new Parcel(1), 1, TimeUnit.SECONDS)) {
                sent[0] = 1;
            }
        }

        @Actor
        void polls() throws InterruptedException {
            received(1, queue.poll(1, TimeUnit.SECONDS));
        }
    }

    static class FairForSomeTime extends ForSomeTime {
        FairForSomeTime() {
            super(true);
        }
    }

    static class UnfairForSomeTime extends ForSomeTime {
        UnfairForSomeTime() {
            super(false);
        }
    }

    /** A waiting receiver is interrupted while a sender arrives that does not wait. */
    abstract static class IsInterrupted extends Queue {

        private volatile Thread waiting;

        IsInterrupted(boolean fair) {
            super(fair);
        }

        @Actor
        void polls() {
            waiting = Thread.currentThread();
            try {
                received(0, queue.poll(1, TimeUnit.SECONDS));
            } catch (InterruptedException expected) {
                assert !Thread.currentThread().isInterrupted();
            }
        }

        @Actor
        void interrupts() {
            Thread thread = waiting;
            if (thread != null) {
                thread.interrupt();
            }
        }

        @Actor
        void offers() {
            if (queue.offer(new Parcel(1))) {
                sent[2] = 1;
            }
        }
    }

    static class FairIsInterrupted extends IsInterrupted {
        FairIsInterrupted() {
            super(true);
        }
    }

    static class UnfairIsInterrupted extends IsInterrupted {
        UnfairIsInterrupted() {
            super(false);
        }
    }

    /** A receiver waits in a queue that is closed. */
    abstract static class Closed {

        final SynchronousQueue<Parcel> queue;
        final Ticket waiting = new Ticket();

        Closed(boolean fair) {
            queue = new SynchronousQueue<>(fair);
            queue.core().receive(waiting);
        }

        @Actor
        void closes() {
            queue.close(null);
        }
    }

    /** Another receiver arrives. */
    abstract static class CloseAndCome extends Closed {

        private final Ticket late = new Ticket();

        CloseAndCome(boolean fair) {
            super(fair);
        }

        @Actor
        void comes() {
            queue.core().receive(late);
        }

        @Arbiter
        void bothFail() {
            assert waiting.value() instanceof dev.cqs.sync.WaitFailure.Closed
                    && late.value() instanceof dev.cqs.sync.WaitFailure.Closed;
            assert queue.waitingReceivers() == 0;
        }
    }

    static class FairCloseAndCome extends CloseAndCome {
        FairCloseAndCome() {
            super(true);
        }
    }

    static class UnfairCloseAndCome extends CloseAndCome {
        UnfairCloseAndCome() {
            super(false);
        }
    }

    /** Two senders arrive. */
    abstract static class CloseAndOffer extends Closed {

        private final boolean[] sent = new boolean[2];

        CloseAndOffer(boolean fair) {
            super(fair);
        }

        @Actor(2)
        void offers(int me) {
            try {
                sent[me] = queue.offer(new Parcel(1));
            } catch (ClosedException expected) {
                assert queue.isClosed();
            }
        }

        @Arbiter
        void isServedOrFails() {
            assert !(sent[0] && sent[1]) && waiting.isGranted();
            assert waiting.value() instanceof Parcel == (sent[0] || sent[1]);
        }
    }

    static class FairCloseAndOffer extends CloseAndOffer {
        FairCloseAndOffer() {
            super(true);
        }
    }

    static class UnfairCloseAndOffer extends CloseAndOffer {
        UnfairCloseAndOffer() {
            super(false);
        }
    }
}
