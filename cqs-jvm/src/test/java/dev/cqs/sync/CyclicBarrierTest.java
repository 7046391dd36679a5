package dev.cqs.sync;

import static dev.cqs.sync.BarrierResult.BROKEN;
import static dev.cqs.sync.BarrierResult.PASSED;
import static dev.cqs.sync.BarrierResult.RUN_ACTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.CellRef;
import dev.cqs.NumberedQueue;
import dev.cqs.QueueAt;
import dev.cqs.Reachable;
import dev.cqs.TestWaiter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One step at a time. While the action runs is where the others act. */
class CyclicBarrierTest {
    /** Two or three segments with their arrays, the queue and the barrier. */
    private static final int FEW = 20;

    /** What others do while the action runs, once; or null. */
    private Runnable meanwhile;

    private int runs;

    private CyclicBarrier barrier = new CyclicBarrier(2);

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
    void theLastPartyOfEachRoundLetsTheOthersGoInTheirOrder(int parties) {
        barrier = new CyclicBarrier(parties);
        for (int round = 0; round < 10; round++) {
            List<TestWaiter> order = new ArrayList<>();
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 1; i < parties; i++) {
                TestWaiter waiter = waits(parties - i);
                waiter.onResume = value -> order.add(waiter);
                waiters.add(waiter);
                assertEquals(i, barrier.waiting());
            }
            assertEquals(List.of(), order);
            passes();
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
            passes();
            assertEquals(2 * round, runs);
        }
    }

    @Test
    void aCallerWithoutAWaiterArrivesOnlyAsTheLast() {
        barrier = new CyclicBarrier(3);
        for (int i = 0; i < 3; i++) {
            assertFalse(barrier.tryArrive());
            assertEquals(0, barrier.waiting());
        }
        TestWaiter first = waits(2);
        assertFalse(barrier.tryArrive());
        TestWaiter second = waits(1);
        assertTrue(barrier.tryArrive());
        assertPassed(first, second);
    }

    @Test
    void thePartiesOfOneRoundAreNotMetByTheResumesOfAnother() {
        Stalled first = new Stalled();
        assertEquals(1, barrier.waiting());
        passes();
        TestWaiter later = waits(1);
        assertFalse(later.isResumed(), "the passage of another round");
        assertPassed(first.goOn());
        assertUnresumed(later);
        passes();
        assertPassed(later);
    }

    @Test
    void aPartyThatStallsForManyRoundsStillGetsWhatItsRoundCameTo() {
        for (BarrierResult outcome : List.of(PASSED, BROKEN)) {
            Stalled stalled = new Stalled();
            if (outcome == PASSED) {
                passes();
            } else {
                barrier.reset();
            }
            for (int round = 0; round < 1000; round++) {
                TestWaiter waiter = waits(1);
                passes();
                assertPassed(waiter);
            }
            assertEquals(outcome, stalled.goOn().value);
        }
    }

    // The action

    @Test
    void theActionRunsOnceARoundBeforeAnyoneGoesOn() {
        withAction(3);
        for (int round = 1; round <= 50; round++) {
            TestWaiter first = waits(2);
            TestWaiter second = waits(1);
            meanwhile = () -> {
                assertFalse(first.isResumed() || second.isResumed());
                assertEquals(0, barrier.waiting());
            };
            assertEquals(round - 1, runs);
            passes();
            assertEquals(round, runs);
            assertPassed(first, second);
        }
    }

    @Test
    void theLastPartyOfARoundThatIsCompleteBeforeTheActionIsDoneRunsItLater() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> later = new ArrayList<>();
        meanwhile = () -> {
            later.add(waits(1));
            assertEquals(1, barrier.waiting());
            later.add(waits(0));
            later.add(waits(1));
            later.add(waits(0));
            later.add(waits(1));
            assertEquals(1, barrier.waiting());
        };
        passes();
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
        passes();
        assertPassed(later.get(4));
        assertEquals(4, runs);
    }

    /** The passage of the round comes first, because with it the parties leave, and with that the next action begins. */
    @Test
    void theRoundGoesOnBeforeTheActionOfTheNextBegins() {
        withAction(2);
        TestWaiter first = waits(1);
        meanwhile = () -> {
            waits(1);
            waits(0).onResume = value -> assertPassed(first);
        };
        passes();
        assertPassed(first);
    }

    @Test
    void aPartyThatStallsBeforeItsCellFindsThatItIsToRunTheAction() {
        withAction(2);
        waits(1);
        List<Stalled> last = new ArrayList<>();
        meanwhile = () -> {
            waits(1);
            last.add(new Stalled(1));
        };
        passes();
        assertEquals(RUN_ACTION, last.get(0).goOn().value);
        barrier.runAction();
        assertEquals(2, runs);
    }

    /** None of them waits for the end of the action without a cell: the one that is to run it may need their thread. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Timeout(60)
    void aHundredThousandRoundsAreCompleteBeforeTheActionIsDone(int parties) {
        withAction(parties);
        List<TestWaiter> waiters = new ArrayList<>();
        meanwhile = () -> {
            for (int i = 0; i < 100_000 * parties; i++) {
                waiters.add(waits(parties - 1 - i % parties));
            }
        };
        for (int i = 1; i < parties; i++) {
            waits(parties - i);
        }
        passes();
        for (int i = parties - 1; i < waiters.size(); i += parties) {
            assertEquals(RUN_ACTION, waiters.get(i).value);
            barrier.runAction();
        }
        assertEquals(100_001, runs);
        assertEquals(
                waiters.size() / parties,
                waiters.stream().filter(waiter -> waiter.value == RUN_ACTION).count());
        assertEquals(0, waiters.stream().filter(waiter -> waiter.value == null).count());
        assertHoldsLittle(waiters);
        assertWholeAfterReset();
    }

    @Test
    @Timeout(60)
    void aHundredThousandRoundsBehindAnActionAreBrokenAtOnce() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> waiters = new ArrayList<>();
        meanwhile = () -> {
            for (int i = 0; i < 100_000; i++) {
                waiters.add(waits(1));
                waiters.add(waits(0));
            }
            assertTrue(waiters.remove(77_777).cancelNow());
            waiters.forEach(this::assertBroken);
        };
        passes();
        assertPassed(first);
        assertWholeAfterReset();
    }

    @Test
    void anActionThatFailsBreaksItsRoundAndThoseBehind() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> behind = new ArrayList<>();
        Error failure = new Error("failure");
        meanwhile = () -> {
            for (int missing : new int[] {1, 0, 1}) {
                behind.add(waits(missing));
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
    void anActionThatFailsInTheHandsOfAWaiterDoesTheSame() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> behind = new ArrayList<>();
        meanwhile = () -> {
            for (int missing : new int[] {1, 0, 1, 0, 1}) {
                behind.add(waits(missing));
            }
        };
        passes();
        assertPassed(first);
        meanwhile = () -> {
            throw new IllegalStateException("failure");
        };
        assertThrows(IllegalStateException.class, () -> barrier.runAction());
        assertEquals(RUN_ACTION, behind.remove(1).value);
        behind.forEach(this::assertBroken);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void aPartyThatCannotRunTheActionBreaksItsRoundAndThoseBehind() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> behind = new ArrayList<>();
        meanwhile = () -> {
            for (int missing : new int[] {1, 0, 1, 0, 1}) {
                behind.add(waits(missing));
            }
        };
        passes();
        assertPassed(first);
        assertEquals(RUN_ACTION, behind.remove(1).value);
        barrier.abortAction();
        behind.forEach(this::assertBroken);
        assertEquals(1, runs);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void theWaiterOfAPartyWhoseActionFailsIsNotResumed() {
        withAction(2);
        TestWaiter first = waits(1);
        meanwhile = () -> {
            throw new IllegalStateException("failure");
        };
        TestWaiter last = new TestWaiter("last");
        assertThrows(IllegalStateException.class, () -> barrier.arrive(last));
        assertUnresumed(last);
        assertFalse(last.cancelNow());
        assertBroken(first);
        assertWholeAfterReset();
    }

    /** A waiter may answer that nobody is there any more who could run the action. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPartyThatIsGoneWhenItIsToRunTheActionBreaksItsRoundAndThoseBehind(boolean stalls) {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> behind = new ArrayList<>();
        List<Stalled> last = new ArrayList<>();
        meanwhile = () -> {
            behind.add(waits(1));
            if (stalls) {
                last.add(new Stalled(1));
                last.get(0).waiter.accepts = false;
            } else {
                waits(0).accepts = false;
            }
            behind.add(waits(1));
        };
        passes();
        last.forEach(Stalled::goOn);
        assertPassed(first);
        behind.forEach(this::assertBroken);
        assertEquals(1, runs);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void aPartyThatIsGoneWhenItsRoundIsCompleteHasComeAllTheSame() {
        barrier = new CyclicBarrier(3);
        waits(2).accepts = false;
        TestWaiter second = waits(1);
        passes();
        assertPassed(second);
        assertFalse(barrier.isBroken());
        assertWholeAfterReset();
    }

    @Test
    void noActionIsRunForAPartyThatWasNotToldTo() {
        withAction(2);
        TestWaiter first = waits(1);
        for (Runnable call : List.<Runnable>of(barrier::runAction, barrier::abortAction)) {
            assertEquals(
                    "no round of this barrier waits for its action",
                    assertThrows(IllegalStateException.class, call::run).getMessage());
        }
        assertEquals(0, runs);
        assertFalse(barrier.isBroken());
        passes();
        assertPassed(first);
    }

    @Test
    void nobodyArrivesWithoutAWaiter() {
        assertThrows(NullPointerException.class, () -> barrier.arrive(null));
        assertEquals(0, barrier.waiting());
    }

    @Test
    void nobodyArrivesTwiceWithOneWaiter() {
        barrier = new CyclicBarrier(3);
        TestWaiter waiter = waits(2);
        assertThrows(IllegalStateException.class, () -> barrier.arrive(waiter));
        assertEquals(1, barrier.waiting());
        TestWaiter second = waits(1);
        passes();
        assertPassed(waiter, second);
    }

    // Giving up

    @Test
    void aPartyThatGivesUpBreaksTheBarrierUntilReset() {
        barrier = new CyclicBarrier(4);
        TestWaiter first = waits(3);
        TestWaiter second = waits(2);
        TestWaiter third = waits(1);
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
    void ofSeveralThatGiveUpAtOnceTheFirstBreaksTheBarrierForTheOthers() {
        barrier = new CyclicBarrier(4);
        TestWaiter first = waits(3);
        TestWaiter second = waits(2);
        TestWaiter third = waits(1);
        first.onResume = value -> assertFalse(third.cancelNow());
        assertTrue(second.cancelNow());
        assertBroken(first, third);
        assertUnresumed(second);
    }

    @Test
    void aPartyWhoseRoundIsCompleteCannotGiveUp() {
        TestWaiter first = waits(1);
        first.onResume = value -> assertFalse(first.cancelNow());
        passes();
        assertFalse(first.cancelNow());
        assertFalse(barrier.isBroken());
        TestWaiter second = waits(1);
        assertFalse(first.cancelNow());
        assertUnresumed(second);
        passes();
        assertPassed(first, second);
    }

    @Test
    void aPartyWhoseActionRunsCannotGiveUp() {
        withAction(2);
        TestWaiter first = waits(1);
        meanwhile = () -> {
            TestWaiter later = waits(1);
            assertFalse(first.cancelNow());
            assertFalse(barrier.isBroken());
            assertUnresumed(later);
        };
        passes();
        assertPassed(first);
        assertEquals(1, barrier.waiting());
    }

    @Test
    void aPartyThatWasToldToRunTheActionCannotGiveUp() {
        withAction(2);
        waits(1);
        List<TestWaiter> later = new ArrayList<>();
        meanwhile = () -> {
            later.add(waits(1));
            later.add(waits(0));
        };
        passes();
        later.forEach(waiter -> assertFalse(waiter.cancelNow()));
        assertFalse(barrier.isBroken());
        barrier.runAction();
        assertPassed(later.get(0));
    }

    @Test
    void refusingToWaitBreaksTheBarrierOnce() {
        TestWaiter first = waits(1);
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
    void whoGivesUpWhileAnActionRunsBreaksWhatStandsBehindItAtOnce() {
        for (int giver = 0; giver < 5; giver++) {
            int number = giver;
            withAction(2);
            TestWaiter first = waits(1);
            List<TestWaiter> behind = new ArrayList<>();
            meanwhile = () -> {
                for (int missing : new int[] {1, 0, 1, 0, 1}) {
                    behind.add(waits(missing));
                }
                TestWaiter gone = behind.remove(number);
                assertTrue(gone.cancelNow());
                behind.forEach(this::assertBroken);
                behind.forEach(waiter -> assertFalse(waiter.cancelNow()));
                assertUnresumed(gone, first);
                assertIsBroken();
            };
            passes();
            assertPassed(first);
            assertEquals(1, runs);
            assertIsBroken();
            assertWholeAfterReset();
        }
    }

    @Test
    void whoRefusesToWaitWhileAnActionRunsBreaksWhatStandsBehindItAtOnce() {
        withAction(2);
        TestWaiter first = waits(1);
        meanwhile = () -> {
            TestWaiter behind = waits(1);
            assertTrue(barrier.abort());
            assertBroken(behind);
            assertFalse(barrier.abort());
            assertIsBroken();
        };
        passes();
        assertPassed(first);
        assertIsBroken();
        assertWholeAfterReset();
    }

    @Test
    void anActionThatFailsBreaksItsRoundThoughThoseBehindAreBrokenAlready() {
        withAction(2);
        TestWaiter first = waits(1);
        meanwhile = () -> {
            waits(1).cancelNow();
            throw new IllegalStateException("failure");
        };
        assertThrows(IllegalStateException.class, () -> barrier.tryArrive());
        assertBroken(first);
        assertIsBroken();
        assertWholeAfterReset();
    }

    // Reset

    @Test
    void aResetFailsThoseWhoWaitAndBeginsANewRound() {
        barrier = new CyclicBarrier(3);
        TestWaiter first = waits(2);
        TestWaiter second = waits(1);
        barrier.reset();
        assertBroken(first, second);
        assertFalse(barrier.isBroken());
        assertEquals(0, barrier.waiting());
        TestWaiter third = waits(2);
        assertFalse(first.cancelNow(), "it is in no round any more");
        TestWaiter fourth = waits(1);
        passes();
        assertPassed(third, fourth);
    }

    @Test
    void aResetWhereNobodyWaitsChangesNothing() {
        barrier.reset();
        TestWaiter first = waits(1);
        passes();
        barrier.reset();
        assertPassed(first);
        assertWholeAfterReset();
    }

    @Test
    void aResetWhileAnActionRunsFailsThoseBehindAndNotItsRound() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> later = new ArrayList<>();
        meanwhile = () -> {
            barrier.reset();
            List<TestWaiter> behind = List.of(waits(1), waits(0), waits(1));
            barrier.reset();
            behind.forEach(this::assertBroken);
            assertUnresumed(first);
            assertFalse(barrier.isBroken());
            assertEquals(0, barrier.waiting());
            behind.forEach(waiter -> assertFalse(waiter.cancelNow()));
            for (int missing : new int[] {1, 0, 1}) {
                later.add(waits(missing));
            }
        };
        passes();
        assertPassed(first);
        assertRunsOn(later);
    }

    @Test
    void aResetTakesBackWhatWasBrokenBeforeItThoughTheActionStillRuns() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> later = new ArrayList<>();
        meanwhile = () -> {
            for (int i = 0; i < 3; i++) {
                assertTrue(waits(1).cancelNow());
                assertTrue(barrier.isBroken());
                barrier.reset();
                assertFalse(barrier.isBroken());
            }
            for (int missing : new int[] {1, 0, 1}) {
                later.add(waits(missing));
            }
            assertUnresumed(first);
        };
        passes();
        assertPassed(first);
        assertRunsOn(later);
    }

    /** The second of these is to run the action, and the third waits for the next round. */
    private void assertRunsOn(List<TestWaiter> later) {
        assertFalse(barrier.isBroken());
        assertEquals(RUN_ACTION, later.get(1).value);
        assertUnresumed(later.get(0), later.get(2));
        barrier.runAction();
        assertEquals(2, runs);
        assertPassed(later.get(0));
        assertUnresumed(later.get(2));
        passes();
        assertPassed(later.get(2));
        assertEquals(3, runs);
    }

    @Test
    void aRoundBehindAResetFailsIfItsActionDoes() {
        withAction(2);
        TestWaiter first = waits(1);
        List<TestWaiter> later = new ArrayList<>();
        meanwhile = () -> {
            waits(1);
            barrier.reset();
            for (int missing : new int[] {1, 0, 1}) {
                later.add(waits(missing));
            }
        };
        passes();
        assertPassed(first);
        assertEquals(RUN_ACTION, later.get(1).value);
        barrier.abortAction();
        assertBroken(later.get(0), later.get(2));
        assertWholeAfterReset();
    }

    // What stays reachable

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHundredThousandRoundsLeaveNothing(boolean withAction) {
        List<TestWaiter> gone = new ArrayList<>();
        barrier = withAction ? new CyclicBarrier(3, CyclicBarrierTest::nothing) : new CyclicBarrier(3);
        for (int i = 0; i < 100_000; i++) {
            TestWaiter first = waits(2);
            TestWaiter second = waits(1);
            if (i % 7 == 0) {
                assertTrue(second.cancelNow());
                barrier.reset();
                assertBroken(first);
            } else if (i % 7 == 1) {
                barrier.reset();
                assertBroken(first, second);
            } else {
                passes();
                assertPassed(first, second);
            }
            if (i % 100 == 0) {
                gone.addAll(List.of(first, second));
            }
        }
        assertHoldsLittle(gone);
    }

    @Test
    void roundsThatAreNeverCompleteLeaveNothing() {
        barrier = new CyclicBarrier(3);
        List<TestWaiter> gone = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            gone.add(waits(2));
            barrier.reset();
        }
        assertHoldsLittle(gone);
    }

    /** Of those that are missing nothing is made, be it time or memory. */
    @ParameterizedTest
    @ValueSource(ints = {100_000, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
    @Timeout(60)
    void resettingAndBreakingCostWhatThereAreWaiters(int parties) {
        barrier = new CyclicBarrier(parties);
        List<TestWaiter> gone = new ArrayList<>();
        for (int round = 0; round < 1000; round++) {
            List<TestWaiter> waiters = List.of(waits(parties - 1), waits(parties - 2), waits(parties - 3));
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
        assertHoldsLittle(gone);
    }

    /** Behind the action, where those that wait are resumed out of turn. */
    @Test
    @Timeout(60)
    void soDoesAResetWhileAnActionRuns() {
        int parties = 50_000;
        withAction(parties);
        TestWaiter first = waits(parties - 1);
        for (int missing = parties - 2; missing > 0; missing--) {
            waits(missing);
        }
        List<TestWaiter> gone = new ArrayList<>();
        meanwhile = () -> {
            for (int i = 0; i < 10_000; i++) {
                gone.add(waits(parties - 1));
                barrier.reset();
            }
            gone.forEach(this::assertBroken);
            assertUnresumed(first);
        };
        passes();
        assertPassed(first);
        assertWholeAfterReset();
        assertHoldsLittle(gone);
    }

    // A long life

    /** The number in the word comes round, and the origin has to follow it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void roundsGoOnWhenTheNumberInTheWordComesRound(int parties) {
        for (boolean withAction : new boolean[] {false, true}) {
            for (long origin : new long[] {(1L << 37) - 5, (1L << 40) - 8 * parties - 1, (1L << 50) + 12345}) {
                withAction(parties);
                if (!withAction) {
                    barrier = new CyclicBarrier(parties);
                }
                startAt(origin, origin);
                assertTakesEveryTurn();
                startAt(origin, origin + (1L << 36) / parties * parties); // has been followed last a while ago
                assertTakesEveryTurn();
                long followed = get("origin");
                assertTrue(followed > origin + (1L << 35), "the origin has not followed: " + followed);
            }
        }
    }

    /** So it has to if there is never a moment without an action. */
    @Test
    void theOriginFollowsBehindAnActionAsWell() {
        withAction(2);
        startAt(0, 1L << 36);
        TestWaiter first = waits(1);
        List<TestWaiter> later = new ArrayList<>();
        meanwhile = () -> {
            later.add(waits(1));
            later.add(waits(0));
            set("origin", 0L);
        };
        passes();
        assertPassed(first);
        assertEquals((1L << 36) + 2, this.<Long>get("origin"));
        assertEquals(RUN_ACTION, later.get(1).value);
        barrier.runAction();
        assertPassed(later.get(0));
    }

    /** And if the rounds behind one action are reset again and again. */
    @Test
    void theOriginFollowsWithAResetAsWell() {
        withAction(2);
        TestWaiter first = waits(1);
        Object queue = get("queue");
        meanwhile = () -> {
            startAt(0, 1L << 36);
            set("word", (1L << 36) + 2 << 27 | 2 << 3 | 1); // one round complete behind the one that runs
            barrier.reset();
            assertEquals((1L << 36) + 2, this.<Long>get("origin"));
            startAt(0, 2);
            set("word", 2L << 27 | 1 << 3 | 1);
            set("queue", queue);
        };
        passes();
        assertPassed(first);
    }

    private void assertTakesEveryTurn() {
        int parties = barrier.parties();
        for (int i = 0; i < 3; i++) {
            assertWholeAfterReset();
            if (parties > 1) {
                TestWaiter waiter = waits(parties - 1);
                barrier.reset();
                assertBroken(waiter);
                waiter = waits(parties - 1);
                assertTrue(waiter.cancelNow());
                assertIsBroken();
            }
        }
        barrier.reset();
    }

    /** As if so many had come before; the queue begins there as well. */
    private void startAt(long origin, long number) {
        set("origin", origin);
        set("word", number << 27);
        set("queue", null);
        QueueAt.number(makeQueue(), number);
    }

    private void assertHoldsLittle(List<TestWaiter> gone) {
        Set<Object> reachable = Reachable.from(barrier);
        assertTrue(reachable.size() <= FEW, () -> reachable.size() + " objects");
        assertTrue(gone.stream().noneMatch(reachable::contains));
    }

    private static void nothing() {}

    // What it says

    @Test
    void saysHowManyPartiesThereAreAndHowManyWait() {
        waits(1);
        assertEquals(2, barrier.parties());
        assertTrue(barrier.toString().endsWith("[2 parties, 1 waiting]"), barrier.toString());
        barrier.abort();
        assertTrue(barrier.toString().endsWith("[2 parties, 0 waiting, broken]"), barrier.toString());
    }

    // Parties

    private void withAction(int parties) {
        runs = 0;
        barrier = new CyclicBarrier(parties, () -> {
            runs++;
            Runnable now = meanwhile;
            meanwhile = null;
            if (now != null) {
                elsewhere(now);
            }
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

    /** A party that has to wait, with so many missing behind it. */
    private TestWaiter waits(int missing) {
        TestWaiter waiter = new TestWaiter("waiter");
        assertEquals(missing, barrier.arrive(waiter));
        assertUnresumed(waiter);
        return waiter;
    }

    /** The last party of a round. */
    private void passes() {
        TestWaiter waiter = new TestWaiter("last");
        assertEquals(0, barrier.arrive(waiter));
        assertPassed(waiter);
    }

    private void assertPassed(TestWaiter... waiters) {
        for (TestWaiter waiter : waiters) {
            assertEquals(PASSED, waiter.value);
        }
    }

    private void assertBroken(TestWaiter... waiters) {
        for (TestWaiter waiter : waiters) {
            assertEquals(BROKEN, waiter.value);
        }
    }

    private void assertUnresumed(TestWaiter... waiters) {
        for (TestWaiter waiter : waiters) {
            assertNull(waiter.value);
        }
    }

    private void assertIsBroken() {
        assertTrue(barrier.isBroken());
        assertEquals(0, barrier.waiting());
        TestWaiter late = new TestWaiter("late");
        barrier.arrive(late);
        assertBroken(late);
        assertFalse(barrier.tryArrive());
    }

    private void assertWholeAfterReset() {
        barrier.reset();
        for (int round = 0; round < 3; round++) {
            assertFalse(barrier.isBroken());
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 1; i < barrier.parties(); i++) {
                waiters.add(waits(barrier.parties() - i));
            }
            int before = runs;
            passes();
            assertPassed(waiters.toArray(TestWaiter[]::new));
            assertTrue(runs == before || runs == before + 1);
        }
    }

    /** A party that stalls after it was counted and before it is in its cell. */
    private final class Stalled {
        private final TestWaiter waiter = new TestWaiter("stalled");
        private final NumberedQueue<BarrierResult> queue;
        private final CellRef place;
        private final long number;

        Stalled() {
            this(0);
        }

        /** One that completes so many rounds, while an action runs. */
        Stalled(int complete) {
            queue = makeQueue();
            place = queue.suspendPlace();
            long word = CyclicBarrierTest.this.<Long>get("word");
            number = word >>> 27;
            set("word", word + (1L << 27) + complete * (1L << 3));
        }

        TestWaiter goOn() {
            queue.suspendAt(place, number, waiter);
            return waiter;
        }
    }

    @SuppressWarnings("unchecked")
    private <T> T get(String name) {
        try {
            return (T) field(name).get(barrier);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private void set(String name, Object value) {
        try {
            field(name).set(barrier, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** The queue of the barrier, which is made if there is none. */
    @SuppressWarnings("unchecked")
    private NumberedQueue<BarrierResult> makeQueue() {
        try {
            Method method = CyclicBarrier.class.getDeclaredMethod("queue");
            method.setAccessible(true);
            return (NumberedQueue<BarrierResult>) method.invoke(barrier);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(String name) {
        try {
            Class<?> owner = name.equals("queue") ? CyclicBarrier.class : BarrierState.class;
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }
}
