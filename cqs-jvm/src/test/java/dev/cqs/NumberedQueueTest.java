package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The queue whose requests are numbered by the primitive: the number is the index of the cell, in any order of arrival. */
class NumberedQueueTest {
    private static final int SIZE = Segment.SIZE;

    /** Objects: a few segments with their arrays, and the queue. */
    private static final int FEW = 20;

    private final NumberedQueue<Object> queue = new NumberedQueue<>();

    /** The number of the next request. */
    private long next;

    @Test
    void aResumeOfSeveralCellsServesExactlyThese() {
        List<TestWaiter> waiters = suspend(3 * SIZE);
        queue.resumeAt(queue.resumeRef(), 5, 2 * SIZE, "v");
        for (int i = 0; i < waiters.size(); i++) {
            assertEquals(i >= 5 && i < 5 + 2 * SIZE ? "v" : null, waiters.get(i).value, "cell " + i);
        }
    }

    @Test
    void aResumeOfZeroCellsServesNoWaiter() {
        List<TestWaiter> waiters = suspend(2);
        queue.resumeAt(queue.resumeRef(), 0, 0, "v");
        queue.resumeAhead(queue.resumeRef(), 1, 0, "v");
        assertEquals(List.of(), resumed(waiters));
    }

    @Test
    void aRequestFindsTheValueThatWasInItsCellFirst() {
        queue.resumeAt(queue.resumeRef(), 1, 1, "for 1");
        assertNull(suspend().value);
        assertEquals("for 1", suspend().value);
        assertNull(suspend().value);
    }

    @Test
    void requestsReachTheirCellsInAnyOrder() {
        CellRef place = queue.suspendRef();
        List<Integer> order = new ArrayList<>();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < 4 * SIZE; i++) {
            order.add(i);
            waiters.add(new TestWaiter("waiter " + i));
        }
        Collections.shuffle(order, new Random(1));
        order.subList(0, 2 * SIZE).forEach(i -> queue.suspendAt(place, i, waiters.get(i)));
        for (int i = 0; i < 4 * SIZE; i++) {
            queue.resumeAt(queue.resumeRef(), i, 1, i);
        }
        order.subList(2 * SIZE, 4 * SIZE).forEach(i -> queue.suspendAt(place, i, waiters.get(i)));
        for (int i = 0; i < 4 * SIZE; i++) {
            assertEquals(i, waiters.get(i).value);
        }
    }

    @Test
    void aRequestThatStallsBeforeItsCellFindsTheCellBehindTheHead() {
        CellRef place = queue.suspendRef();
        long number = next++;
        queue.resumeAt(queue.resumeRef(), number, 1, "for the stalled request");
        round(5 * SIZE);
        TestWaiter stalled = new TestWaiter("stalled");
        queue.suspendAt(place, number, stalled);
        assertEquals("for the stalled request", stalled.value);
        assertNull(suspend().value);
    }

    @Test
    void aStalledResumeServesItsCellsThoughLaterResumesHaveMovedTheHead() {
        List<TestWaiter> early = suspend(SIZE + 3);
        CellRef place = queue.resumeRef();
        round(5 * SIZE);
        queue.resumeAt(place, 0, early.size(), "v");
        assertEquals(early, resumed(early));
    }

    // Resumes ahead of the head

    @Test
    void aResumeAheadLeavesEarlierCellsReachable() {
        List<TestWaiter> waiters = suspend(5 * SIZE);
        queue.resumeAhead(queue.resumeRef(), 4 * SIZE - 2, 4, "ahead");
        assertEquals(waiters.subList(4 * SIZE - 2, 4 * SIZE + 2), resumed(waiters));
        queue.resumeAt(queue.resumeRef(), 0, 4 * SIZE - 2, "in turn");
        assertEquals(waiters.subList(0, 4 * SIZE + 2), resumed(waiters));
        queue.resumeAt(queue.resumeRef(), 4 * SIZE + 2, SIZE - 2, "in turn");
        assertEquals(waiters, resumed(waiters));
    }

    @Test
    void aResumeAheadOfItsRequestLeavesTheValue() {
        queue.resumeAhead(queue.resumeRef(), 3 * SIZE, 1, "ahead");
        List<TestWaiter> waiters = suspend(3 * SIZE);
        assertEquals("ahead", suspend().value);
        assertEquals(List.of(), resumed(waiters));
    }

    @Test
    void aResumeAheadSkipsCancelledCells() {
        List<TestWaiter> waiters = suspend(6 * SIZE);
        waiters.subList(2 * SIZE, 4 * SIZE).forEach(queue::cancel); // removes whole segments
        queue.resumeAhead(queue.resumeRef(), 2 * SIZE, 1, "v");
        assertEquals(List.of(), resumed(waiters));
        queue.resumeAhead(queue.resumeRef(), SIZE, 4 * SIZE, "v");
        List<TestWaiter> expected = new ArrayList<>(waiters.subList(SIZE, 2 * SIZE));
        expected.addAll(waiters.subList(4 * SIZE, 5 * SIZE));
        assertEquals(expected, resumed(waiters));
    }

    // Cancellation

    @Test
    void aResumeSkipsCancelledCellsAndServesAllOthers() {
        for (int every = 1; every <= 3; every++) {
            List<TestWaiter> waiters = suspend(4 * SIZE);
            long first = next - waiters.size();
            TestWaiter behind = suspend();
            List<TestWaiter> live = new ArrayList<>(waiters);
            for (int i = 0; i < waiters.size(); i += every) {
                assertTrue(queue.cancel(waiters.get(i)));
                live.remove(waiters.get(i));
            }
            queue.resumeAt(queue.resumeRef(), first, waiters.size(), "v");
            assertEquals(live, resumed(waiters));
            assertNull(behind.value, "all " + every);
            queue.resumeAt(queue.resumeRef(), next - 1, 1, "v");
            assertEquals("v", behind.value);
        }
    }

    @Test
    void exactlyOneOfCancelAndResumeWins() {
        TestWaiter resumed = suspend();
        TestWaiter cancelled = suspend();
        queue.resumeAt(queue.resumeRef(), 0, 1, "v");
        assertFalse(queue.cancel(resumed));
        assertTrue(queue.cancel(cancelled));
        assertFalse(queue.cancel(cancelled), "cannot be cancelled twice");
        queue.resumeAt(queue.resumeRef(), 1, 1, "v");
        assertNull(cancelled.value);
    }

    @Test
    void aPrimitiveMayDecideWhatACancellationDoes() {
        List<Waiter> asked = new ArrayList<>();
        NumberedQueue<Object> deciding = new NumberedQueue<>() {
            @Override
            protected boolean leave(Waiter waiter) {
                asked.add(waiter);
                return numberOf(waiter) != 0 && cancel(waiter);
            }
        };
        List<TestWaiter> waiters = List.of(new TestWaiter("stays"), new TestWaiter("leaves"));
        waiters.forEach(waiter -> deciding.suspendAt(deciding.suspendRef(), waiters.indexOf(waiter), waiter));
        assertFalse(waiters.get(0).cancelNow());
        assertTrue(waiters.get(1).cancelNow());
        assertEquals(waiters, asked);
        deciding.resumeAt(deciding.resumeRef(), 0, 2, "v");
        assertEquals(waiters.subList(0, 1), resumed(waiters));
    }

    @Test
    void aValueThatItsWaiterRefusesIsGivenBack() {
        List<Object> back = new ArrayList<>();
        NumberedQueue<Object> giving = new NumberedQueue<>() {
            @Override
            protected void giveBack(Object value) {
                back.add(value);
            }
        };
        List<TestWaiter> waiters =
                List.of(new TestWaiter("gone"), new TestWaiter("here"), new TestWaiter("gone as well"));
        waiters.get(0).accepts = false;
        waiters.get(2).accepts = false;
        for (int i = 0; i < 2; i++) {
            giving.suspendAt(giving.suspendRef(), i, waiters.get(i));
        }
        giving.resumeAt(giving.resumeRef(), 0, 2, "v");
        giving.resumeAt(giving.resumeRef(), 2, 1, "came first");
        giving.suspendAt(giving.suspendRef(), 2, waiters.get(2));
        assertEquals(List.of("v", "came first"), back);
        assertEquals(waiters.subList(1, 2), resumed(waiters));
    }

    @Test
    void aValueThatItsWaiterRefusesIsDroppedUnlessAPrimitiveTakesItBack() {
        List<TestWaiter> waiters = suspend(2);
        waiters.get(0).accepts = false;
        queue.resumeAt(queue.resumeRef(), 0, 2, "v");
        assertEquals(waiters.subList(1, 2), resumed(waiters));
    }

    // The number of a waiter

    @Test
    void aWaiterKnowsItsNumberAsLongAsItWaits() {
        List<TestWaiter> waiters = suspend(2 * SIZE + 5);
        for (int i = 0; i < waiters.size(); i++) {
            assertEquals(i, queue.numberOf(waiters.get(i)));
        }
        queue.resumeAt(queue.resumeRef(), 0, 1, "v");
        queue.cancel(waiters.get(1));
        assertEquals(-1, queue.numberOf(waiters.get(0)));
        assertEquals(-1, queue.numberOf(waiters.get(1)));
        assertEquals(-1, queue.numberOf(new TestWaiter("new")));
    }

    @Test
    void aWaiterThatIsInTheQueueCannotBeEnqueuedAgain() {
        TestWaiter waiter = suspend();
        CellRef place = queue.suspendRef();
        assertThrows(IllegalStateException.class, () -> queue.suspendAt(place, 1, waiter));
        assertEquals(0, queue.numberOf(waiter));
    }

    // What stays reachable

    @Test
    void manyRoundsLeaveNoWaitersAndFewSegments() {
        List<TestWaiter> gone = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            gone.addAll(round(7));
            if (i % 2 == 0) { // numbers that no request gets
                next += i % 3 == 0 ? 1 : 2 * SIZE;
            }
        }
        Set<Object> reachable = Reachable.from(queue);
        assertTrue(reachable.size() <= FEW, () -> reachable.size() + " objects");
        assertTrue(gone.stream().noneMatch(reachable::contains));
    }

    @Test
    void cancelledWaitersLeaveNoSegments() {
        TestWaiter first = suspend();
        for (int i = 0; i < 10_000; i++) {
            suspend(10).forEach(queue::cancel);
        }
        TestWaiter live = suspend();
        Set<Object> reachable = Reachable.from(queue);
        assertTrue(reachable.size() <= FEW + 2 * SIZE, () -> reachable.size() + " objects");
        queue.resumeAt(queue.resumeRef(), 0, (int) next, "v");
        assertTrue(first.isResumed());
        assertTrue(live.isResumed());
    }

    @Test
    void aFinishedWaiterDoesNotKeepTheQueue() {
        List<TestWaiter> waiters = suspend(3);
        queue.resumeAt(queue.resumeRef(), 0, 1, "v");
        queue.resumeAhead(queue.resumeRef(), 2, 1, "v");
        queue.cancel(waiters.get(1));
        for (TestWaiter waiter : waiters) {
            assertFalse(Reachable.from(waiter).contains(queue), waiter.name);
        }
    }

    private TestWaiter suspend() {
        TestWaiter waiter = new TestWaiter("waiter " + next);
        CellRef place = queue.suspendRef();
        queue.suspendAt(place, next++, waiter);
        return waiter;
    }

    private List<TestWaiter> suspend(int count) {
        List<TestWaiter> waiters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            waiters.add(suspend());
        }
        return waiters;
    }

    /** Suspends {@code count} waiters and resumes all of them with one call. */
    private List<TestWaiter> round(int count) {
        List<TestWaiter> waiters = suspend(count);
        queue.resumeAt(queue.resumeRef(), next - count, count, "of this round");
        assertEquals(waiters, resumed(waiters));
        return waiters;
    }

    private static List<TestWaiter> resumed(List<TestWaiter> waiters) {
        return waiters.stream().filter(TestWaiter::isResumed).toList();
    }
}
