package dev.cqs.amc.tests.rows;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AtEnd;
import dev.cqs.amc.tests.rows.QueueLocks.Clh;
import dev.cqs.amc.tests.rows.QueueLocks.ClhNode;
import dev.cqs.amc.tests.rows.QueueLocks.Mcs;
import dev.cqs.amc.tests.rows.QueueLocks.McsNode;

/** What threads do with the locks: each enters once. What the lock protects is plain, so that a missing order is a race. */
final class Clients {

    private Clients() {
    }

    /** Each thread writes its number, and finds it there. */
    abstract static class Writing {
        private final RowLock lock;
        private int holder;

        Writing(RowLock lock) {
            this.lock = lock;
        }

        final void enter(int me) {
            lock.acquire(me);
            holder = me;
            if (holder != me) {
                throw new AssertionError("Somebody else is in the critical section.");
            }
            lock.release(me);
        }
    }

    /** Each thread adds one to a number. */
    abstract static class Counting {
        private final RowLock lock;
        private int count;

        Counting(RowLock lock) {
            this.lock = lock;
        }

        final void enter(int me) {
            lock.acquire(me);
            count = count + 1;
            lock.release(me);
        }

        @AtEnd
        int counted() {
            return count;
        }
    }

    static class TicketTwo extends Writing {
        TicketTwo() {
            super(new CounterLocks.Ticket());
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class TicketThree extends Writing {
        TicketThree() {
            super(new CounterLocks.Ticket());
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class TicketFour extends Writing {
        TicketFour() {
            super(new CounterLocks.Ticket());
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    static class TtasTwo extends Writing {
        TtasTwo() {
            super(new CounterLocks.Ttas());
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class TtasThree extends Writing {
        TtasThree() {
            super(new CounterLocks.Ttas());
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class CasTtasTwo extends Writing {
        CasTtasTwo() {
            super(new CounterLocks.CasTtas());
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class CasTtasThree extends Writing {
        CasTtasThree() {
            super(new CounterLocks.CasTtas());
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class TwaTwo extends Writing {
        TwaTwo() {
            super(new CounterLocks.Twa(2));
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class TwaThree extends Writing {
        TwaThree() {
            super(new CounterLocks.Twa(3));
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class CasTwo extends Counting {
        CasTwo() {
            super(new CounterLocks.Cas());
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class CasThree extends Counting {
        CasThree() {
            super(new CounterLocks.Cas());
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class CasFour extends Counting {
        CasFour() {
            super(new CounterLocks.Cas());
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    static class McsTwo extends Counting {
        McsTwo() {
            super(new QueueLocks.McsWithNodes(2));
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class McsThree extends Counting {
        McsThree() {
            super(new QueueLocks.McsWithNodes(3));
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class McsFour extends Counting {
        McsFour() {
            super(new QueueLocks.McsWithNodes(4));
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    static class ClhTwo extends Counting {
        ClhTwo() {
            super(new QueueLocks.ClhWithNodes(2));
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class ClhThree extends Counting {
        ClhThree() {
            super(new QueueLocks.ClhWithNodes(3));
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class ClhFour extends Counting {
        ClhFour() {
            super(new QueueLocks.ClhWithNodes(4));
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    static class ArrayTwo extends Counting {
        ArrayTwo() {
            super(new CounterLocks.Array(2));
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class ArrayThree extends Counting {
        ArrayThree() {
            super(new CounterLocks.Array(3));
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class ArrayFour extends Counting {
        ArrayFour() {
            super(new CounterLocks.Array(4));
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    static class HemTwo extends Counting {
        HemTwo() {
            super(new QueueLocks.Hem(2));
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class HemThree extends Counting {
        HemThree() {
            super(new QueueLocks.Hem(3));
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class HemFour extends Counting {
        HemFour() {
            super(new QueueLocks.Hem(4));
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    static class CqsTwo extends Counting {
        CqsTwo() {
            super(new QueueLocks.Cqs(2));
        }

        @Actor(2)
        void enters(int me) {
            enter(me);
        }
    }

    static class CqsThree extends Counting {
        CqsThree() {
            super(new QueueLocks.Cqs(3));
        }

        @Actor(3)
        void enters(int me) {
            enter(me);
        }
    }

    static class CqsFour extends Counting {
        CqsFour() {
            super(new QueueLocks.Cqs(4));
        }

        @Actor(4)
        void enters(int me) {
            enter(me);
        }
    }

    /** Each thread makes its node itself. */
    static class FreshMcs {
        private final Mcs lock = new Mcs();
        private int count;

        final void enter() {
            McsNode mine = new McsNode();
            lock.acquire(mine);
            count = count + 1;
            lock.release(mine);
        }

        @AtEnd
        int counted() {
            return count;
        }
    }

    static class FreshMcsTwo extends FreshMcs {
        @Actor(2)
        void enters() {
            enter();
        }
    }

    static class FreshMcsThree extends FreshMcs {
        @Actor(3)
        void enters() {
            enter();
        }
    }

    static class FreshMcsFour extends FreshMcs {
        @Actor(4)
        void enters() {
            enter();
        }
    }

    /** Each thread makes its node itself. */
    static class FreshClh {
        private final Clh lock = new Clh();
        private int count;

        final void enter() {
            ClhNode mine = new ClhNode();
            lock.acquire(mine);
            count = count + 1;
            lock.release(mine);
        }

        @AtEnd
        int counted() {
            return count;
        }
    }

    static class FreshClhTwo extends FreshClh {
        @Actor(2)
        void enters() {
            enter();
        }
    }

    static class FreshClhThree extends FreshClh {
        @Actor(3)
        void enters() {
            enter();
        }
    }

    static class FreshClhFour extends FreshClh {
        @Actor(4)
        void enters() {
            enter();
        }
    }
}
