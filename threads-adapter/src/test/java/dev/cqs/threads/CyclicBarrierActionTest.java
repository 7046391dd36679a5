package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.SHORT;
import static dev.cqs.threads.Waiting.untilParked;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.BarrierParty.Barrier;
import dev.cqs.threads.BarrierParty.Case;
import dev.cqs.threads.BarrierParty.Kind;
import dev.cqs.threads.BarrierParty.Way;
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

/** What other threads do while an action runs. The JDK's barrier lets them wait for its end; ours does not. */
class CyclicBarrierActionTest {
    static Stream<Case> ours() {
        return Case.all().filter(c -> c.kind() == Kind.OURS);
    }

    static Stream<Case> oursTimed() {
        return ours().filter(c -> c.way() == Way.AWAIT_TIMED);
    }

    /** What others do while the action runs, once. */
    private Runnable meanwhile = () -> {};

    private final List<Thread> ran = new ArrayList<>();

    private Barrier barrier;

    private void withAction(Case c) {
        barrier = c.make(2, () -> {
            ran.add(Thread.currentThread());
            Runnable now = meanwhile;
            meanwhile = () -> {};
            elsewhere(now);
        });
    }

    /** In a thread of its own: to the one that runs the action the barrier answers as inside it. */
    private static void elsewhere(Runnable body) {
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
    void whoLooksDoesNotWaitForTheActionAndSeesThoseWhoHaveComeSince(Case c) {
        withAction(c);
        List<BarrierParty> later = new ArrayList<>();
        BarrierParty first = c.waits(barrier);
        meanwhile = () -> {
            assertEquals(0, barrier.getNumberWaiting());
            later.add(c.waits(barrier));
            assertEquals(1, barrier.getNumberWaiting());
            assertFalse(barrier.isBroken());
        };
        c.comes(barrier).hasPassed(0);
        first.hasPassed(1);
        c.comes(barrier).hasPassed(0);
        later.get(0).hasPassed(1);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void theLastOfARoundThatIsCompleteMeanwhileRunsItsActionAfterwards(Case c) {
        withAction(c);
        BarrierParty first = c.waits(barrier);
        List<BarrierParty> later = new ArrayList<>();
        meanwhile = () -> {
            for (int i = 0; i < 4; i++) {
                BarrierParty party = c.comes(barrier);
                untilParked(party.thread);
                later.add(party);
            }
        };
        BarrierParty last = c.comes(barrier);
        last.hasPassed(0);
        first.hasPassed(1);
        for (int i = 0; i < 4; i++) {
            later.get(i).hasPassed(1 - i % 2);
        }
        assertEquals(List.of(last.thread, later.get(1).thread, later.get(3).thread), ran);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void aWaiterWhoseActionFailsGetsWhatItThrows(Case c) {
        withAction(c);
        c.waits(barrier);
        List<BarrierParty> later = new ArrayList<>();
        Error failure = new Error("failure");
        meanwhile = () -> {
            for (int i = 0; i < 3; i++) {
                BarrierParty party = c.comes(barrier);
                untilParked(party.thread);
                later.add(party);
            }
            meanwhile = () -> {
                throw failure;
            };
        };
        c.comes(barrier).hasPassed(0);
        later.get(0).hasFailedWith(BrokenBarrierException.class);
        later.get(1).hasFailedWith(failure);
        later.get(2).hasFailedWith(BrokenBarrierException.class);
        assertTrue(barrier.isBroken());
    }

    @ParameterizedTest
    @MethodSource("ours")
    void anInterruptWhileTheActionOfItsRoundRunsComesTooLate(Case c) {
        withAction(c);
        BarrierParty first = c.waits(barrier);
        meanwhile = () -> {
            first.thread.interrupt();
            Waiting.until("it has seen the interrupt", () -> !first.thread.isInterrupted());
            untilParked(first.thread);
        };
        c.comes(barrier).hasPassed(0);
        first.hasPassedInterrupted(1);
        assertFalse(barrier.isBroken());
    }

    @ParameterizedTest
    @MethodSource("ours")
    void anInterruptWhileAnotherActionRunsBreaksTheBarrierBehindIt(Case c) {
        withAction(c);
        BarrierParty first = c.waits(barrier);
        meanwhile = () -> {
            List<BarrierParty> behind = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                BarrierParty party = c.comes(barrier);
                untilParked(party.thread);
                behind.add(party);
            }
            behind.get(1).thread.interrupt();
            behind.get(1).hasFailedWith(InterruptedException.class);
            behind.get(0).hasFailedWith(BrokenBarrierException.class);
            behind.get(2).hasFailedWith(BrokenBarrierException.class);
            assertTrue(barrier.isBroken());
            c.comes(barrier).hasFailedWith(BrokenBarrierException.class);
            c.comes(barrier, LONG, true).hasFailedInterruptedWith(BrokenBarrierException.class);
        };
        c.comes(barrier).hasPassed(0);
        first.hasPassed(1);
        assertEquals(1, ran.size());
        assertTrue(barrier.isBroken());
        c.comes(barrier).hasFailedWith(BrokenBarrierException.class);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void anInterruptBeforeComingWhileAnActionRunsBreaksTheBarrierBehindIt(Case c) {
        withAction(c);
        BarrierParty first = c.waits(barrier);
        meanwhile = () -> {
            BarrierParty behind = c.waits(barrier);
            c.comes(barrier, LONG, true).hasFailedWith(InterruptedException.class);
            behind.hasFailedWith(BrokenBarrierException.class);
        };
        c.comes(barrier).hasPassed(0);
        first.hasPassed(1);
        assertTrue(barrier.isBroken());
    }

    @ParameterizedTest
    @MethodSource("oursTimed")
    void whoTimesOutWhileAnActionRunsAndResetsHasAWholeBarrier(Case c) {
        withAction(c);
        BarrierParty first = c.waits(barrier);
        List<BarrierParty> later = new ArrayList<>();
        meanwhile = () -> {
            for (long timeout : new long[] {0, SHORT}) {
                c.comes(barrier, timeout, false).hasFailedWith(TimeoutException.class);
                assertTrue(barrier.isBroken());
                barrier.reset();
                assertFalse(barrier.isBroken());
            }
            later.add(c.waits(barrier));
        };
        c.comes(barrier).hasPassed(0);
        first.hasPassed(1);
        c.comes(barrier).hasPassed(0);
        later.get(0).hasPassed(1);
    }

    @ParameterizedTest
    @MethodSource("ours")
    void aResetWhileAnActionRunsLeavesItsRoundAlone(Case c) {
        withAction(c);
        BarrierParty first = c.waits(barrier);
        meanwhile = () -> {
            BarrierParty behind = c.waits(barrier);
            barrier.reset();
            behind.hasFailedWith(BrokenBarrierException.class);
            assertFalse(first.isOver());
        };
        c.comes(barrier).hasPassed(0);
        first.hasPassed(1);
        assertFalse(barrier.isBroken());
    }

    @Test
    void facesOfOneCoreShareItsRounds() {
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
