package dev.cqs.modelchecked.primitives;

import dev.cqs.CellRef;
import dev.cqs.NumberedQueue;
import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import java.util.concurrent.atomic.AtomicLong;

/** Scenarios of queues whose requests are numbered by the primitive, and resumed by number. */
final class NumberedQueues {

    private NumberedQueues() {}

    /** A minimal barrier: the request with the last number of a round resumes the others. */
    abstract static class Rounds {

        final NumberedQueue<String> queue = new NumberedQueue<>();
        private final AtomicLong next = new AtomicLong();
        private final int parties;

        Rounds(int parties) {
            this.parties = parties;
        }

        /** Returns a waiting request, or null for the last one of a round, which has resumed the others. */
        final Ticket come() {
            CellRef suspendRef = queue.suspendRef();
            CellRef resumeRef = queue.resumeRef();
            long number = next.getAndIncrement();
            if (number % parties == parties - 1) {
                queue.resumeAt(resumeRef, number - parties + 1, parties - 1, "come");
                return null;
            }
            Ticket ticket = new Ticket();
            queue.suspendAt(suspendRef, number, ticket);
            return ticket;
        }

        final void pass() {
            Ticket ticket = come();
            if (ticket != null) {
                ticket.await();
            }
        }
    }

    /** Two parties, two rounds, with plain data. */
    static class TwoRounds extends Rounds {

        private final int[] step = new int[2];

        TwoRounds() {
            super(2);
        }

        @Actor(2)
        void goes(int me) {
            step[me] = 1;
            pass();
            assert step[1 - me] == 1;
            pass();
            step[1 - me] = 2;
        }
    }

    /** Three parties, of which one waits before the others arrive, and is cancelled. */
    static class OneLeaves extends Rounds {

        private final Ticket first;
        private boolean left;

        OneLeaves() {
            super(3);
            first = come();
        }

        @Actor(2)
        void goes(int me) {
            pass();
        }

        @Actor
        void leaves() {
            left = first.giveUp();
        }

        @Arbiter
        void isResumedOrHasLeft() {
            assert first.isGranted() != left;
            assert queue.numberOf(first) == -1;
        }
    }

    /** Four requests wait. Later numbers are resumed ahead of the head, while one of them is cancelled. */
    static class Ahead extends Rounds {

        private final Ticket[] line = new Ticket[4];
        private boolean left;

        Ahead() {
            super(100);
            for (int i = 0; i < line.length; i++) {
                line[i] = come();
            }
        }

        @Actor
        void ahead() {
            queue.resumeAhead(queue.resumeRef(), 2, 2, "ahead");
        }

        @Actor
        void inTurn() {
            queue.resumeAt(queue.resumeRef(), 0, 2, "in turn");
        }

        @Actor
        void leaves() {
            left = line[1].giveUp();
            left &= line[2].giveUp();
        }

        @Arbiter
        void eachIsResumedByNumber() {
            assert line[0].value() == "in turn" && line[3].value() == "ahead";
            assert !left || line[1].value() == null && line[2].value() == null;
        }
    }
}
