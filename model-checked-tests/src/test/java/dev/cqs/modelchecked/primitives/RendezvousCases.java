package dev.cqs.modelchecked.primitives;

import dev.cqs.Rendezvous;
import dev.cqs.Rendezvous.Side;
import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;

/** Scenarios of the rendezvous, each for the fair and the unfair one. */
final class RendezvousCases {

    private RendezvousCases() {}

    /** A caller that passes a plain number to its counterpart, or gets one from it. */
    static final class Caller extends Ticket {

        int brought;
    }

    /** Callers that spin until they are resumed, so no thread parks. */
    abstract static class Exchange {

        static final Object TAKEN = "taken";

        final Rendezvous rendezvous;
        private final int[] sent = new int[2];
        private final int[] received = new int[2];

        Exchange(Rendezvous rendezvous) {
            this.rendezvous = rendezvous;
        }

        /** Sends {@code number}, and waits for a receiver. */
        final void send(int me, int number) {
            Caller sender = new Caller();
            sender.brought = number;
            end(me, sender, number, rendezvous.matchOrEnqueue(Side.SENDER, sender), false);
        }

        /** Sends {@code number}, unless it can be cancelled. */
        final void sendOrLeave(int me, int number) {
            Caller sender = new Caller();
            sender.brought = number;
            end(me, sender, number, rendezvous.matchOrEnqueue(Side.SENDER, sender), true);
        }

        private void end(int me, Caller sender, int number, dev.cqs.Waiter matched, boolean leaves) {
            if (matched != null) {
                ((Caller) matched).brought = number;
                assert Rendezvous.handOver(matched, TAKEN);
            } else if (leaves && sender.giveUp()) {
                return;
            } else {
                sender.await();
            }
            sent[me] += number;
        }

        final void receive(int me) {
            Caller receiver = new Caller();
            endReceiving(me, receiver, rendezvous.matchOrEnqueue(Side.RECEIVER, receiver), false);
        }

        final void receiveOrLeave(int me) {
            Caller receiver = new Caller();
            endReceiving(me, receiver, rendezvous.matchOrEnqueue(Side.RECEIVER, receiver), true);
        }

        private void endReceiving(int me, Caller receiver, dev.cqs.Waiter matched, boolean leaves) {
            if (matched != null) {
                receiver.brought = ((Caller) matched).brought;
                assert Rendezvous.handOver(matched, TAKEN);
            } else if (leaves && receiver.giveUp()) {
                return;
            } else {
                receiver.await();
            }
            received[me] += receiver.brought;
        }

        /** Sends {@code number} if a receiver waits. */
        final void offer(int me, int number) {
            Caller matched = (Caller) rendezvous.tryMatch(Side.SENDER);
            if (matched != null) {
                matched.brought = number;
                assert Rendezvous.handOver(matched, TAKEN);
                sent[me] += number;
            }
        }

        /** Receives if a sender waits. */
        final void poll(int me) {
            Caller matched = (Caller) rendezvous.tryMatch(Side.RECEIVER);
            if (matched != null) {
                received[me] += matched.brought;
                assert Rendezvous.handOver(matched, TAKEN);
            }
        }

        @Arbiter
        void noneWaits() {
            check();
            assert rendezvous.tryMatch(Side.SENDER) == null && rendezvous.tryMatch(Side.RECEIVER) == null
                    : "a waiter is left";
        }

        final int received() {
            return received[0] + received[1];
        }

        /** Checks the end. Unless a scenario overrides it, everything that was sent must have been received. */
        void check() {
            assert sent[0] + sent[1] == received[0] + received[1] : "a number was lost or doubled";
        }
    }

    abstract static class PutTake extends Exchange {

        PutTake(Rendezvous rendezvous) {
            super(rendezvous);
        }

        @Actor
        void puts() {
            send(0, 1);
        }

        @Actor
        void takes() {
            receive(0);
        }
    }

    static class FairPutTake extends PutTake {
        FairPutTake() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairPutTake extends PutTake {
        UnfairPutTake() {
            super(Rendezvous.unfair());
        }
    }

    /** Both sides cancel if they can. */
    abstract static class BothLeave extends Exchange {

        BothLeave(Rendezvous rendezvous) {
            super(rendezvous);
        }

        @Actor
        void puts() {
            sendOrLeave(0, 1);
        }

        @Actor
        void takes() {
            receiveOrLeave(0);
        }
    }

    static class FairBothLeave extends BothLeave {
        FairBothLeave() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairBothLeave extends BothLeave {
        UnfairBothLeave() {
            super(Rendezvous.unfair());
        }
    }

    /** One caller does not wait, and two cancel if they can. */
    abstract static class LeaveAndPoll extends Exchange {

        LeaveAndPoll(Rendezvous rendezvous) {
            super(rendezvous);
        }

        @Actor
        void puts() {
            sendOrLeave(0, 1);
        }

        @Actor
        void polls() {
            poll(0);
        }

        @Actor
        void leaves() {
            receiveOrLeave(1);
        }
    }

    static class FairLeaveAndPoll extends LeaveAndPoll {
        FairLeaveAndPoll() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairLeaveAndPoll extends LeaveAndPoll {
        UnfairLeaveAndPoll() {
            super(Rendezvous.unfair());
        }
    }

    /** Two wait, and the first is cancelled. Two callers that do not wait match the others. */
    abstract static class LineAndOffers extends Exchange {

        private final Caller first = new Caller();
        private final Caller second = new Caller();
        private final boolean[] matched = new boolean[2];
        private boolean left;

        LineAndOffers(Rendezvous rendezvous) {
            super(rendezvous);
            rendezvous.matchOrEnqueue(Side.RECEIVER, first);
            rendezvous.matchOrEnqueue(Side.RECEIVER, second);
        }

        @Actor(2)
        void offers(int me) {
            Caller receiver = (Caller) rendezvous.tryMatch(Side.SENDER);
            matched[me] = receiver != null;
            if (matched[me]) {
                receiver.brought = 1;
                assert Rendezvous.handOver(receiver, TAKEN);
            }
        }

        @Actor
        void leaves() {
            left = first.giveUp();
        }

        @Override
        void check() {
            assert second.brought == 1 && first.isGranted() != left;
            assert left ? matched[0] != matched[1] : matched[0] && matched[1] && first.brought == 1;
        }
    }

    static class FairLineAndOffers extends LineAndOffers {
        FairLineAndOffers() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairLineAndOffers extends LineAndOffers {
        UnfairLineAndOffers() {
            super(Rendezvous.unfair());
        }
    }

    /** One waits, and two arrive that do not wait. If the second finds no waiter, the waiter can no longer be cancelled. */
    abstract static class LineAndPolls extends Exchange {

        private final Caller first = new Caller();
        private volatile boolean none;
        private boolean left;
        private final boolean[] matched = new boolean[2];

        LineAndPolls(Rendezvous rendezvous) {
            super(rendezvous);
            rendezvous.matchOrEnqueue(Side.SENDER, first);
        }

        @Actor
        void polls() {
            matched[0] = poll();
        }

        @Actor
        void pollsToo() {
            matched[1] = poll();
            none = !matched[1];
        }

        private boolean poll() {
            Caller sender = (Caller) rendezvous.tryMatch(Side.RECEIVER);
            return sender != null && Rendezvous.handOver(sender, TAKEN);
        }

        @Actor
        void leaves() {
            if (none) {
                left = first.giveUp();
            }
        }

        @Override
        void check() {
            assert !left && matched[0] != matched[1] : "a waiter was hidden from a caller";
        }
    }

    static class FairLineAndPolls extends LineAndPolls {
        FairLineAndPolls() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairLineAndPolls extends LineAndPolls {
        UnfairLineAndPolls() {
            super(Rendezvous.unfair());
        }
    }

    /** Two wait, and two arrive that do not wait. Both find a waiter. */
    abstract static class TwoAndTwoPolls extends Exchange {

        private final boolean[] matched = new boolean[2];

        TwoAndTwoPolls(Rendezvous rendezvous) {
            super(rendezvous);
            rendezvous.matchOrEnqueue(Side.SENDER, new Caller());
            rendezvous.matchOrEnqueue(Side.SENDER, new Caller());
        }

        @Actor(2)
        void polls(int me) {
            Caller sender = (Caller) rendezvous.tryMatch(Side.RECEIVER);
            matched[me] = sender != null && Rendezvous.handOver(sender, TAKEN);
        }

        @Override
        void check() {
            assert matched[0] && matched[1] : "a waiter was hidden from a caller";
        }
    }

    static class FairTwoAndTwoPolls extends TwoAndTwoPolls {
        FairTwoAndTwoPolls() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairTwoAndTwoPolls extends TwoAndTwoPolls {
        UnfairTwoAndTwoPolls() {
            super(Rendezvous.unfair());
        }
    }

    /** Three wait, and the middle one is cancelled, which makes a stack sweep. Two counterparts arrive for the others. */
    abstract static class LeaveFromTheMiddle extends Exchange {

        private final Caller[] line = {new Caller(), new Caller(), new Caller()};
        private boolean left;

        LeaveFromTheMiddle(Rendezvous rendezvous) {
            super(rendezvous);
            for (Caller each : line) {
                each.brought = 1;
                rendezvous.matchOrEnqueue(Side.SENDER, each);
            }
        }

        @Actor
        void leaves() {
            left = line[1].giveUp();
        }

        @Actor(2)
        void takes(int me) {
            receive(me);
        }

        @Override
        void check() {
            Caller rest = (Caller) rendezvous.tryMatch(Side.RECEIVER);
            assert (rest == null) == left : "a waiter was skipped, or matched twice";
        }
    }

    static class FairLeaveFromTheMiddle extends LeaveFromTheMiddle {
        FairLeaveFromTheMiddle() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairLeaveFromTheMiddle extends LeaveFromTheMiddle {
        UnfairLeaveFromTheMiddle() {
            super(Rendezvous.unfair());
        }
    }

    /** One arrives, and only then another is cancelled. A poll finds one of the two, and all others stay. */
    abstract static class ReplaceAndPoll extends Exchange {

        private final Caller leaver = new Caller();
        private final Caller comer = new Caller();
        private final int below;
        private boolean left;
        private Object matched;

        ReplaceAndPoll(Rendezvous rendezvous, int below) {
            super(rendezvous);
            this.below = below;
            for (int i = 0; i < below; i++) {
                rendezvous.matchOrEnqueue(Side.SENDER, new Caller());
            }
            rendezvous.matchOrEnqueue(Side.SENDER, leaver);
        }

        @Actor
        void replaces() {
            rendezvous.matchOrEnqueue(Side.SENDER, comer);
            left = leaver.giveUp();
        }

        @Actor
        void polls() {
            matched = rendezvous.tryMatch(Side.RECEIVER);
        }

        @Override
        void check() {
            assert matched == leaver || matched == comer : "a waiter was hidden from the poll";
            for (int rest = left ? below : below + 1; rest > 0; rest--) {
                assert rendezvous.tryMatch(Side.RECEIVER) != null : "a waiter was lost";
            }
        }
    }

    static class FairReplaceAndPoll extends ReplaceAndPoll {
        FairReplaceAndPoll() {
            super(Rendezvous.fair(), 0);
        }
    }

    static class UnfairReplaceAndPoll extends ReplaceAndPoll {
        UnfairReplaceAndPoll() {
            super(Rendezvous.unfair(), 0);
        }
    }

    static class UnfairReplaceOverOneAndPoll extends ReplaceAndPoll {
        UnfairReplaceOverOneAndPoll() {
            super(Rendezvous.unfair(), 1);
        }
    }

    /** A waiter is cancelled by its owner, cancelled by another caller, or matched. */
    abstract static class CancelledByTwo extends Exchange {

        private final Caller waiting = new Caller();
        private boolean left;
        private boolean isCancelled;
        private boolean matched;

        CancelledByTwo(Rendezvous rendezvous) {
            super(rendezvous);
            rendezvous.matchOrEnqueue(Side.SENDER, waiting);
        }

        @Actor
        void leaves() {
            left = waiting.giveUp();
        }

        @Actor
        void cancels() {
            isCancelled = rendezvous.cancel(waiting);
        }

        @Actor
        void matches() {
            matched = rendezvous.tryMatch(Side.RECEIVER) != null;
        }

        @Override
        void check() {
            assert (left ? 1 : 0) + (isCancelled ? 1 : 0) + (matched ? 1 : 0) == 1
                    : "the waiter was removed by none, or more than once";
        }
    }

    static class FairCancelledByTwo extends CancelledByTwo {
        FairCancelledByTwo() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairCancelledByTwo extends CancelledByTwo {
        UnfairCancelledByTwo() {
            super(Rendezvous.unfair());
        }
    }

    /** Two senders and two receivers. */
    static class FairTwoAndTwo extends Exchange {

        FairTwoAndTwo() {
            super(Rendezvous.fair());
        }

        @Actor(2)
        void puts(int me) {
            send(me, me + 1);
        }

        @Actor(2)
        void takes(int me) {
            receive(me);
        }
    }

    /** As {@link FairTwoAndTwo}, with one sender that waits before the others arrive. */
    static class UnfairTwoAndTwo extends Exchange {

        private final Caller first = new Caller();

        UnfairTwoAndTwo() {
            super(Rendezvous.unfair());
            first.brought = 1;
            rendezvous.matchOrEnqueue(Side.SENDER, first);
        }

        @Actor
        void puts() {
            send(0, 2);
        }

        @Actor(2)
        void takes(int me) {
            receive(me);
        }

        @Override
        void check() {
            assert received() == 3 && first.isGranted();
        }
    }
}
