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

/** Threads at a semaphore in weighted mode: some want two permits, it is resized, or closed. */
final class WeightedSemaphores {

    private WeightedSemaphores() {}

    /** One wants both permits, the other one of them. */
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

    /** One waits for both permits, and holds none meanwhile. */
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

    /** Who waits for both permits gives up after some time, and those behind are served. */
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

    /** Somebody who waits for two permits, without a thread. */
    static final class Couple extends Ticket implements WeightedWaiter {

        @Override
        public int weight() {
            return 2;
        }
    }

    /** The first in line waits for two permits, of which one is free, and somebody behind it for one. */
    abstract static class Couples {

        final dev.cqs.sync.Semaphore semaphore = dev.cqs.sync.Semaphore.bounded(2, 1);
        final Ticket behind = new Ticket();
        private final Ticket couple = new Couple();
        private boolean left;

        Couples() {
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

    /** The first leaves while another permit comes. */
    static class HeadLeavesOrFits extends Couples {

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

    /** The first leaves, and somebody wants two permits who does not wait. */
    static class HeadLeaves extends Couples {

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

    /** A semaphore grows while somebody waits. */
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

    /** A semaphore shrinks while somebody wants more than it has then. */
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

    /** A semaphore is closed while somebody comes to wait. */
    static class Closes extends Guarded {

        Closes() {
            super(new Semaphore(0));
        }

        @Actor
        void waits() {
            try {
                semaphore.acquireUninterruptibly();
                throw new AssertionError("there is no permit");
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

    /** A semaphore is closed while a permit comes to a line. */
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
