package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.until;
import static dev.cqs.threads.TestThreads.untilParked;
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

/** A thread that arrives at a barrier once, at ours or the JDK's. For all barrier tests. */
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

    enum Variant {
        AWAIT,
        AWAIT_TIMED;

        int pass(Barrier barrier, long nanos) throws Exception {
            return this == AWAIT ? barrier.await() : barrier.await(nanos, NANOSECONDS);
        }
    }

    /** A barrier, a method to wait at it, and a kind of thread. */
    record Case(Kind kind, Variant variant, ThreadKind threads) {
        Barrier make(int parties) {
            return kind.make(parties);
        }

        Barrier make(int parties, Runnable action) {
            return kind.make(parties, action);
        }

        /** Starts a thread that arrives. */
        BarrierParty arrive(Barrier barrier) {
            return arrive(barrier, LONG, false);
        }

        BarrierParty arrive(Barrier barrier, long nanos, boolean interrupted) {
            return new BarrierParty(threads, () -> {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return variant.pass(barrier, nanos);
            });
        }

        /** Starts a thread that arrives and must wait, and waits until the barrier has counted it. */
        BarrierParty arriveAndWait(Barrier barrier) {
            int before = barrier.getNumberWaiting();
            BarrierParty party = arrive(barrier);
            until("it waits", () -> party.isOver() || barrier.getNumberWaiting() == before + 1);
            untilParked(party.thread);
            return party;
        }

        List<BarrierParty> wait(int count, Barrier barrier) {
            return Stream.generate(() -> arriveAndWait(barrier)).limit(count).toList();
        }

        @Override
        public String toString() {
            return kind + " " + variant + " " + threads;
        }

        static Stream<Case> all() {
            List<Case> cases = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                for (Variant variant : Variant.values()) {
                    ThreadKind.available().forEach(threads -> cases.add(new Case(kind, variant, threads)));
                }
            }
            return cases.stream();
        }
    }

    interface Arrival {
        int pass() throws Exception;
    }

    final Thread thread;
    private volatile Object outcome;
    private volatile boolean interruptPending;

    BarrierParty(ThreadKind kind, Arrival coming) {
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

    /** Waits for the end, and checks that the party has passed with {@code missing} as its arrival index. */
    void hasPassed(int missing) {
        assertEquals(missing, ended(false));
    }

    /** As {@link #hasPassed}, with an interrupt still pending. */
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
