package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.until;
import static dev.cqs.threads.Waiting.untilParked;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A thread that comes to a barrier once. */
final class BarrierParty {
    /** The methods of {@link java.util.concurrent.CyclicBarrier}. */
    interface Barrier {
        int await() throws InterruptedException, BrokenBarrierException;

        int await(long timeout, TimeUnit unit) throws InterruptedException, BrokenBarrierException, TimeoutException;

        int getParties();

        boolean isBroken();

        void reset();

        int getNumberWaiting();
    }

    private static final class Ours extends CyclicBarrier implements Barrier {
        Ours(int parties, Runnable action) {
            super(parties, action);
        }
    }

    private static final class Jdks extends java.util.concurrent.CyclicBarrier implements Barrier {
        Jdks(int parties, Runnable action) {
            super(parties, action);
        }
    }

    enum Kind {
        OURS,
        JDK;

        Barrier make(int parties) {
            return make(parties, null);
        }

        Barrier make(int parties, Runnable action) {
            return this == OURS ? new Ours(parties, action) : new Jdks(parties, action);
        }
    }

    enum Way {
        AWAIT,
        AWAIT_TIMED;

        int pass(Barrier barrier, long nanos) throws Exception {
            return this == AWAIT ? barrier.await() : barrier.await(nanos, NANOSECONDS);
        }
    }

    /** A way to wait at a barrier, by a kind of thread. */
    record Case(Kind kind, Way way, ThreadKind threads) {
        Barrier make(int parties) {
            return kind.make(parties);
        }

        Barrier make(int parties, Runnable action) {
            return kind.make(parties, action);
        }

        /** Comes. */
        BarrierParty comes(Barrier barrier) {
            return comes(barrier, LONG, false);
        }

        BarrierParty comes(Barrier barrier, long nanos, boolean interrupted) {
            return new BarrierParty(threads, () -> {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return way.pass(barrier, nanos);
            });
        }

        /** Comes and has to wait, as the next one of its round. */
        BarrierParty waits(Barrier barrier) {
            int before = barrier.getNumberWaiting();
            BarrierParty party = comes(barrier);
            until("it waits", () -> party.isOver() || barrier.getNumberWaiting() == before + 1);
            untilParked(party.thread);
            return party;
        }

        List<BarrierParty> wait(int count, Barrier barrier) {
            return Stream.generate(() -> waits(barrier)).limit(count).toList();
        }

        @Override
        public String toString() {
            return kind + " " + way + " " + threads;
        }

        static Stream<Case> all() {
            List<Case> cases = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                for (Way way : Way.values()) {
                    ThreadKind.available().forEach(threads -> cases.add(new Case(kind, way, threads)));
                }
            }
            return cases.stream();
        }
    }

    interface Coming {
        int pass() throws Exception;
    }

    final Thread thread;
    private volatile Object outcome;
    private volatile boolean interruptPending;

    BarrierParty(ThreadKind kind, Coming coming) {
        thread = kind.start(() -> {
            Object reached;
            try {
                reached = coming.pass();
            } catch (Throwable t) {
                reached = t;
            }
            interruptPending = Thread.currentThread().isInterrupted();
            outcome = reached;
        });
    }

    boolean isOver() {
        return outcome != null;
    }

    /** Waits for its end and checks that it has passed, and that it was told that so many were missing behind it. */
    void hasPassed(int missing) {
        assertEquals(missing, ended(false));
    }

    /** The same, with an interrupt still pending. */
    void hasPassedInterrupted(int missing) {
        assertEquals(missing, ended(true));
    }

    void hasFailedWith(Class<? extends Throwable> type) {
        assertInstanceOf(type, ended(false));
    }

    void hasFailedWith(Throwable thrown) {
        assertSame(thrown, ended(false));
    }

    void hasFailedInterruptedWith(Class<? extends Throwable> type) {
        assertInstanceOf(type, ended(true));
    }

    private Object ended(boolean interrupted) {
        until(thread + " ends", this::isOver);
        assertEquals(interrupted, interruptPending, () -> "interrupt pending, after " + outcome);
        return outcome;
    }
}
