package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.enter;
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

/** What meeting points keep reachable, told by walking the objects, and what it costs to pass those who have left. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a loop for ever hears no interrupt
class RendezvousLeakTest {
    private static final int MANY = 100_000;

    /** Three segments with their arrays, or LEAST nodes, and some waiters. */
    private static final int FEW = 64;

    private static int holds(Rendezvous point) {
        return Reachable.from(point).size();
    }

    private static void assertHoldsLittle(Rendezvous point, int waiters) {
        assertTrue(holds(point) <= FEW + 3 * waiters, () -> holds(point) + " objects");
    }

    // Nothing is kept

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void whoWasMetOrCancelledIsNotReachableAndReachesNothing(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        List<TestWaiter> gone = new ArrayList<>();
        TestWaiter stays = enter(point, side, "stays"); // first for FAIR, so it is met
        Deque<TestWaiter> waiters = enter(point, side, 3 * Segment.SIZE);
        int number = 0;
        for (TestWaiter waiter : waiters) {
            if (number++ % 2 == 0) {
                assertTrue(waiter.cancelNow());
                gone.add(waiter);
            }
        }
        for (int i = 0; i < Segment.SIZE; i++) {
            gone.add((TestWaiter) (i % 2 == 0
                    ? point.meet(other(side))
                    : point.enter(other(side), new TestWaiter("visitor"))));
        }
        Set<Object> reachable = Reachable.from(point);
        for (TestWaiter waiter : gone) {
            assertFalse(reachable.contains(waiter), waiter.name);
            assertFalse(Reachable.from(waiter).contains(point), waiter.name);
            assertNull(waiter.place);
        }
        assertEquals(kind == RendezvousKind.UNFAIR, reachable.contains(stays));
        assertTrue(gone.size() > 2 * Segment.SIZE, "the test has looked at something");
    }

    /** Its node or cell may stay for a while. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void whoIsCancelledBetweenOthersIsNotReachable(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        TestWaiter first = enter(point, side, "first");
        TestWaiter gone = enter(point, side, "gone");
        TestWaiter last = enter(point, side, "last");
        assertTrue(gone.cancelNow());
        Set<Object> reachable = Reachable.from(point);
        assertTrue(reachable.contains(first) && reachable.contains(last));
        assertFalse(reachable.contains(gone));
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void visitorsLeaveNothing(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        for (int i = 0; i < MANY; i++) {
            TestWaiter waiter = enter(point, side, "waiter");
            TestWaiter visitor = new TestWaiter("visitor");
            assertSame(waiter, i % 2 == 0 ? point.meet(other(side)) : point.enter(other(side), visitor));
            assertNull(visitor.place);
        }
        assertHoldsLittle(point, 0);
    }

    @ParameterizedTest
    @EnumSource
    void sidesThatTakeTurnsLeaveNothing(RendezvousKind kind) {
        Rendezvous point = kind.make();
        for (int round = 0; round < 200; round++) {
            Side side = Side.values()[round % 2];
            Deque<TestWaiter> waiters = enter(point, side, 500);
            for (int i = 0; i < 200; i++) {
                kind.next(waiters);
                assertTrue(point.meet(other(side)) != null);
            }
            waiters.forEach(waiter -> assertTrue(waiter.cancelNow()));
            assertNull(point.meet(other(side)));
            assertHoldsLittle(point, 0);
        }
    }

    /** Those ahead wait in many segments; what both sides have passed goes, and what one has passed stays. */
    @ParameterizedTest
    @EnumSource
    void segmentsThatBothSidesHavePassedAreNotReachable(Side side) {
        FairRendezvous queue = new FairRendezvous();
        for (Side ahead : List.of(side, other(side))) {
            Segment first = queue.head;
            enter(queue, ahead, 5 * Segment.SIZE);
            assertTrue(Reachable.from(queue).contains(first));
            for (int i = 0; i < 5 * Segment.SIZE; i++) {
                assertTrue(queue.meet(other(ahead)) != null);
            }
            assertFalse(Reachable.from(queue).contains(first), "passed while " + ahead + " was ahead");
        }
    }

    // The cancelled

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void aStormOverOneWhoWaitsLeavesNothing(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        TestWaiter live = enter(point, side, "live");
        for (int i = 0; i < MANY; i++) {
            assertTrue(enter(point, side, "impatient").cancelNow());
        }
        assertHoldsLittle(point, 1);
        assertSame(live, point.meet(other(side)));
        assertNull(point.meet(other(side)));
    }

    /** Each gives up only after the next has come, so that it is never the last. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void aStormInTheMiddleLeavesNothing(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        enter(point, side, "first");
        TestWaiter last = enter(point, side, "last");
        for (int i = 0; i < MANY; i++) {
            TestWaiter next = enter(point, side, "next");
            assertTrue(last.cancelNow());
            last = next;
        }
        assertHoldsLittle(point, 2);
        assertEquals(2, RendezvousTest.waiting(point).size());
    }

    @ParameterizedTest
    @EnumSource
    void aStormFromEitherSideInTurnLeavesNothing(RendezvousKind kind) {
        Rendezvous point = kind.make();
        for (int i = 0; i < MANY; i++) {
            Side side = i % 3 == 0 ? SENDER : RECEIVER;
            assertTrue(enter(point, side, "impatient").cancelNow());
        }
        assertHoldsLittle(point, 0);
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void whoeverGivesUpInAnyOrderLeavesNothing(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        Random random = new Random(1);
        List<TestWaiter> waiters = new ArrayList<>(enter(point, side, 20));
        for (int i = 0; i < MANY; i++) {
            int which = random.nextInt(waiters.size());
            assertTrue(waiters.get(which).cancelNow());
            waiters.set(which, enter(point, side, "next"));
        }
        int most = kind == RendezvousKind.UNFAIR ? 2 * UnfairRendezvous.LEAST : 20 * Segment.SIZE;
        assertTrue(holds(point) <= FEW + most + 2 * 20, () -> holds(point) + " objects");
        assertEquals(20, RendezvousTest.waiting(point).size());
    }

    /** Without one who waits in front, too: the side that never comes leaves its pointer behind. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void allThatWaitAtOnceMayGiveUpFromEitherEnd(RendezvousKind kind, Side side) {
        for (boolean fromTheEnd : List.of(false, true)) {
            Rendezvous point = kind.make();
            Deque<TestWaiter> waiters = enter(point, side, 10_000);
            while (!waiters.isEmpty()) {
                assertTrue((fromTheEnd ? waiters.removeLast() : waiters.removeFirst()).cancelNow());
            }
            assertHoldsLittle(point, 0);
            assertNull(point.meet(other(side)));
            assertEquals(List.of(), RendezvousTest.waiting(point));
        }
    }

    // The stack's bound

    private static int cancelledIn(UnfairRendezvous stack) {
        int count = 0;
        for (UnfairRendezvous.Node at = stack.top; at != null; at = at.below) {
            count += at.gone ? 1 : 0;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 100, 1000})
    void theCancelledNodesOfAStackAreNotMoreThanThoseWhoWait(int crowd) {
        UnfairRendezvous stack = new UnfairRendezvous();
        Random random = new Random(crowd);
        Deque<TestWaiter> waiters = new ArrayDeque<>();
        int most = 0;
        for (int i = 0; i < 20_000; i++) {
            int wanted = i / 3_000 % 2 == 0 ? crowd : 1; // the crowd comes and leaves
            if (waiters.size() < wanted + random.nextInt(3)) {
                waiters.add(enter(stack, SENDER, "waiter"));
            } else if (i / 6_000 % 2 == 0 && random.nextInt(3) > 0) {
                assertSame(waiters.removeLast(), stack.meet(RECEIVER));
            } else {
                assertTrue((random.nextInt(9) > 0 ? waiters.removeFirst() : waiters.removeLast()).cancelNow());
            }
            int cancelled = cancelledIn(stack);
            assertTrue(cancelled <= Math.max(UnfairRendezvous.LEAST, waiters.size()), () -> cancelled + " cancelled");
            most = Math.max(most, cancelled);
        }
        assertEquals(waiters.size(), RendezvousTest.waiting(stack).size());
        assertTrue(most >= Math.min(crowd, UnfairRendezvous.LEAST) - 1, "the bound was reached");
    }

    /** When the crowd is met, and not cancelled, nobody sweeps. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterACrowdTheBoundIsThatOfThoseWhoAreLeft(boolean met) {
        UnfairRendezvous stack = new UnfairRendezvous();
        List<TestWaiter> crowd = new ArrayList<>(enter(stack, SENDER, 10_000));
        crowd.subList(1, 100).forEach(TestWaiter::cancelNow); // a sweep, with the whole crowd
        for (int i = 9_999; i >= 100; i--) {
            assertTrue(met ? stack.meet(RECEIVER) == crowd.get(i) : crowd.get(i).cancelNow());
        }
        TestWaiter last = enter(stack, SENDER, "last");
        for (int i = 0; i < 10_000; i++) {
            TestWaiter next = enter(stack, SENDER, "next");
            assertTrue(last.cancelNow());
            last = next;
            assertTrue(cancelledIn(stack) <= UnfairRendezvous.LEAST, () -> cancelledIn(stack) + " cancelled");
        }
    }

    // The cost of passing those who have left

    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void manyWhoHaveLeftLeaveNothing(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        List<TestWaiter> waiters = new ArrayList<>(enter(point, side, MANY));
        TestWaiter live = enter(point, side, "live");
        waiters.forEach(TestWaiter::cancelNow);
        assertHoldsLittle(point, 1);
        assertSame(live, point.meet(other(side)));
        assertNull(point.meet(other(side)));
    }

    /** With so many that any cost for each would never end. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void noNumberOfCancelledCellsIsWalkedThrough(RendezvousKind kind, Side side) throws Exception {
        FairRendezvous queue = new FairRendezvous();
        enter(queue, side, Segment.SIZE).forEach(TestWaiter::cancelNow);
        Segment far = new Segment(queue, 1L << 50, queue.head, 1);
        Field next = Segment.class.getDeclaredField("next");
        next.setAccessible(true);
        next.set(queue.head, far); // all segments between are removed
        if (side == SENDER) {
            queue.tail = far;
            queue.suspendIndex = far.firstIndex();
        } else {
            queue.head = far;
            queue.resumeIndex = far.firstIndex();
        }
        TestWaiter live = enter(queue, side, "live");
        assertEquals(List.of(live), RendezvousTest.waiting(queue));
        boolean meets = kind == RendezvousKind.FAIR; // either way is tried once
        assertSame(live, meets ? queue.meet(other(side)) : queue.enter(other(side), new TestWaiter("visitor")));
        assertNull(queue.meet(other(side)));
    }
}
