package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.threads.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Scenarios of latches. */
final class Latches {

    private Latches() {}

    /** Two threads write plain fields and count down. The waiter sees both writes. */
    static class LatchOpens {

        private final CountDownLatch latch = new CountDownLatch(2);
        private int first;
        private int second;

        @Actor
        void one() {
            first = 1;
            latch.countDown();
        }

        @Actor
        void other() {
            second = 1;
            latch.countDown();
        }

        @Actor
        int waits() throws InterruptedException {
            latch.await();
            return first + second;
        }

        @Arbiter
        void isOpen() {
            assert latch.getCount() == 0 && latch.core().queueLength() == 0;
        }
    }

    /** One waiter is in the queue when another arrives and the latch opens. */
    static class LatchOpensForTwo {

        private final CountDownLatch latch = new CountDownLatch(1);
        private final Ticket first = new Ticket();
        private int payload;

        LatchOpensForTwo() {
            latch.core().await(first, Ticket.ITSELF);
        }

        @Actor
        int waitsAlready() {
            first.await();
            return payload;
        }

        @Actor
        int waits() throws InterruptedException {
            latch.await();
            return payload;
        }

        @Actor
        void countsDown() {
            payload = 1;
            latch.countDown();
        }
    }

    /** A thread waits with a timeout, and is interrupted. */
    static class LatchIsGivenUp {

        private final CountDownLatch latch = new CountDownLatch(1);
        private volatile Thread waiting;
        private int payload;

        @Actor
        void waits() {
            waiting = Thread.currentThread();
            try {
                if (latch.await(1, TimeUnit.SECONDS)) {
                    assert payload == 1;
                }
            } catch (InterruptedException expected) {
                return;
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
        void countsDown() {
            payload = 1;
            latch.countDown();
        }
    }

    /** Three wait. The one in the middle is cancelled while the latch opens. */
    static class LatchLine {

        private final dev.cqs.sync.CountDownLatch latch = new dev.cqs.sync.CountDownLatch(1);
        private final Ticket[] line = {new Ticket(), new Ticket(), new Ticket()};
        private boolean left;

        LatchLine() {
            for (Ticket each : line) {
                latch.await(each, Ticket.ITSELF);
            }
        }

        @Actor
        void countsDown() {
            latch.countDown();
        }

        @Actor
        void leaves() {
            left = line[1].giveUp();
        }

        @Actor
        void lastLeaves() {
            if (!line[2].giveUp()) {
                line[2].await();
            }
        }

        @Arbiter
        void allOthersGoOn() {
            assert line[0].isGranted() && line[1].isGranted() != left;
            assert latch.queueLength() == 0;
        }
    }

    /** Two threads count down two stripes, and one of them opens the latch. The waiter sees what both did before. */
    static class StripedLatchOpens {

        private final CountDownLatch latch = new CountDownLatch(4);
        private int first;
        private int second;

        @Actor
        void one() {
            latch.countDown();
            first = 1;
            latch.countDown();
        }

        @Actor
        void other() {
            latch.countDown();
            second = 1;
            latch.countDown();
        }

        @Actor
        int waits() throws InterruptedException {
            latch.await();
            return first + second;
        }

        @Arbiter
        void isOpen() {
            assert latch.getCount() == 0 && latch.core().queueLength() == 0;
        }
    }

    /** Queries see a striped count only decrease, and reach zero only when the latch is open. */
    static class StripedLatchIsQueried {

        private final dev.cqs.sync.CountDownLatch latch = new dev.cqs.sync.CountDownLatch(4);

        @Actor(4)
        void countsDown() {
            latch.countDown();
        }

        @Actor
        void looks() {
            boolean open = latch.isOpen();
            int before = latch.count();
            int after = latch.count();
            assert before <= 4 && after <= before && after >= 0;
            assert !open || before == 0;
            assert after > 0 || latch.isOpen();
        }

        @Arbiter
        void isOpen() {
            assert latch.isOpen() && latch.count() == 0;
        }
    }

    /** One count-down more than the count. Two threads may find all stripes empty at the same time. */
    static class StripedLatchIsCountedTooOften {

        private final dev.cqs.sync.CountDownLatch latch = new dev.cqs.sync.CountDownLatch(4);
        private final Ticket first = new Ticket();
        private final Ticket second = new Ticket();

        StripedLatchIsCountedTooOften() {
            latch.await(first, Ticket.ITSELF);
            latch.await(second, Ticket.ITSELF);
        }

        @Actor(2)
        void countsDownTwice() {
            latch.countDown();
            latch.countDown();
        }

        @Actor
        void countsDown() {
            latch.countDown();
        }

        @Arbiter
        void bothGoOn() {
            assert first.isGranted() && second.isGranted();
            assert latch.isOpen() && latch.count() == 0 && latch.queueLength() == 0;
        }
    }
}
