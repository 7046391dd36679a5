package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.BarrierResult;
import dev.cqs.threads.CyclicBarrier;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Scenarios of cyclic barriers. */
final class Barriers {

    private Barriers() {}

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

    /** Two of three parties wait. The last one arrives, and arrives again: rounds do not mix. */
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

    /** One of two parties waits, and three more arrive. The last party of a round may stall while the next round passes. */
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

    /** Passes with a waiter that spins, so no thread parks. */
    private static void pass(dev.cqs.sync.CyclicBarrier barrier) {
        Ticket party = new Ticket();
        barrier.arrive(party);
        party.await();
        assert party.value() == BarrierResult.PASSED;
    }

    /** The last party runs an action that sees the writes of all parties, and all parties see its writes. */
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

    /**
     * The action resets the barrier, which breaks its round for the other party only. Another thread makes queries meanwhile.
     */
    static class ActionResets {

        private int actions;
        private int broken;
        private final CyclicBarrier barrier = new CyclicBarrier(2, this::act);

        private void act() {
            assert barrier.getNumberWaiting() == 2 : "not all parties of the round count as waiting";
            if (actions++ == 0) {
                barrier.reset();
            }
        }

        @Actor(2)
        void goes(int me) throws InterruptedException {
            try {
                barrier.await();
            } catch (BrokenBarrierException expected) {
                broken++; // only one of the two, since the other has passed
            }
        }

        @Actor
        void looks() {
            assert barrier.getNumberWaiting() < 2 : "a query counts the round whose action runs";
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

    /** A party waits with a timeout. */
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

    /** A party waits while another arrives and the barrier is reset. */
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

    /** As {@link BarrierIsReset} with three parties, so that no round is complete. */
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

    /** The cancellation of a party races with the last arrival. */
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
