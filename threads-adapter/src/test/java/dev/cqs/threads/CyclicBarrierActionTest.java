package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.untilParked;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.BarrierParty.Barrier;
import dev.cqs.threads.BarrierParty.Case;
import dev.cqs.threads.BarrierParty.Kind;
import dev.cqs.threads.BarrierParty.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Other threads use the barrier while an action runs. The JDK's barrier blocks them until the action ends; ours does not. */
class CyclicBarrierActionTest {
    static Stream<Case> ours() {
        return Case.all().filter(c -> c.kind() == Kind.OURS);
    }

    static Stream<Case> oursTimed() {
        return ours().filter(c -> c.variant() == Variant.AWAIT_TIMED);
    }

    /** What other threads do inside the next action. */
    private Runnable insideNextAction = () -> {};

    private final List<Thread> ran = new ArrayList<>();

    private Barrier barrier;

    private void withAction(Case c) {
        barrier = c.make(2, () -> {
            ran.add(Thread.currentThread());
            Runnable now = insideNextAction;
            insideNextAction = () -> {};
            inAnotherThread(now);
        });
    }

    /** Runs {@code body} in another thread, since the barrier treats the thread that runs the action differently. */
    private static void inAnotherThread(Runnable body) {
        FutureTask<Void> task = new FutureTask<>(body, null);
        new Thread(task).start();
        try {
            task.get();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    @ParameterizedTest
    @MethodSource("ours")
    void queriesDoNotWaitForTheActionAndShowTheNextRound(Case c) {
        withAction(c);
        List<BarrierParty> later = new ArrayList<>();
        BarrierParty first = c.arriveAndWait(barrier);
        insideNextAction = () -> {
            assertEquals(0, barrier.getNumberWaiting());
            later.add(c.arriveAndWait(barrier));
            assertEquals(1, barrier.getNumberWaiting());
            assertFalse(barrier.isBroken());
        };
        c.arrive(barrier).hasPassed(0);
        first.hasPassed(1);
        c.arrive(barrier).hasPassed(0);
        later.get(0).hasPassed(1);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void theLastPartyOfARoundCompletedMeanwhileRunsItsActionAfterwards(Case c) {
        withAction(c);
        BarrierParty first = c.arriveAndWait(barrier);
        List<BarrierParty> later = new ArrayList<>();
        insideNextAction = () -> {
            for (int i = 0; i < 4; i++) {
                BarrierParty party = c.arrive(barrier);
                untilParked(party.thread);
                later.add(party);
            }
        };
        BarrierParty last = c.arrive(barrier);
        last.hasPassed(0);
        first.hasPassed(1);
        for (int i = 0; i < 4; i++) {
            later.get(i).hasPassed(1 - i % 2);
        }
        assertEquals(List.of(last.thread, later.get(1).thread, later.get(3).thread), ran);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void aPartyWhoseActionFailsGetsTheException(Case c) {
        withAction(c);
        c.arriveAndWait(barrier);
        List<BarrierParty> later = new ArrayList<>();
        Error failure = new Error("failure");
        insideNextAction = () -> {
            for (int i = 0; i < 3; i++) {
                BarrierParty party = c.arrive(barrier);
                untilParked(party.thread);
                later.add(party);
            }
            insideNextAction = () -> {
                throw failure;
            };
        };
        c.arrive(barrier).hasPassed(0);
        later.get(0).hasFailedWith(BrokenBarrierException.class);
        later.get(1).hasFailedWith(failure);
        later.get(2).hasFailedWith(BrokenBarrierException.class);
        assertTrue(barrier.isBroken());
    }

    @ParameterizedTest
    @MethodSource("ours")
    void anInterruptDuringTheActionOfItsRoundIsTooLate(Case c) {
        withAction(c);
        BarrierParty first = c.arriveAndWait(barrier);
        insideNextAction = () -> {
            first.thread.interrupt();
            TestThreads.until("the thread has seen the interrupt", () -> !first.thread.isInterrupted());
            untilParked(first.thread);
        };
        c.arrive(barrier).hasPassed(0);
        first.hasPassedInterrupted(1);
        assertFalse(barrier.isBroken());
    }

    @ParameterizedTest
    @MethodSource("ours")
    void anInterruptDuringAnEarlierActionBreaksTheRoundsBehindIt(Case c) {
        withAction(c);
        BarrierParty first = c.arriveAndWait(barrier);
        insideNextAction = () -> {
            List<BarrierParty> behind = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                BarrierParty party = c.arrive(barrier);
                untilParked(party.thread);
                behind.add(party);
            }
            behind.get(1).thread.interrupt();
            behind.get(1).hasFailedWith(InterruptedException.class);
            behind.get(0).hasFailedWith(BrokenBarrierException.class);
            behind.get(2).hasFailedWith(BrokenBarrierException.class);
            assertTrue(barrier.isBroken());
            c.arrive(barrier).hasFailedWith(BrokenBarrierException.class);
            c.arrive(barrier, LONG, true).hasFailedInterruptedWith(BrokenBarrierException.class);
        };
        c.arrive(barrier).hasPassed(0);
        first.hasPassed(1);
        assertEquals(1, ran.size());
        assertTrue(barrier.isBroken());
        c.arrive(barrier).hasFailedWith(BrokenBarrierException.class);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void anInterruptBeforeArrivingDuringAnActionBreaksTheRoundsBehindIt(Case c) {
        withAction(c);
        BarrierParty first = c.arriveAndWait(barrier);
        insideNextAction = () -> {
            BarrierParty behind = c.arriveAndWait(barrier);
            c.arrive(barrier, LONG, true).hasFailedWith(InterruptedException.class);
            behind.hasFailedWith(BrokenBarrierException.class);
        };
        c.arrive(barrier).hasPassed(0);
        first.hasPassed(1);
        assertTrue(barrier.isBroken());
    }

    @ParameterizedTest
    @MethodSource("oursTimed")
    void aTimeoutAndAResetDuringAnActionLeaveAWholeBarrier(Case c) {
        withAction(c);
        BarrierParty first = c.arriveAndWait(barrier);
        List<BarrierParty> later = new ArrayList<>();
        insideNextAction = () -> {
            for (long timeout : new long[] {0, SHORT}) {
                c.arrive(barrier, timeout, false).hasFailedWith(TimeoutException.class);
                assertTrue(barrier.isBroken());
                barrier.reset();
                assertFalse(barrier.isBroken());
            }
            later.add(c.arriveAndWait(barrier));
        };
        c.arrive(barrier).hasPassed(0);
        first.hasPassed(1);
        c.arrive(barrier).hasPassed(0);
        later.get(0).hasPassed(1);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void aResetDuringAnActionDoesNotBreakItsRound(Case c) {
        withAction(c);
        BarrierParty first = c.arriveAndWait(barrier);
        insideNextAction = () -> {
            BarrierParty behind = c.arriveAndWait(barrier);
            barrier.reset();
            behind.hasFailedWith(BrokenBarrierException.class);
            assertFalse(first.isOver());
        };
        c.arrive(barrier).hasPassed(0);
        first.hasPassed(1);
        assertFalse(barrier.isBroken());
    }

    @Test
    void viewsOfOneCoreShareItsRounds() {
        CyclicBarrier one = new CyclicBarrier(2);
        CyclicBarrier other = CyclicBarrier.viewOf(one.core());
        assertSame(one.core(), other.core());
        assertEquals(2, other.getParties());
        BarrierParty first = new BarrierParty(ThreadKind.PLATFORM, () -> one.await(LONG, NANOSECONDS));
        untilParked(first.thread);
        assertEquals(1, other.getNumberWaiting());
        new BarrierParty(ThreadKind.PLATFORM, other::await).hasPassed(0);
        first.hasPassed(1);
        assertThrows(NullPointerException.class, () -> CyclicBarrier.viewOf(null));
    }
}
