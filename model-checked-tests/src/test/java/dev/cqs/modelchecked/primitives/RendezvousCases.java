package dev.cqs.modelchecked.primitives;

import dev.cqs.Rendezvous;
import dev.cqs.Rendezvous.Side;
import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;

/** Senders and receivers that meet at a point, fair or unfair: each scenario is there for both. */
final class RendezvousCases {

    private RendezvousCases() {
    }

    /** Who brings something plain to the other one, and takes something plain from it. */
    static final class Guest extends Ticket {

        int brought;
    }

    /** Callers without threads to park: those who wait look until they are met. */
    abstract static class Point {

        static final Object TAKEN = "taken";

        final Rendezvous point;
        private final int[] sent = new int[2];
        private final int[] received = new int[2];

        Point(Rendezvous point) {
            this.point = point;
        }

        /** Sends this number, waiting for a receiver. */
        final void send(int me, int number) {
            Guest sender = new Guest();
            sender.brought = number;
            end(me, sender, number, point.enter(Side.SENDER, sender), false);
        }

        /** Sends it unless it can give up waiting. */
        final void sendOrLeave(int me, int number) {
            Guest sender = new Guest();
            sender.brought = number;
            end(me, sender, number, point.enter(Side.SENDER, sender), true);
        }

        private void end(int me, Guest sender, int number, dev.cqs.Waiter met, boolean leaves) {
            if (met != null) {
                ((Guest) met).brought = number;
                assert Rendezvous.handOver(met, TAKEN);
            } else if (leaves && sender.giveUp()) {
                return;
            } else {
                sender.await();
            }
            sent[me] += number;
        }

        final void receive(int me) {
            Guest receiver = new Guest();
            endReceiving(me, receiver, point.enter(Side.RECEIVER, receiver), false);
        }

        final void receiveOrLeave(int me) {
            Guest receiver = new Guest();
            endReceiving(me, receiver, point.enter(Side.RECEIVER, receiver), true);
        }

        private void endReceiving(int me, Guest receiver, dev.cqs.Waiter met, boolean leaves) {
            if (met != null) {
                receiver.brought = ((Guest) met).brought;
                assert Rendezvous.handOver(met, TAKEN);
            } else if (leaves && receiver.giveUp()) {
                return;
            } else {
                receiver.await();
            }
            received[me] += receiver.brought;
        }

        /** Sends it if a receiver waits. */
        final void offer(int me, int number) {
            Guest met = (Guest) point.meet(Side.SENDER);
            if (met != null) {
                met.brought = number;
                assert Rendezvous.handOver(met, TAKEN);
                sent[me] += number;
            }
        }

        /** Receives if a sender waits. */
        final void poll(int me) {
            Guest met = (Guest) point.meet(Side.RECEIVER);
            if (met != null) {
                received[me] += met.brought;
                assert Rendezvous.handOver(met, TAKEN);
            }
        }

        @Arbiter
        void nobodyWaits() {
            check();
            assert point.meet(Side.SENDER) == null && point.meet(Side.RECEIVER) == null : "somebody still waits";
        }

        final int received() {
            return received[0] + received[1];
        }

        /** What holds at the end; unless a line says otherwise, all that was sent was received. */
        void check() {
            assert sent[0] + sent[1] == received[0] + received[1] : "a number was lost or doubled";
        }
    }

    abstract static class PutTake extends Point {

        PutTake(Rendezvous point) {
            super(point);
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

    /** Both sides give up if they can. */
    abstract static class BothLeave extends Point {

        BothLeave(Rendezvous point) {
            super(point);
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

    /** One who does not wait, beside one who may give up and one who waits. */
    abstract static class LeaveAndPoll extends Point {

        LeaveAndPoll(Rendezvous point) {
            super(point);
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

    /** Two wait in line, of whom the first leaves; whoever stays is met by one of two who do not wait. */
    abstract static class LineAndOffers extends Point {

        private final Guest first = new Guest();
        private final Guest second = new Guest();
        private final boolean[] met = new boolean[2];
        private boolean left;

        LineAndOffers(Rendezvous point) {
            super(point);
            point.enter(Side.RECEIVER, first);
            point.enter(Side.RECEIVER, second);
        }

        @Actor(2)
        void offers(int me) {
            Guest receiver = (Guest) point.meet(Side.SENDER);
            met[me] = receiver != null;
            if (met[me]) {
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
            assert left ? met[0] != met[1] : met[0] && met[1] && first.brought == 1;
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

    /** One waits in line, for whom two come without waiting; if one of these has found nobody, the line does not break up. */
    abstract static class LineAndPolls extends Point {

        private final Guest first = new Guest();
        private volatile boolean nobody;
        private boolean left;
        private final boolean[] met = new boolean[2];

        LineAndPolls(Rendezvous point) {
            super(point);
            point.enter(Side.SENDER, first);
        }

        @Actor
        void polls() {
            met[0] = poll();
        }

        @Actor
        void pollsToo() {
            met[1] = poll();
            nobody = !met[1];
        }

        private boolean poll() {
            Guest sender = (Guest) point.meet(Side.RECEIVER);
            return sender != null && Rendezvous.handOver(sender, TAKEN);
        }

        @Actor
        void leaves() {
            if (nobody) {
                left = first.giveUp();
            }
        }

        @Override
        void check() {
            assert !left && met[0] != met[1] : "one who waited was hidden from somebody";
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

    /** Two wait in line, and two come who do not wait: both find somebody. */
    abstract static class TwoAndTwoPolls extends Point {

        private final boolean[] met = new boolean[2];

        TwoAndTwoPolls(Rendezvous point) {
            super(point);
            point.enter(Side.SENDER, new Guest());
            point.enter(Side.SENDER, new Guest());
        }

        @Actor(2)
        void polls(int me) {
            Guest sender = (Guest) point.meet(Side.RECEIVER);
            met[me] = sender != null && Rendezvous.handOver(sender, TAKEN);
        }

        @Override
        void check() {
            assert met[0] && met[1] : "one who waited was hidden from somebody";
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

    /** Three wait, of whom one in the middle leaves, which makes a stack sweep; two come for those who stay. */
    abstract static class LeaveFromTheMiddle extends Point {

        private final Guest[] line = {new Guest(), new Guest(), new Guest()};
        private boolean left;

        LeaveFromTheMiddle(Rendezvous point) {
            super(point);
            for (Guest each : line) {
                each.brought = 1;
                point.enter(Side.SENDER, each);
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
            Guest rest = (Guest) point.meet(Side.RECEIVER);
            assert (rest == null) == left : "somebody was passed, or met twice";
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

    /** One comes, and only then another one leaves: who polls finds one of the two, and all others stay. */
    abstract static class ReplaceAndPoll extends Point {

        private final Guest leaver = new Guest();
        private final Guest comer = new Guest();
        private final int below;
        private boolean left;
        private Object met;

        ReplaceAndPoll(Rendezvous point, int below) {
            super(point);
            this.below = below;
            for (int i = 0; i < below; i++) {
                point.enter(Side.SENDER, new Guest());
            }
            point.enter(Side.SENDER, leaver);
        }

        @Actor
        void replaces() {
            point.enter(Side.SENDER, comer);
            left = leaver.giveUp();
        }

        @Actor
        void polls() {
            met = point.meet(Side.RECEIVER);
        }

        @Override
        void check() {
            assert met == leaver || met == comer : "somebody was hidden";
            for (int rest = left ? below : below + 1; rest > 0; rest--) {
                assert point.meet(Side.RECEIVER) != null : "somebody was lost";
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

    /** One who waits is taken out by his owner, by somebody else, or by one who meets him. */
    abstract static class LeaveAndTakeOut extends Point {

        private final Guest waiting = new Guest();
        private boolean left;
        private boolean takenOut;
        private boolean met;

        LeaveAndTakeOut(Rendezvous point) {
            super(point);
            point.enter(Side.SENDER, waiting);
        }

        @Actor
        void leaves() {
            left = waiting.giveUp();
        }

        @Actor
        void takesOut() {
            takenOut = point.takeOut(waiting);
        }

        @Actor
        void meets() {
            met = point.meet(Side.RECEIVER) != null;
        }

        @Override
        void check() {
            assert (left ? 1 : 0) + (takenOut ? 1 : 0) + (met ? 1 : 0) == 1 : "he was taken out by none, or more than once";
        }
    }

    static class FairLeaveAndTakeOut extends LeaveAndTakeOut {
        FairLeaveAndTakeOut() {
            super(Rendezvous.fair());
        }
    }

    static class UnfairLeaveAndTakeOut extends LeaveAndTakeOut {
        UnfairLeaveAndTakeOut() {
            super(Rendezvous.unfair());
        }
    }

    /** Two senders and two receivers. */
    static class FairTwoAndTwo extends Point {

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

    /** The same, with one sender who waits before the others come. */
    static class UnfairTwoAndTwo extends Point {

        private final Guest first = new Guest();

        UnfairTwoAndTwo() {
            super(Rendezvous.unfair());
            first.brought = 1;
            point.enter(Side.SENDER, first);
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
