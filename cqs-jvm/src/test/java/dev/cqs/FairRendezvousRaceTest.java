package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.enter;
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

/** Races in chosen orders: one who has taken a cell stands still, while others act, and goes on. */
class FairRendezvousRaceTest {
    private final FairRendezvous queue = new FairRendezvous();

    /** Somebody has taken the next cell of this side, and stands still. */
    private void takeCell(Side side) {
        setIndex(side, index(side) + 1);
    }

    /** The one who has taken this cell goes on; if he needs another, it is the next. */
    private Waiter goOn(Side side, long cell, Waiter waiter) {
        long before = index(side);
        setIndex(side, cell);
        Waiter met = queue.enter(side, waiter);
        setIndex(side, Math.max(before, index(side)));
        return met;
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

    // A visitor on the way

    /** It would else hide one who then turns out not to have been met. */
    @ParameterizedTest
    @EnumSource
    void whoIsHiddenByAVisitorThatStandsStillIsNotCancelled(Side side) {
        TestWaiter waiter = enter(queue, side, "waiter");
        takeCell(other(side));
        assertNull(queue.meet(other(side)), "the first has a visitor");
        assertFalse(waiter.cancelNow());
        assertFalse(queue.takeOut(waiter));
        assertSame(waiter, goOn(other(side), 0, new TestWaiter("visitor")));
        assertFalse(waiter.cancelNow());
    }

    @ParameterizedTest
    @EnumSource
    void onlyThoseWithAVisitorCannotBeCancelled(Side side) {
        List<TestWaiter> waiters = new ArrayList<>(enter(queue, side, 2 * Segment.SIZE));
        for (int i = 0; i < Segment.SIZE + 1; i++) {
            takeCell(other(side));
        }
        for (int i = 0; i < waiters.size(); i++) {
            assertEquals(i > Segment.SIZE, waiters.get(i).cancelNow(), waiters.get(i).name);
        }
        for (int i = 0; i <= Segment.SIZE; i++) {
            assertSame(waiters.get(i), goOn(other(side), i, new TestWaiter("visitor")));
        }
        assertNull(queue.meet(other(side)));
    }

    @ParameterizedTest
    @EnumSource
    void aVisitorThatStandsStillHoldsNobodyUpButTheOneItVisits(Side side) {
        TestWaiter first = enter(queue, side, "first");
        TestWaiter second = enter(queue, side, "second");
        takeCell(other(side));
        assertSame(second, queue.meet(other(side)));
        assertNull(queue.meet(other(side)));
        TestWaiter next = enter(queue, other(side), "next");
        assertSame(next, queue.meet(side));
        assertSame(first, goOn(other(side), 0, new TestWaiter("visitor")));
    }

    @ParameterizedTest
    @EnumSource
    void aVisitorWhoseWaiterWasCancelledBeforeGoesOnToTheNext(Side side) {
        TestWaiter first = enter(queue, side, "first");
        TestWaiter second = enter(queue, side, "second");
        assertTrue(first.cancelNow());
        takeCell(other(side)); // that of the first
        assertSame(second, goOn(other(side), 0, new TestWaiter("visitor")));
        assertEquals(2, index(other(side)));
    }

    // The owner of a cell that is not there yet

    @ParameterizedTest
    @EnumSource
    void whoComesFirstToTheCellOfOneWhoStandsStillWaitsForHim(Side side) {
        takeCell(other(side));
        TestWaiter waiter = enter(queue, side, "waiter");
        assertEquals(List.of(waiter), waiting(queue));
        assertNull(queue.meet(other(side)), "the pair is made");
        assertFalse(waiter.cancelNow());
        assertSame(waiter, goOn(other(side), 0, new TestWaiter("late")));
        assertEquals(List.of(), waiting(queue));
    }

    @ParameterizedTest
    @EnumSource
    void oneWhoStandsStillHoldsUpNobodyButHisCounterpart(Side side) {
        takeCell(side);
        TestWaiter waitsForHim = enter(queue, other(side), "waits for him");
        TestWaiter behind = enter(queue, side, "behind");
        assertSame(behind, queue.meet(other(side)));
        TestWaiter last = enter(queue, other(side), "last");
        assertSame(last, queue.enter(side, new TestWaiter("visitor")));
        assertSame(waitsForHim, goOn(side, 0, new TestWaiter("late")));
    }

    @ParameterizedTest
    @EnumSource
    void whoOnlyMeetsDoesNotWaitForOneWhoStandsStill(Side side) {
        takeCell(side);
        assertNull(queue.meet(other(side)));
        TestWaiter late = new TestWaiter("late");
        assertNull(goOn(side, 0, late), "the cell is broken, and he waits in the next");
        assertEquals(List.of(late), waiting(queue));
        assertSame(late, queue.meet(other(side)));
        assertNull(queue.meet(other(side)));
    }

    @ParameterizedTest
    @EnumSource
    void whoOnlyMeetsPassesThoseWhoStandStillAndFindsWhoWaitsBehind(Side side) {
        for (int i = 0; i < 2 * Segment.SIZE + 1; i++) {
            takeCell(side);
        }
        TestWaiter behind = enter(queue, side, "behind");
        assertSame(behind, queue.meet(other(side)));
        assertEquals(index(side), index(other(side)));
        assertNull(queue.meet(other(side)));
        TestWaiter next = enter(queue, side, "next");
        assertSame(next, queue.enter(other(side), new TestWaiter("visitor")));
    }

    /** The one whose cell was broken may find a counterpart in the next one. */
    @ParameterizedTest
    @EnumSource
    void whoseCellWasBrokenMeetsTheNext(Side side) {
        takeCell(side);
        assertNull(queue.meet(other(side)));
        TestWaiter next = enter(queue, other(side), "next");
        assertSame(next, goOn(side, 0, new TestWaiter("late")));
        assertEquals(2, index(side));
        assertNull(queue.meet(side));
    }

    // Cancelled cells

    @ParameterizedTest
    @EnumSource
    void aRunOfCancelledCellsIsOneStep(Side side) {
        for (int dead : List.of(1, Segment.SIZE - 1, Segment.SIZE, Segment.SIZE + 1, 5 * Segment.SIZE)) {
            for (boolean waits : List.of(true, false)) {
                List<TestWaiter> run = new ArrayList<>(enter(queue, side, dead));
                TestWaiter live = enter(queue, side, "live");
                run.forEach(waiter -> assertTrue(waiter.cancelNow()));
                TestWaiter visitor = new TestWaiter("visitor");
                assertSame(live, waits ? queue.enter(other(side), visitor) : queue.meet(other(side)));
                assertEquals(index(side), index(other(side)));
            }
        }
    }

    /** Each of two has taken a cell of the run before either has seen it. */
    @ParameterizedTest
    @EnumSource
    void allThatHaveTakenCellsOfARunPassIt(Side side) {
        List<TestWaiter> run = new ArrayList<>(enter(queue, side, 3 * Segment.SIZE));
        run.forEach(TestWaiter::cancelNow);
        takeCell(other(side));
        TestWaiter first = enter(queue, side, "first");
        TestWaiter second = enter(queue, side, "second");
        assertSame(first, queue.meet(other(side)));
        assertSame(second, queue.enter(other(side), new TestWaiter("visitor")));
        assertNull(queue.meet(other(side)));
    }

    @ParameterizedTest
    @EnumSource
    void behindARunOfCancelledCellsTheOtherSideWaits(Side side) {
        enter(queue, side, 2 * Segment.SIZE).forEach(TestWaiter::cancelNow); // to the end of the last segment
        TestWaiter next = enter(queue, other(side), "next");
        assertEquals(2 * Segment.SIZE + 1, index(other(side)));
        assertSame(next, queue.meet(side));
        assertNull(queue.meet(other(side)));
    }

    // The list

    @ParameterizedTest
    @EnumSource
    void aSegmentInTheMiddleGoesWhicheverSideIsAhead(Side side) {
        for (Side ahead : List.of(side, other(side), side)) {
            List<TestWaiter> waiters = new ArrayList<>(enter(queue, ahead, 6 * Segment.SIZE));
            int before = segments();
            int start = (int) (Segment.SIZE - waiters.get(0).index) % Segment.SIZE + Segment.SIZE;
            waiters.subList(start, start + 2 * Segment.SIZE).forEach(TestWaiter::cancelNow);
            assertEquals(before - 2, segments());
            for (int left = 4 * Segment.SIZE; left > 0; left--) {
                assertTrue(queue.meet(other(ahead)) != null);
            }
            assertNull(queue.meet(other(ahead)));
            assertTrue(segments() <= 2);
        }
    }

    /** Segments of which both neighbours have changed, one after the other, in either direction. */
    @ParameterizedTest
    @EnumSource
    void neighboursGoInAnyOrder(Side side) {
        for (int[] order : new int[][] {{1, 2, 3, 4}, {4, 3, 2, 1}, {1, 3, 2, 4}, {2, 4, 3, 1}}) {
            FairRendezvous fresh = new FairRendezvous();
            List<TestWaiter> waiters = new ArrayList<>(enter(fresh, side, 6 * Segment.SIZE));
            for (int id : order) {
                waiters.subList(id * Segment.SIZE, (id + 1) * Segment.SIZE).forEach(TestWaiter::cancelNow);
            }
            Segment behind = side == SENDER ? fresh.head : fresh.tail;
            assertEquals(0, behind.id);
            assertEquals(5, behind.nextAcquire().id);
        }
    }
}
