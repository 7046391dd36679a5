package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.BarrierResult;
import dev.cqs.threads.CountDownLatch;
import dev.cqs.threads.CyclicBarrier;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that wait for each other: at a latch and at a cyclic barrier. */
final class Barriers {

    private Barriers() {}

    // Latch

    /** Two count down, each behind a plain step of its own; who waits sees both. */
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

    /** One waits already when another one comes and the latch opens. */
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

    /** One waits for some time, and is interrupted. */
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

    /** Of three in line, the one in the middle leaves while the latch opens. */
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

    /** Two take what there is in two parts, and one of them opens; who waits sees what both have done before. */
    static class DividedLatchOpens {

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

    /** Whoever looks at a divided count sees it go down, to zero only when the latch is open. */
    static class DividedLatchIsLookedAt {

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

    /** One more counts down than there is to count, and two may find nothing in any part at the same time. */
    static class DividedLatchIsCountedTooOften {

        private final dev.cqs.sync.CountDownLatch latch = new dev.cqs.sync.CountDownLatch(4);
        private final Ticket first = new Ticket();
        private final Ticket second = new Ticket();

        DividedLatchIsCountedTooOften() {
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

    // Barrier

    /** Two parties, two rounds: each sees what the other did before the round, and nothing that it does after the next. */
    static class BarrierOfTwoRounds {

        private final dev.cqs.sync.CyclicBarrier barrier = new dev.cqs.sync.CyclicBarrier(2);
        private final int[] step = new int[2];

        @Actor(2)
        void goes(int me) {
            step[me] = 1;
            pass(barrier);
            assert step[1 - me] == 1;
            pass(barrier);
            step[1 - me] = 2;
        }

        @Arbiter
        void isWhole() {
            assert !barrier.isBroken() && barrier.waiting() == 0;
        }
    }

    /** The last of three parties comes while the first two wait, and comes again: rounds do not mix. */
    static class BarrierOfThree {

        private final dev.cqs.sync.CyclicBarrier barrier = new dev.cqs.sync.CyclicBarrier(3);
        private final Ticket first = new Ticket();
        private final int[] step = new int[2];

        BarrierOfThree() {
            barrier.arrive(first);
        }

        @Actor(2)
        void goes(int me) {
            step[me] = 1;
            pass(barrier);
            assert step[1 - me] == 1;
        }

        @Actor
        int waits() {
            first.await();
            return step[0] + step[1];
        }

        @Arbiter
        void isWhole() {
            assert !barrier.isBroken() && barrier.waiting() == 0;
        }
    }

    /** One of two parties waits, and three more arrive: the last party of a round may stall while the next round passes. */
    static class BarrierOfTwoForFour {

        private final dev.cqs.sync.CyclicBarrier barrier = new dev.cqs.sync.CyclicBarrier(2);
        private final Ticket first = new Ticket();

        BarrierOfTwoForFour() {
            barrier.arrive(first);
        }

        @Actor(3)
        void passes() {
            pass(barrier);
        }

        @Arbiter
        void allHavePassed() {
            assert first.value() == BarrierResult.PASSED;
            assert !barrier.isBroken() && barrier.waiting() == 0;
        }
    }

    /** Without a thread to park. */
    private static void pass(dev.cqs.sync.CyclicBarrier barrier) {
        Ticket party = new Ticket();
        barrier.arrive(party);
        party.await();
        assert party.value() == BarrierResult.PASSED;
    }

    /** The last party runs an action that sees all, and is seen by all. */
    static class BarrierWithAction {

        private final int[] step = new int[2];
        private int sum;
        private final CyclicBarrier barrier = new CyclicBarrier(2, this::add);

        private void add() {
            sum += step[0] + step[1];
        }

        @Actor(2)
        void goes(int me) throws InterruptedException, BrokenBarrierException {
            step[me] = 1;
            barrier.await();
            assert sum == 2;
        }
    }

    /** The action resets the barrier: its round is broken for the other party alone. Somebody looks meanwhile. */
    static class ActionResets {

        private int actions;
        private int broken;
        private final CyclicBarrier barrier = new CyclicBarrier(2, this::act);

        private void act() {
            assert barrier.getNumberWaiting() == 2 : "not all of its round";
            if (actions++ == 0) {
                barrier.reset();
            }
        }

        @Actor(2)
        void goes(int me) throws InterruptedException {
            try {
                barrier.await();
            } catch (BrokenBarrierException expected) {
                broken++; // one of the two alone: the other has passed
            }
        }

        @Actor
        void looks() {
            assert barrier.getNumberWaiting() < 2 : "asked about a round whose action runs";
        }

        @Arbiter
        void isWhole() {
            assert actions == 1 && broken == 1;
            assert !barrier.isBroken() && barrier.getNumberWaiting() == 0;
        }
    }

    /** A party is interrupted: both pass, or the barrier is broken for both. */
    static class BarrierIsBroken {

        private final CyclicBarrier barrier = new CyclicBarrier(2);
        private volatile Thread waiting;
        private boolean interrupted;
        private boolean broken;

        @Actor
        void isInterrupted() throws BrokenBarrierException {
            waiting = Thread.currentThread();
            try {
                barrier.await();
            } catch (InterruptedException expected) {
                interrupted = true;
            }
        }

        @Actor
        void goes() throws InterruptedException {
            try {
                barrier.await();
            } catch (BrokenBarrierException expected) {
                broken = true;
            }
        }

        @Actor
        void interrupts() {
            Thread thread = waiting;
            if (thread != null) {
                thread.interrupt();
            }
        }

        @Arbiter
        void bothOrNobody() {
            assert interrupted == broken && barrier.isBroken() == broken;
        }
    }

    /** A party waits for some time only. */
    static class BarrierForSomeTime {

        private final CyclicBarrier barrier = new CyclicBarrier(2);
        private boolean late;
        private boolean broken;

        @Actor
        void waits() throws InterruptedException, BrokenBarrierException {
            try {
                barrier.await(1, TimeUnit.SECONDS);
            } catch (TimeoutException expected) {
                late = true;
            }
        }

        @Actor
        void goes() throws InterruptedException {
            try {
                barrier.await();
            } catch (BrokenBarrierException expected) {
                broken = true;
            }
        }

        @Arbiter
        void bothOrNobody() {
            assert late == broken && barrier.isBroken() == broken;
        }
    }

    /** A party that waits in line, while another comes, and the barrier is reset. */
    static class BarrierIsReset {

        private final dev.cqs.sync.CyclicBarrier barrier = new dev.cqs.sync.CyclicBarrier(2);
        private final Ticket first = new Ticket();
        private boolean passed;
        private Object met;

        BarrierIsReset() {
            barrier.arrive(first);
        }

        @Actor
        void comes() {
            Ticket second = new Ticket();
            passed = barrier.arrive(second) == 0;
        }

        @Actor
        void resets() {
            barrier.reset();
        }

        @Actor
        void waits() {
            first.await();
            met = first.value();
        }

        @Arbiter
        void theSameForBoth() {
            assert met == (passed ? BarrierResult.PASSED : BarrierResult.BROKEN);
            assert !barrier.isBroken() && barrier.waiting() == (passed ? 0 : 1);
        }
    }

    /** The same with three parties, so that no round is complete. */
    static class BarrierOfThreeIsReset {

        private final dev.cqs.sync.CyclicBarrier barrier = new dev.cqs.sync.CyclicBarrier(3);
        private final Ticket first = new Ticket();
        private final Ticket second = new Ticket();
        private int missing;

        BarrierOfThreeIsReset() {
            barrier.arrive(first);
        }

        @Actor
        void comes() {
            missing = barrier.arrive(second);
        }

        @Actor
        void resets() {
            barrier.reset();
        }

        @Arbiter
        void roundsDoNotMix() {
            assert first.value() == BarrierResult.BROKEN && !barrier.isBroken();
            assert second.isGranted()
                    ? second.value() == BarrierResult.BROKEN && missing == 1 && barrier.waiting() == 0
                    : missing == 2 && barrier.waiting() == 1;
        }
    }

    /** A party that gives up races with the last one. */
    static class BarrierPartyLeaves {

        private final dev.cqs.sync.CyclicBarrier barrier = new dev.cqs.sync.CyclicBarrier(3);
        private final Ticket first = new Ticket();
        private final Ticket second = new Ticket();
        private boolean left;
        private final Ticket third = new Ticket();

        BarrierPartyLeaves() {
            barrier.arrive(first);
            barrier.arrive(second);
        }

        @Actor
        void comes() {
            barrier.arrive(third);
        }

        @Actor
        void leaves() {
            left = first.giveUp();
        }

        @Actor
        void waits() {
            second.await();
        }

        @Arbiter
        void theSameForAll() {
            assert third.value() == (left ? BarrierResult.BROKEN : BarrierResult.PASSED);
            assert second.value() == (left ? BarrierResult.BROKEN : BarrierResult.PASSED);
            assert first.isGranted() != left;
        }
    }
}
