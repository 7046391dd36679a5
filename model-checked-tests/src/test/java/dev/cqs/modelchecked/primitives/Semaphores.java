package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.threads.Semaphore;
import java.util.concurrent.TimeUnit;

/** Scenarios of semaphores in unit mode. */
final class Semaphores {

    private Semaphores() {}

    /** A plain count that is guarded by all permits of a semaphore. */
    abstract static class Guarded {

        final Semaphore semaphore;
        /** A race, unless the semaphore orders the accesses. */
        private int count;
        // Each slot is written by one thread.
        private final int[] uses = new int[4];

        Guarded(Semaphore semaphore) {
            this.semaphore = semaphore;
        }

        final void use(int me) {
            count++;
            uses[me]++;
        }

        /** The number of free permits at the end. */
        abstract int left();

        @Arbiter
        void nothingIsLost() {
            assert count == uses[0] + uses[1] + uses[2] : "two holders did not exclude each other";
            assert semaphore.getQueueLength() == 0 : "a request is still counted as waiting";
            assert semaphore.availablePermits() == left() : "there are " + semaphore.availablePermits() + " permits";
        }
    }

    /** Two threads acquire and release one permit. */
    static class TwoTakeTurns extends Guarded {

        TwoTakeTurns() {
            super(new Semaphore(1));
        }

        @Actor(2)
        void takesTurns(int me) {
            semaphore.acquireUninterruptibly();
            use(me);
            semaphore.release();
        }

        @Override
        int left() {
            return 1;
        }
    }

    /** A permit is released to a waiter in the queue, which passes it to a request that arrives. */
    static class ComesBehindOne extends Guarded {

        private final Ticket first = new Ticket();

        ComesBehindOne() {
            super(new Semaphore(0));
            enter(semaphore.core(), first);
        }

        @Actor
        void comes() {
            semaphore.acquireUninterruptibly();
            assert first.isGranted() : "the waiter was overtaken";
            use(0);
        }

        @Actor
        void waitsAlready() {
            first.await();
            use(1);
            semaphore.release();
        }

        @Actor
        void releases() {
            use(2);
            semaphore.release();
        }

        @Override
        int left() {
            return 0;
        }
    }

    /** Enqueues a waiter without a thread. */
    static void enter(dev.cqs.sync.Semaphore semaphore, Ticket ticket) {
        assert semaphore.acquire(ticket, Ticket.ITSELF) == ticket;
    }

    /** A thread waits with a timeout. */
    static class WaitsForSomeTime extends Guarded {

        WaitsForSomeTime() {
            super(new Semaphore(0));
        }

        @Actor
        void waits() throws InterruptedException {
            if (semaphore.tryAcquire(1, TimeUnit.SECONDS)) {
                use(0);
                semaphore.release();
            }
        }

        @Actor
        void release() {
            use(1);
            semaphore.release();
        }

        @Override
        int left() {
            return 1;
        }
    }

    /** A waiting thread is interrupted while the permit is released. */
    static class IsInterrupted extends Guarded {

        private volatile Thread waiting;

        IsInterrupted() {
            super(new Semaphore(0));
        }

        @Actor
        void waits() {
            waiting = Thread.currentThread();
            try {
                semaphore.acquire();
                use(0);
                semaphore.release();
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
        void release() {
            use(2);
            semaphore.release();
        }

        @Override
        int left() {
            return 1;
        }
    }

    /** Two permits are released while a waiter in the middle is cancelled. The first of the remaining waiters are served. */
    static class LineIsServed {

        private final dev.cqs.sync.Semaphore semaphore = new dev.cqs.sync.Semaphore(0);
        private final Ticket[] line = new Ticket[3];
        private boolean left;

        LineIsServed() {
            for (int i = 0; i < line.length; i++) {
                line[i] = new Ticket();
                enter(semaphore, line[i]);
            }
        }

        @Actor(2)
        void releases(int me) {
            semaphore.release();
        }

        @Actor
        void leaves() {
            left = line[1].giveUp();
        }

        @Arbiter
        void theFirstAreServed() {
            assert line[0].isGranted();
            assert line[1].isGranted() != left;
            assert line[2].isGranted() == left;
            assert semaphore.availablePermits() == 0 && semaphore.queueLength() == (left ? 0 : 1);
        }
    }

    /** A release above the maximum is refused, and creates no permit. */
    static class ReleaseTooMany extends Guarded {

        ReleaseTooMany() {
            super(Semaphore.bounded(1));
        }

        @Actor
        void takes() {
            int uses = semaphore.tryAcquire() ? 1 : 0;
            if (uses == 1) {
                put();
            }
        }

        @Actor(2)
        void releases(int me) {
            put();
        }

        private void put() {
            try {
                semaphore.release();
            } catch (IllegalStateException expected) {
                return;
            }
        }

        @Override
        int left() {
            return 1;
        }
    }
}
