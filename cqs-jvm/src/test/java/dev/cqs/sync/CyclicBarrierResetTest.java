package dev.cqs.sync;

import static dev.cqs.sync.BarrierResult.RUN_ACTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resets of a barrier, one step at a time, also while an action runs. */
class CyclicBarrierResetTest extends CyclicBarrierFixture {

    // Reset

    @Test
    void aResetBreaksTheWaitingRoundAndBeginsANewOne() {
        barrier = new CyclicBarrier(3);
        TestWaiter first = enqueueParty(2);
        TestWaiter second = enqueueParty(1);
        barrier.reset();
        assertBroken(first, second);
        assertFalse(barrier.isBroken());
        assertEquals(0, barrier.waiting());
        TestWaiter third = enqueueParty(2);
        assertFalse(first.cancelNow(), "its round has ended");
        TestWaiter fourth = enqueueParty(1);
        completeRound();
        assertPassed(third, fourth);
    }

    @Test
    void aResetWithoutWaitersChangesNothing() {
        barrier.reset();
        TestWaiter first = enqueueParty(1);
        completeRound();
        barrier.reset();
        assertPassed(first);
        assertWholeAfterReset();
    }

    @Test
    void aResetDuringAnActionBreaksTheRoundsBehindAndNotItsOwn() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> later = new ArrayList<>();
        insideNextAction = () -> {
            barrier.reset();
            List<TestWaiter> behind = List.of(enqueueParty(1), enqueueParty(0), enqueueParty(1));
            barrier.reset();
            behind.forEach(this::assertBroken);
            assertUnresumed(first);
            assertFalse(barrier.isBroken());
            assertEquals(0, barrier.waiting());
            behind.forEach(waiter -> assertFalse(waiter.cancelNow()));
            for (int missing : new int[] {1, 0, 1}) {
                later.add(enqueueParty(missing));
            }
        };
        completeRound();
        assertPassed(first);
        assertNextRoundRunsItsAction(later);
    }

    @Test
    void aResetRepairsABrokenBarrierDuringAnAction() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> later = new ArrayList<>();
        insideNextAction = () -> {
            for (int i = 0; i < 3; i++) {
                assertTrue(enqueueParty(1).cancelNow());
                assertTrue(barrier.isBroken());
                barrier.reset();
                assertFalse(barrier.isBroken());
            }
            for (int missing : new int[] {1, 0, 1}) {
                later.add(enqueueParty(missing));
            }
            assertUnresumed(first);
        };
        completeRound();
        assertPassed(first);
        assertNextRoundRunsItsAction(later);
    }

    @Test
    void aRoundAfterAResetBreaksIfItsActionFails() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> later = new ArrayList<>();
        insideNextAction = () -> {
            enqueueParty(1);
            barrier.reset();
            for (int missing : new int[] {1, 0, 1}) {
                later.add(enqueueParty(missing));
            }
        };
        completeRound();
        assertPassed(first);
        assertEquals(RUN_ACTION, later.get(1).value);
        barrier.abortAction();
        assertBroken(later.get(0), later.get(2));
        assertWholeAfterReset();
    }

    /** Checks that the second party was resumed to run the action, and that the third waits for the next round. */
    private void assertNextRoundRunsItsAction(List<TestWaiter> later) {
        assertFalse(barrier.isBroken());
        assertEquals(RUN_ACTION, later.get(1).value);
        assertUnresumed(later.get(0), later.get(2));
        barrier.runAction();
        assertEquals(2, runs);
        assertPassed(later.get(0));
        assertUnresumed(later.get(2));
        completeRound();
        assertPassed(later.get(2));
        assertEquals(3, runs);
    }
}
