package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.enqueue;
import static dev.cqs.RendezvousTest.other;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Rendezvous.Side;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a rendezvous keeps reachable, found by walking the objects, and what it costs to skip cancelled waiters. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // an endless loop does not respond to interrupts
class RendezvousLeakTest {
    private static final int MANY = 100_000;

    /** Objects: three segments with their arrays, or SWEEP_THRESHOLD nodes, and some waiters. */
    private static final int FEW = 64;

    private static int holds(Rendezvous rendezvous) {
        return Reachable.from(rendezvous).size();
    }

    private static void assertHoldsLittle(Rendezvous rendezvous, int waiters) {
        assertTrue(holds(rendezvous) <= FEW + 3 * waiters, () -> holds(rendezvous) + " objects");
    }

    // Waiters that have ended

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void aMatchedOrCancelledWaiterIsNotReachableAndDoesNotReachTheRendezvous(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        List<TestWaiter> gone = new ArrayList<>();
        TestWaiter stays = enqueue(rendezvous, side, "stays"); // the first, so FAIR matches it
        Deque<TestWaiter> waiters = enqueue(rendezvous, side, 3 * Segment.SIZE);
        int number = 0;
        for (TestWaiter waiter : waiters) {
            if (number++ % 2 == 0) {
                assertTrue(waiter.cancelNow());
                gone.add(waiter);
            }
        }
        for (int i = 0; i < Segment.SIZE; i++) {
            gone.add((TestWaiter)
                    (i % 2 == 0
                            ? rendezvous.tryMatch(other(side))
                            : rendezvous.matchOrEnqueue(other(side), new TestWaiter("counterpart"))));
        }
        Set<Object> reachable = Reachable.from(rendezvous);
        for (TestWaiter waiter : gone) {
            assertFalse(reachable.contains(waiter), waiter.name);
            assertFalse(Reachable.from(waiter).contains(rendezvous), waiter.name);
            assertNull(waiter.cellRef);
        }
        assertEquals(kind == RendezvousKind.UNFAIR, reachable.contains(stays));
        assertTrue(gone.size() > 2 * Segment.SIZE, "enough objects were looked at");
    }

    /** The node or cell of the waiter may stay for a while. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void aWaiterCancelledBetweenOthersIsNotReachable(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        TestWaiter first = enqueue(rendezvous, side, "first");
        TestWaiter gone = enqueue(rendezvous, side, "gone");
        TestWaiter last = enqueue(rendezvous, side, "last");
        assertTrue(gone.cancelNow());
        Set<Object> reachable = Reachable.from(rendezvous);
        assertTrue(reachable.contains(first) && reachable.contains(last));
        assertFalse(reachable.contains(gone));
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void matchedWaitersLeaveFewObjects(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        for (int i = 0; i < MANY; i++) {
            TestWaiter waiter = enqueue(rendezvous, side, "waiter");
            TestWaiter counterpart = new TestWaiter("counterpart");
            assertSame(
                    waiter,
                    i % 2 == 0
                            ? rendezvous.tryMatch(other(side))
                            : rendezvous.matchOrEnqueue(other(side), counterpart));
            assertNull(counterpart.cellRef);
        }
        assertHoldsLittle(rendezvous, 0);
    }

    @ParameterizedTest
    @EnumSource
    void sidesThatTakeTurnsLeaveFewObjects(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        for (int round = 0; round < 200; round++) {
            Side side = Side.values()[round % 2];
            Deque<TestWaiter> waiters = enqueue(rendezvous, side, 500);
            for (int i = 0; i < 200; i++) {
                kind.next(waiters);
                assertTrue(rendezvous.tryMatch(other(side)) != null);
            }
            waiters.forEach(waiter -> assertTrue(waiter.cancelNow()));
            assertNull(rendezvous.tryMatch(other(side)));
            assertHoldsLittle(rendezvous, 0);
        }
    }

    /** One side waits in many segments. A segment that only this side has passed stays; one that both have passed is freed. */
    @ParameterizedTest
    @EnumSource
    void segmentsThatBothSidesHavePassedAreNotReachable(Side side) {
        FairRendezvous queue = new FairRendezvous();
        for (Side ahead : List.of(side, other(side))) {
            Segment first = queue.head;
            enqueue(queue, ahead, 5 * Segment.SIZE);
            assertTrue(Reachable.from(queue).contains(first));
            for (int i = 0; i < 5 * Segment.SIZE; i++) {
                assertTrue(queue.tryMatch(other(ahead)) != null);
            }
            assertFalse(Reachable.from(queue).contains(first), "both sides have passed it, " + ahead + " first");
        }
    }

    // Cancelled waiters

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void cancellationsBehindAWaiterLeaveFewObjects(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        TestWaiter live = enqueue(rendezvous, side, "live");
        for (int i = 0; i < MANY; i++) {
            assertTrue(enqueue(rendezvous, side, "impatient").cancelNow());
        }
        assertHoldsLittle(rendezvous, 1);
        assertSame(live, rendezvous.tryMatch(other(side)));
        assertNull(rendezvous.tryMatch(other(side)));
    }

    /** Each waiter is cancelled only after the next has arrived, so that it is never the last. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void cancellationsInTheMiddleLeaveFewObjects(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        enqueue(rendezvous, side, "first");
        TestWaiter last = enqueue(rendezvous, side, "last");
        for (int i = 0; i < MANY; i++) {
            TestWaiter next = enqueue(rendezvous, side, "next");
            assertTrue(last.cancelNow());
            last = next;
        }
        assertHoldsLittle(rendezvous, 2);
        assertEquals(2, RendezvousTest.waiting(rendezvous).size());
    }

    @ParameterizedTest
    @EnumSource
    void cancellationsOfBothSidesInTurnLeaveFewObjects(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        for (int i = 0; i < MANY; i++) {
            Side side = i % 3 == 0 ? SENDER : RECEIVER;
            assertTrue(enqueue(rendezvous, side, "impatient").cancelNow());
        }
        assertHoldsLittle(rendezvous, 0);
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void cancellationsInAnyOrderLeaveFewObjects(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        Random random = new Random(1);
        List<TestWaiter> waiters = new ArrayList<>(enqueue(rendezvous, side, 20));
        for (int i = 0; i < MANY; i++) {
            int which = random.nextInt(waiters.size());
            assertTrue(waiters.get(which).cancelNow());
            waiters.set(which, enqueue(rendezvous, side, "next"));
        }
        int most = kind == RendezvousKind.UNFAIR ? 2 * UnfairRendezvous.SWEEP_THRESHOLD : 20 * Segment.SIZE;
        assertTrue(holds(rendezvous) <= FEW + most + 2 * 20, () -> holds(rendezvous) + " objects");
        assertEquals(20, RendezvousTest.waiting(rendezvous).size());
    }

    /** No live waiter stands in front, and the other side never comes, so its index stays behind. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void cancellingAllWaitersFromEitherEndLeavesFewObjects(RendezvousKind kind, Side side) {
        for (boolean fromTheEnd : List.of(false, true)) {
            Rendezvous rendezvous = kind.make();
            Deque<TestWaiter> waiters = enqueue(rendezvous, side, 10_000);
            while (!waiters.isEmpty()) {
                assertTrue((fromTheEnd ? waiters.removeLast() : waiters.removeFirst()).cancelNow());
            }
            assertHoldsLittle(rendezvous, 0);
            assertNull(rendezvous.tryMatch(other(side)));
            assertEquals(List.of(), RendezvousTest.waiting(rendezvous));
        }
    }

    // The bound on cancelled nodes of a stack

    private static int cancelledIn(UnfairRendezvous stack) {
        int count = 0;
        for (UnfairRendezvous.Node at = stack.top; at != null; at = at.below) {
            count += at.gone ? 1 : 0;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 100, 1000})
    void aStackHasNoMoreCancelledNodesThanWaitersOrTheThreshold(int crowd) {
        UnfairRendezvous stack = new UnfairRendezvous();
        Random random = new Random(crowd);
        Deque<TestWaiter> waiters = new ArrayDeque<>();
        int most = 0;
        for (int i = 0; i < 20_000; i++) {
            int wanted = i / 3_000 % 2 == 0 ? crowd : 1; // the stack grows and shrinks
            if (waiters.size() < wanted + random.nextInt(3)) {
                waiters.add(enqueue(stack, SENDER, "waiter"));
            } else if (i / 6_000 % 2 == 0 && random.nextInt(3) > 0) {
                assertSame(waiters.removeLast(), stack.tryMatch(RECEIVER));
            } else {
                assertTrue((random.nextInt(9) > 0 ? waiters.removeFirst() : waiters.removeLast()).cancelNow());
            }
            int cancelled = cancelledIn(stack);
            int bound = Math.max(UnfairRendezvous.SWEEP_THRESHOLD, waiters.size());
            assertTrue(cancelled <= bound, () -> cancelled + " cancelled");
            most = Math.max(most, cancelled);
        }
        assertEquals(waiters.size(), RendezvousTest.waiting(stack).size());
        assertTrue(
                most >= Math.min(crowd, UnfairRendezvous.SWEEP_THRESHOLD) - 1, "the history has come near the bound");
    }

    /** Where the crowd is matched rather than cancelled, no sweep happens meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterACrowdTheBoundFollowsTheRemainingWaiters(boolean matched) {
        UnfairRendezvous stack = new UnfairRendezvous();
        List<TestWaiter> crowd = new ArrayList<>(enqueue(stack, SENDER, 10_000));
        crowd.subList(1, 100).forEach(TestWaiter::cancelNow); // causes a sweep of the whole crowd
        for (int i = 9_999; i >= 100; i--) {
            assertTrue(
                    matched
                            ? stack.tryMatch(RECEIVER) == crowd.get(i)
                            : crowd.get(i).cancelNow());
        }
        TestWaiter last = enqueue(stack, SENDER, "last");
        for (int i = 0; i < 10_000; i++) {
            TestWaiter next = enqueue(stack, SENDER, "next");
            assertTrue(last.cancelNow());
            last = next;
            assertTrue(cancelledIn(stack) <= UnfairRendezvous.SWEEP_THRESHOLD, () -> cancelledIn(stack) + " cancelled");
        }
    }

    // The cost of skipping cancelled waiters

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void manyCancelledWaitersLeaveFewObjects(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        List<TestWaiter> waiters = new ArrayList<>(enqueue(rendezvous, side, MANY));
        TestWaiter live = enqueue(rendezvous, side, "live");
        waiters.forEach(TestWaiter::cancelNow);
        assertHoldsLittle(rendezvous, 1);
        assertSame(live, rendezvous.tryMatch(other(side)));
        assertNull(rendezvous.tryMatch(other(side)));
    }

    /** With 2^50 cancelled cells, or a million nodes: a caller that visited each of them would not end. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void aMatchVisitsNoRemovedSegments(RendezvousKind kind, Side side) throws Exception {
        FairRendezvous queue = new FairRendezvous();
        enqueue(queue, side, Segment.SIZE).forEach(TestWaiter::cancelNow);
        Segment far = new FairRendezvous.FairSegment(queue, 1L << 50, queue.head, 1);
        Field next = Segment.class.getDeclaredField("next");
        next.setAccessible(true);
        next.set(queue.head, far); // as if all segments between the two had been removed
        if (side == SENDER) {
            queue.tail = far;
            queue.suspendIndex = far.firstIndex();
        } else {
            queue.head = far;
            queue.resumeIndex = far.firstIndex();
        }
        TestWaiter live = enqueue(queue, side, "live");
        assertEquals(List.of(live), RendezvousTest.waiting(queue));
        boolean tries = kind == RendezvousKind.FAIR; // each way to match is used by one of the kinds
        TestWaiter counterpart = new TestWaiter("counterpart");
        assertSame(live, tries ? queue.tryMatch(other(side)) : queue.matchOrEnqueue(other(side), counterpart));
        assertNull(queue.tryMatch(other(side)));
    }
}
