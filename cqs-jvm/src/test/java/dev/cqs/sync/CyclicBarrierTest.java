package dev.cqs.sync;

import static dev.cqs.sync.BarrierResult.BROKEN;
import static dev.cqs.sync.BarrierResult.PASSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds, cancellation and bad arguments, one step at a time. */
class CyclicBarrierTest extends CyclicBarrierFixture {

    // Rounds

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void fewerThanOnePartyAreRefused(int parties) {
        assertEquals(
                "the number of parties must be positive, but is " + parties,
                assertThrows(IllegalArgumentException.class, () -> new CyclicBarrier(parties))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 100})
    void theLastPartyOfARoundResumesTheOthersInFifoOrder(int parties) {
        barrier = new CyclicBarrier(parties);
        for (int round = 0; round < 10; round++) {
            List<TestWaiter> order = new ArrayList<>();
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 1; i < parties; i++) {
                TestWaiter waiter = enqueueParty(parties - i);
                waiter.onResume = value -> order.add(waiter);
                waiters.add(waiter);
                assertEquals(i, barrier.waiting());
            }
            assertEquals(List.of(), order);
            completeRound();
            assertEquals(waiters, order);
            waiters.forEach(waiter -> assertEquals(PASSED, waiter.value));
            assertEquals(0, barrier.waiting());
        }
    }

    @Test
    void theOnlyPartyOfARoundNeverWaits() {
        withAction(1);
        for (int round = 1; round <= 100; round++) {
            assertTrue(barrier.tryArrive());
            completeRound();
            assertEquals(2 * round, runs);
        }
    }

    @Test
    void tryArriveSucceedsForTheLastPartyOnly() {
        barrier = new CyclicBarrier(3);
        for (int i = 0; i < 3; i++) {
            assertFalse(barrier.tryArrive());
            assertEquals(0, barrier.waiting());
        }
        TestWaiter first = enqueueParty(2);
        assertFalse(barrier.tryArrive());
        TestWaiter second = enqueueParty(1);
        assertTrue(barrier.tryArrive());
        assertPassed(first, second);
    }

    @Test
    void aStalledPartyDoesNotGetTheResumeOfAnotherRound() {
        Stalled first = new Stalled();
        assertEquals(1, barrier.waiting());
        completeRound();
        TestWaiter later = enqueueParty(1);
        assertFalse(later.isResumed(), "it belongs to the next round");
        assertPassed(first.reachCell());
        assertUnresumed(later);
        completeRound();
        assertPassed(later);
    }

    @Test
    void aPartyThatStallsForManyRoundsGetsTheOutcomeOfItsOwnRound() {
        for (BarrierResult outcome : List.of(PASSED, BROKEN)) {
            Stalled stalled = new Stalled();
            if (outcome == PASSED) {
                completeRound();
            } else {
                barrier.reset();
            }
            for (int round = 0; round < 1000; round++) {
                TestWaiter waiter = enqueueParty(1);
                completeRound();
                assertPassed(waiter);
            }
            assertEquals(outcome, stalled.reachCell().value);
        }
    }

    // Cancellation

    @Test
    void aCancelledPartyBreaksTheBarrierUntilAReset() {
        barrier = new CyclicBarrier(4);
        TestWaiter first = enqueueParty(3);
        TestWaiter second = enqueueParty(2);
        TestWaiter third = enqueueParty(1);
        assertTrue(second.cancelNow());
        assertBroken(first, third);
        assertUnresumed(second);
        assertIsBroken();
        for (TestWaiter waiter : List.of(first, second, third)) {
            assertFalse(waiter.cancelNow());
        }
        assertWholeAfterReset();
        assertUnresumed(second);
    }

    @Test
    void theFirstOfSeveralCancellationsBreaksTheBarrierForTheOthers() {
        barrier = new CyclicBarrier(4);
        TestWaiter first = enqueueParty(3);
        TestWaiter second = enqueueParty(2);
        TestWaiter third = enqueueParty(1);
        first.onResume = value -> assertFalse(third.cancelNow());
        assertTrue(second.cancelNow());
        assertBroken(first, third);
        assertUnresumed(second);
    }

    @Test
    void aPartyWhoseRoundIsCompleteCannotBeCancelled() {
        TestWaiter first = enqueueParty(1);
        first.onResume = value -> assertFalse(first.cancelNow());
        completeRound();
        assertFalse(first.cancelNow());
        assertFalse(barrier.isBroken());
        TestWaiter second = enqueueParty(1);
        assertFalse(first.cancelNow());
        assertUnresumed(second);
        completeRound();
        assertPassed(first, second);
    }

    @Test
    void aPartyWhoseActionRunsCannotBeCancelled() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        insideNextAction = () -> {
            TestWaiter later = enqueueParty(1);
            assertFalse(first.cancelNow());
            assertFalse(barrier.isBroken());
            assertUnresumed(later);
        };
        completeRound();
        assertPassed(first);
        assertEquals(1, barrier.waiting());
    }

    @Test
    void aPartyThatWasResumedToRunTheActionCannotBeCancelled() {
        withAction(2);
        enqueueParty(1);
        List<TestWaiter> later = new ArrayList<>();
        insideNextAction = () -> {
            later.add(enqueueParty(1));
            later.add(enqueueParty(0));
        };
        completeRound();
        later.forEach(waiter -> assertFalse(waiter.cancelNow()));
        assertFalse(barrier.isBroken());
        barrier.runAction();
        assertPassed(later.get(0));
    }

    @Test
    void abortBreaksTheBarrierOnce() {
        TestWaiter first = enqueueParty(1);
        assertTrue(barrier.abort());
        assertBroken(first);
        assertFalse(barrier.abort());
        assertIsBroken();
        assertWholeAfterReset();

        CyclicBarrier idle = new CyclicBarrier(2);
        assertTrue(idle.abort());
        assertTrue(idle.isBroken());
    }

    @Test
    void aCancellationDuringAnActionBreaksTheRoundsBehindItAtOnce() {
        for (int giver = 0; giver < 5; giver++) {
            int number = giver;
            withAction(2);
            TestWaiter first = enqueueParty(1);
            List<TestWaiter> behind = new ArrayList<>();
            insideNextAction = () -> {
                for (int missing : new int[] {1, 0, 1, 0, 1}) {
                    behind.add(enqueueParty(missing));
                }
                TestWaiter gone = behind.remove(number);
                assertTrue(gone.cancelNow());
                behind.forEach(this::assertBroken);
                behind.forEach(waiter -> assertFalse(waiter.cancelNow()));
                assertUnresumed(gone, first);
                assertIsBroken();
            };
            completeRound();
            assertPassed(first);
            assertEquals(1, runs);
            assertIsBroken();
            assertWholeAfterReset();
        }
    }

    @Test
    void abortDuringAnActionBreaksTheRoundsBehindItAtOnce() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        insideNextAction = () -> {
            TestWaiter behind = enqueueParty(1);
            assertTrue(barrier.abort());
            assertBroken(behind);
            assertFalse(barrier.abort());
            assertIsBroken();
        };
        completeRound();
        assertPassed(first);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void aFailingActionBreaksItsRoundThoughTheRoundsBehindAreBrokenAlready() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        insideNextAction = () -> {
            enqueueParty(1).cancelNow();
            throw new IllegalStateException("failure");
        };
        assertThrows(IllegalStateException.class, () -> barrier.tryArrive());
        assertBroken(first);
        assertIsBroken();
        assertWholeAfterReset();
    }

    // Bad arguments

    @Test
    void arriveRefusesNull() {
        assertThrows(NullPointerException.class, () -> barrier.arrive(null));
        assertEquals(0, barrier.waiting());
    }

    @Test
    void arriveRefusesAWaiterThatHasArrived() {
        barrier = new CyclicBarrier(3);
        TestWaiter waiter = enqueueParty(2);
        assertThrows(IllegalStateException.class, () -> barrier.arrive(waiter));
        assertEquals(1, barrier.waiting());
        TestWaiter second = enqueueParty(1);
        completeRound();
        assertPassed(waiter, second);
    }

    // Queries

    @Test
    void toStringShowsThePartiesAndTheWaiters() {
        enqueueParty(1);
        assertEquals(2, barrier.parties());
        assertTrue(barrier.toString().endsWith("[2 parties, 1 waiting]"), barrier.toString());
        barrier.abort();
        assertTrue(barrier.toString().endsWith("[2 parties, 0 waiting, broken]"), barrier.toString());
    }
}
