package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.untilParked;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.BarrierParty.Barrier;
import dev.cqs.threads.BarrierParty.Case;
import dev.cqs.threads.BarrierParty.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The thread that runs the action uses the barrier inside it, on ours and the JDK's. */
class CyclicBarrierInsideActionTest {
    private static final int MOST_PARTIES = 4;

    static Stream<Case> all() {
        return Case.all();
    }

    static Stream<Case> ours() {
        return all().filter(c -> c.kind() == Kind.OURS);
    }

    /** What the next action does. */
    private Runnable inside = () -> {};

    private final List<Thread> ran = new ArrayList<>();

    private Barrier barrier;

    private void withAction(Case c, int parties) {
        barrier = c.make(parties, () -> {
            ran.add(Thread.currentThread());
            Runnable now = inside;
            inside = () -> {};
            now.run();
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    void insideTheActionAllPartiesCountAsWaiting(Case c) {
        for (int parties = 1; parties <= MOST_PARTIES; parties++) {
            int all = parties;
            withAction(c, parties);
            List<BarrierParty> others = c.wait(parties - 1, barrier);
            inside = () -> {
                assertEquals(all, barrier.getNumberWaiting());
                assertFalse(barrier.isBroken());
                assertEquals(all, barrier.getNumberWaiting());
            };
            c.arrive(barrier).hasPassed(0);
            assertPassed(others);
            assertEquals(0, barrier.getNumberWaiting());
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void aResetBreaksTheRoundAndTheThreadOfTheActionContinues(Case c) {
        for (int parties = 1; parties <= MOST_PARTIES; parties++) {
            withAction(c, parties);
            List<BarrierParty> others = c.wait(parties - 1, barrier);
            inside = () -> {
                barrier.reset();
                assertEquals(0, barrier.getNumberWaiting());
                assertFalse(barrier.isBroken());
                others.forEach(party -> assertFalse(party.isOver(), "before the action is done"));
                barrier.reset();
            };
            c.arrive(barrier).hasPassed(0);
            assertBroken(others);
            assertWhole(c);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFailureAfterAResetBreaksTheBarrierToo(Case c) {
        for (int parties = 1; parties <= MOST_PARTIES; parties++) {
            withAction(c, parties);
            List<BarrierParty> others = c.wait(parties - 1, barrier);
            Error failure = new Error("failure");
            inside = () -> {
                barrier.reset();
                throw failure;
            };
            c.arrive(barrier).hasFailedWith(failure);
            assertBroken(others);
            assertTrue(barrier.isBroken());
            c.arrive(barrier).hasFailedWith(BrokenBarrierException.class);
            barrier.reset();
            assertWhole(c);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptWithAResetStaysPending(Case c) {
        withAction(c, 3);
        List<BarrierParty> others = c.wait(2, barrier);
        inside = () -> {
            others.get(0).thread.interrupt();
            barrier.reset();
            others.get(1).thread.interrupt();
        };
        c.arrive(barrier).hasPassed(0);
        others.forEach(party -> party.hasFailedInterruptedWith(BrokenBarrierException.class));
        assertWhole(c);
    }

    /** The wait is for the end of the action in which it happens. */
    @ParameterizedTest
    @MethodSource("all")
    void aWaitInsideTheActionEndsOnlyByATimeoutOrAnInterrupt(Case c) {
        withAction(c, 2);
        BarrierParty first = c.arriveAndWait(barrier);
        inside = () -> {
            assertThrows(TimeoutException.class, () -> barrier.await(TestThreads.SHORT, NANOSECONDS));
            assertTrue(barrier.isBroken());
            barrier.reset();
        };
        c.arrive(barrier).hasPassed(0);
        first.hasFailedWith(BrokenBarrierException.class);
        assertWhole(c);
    }

    @ParameterizedTest
    @MethodSource("all")
    void queriesInsideTheNextActionShowItsOwnRound(Case c) {
        withAction(c, 2);
        for (int round = 0; round < 3; round++) {
            boolean resets = round == 1;
            BarrierParty first = c.arriveAndWait(barrier);
            inside = () -> {
                assertEquals(2, barrier.getNumberWaiting());
                if (resets) {
                    barrier.reset();
                }
            };
            c.arrive(barrier).hasPassed(0);
            if (resets) {
                first.hasFailedWith(BrokenBarrierException.class);
            } else {
                first.hasPassed(1);
            }
        }
        assertEquals(3, ran.size());
    }

    /** The JDK's barrier blocks arrivals during the action. */
    @ParameterizedTest
    @MethodSource("ours")
    void aResetBreaksTheRoundBehindAndLaterArrivalsAreOfTheNextRound(Case c) {
        withAction(c, 2);
        BarrierParty first = c.arriveAndWait(barrier);
        List<BarrierParty> behind = new ArrayList<>();
        List<BarrierParty> after = new ArrayList<>();
        inside = () -> {
            for (int i = 0; i < 3; i++) {
                behind.add(parks(c));
            }
            assertEquals(2, barrier.getNumberWaiting(), "in its own round");
            barrier.reset();
            assertBroken(behind);
            assertFalse(first.isOver());
            for (int i = 0; i < 2; i++) {
                assertEquals(i, barrier.getNumberWaiting());
                after.add(parks(c));
            }
            inside = () -> assertEquals(2, barrier.getNumberWaiting());
        };
        c.arrive(barrier).hasPassed(0);
        first.hasFailedWith(BrokenBarrierException.class);
        after.get(0).hasPassed(1);
        after.get(1).hasPassed(0);
        assertEquals(2, ran.size(), "one after the other");
        assertEquals(after.get(1).thread, ran.get(1));
        assertWhole(c);
    }

    private BarrierParty parks(Case c) {
        BarrierParty party = c.arrive(barrier);
        untilParked(party.thread);
        return party;
    }

    private void assertWhole(Case c) {
        assertFalse(barrier.isBroken());
        assertEquals(0, barrier.getNumberWaiting());
        List<BarrierParty> others = c.wait(barrier.getParties() - 1, barrier);
        c.arrive(barrier).hasPassed(0);
        assertPassed(others);
    }

    private static void assertPassed(List<BarrierParty> others) {
        for (int i = 0; i < others.size(); i++) {
            others.get(i).hasPassed(others.size() - i);
        }
    }

    private static void assertBroken(List<BarrierParty> others) {
        others.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
    }
}
