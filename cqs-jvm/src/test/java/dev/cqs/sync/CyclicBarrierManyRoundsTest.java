package dev.cqs.sync;

import static dev.cqs.sync.BarrierResult.RUN_ACTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What very many rounds leave in memory, and what happens when the count of parties overflows its bits. */
class CyclicBarrierManyRoundsTest extends CyclicBarrierFixture {

    // What stays reachable

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHundredThousandRoundsLeaveFewObjects(boolean withAction) {
        List<TestWaiter> gone = new ArrayList<>();
        barrier = withAction ? new CyclicBarrier(3, CyclicBarrierManyRoundsTest::nothing) : new CyclicBarrier(3);
        for (int i = 0; i < 100_000; i++) {
            TestWaiter first = enqueueParty(2);
            TestWaiter second = enqueueParty(1);
            if (i % 7 == 0) {
                assertTrue(second.cancelNow());
                barrier.reset();
                assertBroken(first);
            } else if (i % 7 == 1) {
                barrier.reset();
                assertBroken(first, second);
            } else {
                completeRound();
                assertPassed(first, second);
            }
            if (i % 100 == 0) {
                gone.addAll(List.of(first, second));
            }
        }
        assertFewObjects(gone);
    }

    @Test
    void roundsThatAreNeverCompleteLeaveFewObjects() {
        barrier = new CyclicBarrier(3);
        List<TestWaiter> gone = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            gone.add(enqueueParty(2));
            barrier.reset();
        }
        assertFewObjects(gone);
    }

    /** The parties that have not arrived cost neither time nor memory. */
    @ParameterizedTest
    @ValueSource(ints = {100_000, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
    @Timeout(60)
    void resettingAndBreakingDependOnTheWaitersAndNotOnTheParties(int parties) {
        barrier = new CyclicBarrier(parties);
        List<TestWaiter> gone = new ArrayList<>();
        for (int round = 0; round < 1000; round++) {
            List<TestWaiter> waiters =
                    List.of(enqueueParty(parties - 1), enqueueParty(parties - 2), enqueueParty(parties - 3));
            assertEquals(3, barrier.waiting());
            if (round % 3 == 0) {
                barrier.reset();
                assertBroken(waiters.toArray(TestWaiter[]::new));
            } else {
                TestWaiter second = waiters.get(1);
                assertTrue(round % 3 == 1 ? second.cancelNow() : barrier.abort());
                assertBroken(waiters.get(0), waiters.get(2));
                assertTrue(barrier.isBroken());
                barrier.reset();
                assertFalse(second.cancelNow());
            }
            assertFalse(barrier.isBroken());
            assertEquals(0, barrier.waiting());
            gone.addAll(waiters);
        }
        assertFewObjects(gone);
    }

    /** The waiters behind the action are resumed ahead of the head of the queue. */
    @Test
    @Timeout(60)
    void resettingDuringAnActionDependsOnTheWaitersAndNotOnTheParties() {
        int parties = 50_000;
        withAction(parties);
        TestWaiter first = enqueueParty(parties - 1);
        for (int missing = parties - 2; missing > 0; missing--) {
            enqueueParty(missing);
        }
        List<TestWaiter> gone = new ArrayList<>();
        insideNextAction = () -> {
            for (int i = 0; i < 10_000; i++) {
                gone.add(enqueueParty(parties - 1));
                barrier.reset();
            }
            gone.forEach(this::assertBroken);
            assertUnresumed(first);
        };
        completeRound();
        assertPassed(first);
        assertWholeAfterReset();
        assertFewObjects(gone);
    }

    private static void nothing() {}

    // Overflow of the round number

    /** The number of parties in the word wraps around, and the origin must follow it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void roundsWorkWhenTheNumberInTheWordWrapsAround(int parties) {
        for (boolean withAction : new boolean[] {false, true}) {
            for (long origin : new long[] {(1L << 37) - 5, (1L << 40) - 8 * parties - 1, (1L << 50) + 12345}) {
                withAction(parties);
                if (!withAction) {
                    barrier = new CyclicBarrier(parties);
                }
                startAt(origin, origin);
                assertAllOperationsWork();
                startAt(
                        origin,
                        origin + (1L << 36) / parties * parties); // as if the origin had last followed half a cycle ago
                assertAllOperationsWork();
                long followed = get("origin");
                assertTrue(followed > origin + (1L << 35), "the origin has not followed: " + followed);
            }
        }
    }

    /** There may never be a moment without an action. */
    @Test
    void theOriginFollowsDuringAnAction() {
        withAction(2);
        startAt(0, 1L << 36);
        TestWaiter first = enqueueParty(1);
        List<TestWaiter> later = new ArrayList<>();
        insideNextAction = () -> {
            later.add(enqueueParty(1));
            later.add(enqueueParty(0));
            set("origin", 0L);
        };
        completeRound();
        assertPassed(first);
        assertEquals((1L << 36) + 2, this.<Long>get("origin"));
        assertEquals(RUN_ACTION, later.get(1).value);
        barrier.runAction();
        assertPassed(later.get(0));
    }

    /** The rounds behind one action may be reset again and again. */
    @Test
    void theOriginFollowsAtAResetDuringAnAction() {
        withAction(2);
        TestWaiter first = enqueueParty(1);
        Object queue = get("queue");
        insideNextAction = () -> {
            startAt(0, 1L << 36);
            set("word", (1L << 36) + 2 << 27 | 2 << 3 | 1); // one complete round behind the running action
            barrier.reset();
            assertEquals((1L << 36) + 2, this.<Long>get("origin"));
            startAt(0, 2);
            set("word", 2L << 27 | 1 << 3 | 1);
            set("queue", queue);
        };
        completeRound();
        assertPassed(first);
    }

    private void assertAllOperationsWork() {
        int parties = barrier.parties();
        for (int i = 0; i < 3; i++) {
            assertWholeAfterReset();
            if (parties > 1) {
                TestWaiter waiter = enqueueParty(parties - 1);
                barrier.reset();
                assertBroken(waiter);
                waiter = enqueueParty(parties - 1);
                assertTrue(waiter.cancelNow());
                assertIsBroken();
            }
        }
        barrier.reset();
    }
}
