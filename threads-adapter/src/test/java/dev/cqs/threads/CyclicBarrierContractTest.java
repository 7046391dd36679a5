package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.untilParked;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.BarrierParty.Barrier;
import dev.cqs.threads.BarrierParty.Case;
import dev.cqs.threads.BarrierParty.Kind;
import dev.cqs.threads.BarrierParty.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of a {@link java.util.concurrent.CyclicBarrier}, on ours and the JDK's. */
class CyclicBarrierContractTest {
    static Stream<Case> all() {
        return Case.all();
    }

    static Stream<Case> timed() {
        return all().filter(c -> c.variant() == Variant.AWAIT_TIMED);
    }

    @ParameterizedTest
    @EnumSource
    void fewerThanOnePartyAreRefused(Kind kind) {
        for (int parties : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> kind.make(parties));
            assertThrows(IllegalArgumentException.class, () -> kind.make(parties, () -> {}));
        }
        assertThrows(IllegalArgumentException.class, () -> new CyclicBarrier(0));
    }

    @ParameterizedTest
    @EnumSource
    void aNewBarrierIsWholeAndHasNoWaiters(Kind kind) {
        for (int parties : new int[] {1, 7, Integer.MAX_VALUE}) {
            Barrier barrier = kind.make(parties);
            assertEquals(parties, barrier.getParties());
            assertEquals(0, barrier.getNumberWaiting());
            assertFalse(barrier.isBroken());
        }
        assertEquals(7, new CyclicBarrier(7).getParties());
    }

    @ParameterizedTest
    @EnumSource
    void aMissingUnitIsRefusedAndBreaksNothing(Kind kind) {
        Barrier barrier = kind.make(2);
        assertThrows(NullPointerException.class, () -> barrier.await(1, null));
        assertFalse(barrier.isBroken());
    }

    // Rounds

    @ParameterizedTest
    @MethodSource("all")
    void awaitReturnsTheArrivalIndex(Case c) {
        Barrier barrier = c.make(4);
        for (int round = 0; round < 3; round++) {
            List<BarrierParty> waiting = c.wait(3, barrier);
            assertEquals(3, barrier.getNumberWaiting());
            c.arrive(barrier).hasPassed(0);
            for (int i = 0; i < 3; i++) {
                waiting.get(i).hasPassed(3 - i);
            }
            assertEquals(0, barrier.getNumberWaiting());
            assertFalse(barrier.isBroken());
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void theOnlyPartyNeverWaits(Case c) {
        List<Thread> ran = new ArrayList<>();
        Barrier barrier = c.make(1, () -> ran.add(Thread.currentThread()));
        for (int i = 0; i < 3; i++) {
            BarrierParty party = c.arrive(barrier);
            party.hasPassed(0);
            assertEquals(List.of(party.thread), ran);
            ran.clear();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void theLastThreadRunsTheActionBeforeTheOthersContinue(Case c) {
        List<Thread> ran = new ArrayList<>();
        List<BarrierParty> waiting = new ArrayList<>();
        Barrier barrier = c.make(3, () -> {
            assertTrue(waiting.stream().noneMatch(BarrierParty::isOver));
            ran.add(Thread.currentThread());
        });
        for (int round = 0; round < 3; round++) {
            waiting.addAll(c.wait(2, barrier));
            BarrierParty last = c.arrive(barrier);
            last.hasPassed(0);
            waiting.get(0).hasPassed(2);
            waiting.get(1).hasPassed(1);
            assertEquals(List.of(last.thread), ran);
            ran.clear();
            waiting.clear();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFailingActionThrowsInItsThreadAndBreaksTheBarrierForTheOthers(Case c) {
        for (Throwable failure : List.of(new IllegalStateException("failure"), new Error("failure"))) {
            Barrier barrier = c.make(3, () -> sneak(failure));
            List<BarrierParty> waiting = c.wait(2, barrier);
            c.arrive(barrier).hasFailedWith(failure);
            waiting.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
            assertStaysBroken(c, barrier);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptByTheActionStaysPending(Case c) {
        Barrier barrier = c.make(2, () -> Thread.currentThread().interrupt());
        BarrierParty first = c.arriveAndWait(barrier);
        c.arrive(barrier).hasPassedInterrupted(0);
        first.hasPassed(1);
        assertFalse(barrier.isBroken());
    }

    // Interrupts and timeouts

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptWhileWaitingBreaksTheBarrierForTheOthers(Case c) {
        for (int interrupted = 0; interrupted < 3; interrupted++) {
            Barrier barrier = c.make(4);
            List<BarrierParty> waiting = new ArrayList<>(c.wait(3, barrier));
            BarrierParty gone = waiting.remove(interrupted);
            gone.thread.interrupt();
            gone.hasFailedWith(InterruptedException.class);
            waiting.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
            assertStaysBroken(c, barrier);
            assertWholeAfterReset(c, barrier);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptBeforeArrivingBreaksTheBarrierForTheOthers(Case c) {
        for (int before = 0; before < 3; before++) { // without the interrupt, the last would not wait
            Barrier barrier = c.make(3, () -> {
                throw new AssertionError("the action has run");
            });
            List<BarrierParty> waiting = c.wait(before, barrier);
            c.arrive(barrier, LONG, true).hasFailedWith(InterruptedException.class);
            waiting.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
            assertStaysBroken(c, barrier);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptBeforeArrivingAtABrokenBarrierStaysPending(Case c) {
        Barrier barrier = c.make(2);
        breakIt(c, barrier);
        c.arrive(barrier, LONG, true).hasFailedInterruptedWith(BrokenBarrierException.class);
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aTimeoutBreaksTheBarrierForTheOthers(Case c) {
        Barrier barrier = c.make(4);
        List<BarrierParty> waiting = c.wait(2, barrier);
        c.arrive(barrier, SHORT, false).hasFailedWith(TimeoutException.class);
        waiting.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
        assertStaysBroken(c, barrier);
        assertWholeAfterReset(c, barrier);
    }

    @ParameterizedTest
    @MethodSource("timed")
    void timeoutsOfZeroAndLessDoNotWait(Case c) {
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            Barrier barrier = c.make(3);
            List<BarrierParty> waiting = c.wait(1, barrier);
            c.arrive(barrier, timeout, false).hasFailedWith(TimeoutException.class);
            waiting.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
            assertStaysBroken(c, barrier);
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLastPartyPassesWithAnyTimeout(Case c) {
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            Barrier barrier = c.make(2);
            BarrierParty first = c.arriveAndWait(barrier);
            c.arrive(barrier, timeout, false).hasPassed(0);
            first.hasPassed(1);
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLongestTimeoutsWait(Case c) {
        for (TimeUnit unit : new TimeUnit[] {NANOSECONDS, DAYS}) {
            for (long timeout : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
                Barrier barrier = c.make(2);
                BarrierParty first = new BarrierParty(c.threads(), () -> barrier.await(timeout, unit));
                untilParked(first.thread);
                assertFalse(first.isOver());
                c.arrive(barrier).hasPassed(0);
                first.hasPassed(1);
            }
        }
    }

    // Reset

    @ParameterizedTest
    @MethodSource("all")
    void aResetBreaksTheWaitingRoundAndBeginsANewOne(Case c) {
        Barrier barrier = c.make(3);
        List<BarrierParty> waiting = c.wait(2, barrier);
        barrier.reset();
        assertFalse(barrier.isBroken());
        assertEquals(0, barrier.getNumberWaiting());
        waiting.forEach(party -> party.hasFailedWith(BrokenBarrierException.class));
        List<BarrierParty> next = c.wait(2, barrier);
        c.arrive(barrier).hasPassed(0);
        next.get(0).hasPassed(2);
        next.get(1).hasPassed(1);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aResetWithoutWaitersChangesNothing(Case c) {
        Barrier barrier = c.make(2);
        assertWholeAfterReset(c, barrier);
        assertWholeAfterReset(c, barrier);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aResetByTheThreadThatHasBrokenTheBarrierMakesItWhole(Case c) {
        Barrier barrier = c.make(2);
        BarrierParty both = new BarrierParty(c.threads(), () -> {
            assertThrows(TimeoutException.class, () -> barrier.await(0, NANOSECONDS));
            assertTrue(barrier.isBroken());
            barrier.reset();
            assertFalse(barrier.isBroken());
            return c.variant().pass(barrier, LONG);
        });
        untilParked(both.thread);
        c.arrive(barrier).hasPassed(0);
        both.hasPassed(1);
    }

    private static void breakIt(Case c, Barrier barrier) {
        c.arrive(barrier, LONG, true).hasFailedWith(InterruptedException.class);
        assertTrue(barrier.isBroken());
    }

    private static void assertStaysBroken(Case c, Barrier barrier) {
        assertTrue(barrier.isBroken());
        assertEquals(0, barrier.getNumberWaiting());
        for (int i = 0; i < barrier.getParties(); i++) {
            c.arrive(barrier).hasFailedWith(BrokenBarrierException.class);
        }
        assertTrue(barrier.isBroken());
    }

    private static void assertWholeAfterReset(Case c, Barrier barrier) {
        barrier.reset();
        assertFalse(barrier.isBroken());
        int others = barrier.getParties() - 1;
        List<BarrierParty> waiting = c.wait(others, barrier);
        c.arrive(barrier).hasPassed(0);
        for (int i = 0; i < others; i++) {
            waiting.get(i).hasPassed(others - i);
        }
    }
}
