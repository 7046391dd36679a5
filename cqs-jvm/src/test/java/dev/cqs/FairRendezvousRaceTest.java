package dev.cqs;

import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.enqueue;
import static dev.cqs.RendezvousTest.other;
import static dev.cqs.RendezvousTest.waiting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Rendezvous.Side;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Races in an order that the test chooses: a caller that has taken a cell stalls, other callers act, then it continues. */
class FairRendezvousRaceTest {
    private final FairRendezvous queue = new FairRendezvous();

    /** Does what a caller of this side does before it stalls: takes the next cell. */
    private void takeCell(Side side) {
        setIndex(side, index(side) + 1);
    }

    /** Continues the caller that has taken {@code cell}. If it needs another cell, it takes the next. */
    private Waiter continueAt(Side side, long cell, Waiter waiter) {
        long before = index(side);
        setIndex(side, cell);
        Waiter matched = queue.matchOrEnqueue(side, waiter);
        setIndex(side, Math.max(before, index(side)));
        return matched;
    }

    private long index(Side side) {
        return side == SENDER ? queue.suspendIndex : queue.resumeIndex;
    }

    private void setIndex(Side side, long index) {
        if (side == SENDER) {
            queue.suspendIndex = index;
        } else {
            queue.resumeIndex = index;
        }
    }

    private int segments() {
        int count = 0;
        for (Segment at = queue.head.id < queue.tail.id ? queue.head : queue.tail; at != null; at = at.nextAcquire()) {
            count++;
        }
        return count;
    }

    // A counterpart that stalls before it reaches its cell

    /**
     * Other callers do not see this waiter any more. A cancellation would show that they missed a waiter that was unmatched.
     */
    @ParameterizedTest
    @EnumSource
    void aWaiterHiddenByAStalledCounterpartIsNotCancelled(Side side) {
        TestWaiter waiter = enqueue(queue, side, "waiter");
        takeCell(other(side));
        assertNull(queue.tryMatch(other(side)), "the waiter has a counterpart");
        assertFalse(waiter.cancelNow());
        assertFalse(queue.cancel(waiter));
        assertSame(waiter, continueAt(other(side), 0, new TestWaiter("counterpart")));
        assertFalse(waiter.cancelNow());
    }

    @ParameterizedTest
    @EnumSource
    void exactlyTheWaitersWithoutACounterpartCanBeCancelled(Side side) {
        List<TestWaiter> waiters = new ArrayList<>(enqueue(queue, side, 2 * Segment.SIZE));
        for (int i = 0; i < Segment.SIZE + 1; i++) {
            takeCell(other(side));
        }
        for (int i = 0; i < waiters.size(); i++) {
            assertEquals(i > Segment.SIZE, waiters.get(i).cancelNow(), waiters.get(i).name);
        }
        for (int i = 0; i <= Segment.SIZE; i++) {
            assertSame(waiters.get(i), continueAt(other(side), i, new TestWaiter("counterpart")));
        }
        assertNull(queue.tryMatch(other(side)));
    }

    @ParameterizedTest
    @EnumSource
    void aStalledCounterpartDelaysItsOwnWaiterOnly(Side side) {
        TestWaiter first = enqueue(queue, side, "first");
        TestWaiter second = enqueue(queue, side, "second");
        takeCell(other(side));
        assertSame(second, queue.tryMatch(other(side)));
        assertNull(queue.tryMatch(other(side)));
        TestWaiter next = enqueue(queue, other(side), "next");
        assertSame(next, queue.tryMatch(side));
        assertSame(first, continueAt(other(side), 0, new TestWaiter("counterpart")));
    }

    @ParameterizedTest
    @EnumSource
    void theCounterpartOfACancelledWaiterMatchesTheNext(Side side) {
        TestWaiter first = enqueue(queue, side, "first");
        TestWaiter second = enqueue(queue, side, "second");
        assertTrue(first.cancelNow());
        takeCell(other(side)); // the cell of the first waiter
        assertSame(second, continueAt(other(side), 0, new TestWaiter("counterpart")));
        assertEquals(2, index(other(side)));
    }

    // A canceller that stalls

    /** The canceller has marked the segment and has seen that no counterpart has taken the cell. */
    @ParameterizedTest
    @EnumSource
    void theCellDecidesBetweenAStalledCancellerAndACounterpart(Side side) {
        for (boolean cancellerFirst : List.of(true, false)) {
            TestWaiter waiter = enqueue(queue, side, "waiter");
            TestWaiter next = enqueue(queue, side, "next");
            FairRendezvous.FairSegment segment = (FairRendezvous.FairSegment) waiter.cellRef;
            segment.markLeaving();
            if (cancellerFirst) {
                takeCell(other(side));
                assertTrue(segment.casCell(waiter.index, waiter, CellState.CANCELLED));
                assertSame(next, continueAt(other(side), index(other(side)) - 1, new TestWaiter("counterpart")));
            } else {
                assertSame(waiter, queue.tryMatch(other(side)));
                assertFalse(segment.casCell(waiter.index, waiter, CellState.CANCELLED));
                assertSame(next, queue.tryMatch(other(side)));
            }
            assertNull(queue.tryMatch(other(side)));
        }
    }

    /** The mark of a segment stays, and its other waiters are matched and cancelled as before. */
    @ParameterizedTest
    @EnumSource
    void waitersBesideACancelledOneAreMatchedAndCancelledAsBefore(Side side) {
        List<TestWaiter> waiters = new ArrayList<>(enqueue(queue, side, 2 * Segment.SIZE));
        for (int i = 0; i < waiters.size(); i += 4) {
            assertTrue(waiters.get(i).cancelNow());
            assertTrue(waiters.get(i + 1).cancelNow());
            assertSame(waiters.get(i + 2), queue.tryMatch(other(side)));
            assertFalse(waiters.get(i + 2).cancelNow());
            assertSame(waiters.get(i + 3), queue.matchOrEnqueue(other(side), new TestWaiter("counterpart")));
        }
        assertNull(queue.tryMatch(other(side)));
    }

    // A cell whose owner stalls before it reaches it

    @ParameterizedTest
    @EnumSource
    void aCounterpartAtTheCellOfAStalledOwnerWaitsForIt(Side side) {
        takeCell(other(side));
        TestWaiter waiter = enqueue(queue, side, "waiter");
        assertEquals(List.of(waiter), waiting(queue));
        assertNull(queue.tryMatch(other(side)), "both are matched already");
        assertFalse(waiter.cancelNow());
        assertSame(waiter, continueAt(other(side), 0, new TestWaiter("late")));
        assertEquals(List.of(), waiting(queue));
    }

    @ParameterizedTest
    @EnumSource
    void aStalledOwnerDelaysItsCounterpartOnly(Side side) {
        takeCell(side);
        TestWaiter waitsForTheOwner = enqueue(queue, other(side), "waits for the owner");
        TestWaiter behind = enqueue(queue, side, "behind");
        assertSame(behind, queue.tryMatch(other(side)));
        TestWaiter last = enqueue(queue, other(side), "last");
        assertSame(last, queue.matchOrEnqueue(side, new TestWaiter("counterpart")));
        assertSame(waitsForTheOwner, continueAt(side, 0, new TestWaiter("late")));
    }

    @ParameterizedTest
    @EnumSource
    void tryMatchDoesNotWaitForAStalledOwner(Side side) {
        takeCell(side);
        assertNull(queue.tryMatch(other(side)));
        TestWaiter late = new TestWaiter("late");
        assertNull(continueAt(side, 0, late), "the cell is broken, and it waits in the next");
        assertEquals(List.of(late), waiting(queue));
        assertSame(late, queue.tryMatch(other(side)));
        assertNull(queue.tryMatch(other(side)));
    }

    @ParameterizedTest
    @EnumSource
    void tryMatchSkipsStalledOwnersAndFindsTheWaiterBehindThem(Side side) {
        for (int i = 0; i < 2 * Segment.SIZE + 1; i++) {
            takeCell(side);
        }
        TestWaiter behind = enqueue(queue, side, "behind");
        assertSame(behind, queue.tryMatch(other(side)));
        assertEquals(index(side), index(other(side)));
        assertNull(queue.tryMatch(other(side)));
        TestWaiter next = enqueue(queue, side, "next");
        assertSame(next, queue.matchOrEnqueue(other(side), new TestWaiter("counterpart")));
    }

    @ParameterizedTest
    @EnumSource
    void anOwnerWhoseCellWasBrokenIsMatchedInTheNext(Side side) {
        takeCell(side);
        assertNull(queue.tryMatch(other(side)));
        TestWaiter next = enqueue(queue, other(side), "next");
        assertSame(next, continueAt(side, 0, new TestWaiter("late")));
        assertEquals(2, index(side));
        assertNull(queue.tryMatch(side));
    }

    // Cancelled cells

    @ParameterizedTest
    @EnumSource
    void aRunOfCancelledCellsIsSkippedInOneStep(Side side) {
        for (int dead : List.of(1, Segment.SIZE - 1, Segment.SIZE, Segment.SIZE + 1, 5 * Segment.SIZE)) {
            for (boolean waits : List.of(true, false)) {
                List<TestWaiter> run = new ArrayList<>(enqueue(queue, side, dead));
                TestWaiter live = enqueue(queue, side, "live");
                run.forEach(waiter -> assertTrue(waiter.cancelNow()));
                TestWaiter counterpart = new TestWaiter("counterpart");
                assertSame(live, waits ? queue.matchOrEnqueue(other(side), counterpart) : queue.tryMatch(other(side)));
                assertEquals(index(side), index(other(side)));
            }
        }
    }

    /** Two callers have taken cells of the run before either of them looks at its cell. */
    @ParameterizedTest
    @EnumSource
    void allCallersThatHaveTakenCellsOfARunSkipIt(Side side) {
        List<TestWaiter> run = new ArrayList<>(enqueue(queue, side, 3 * Segment.SIZE));
        run.forEach(TestWaiter::cancelNow);
        takeCell(other(side));
        TestWaiter first = enqueue(queue, side, "first");
        TestWaiter second = enqueue(queue, side, "second");
        assertSame(first, queue.tryMatch(other(side)));
        assertSame(second, queue.matchOrEnqueue(other(side), new TestWaiter("counterpart")));
        assertNull(queue.tryMatch(other(side)));
    }

    @ParameterizedTest
    @EnumSource
    void behindARunOfCancelledCellsTheOtherSideWaits(Side side) {
        enqueue(queue, side, 2 * Segment.SIZE).forEach(TestWaiter::cancelNow); // to the end of the last segment
        TestWaiter next = enqueue(queue, other(side), "next");
        assertEquals(2 * Segment.SIZE + 1, index(other(side)));
        assertSame(next, queue.tryMatch(side));
        assertNull(queue.tryMatch(other(side)));
    }

    // The list of segments

    @ParameterizedTest
    @EnumSource
    void aSegmentInTheMiddleIsRemovedWhicheverSideIsAhead(Side side) {
        for (Side ahead : List.of(side, other(side), side)) {
            List<TestWaiter> waiters = new ArrayList<>(enqueue(queue, ahead, 6 * Segment.SIZE));
            int before = segments();
            int start = (int) (Segment.SIZE - waiters.get(0).index) % Segment.SIZE + Segment.SIZE;
            waiters.subList(start, start + 2 * Segment.SIZE).forEach(TestWaiter::cancelNow);
            assertEquals(before - 2, segments());
            for (int left = 4 * Segment.SIZE; left > 0; left--) {
                assertTrue(queue.tryMatch(other(ahead)) != null);
            }
            assertNull(queue.tryMatch(other(ahead)));
            assertTrue(segments() <= 2);
        }
    }

    /**
     * When a segment is removed, its neighbours may have been removed before it. The list must be linked in both directions.
     */
    @ParameterizedTest
    @EnumSource
    void neighbouringSegmentsAreRemovedInAnyOrder(Side side) {
        for (int[] order : new int[][] {{1, 2, 3, 4}, {4, 3, 2, 1}, {1, 3, 2, 4}, {2, 4, 3, 1}}) {
            FairRendezvous fresh = new FairRendezvous();
            List<TestWaiter> waiters = new ArrayList<>(enqueue(fresh, side, 6 * Segment.SIZE));
            for (int id : order) {
                waiters.subList(id * Segment.SIZE, (id + 1) * Segment.SIZE).forEach(TestWaiter::cancelNow);
            }
            Segment behind = side == SENDER ? fresh.head : fresh.tail;
            assertEquals(0, behind.id);
            assertEquals(5, behind.nextAcquire().id);
        }
    }
}
