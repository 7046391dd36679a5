package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.primitives.Semaphores.Guarded;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.sync.WeightedWaiter;
import dev.cqs.threads.Semaphore;
import java.util.concurrent.TimeUnit;

/** Scenarios of semaphores in weighted mode: requests for two permits, resizes, and closes. */
final class WeightedSemaphores {

    private WeightedSemaphores() {}

    /** One thread acquires both permits, the other acquires one. */
    static class TwoBesideOne extends Guarded {

        TwoBesideOne() {
            super(new Semaphore(2));
        }

        @Actor
        void wantsTwo() {
            semaphore.acquireUninterruptibly(2);
            use(0);
            semaphore.release(2);
        }

        @Actor
        void wantsOne() {
            semaphore.acquireUninterruptibly();
            use(1);
            semaphore.release();
        }

        @Override
        int left() {
            return 2;
        }
    }

    /** A request for both permits waits, and holds none meanwhile. */
    static class TwoWhileOneIsOut extends Guarded {

        TwoWhileOneIsOut() {
            super(Semaphore.bounded(2));
            semaphore.tryAcquire();
        }

        @Actor
        void wantsTwo() {
            semaphore.acquireUninterruptibly(2);
            use(0);
            semaphore.release(2);
        }

        @Actor
        void putsBack() {
            use(1);
            semaphore.release();
        }

        @Override
        int left() {
            return 2;
        }
    }

    /** A request for both permits times out, and requests behind it are served. */
    static class TwoForSomeTime extends Guarded {

        private final Ticket behind = new Ticket();

        TwoForSomeTime() {
            super(Semaphore.bounded(2));
            semaphore.tryAcquire();
        }

        @Actor
        void wantsTwo() throws InterruptedException {
            if (semaphore.tryAcquire(2, 1, TimeUnit.SECONDS)) {
                use(0);
                semaphore.release(2);
            }
        }

        @Actor
        void wantsOne() {
            if (semaphore.core().acquire(behind, Ticket.ITSELF) != null) {
                behind.await();
            }
            semaphore.release(2);
        }

        @Override
        int left() {
            return 2;
        }
    }

    /** A request for two permits, without a thread. */
    static final class PairTicket extends Ticket implements WeightedWaiter {

        @Override
        public int weight() {
            return 2;
        }
    }

    /** The head waits for two permits, of which one is free. A request for one permit waits behind it. */
    abstract static class PairAtTheHead {

        final dev.cqs.sync.Semaphore semaphore = dev.cqs.sync.Semaphore.bounded(2, 1);
        final Ticket behind = new Ticket();
        private final Ticket couple = new PairTicket();
        private boolean left;

        PairAtTheHead() {
            semaphore.acquire(2, couple, Ticket.ITSELF);
            Semaphores.enter(semaphore, behind);
            assert !behind.isGranted();
        }

        @Actor
        void leaves() {
            left = couple.giveUp();
        }

        final boolean hasLeft() {
            assert couple.isGranted() != left;
            return left;
        }
    }

    /** The head is cancelled while another permit is released. */
    static class HeadLeavesOrFits extends PairAtTheHead {

        @Actor
        void releases() {
            semaphore.release();
        }

        @Arbiter
        void whoFitsIsServed() {
            assert behind.isGranted() == hasLeft();
            assert semaphore.availablePermits() == (hasLeft() ? 1 : 0)
                    && semaphore.queueLength() == (hasLeft() ? 0 : 1);
        }
    }

    /** The head is cancelled while another thread tries to acquire two permits. */
    static class HeadLeaves extends PairAtTheHead {

        @Actor
        void tries() {
            assert !semaphore.tryAcquire(2);
        }

        @Arbiter
        void whoFitsIsServed() {
            assert hasLeft() && behind.isGranted();
            assert semaphore.availablePermits() == 0 && semaphore.queueLength() == 0;
        }
    }

    /** A request for no permits, without a thread. */
    static final class Nothing extends Ticket implements WeightedWaiter {

        @Override
        public int weight() {
            return 0;
        }
    }

    /** The first has waited since unit mode, and leaves; the one behind it wants no permit, and only its turn. */
    static class HeadOfUnitModeLeaves {

        private final dev.cqs.sync.Semaphore semaphore = new dev.cqs.sync.Semaphore(0);
        private final Ticket unit = new Ticket();
        private final Ticket behind = new Nothing();

        HeadOfUnitModeLeaves() {
            Semaphores.enter(semaphore, unit);
            semaphore.acquire(0, behind, Ticket.ITSELF);
            assert !behind.isGranted();
        }

        @Actor
        void leaves() {
            assert unit.giveUp();
        }

        @Actor
        void tries() {
            assert !semaphore.tryAcquire();
        }

        @Arbiter
        void theOneBehindHasHadItsTurn() {
            assert behind.isGranted() && semaphore.queueLength() == 0;
        }
    }

    /** A semaphore grows while a thread waits. */
    static class Grows extends Guarded {

        Grows() {
            super(Semaphore.bounded(1));
            semaphore.tryAcquire();
        }

        @Actor
        void waits() {
            semaphore.acquireUninterruptibly();
        }

        @Actor
        void resizes() {
            semaphore.resize(2);
        }

        @Override
        int left() {
            return 0;
        }
    }

    /** A semaphore shrinks while a thread requests more than the new maximum. */
    static class Shrinks extends Guarded {

        Shrinks() {
            super(Semaphore.bounded(2));
        }

        @Actor
        void wantsTwo() {
            try {
                semaphore.acquireUninterruptibly(2);
            } catch (IllegalArgumentException tooMany) {
                return;
            }
            use(0);
            semaphore.release(2);
        }

        @Actor
        void resizes() {
            semaphore.resize(1);
        }

        @Override
        int left() {
            return 1;
        }
    }

    /** A semaphore is closed while a request arrives. */
    static class Closes extends Guarded {

        Closes() {
            super(new Semaphore(0));
        }

        @Actor
        void waits() {
            try {
                semaphore.acquireUninterruptibly();
                throw new AssertionError("granted without a permit");
            } catch (ClosedException expected) {
                use(0);
            }
        }

        @Actor
        void closes() {
            semaphore.core().close(null);
        }

        @Override
        int left() {
            return 0;
        }
    }

    /** A semaphore is closed while a permit is released to waiters. */
    static class LineCloses {

        private final dev.cqs.sync.Semaphore semaphore = new dev.cqs.sync.Semaphore(0);
        private final Ticket[] line = {new Ticket(), new Ticket()};

        LineCloses() {
            Semaphores.enter(semaphore, line[0]);
            Semaphores.enter(semaphore, line[1]);
        }

        @Actor
        void closes() {
            semaphore.close(null);
        }

        @Actor
        void releases() {
            semaphore.release();
        }

        @Arbiter
        void allAreServedOrFail() {
            int failed = (line[0].value() instanceof Closed ? 1 : 0) + (line[1].value() instanceof Closed ? 1 : 0);
            assert line[0].isGranted() && line[1].isGranted() && failed >= 1;
            assert semaphore.availablePermits() == failed - 1 && semaphore.queueLength() == 0;
        }
    }
}
