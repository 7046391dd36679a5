package dev.cqs.sync;

import static dev.cqs.sync.BarrierResult.RUN_ACTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds with an action, one step at a time. Other threads act while the action runs. */
class CyclicBarrierWithActionTest extends CyclicBarrierFixture {

    // The action

    @Test
    void theActionRunsOnceARoundBeforeAnyPartyIsResumed() {
        withAction(3);
        for (int round = 1; round <= 50; round++) {
            TestWaiter first = enqueueParty(2);
            TestWaiter second = enqueueParty(1);
            insideNextAction = () -> {
                assertFalse(first.isResumed() || second.isResumed());
                assertEquals(0, barrier.waiting());
            };
            assertEquals(round - 1, runs);
            completeRound();
            assertEquals(round, runs);
            assertPassed(first, second);
        }
    }

    @Test
    void theLastPartyOfARoundCompletedDuringAnActionRunsItsOwnActionLater() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> later = new ArrayList<>();
        insideNextAction = () -> {
            later.add(enqueueParty(1));
            assertEquals(1, barrier.waiting());
            later.add(enqueueParty(0));
            later.add(enqueueParty(1));
            later.add(enqueueParty(0));
            later.add(enqueueParty(1));
            assertEquals(1, barrier.waiting());
        };
        completeRound();
        assertPassed(first);
        assertEquals(1, runs);
        assertEquals(RUN_ACTION, later.get(1).value);
        assertUnresumed(later.get(0), later.get(2), later.get(3), later.get(4));

        barrier.runAction();
        assertEquals(2, runs);
        assertPassed(later.get(0));
        assertEquals(RUN_ACTION, later.get(3).value);
        assertUnresumed(later.get(2), later.get(4));

        barrier.runAction();
        assertEquals(3, runs);
        assertPassed(later.get(2));
        assertUnresumed(later.get(4));
        completeRound();
        assertPassed(later.get(4));
        assertEquals(4, runs);
    }

    /** The parties of the finished round are resumed first. Only then the last party of the next round runs its action. */
    @Test
    void aRoundIsResumedBeforeTheActionOfTheNextBegins() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        insideNextAction = () -> {
            enqueueParty(1);
            enqueueParty(0).onResume = value -> assertPassed(first);
        };
        completeRound();
        assertPassed(first);
    }

    @Test
    void aPartyThatStallsBeforeItsCellLearnsThatItRunsTheAction() {
        withAction(2);
        enqueueParty(1);
        List<Stalled> last = new ArrayList<>();
        insideNextAction = () -> {
            enqueueParty(1);
            last.add(new Stalled(1));
        };
        completeRound();
        assertEquals(RUN_ACTION, last.get(0).reachCell().value);
        barrier.runAction();
        assertEquals(2, runs);
    }

    /** No party waits for the end of the action without a cell: the party that runs it may need the same thread. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Timeout(60)
    void aHundredThousandRoundsAreCompletedDuringOneAction(int parties) {
        withAction(parties);
        List<TestWaiter> waiters = new ArrayList<>();
        insideNextAction = () -> {
            for (int i = 0; i < 100_000 * parties; i++) {
                waiters.add(enqueueParty(parties - 1 - i % parties));
            }
        };
        for (int i = 1; i < parties; i++) {
            enqueueParty(parties - i);
        }
        completeRound();
        for (int i = parties - 1; i < waiters.size(); i += parties) {
            assertEquals(RUN_ACTION, waiters.get(i).value);
            barrier.runAction();
        }
        assertEquals(100_001, runs);
        assertEquals(
                waiters.size() / parties,
                waiters.stream().filter(waiter -> waiter.value == RUN_ACTION).count());
        assertEquals(0, waiters.stream().filter(waiter -> waiter.value == null).count());
        assertFewObjects(waiters);
        assertWholeAfterReset();
    }

    @Test
    @Timeout(60)
    void aHundredThousandRoundsBehindAnActionAreBrokenByOneCancellation() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> waiters = new ArrayList<>();
        insideNextAction = () -> {
            for (int i = 0; i < 100_000; i++) {
                waiters.add(enqueueParty(1));
                waiters.add(enqueueParty(0));
            }
            assertTrue(waiters.remove(77_777).cancelNow());
            waiters.forEach(this::assertBroken);
        };
        completeRound();
        assertPassed(first);
        assertWholeAfterReset();
    }

    @Test
    void aFailingActionBreaksItsRoundAndTheRoundsBehind() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> behind = new ArrayList<>();
        Error failure = new Error("failure");
        insideNextAction = () -> {
            for (int missing : new int[] {1, 0, 1}) {
                behind.add(enqueueParty(missing));
            }
            throw failure;
        };
        assertSame(failure, assertThrows(Error.class, () -> barrier.tryArrive()));
        assertBroken(first);
        behind.forEach(this::assertBroken);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void aFailingActionThatAResumedPartyRunsBreaksItsRoundAndTheRoundsBehind() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> behind = new ArrayList<>();
        insideNextAction = () -> {
            for (int missing : new int[] {1, 0, 1, 0, 1}) {
                behind.add(enqueueParty(missing));
            }
        };
        completeRound();
        assertPassed(first);
        insideNextAction = () -> {
            throw new IllegalStateException("failure");
        };
        assertThrows(IllegalStateException.class, () -> barrier.runAction());
        assertEquals(RUN_ACTION, behind.remove(1).value);
        behind.forEach(this::assertBroken);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void abortActionBreaksTheRoundAndTheRoundsBehind() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> behind = new ArrayList<>();
        insideNextAction = () -> {
            for (int missing : new int[] {1, 0, 1, 0, 1}) {
                behind.add(enqueueParty(missing));
            }
        };
        completeRound();
        assertPassed(first);
        assertEquals(RUN_ACTION, behind.remove(1).value);
        barrier.abortAction();
        behind.forEach(this::assertBroken);
        assertEquals(1, runs);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void aPartyWhoseOwnActionFailsIsNotResumed() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        insideNextAction = () -> {
            throw new IllegalStateException("failure");
        };
        TestWaiter last = new TestWaiter("last");
        assertThrows(IllegalStateException.class, () -> barrier.arrive(last));
        assertUnresumed(last);
        assertFalse(last.cancelNow());
        assertBroken(first);
        assertWholeAfterReset();
    }

    /** The waiter refuses its resume, so there is no party to run the action. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPartyThatRefusesToRunTheActionBreaksItsRoundAndTheRoundsBehind(boolean stalls) {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> behind = new ArrayList<>();
        List<Stalled> last = new ArrayList<>();
        insideNextAction = () -> {
            behind.add(enqueueParty(1));
            if (stalls) {
                last.add(new Stalled(1));
                last.get(0).waiter.accepts = false;
            } else {
                enqueueParty(0).accepts = false;
            }
            behind.add(enqueueParty(1));
        };
        completeRound();
        last.forEach(Stalled::reachCell);
        assertPassed(first);
        behind.forEach(this::assertBroken);
        assertEquals(1, runs);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void aPartyThatRefusesItsResumeStillCountsForItsRound() {
        barrier = new CyclicBarrier(3);
        enqueueParty(2).accepts = false;
        TestWaiter second = enqueueParty(1);
        completeRound();
        assertPassed(second);
        assertFalse(barrier.isBroken());
        assertWholeAfterReset();
    }

    @Test
    void runActionAndAbortActionNeedARoundThatWaitsForItsAction() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        for (Runnable call : List.<Runnable>of(barrier::runAction, barrier::abortAction)) {
            assertEquals(
                    "no round of this barrier waits for its action",
                    assertThrows(IllegalStateException.class, call::run).getMessage());
        }
        assertEquals(0, runs);
        assertFalse(barrier.isBroken());
        completeRound();
        assertPassed(first);
    }
}
