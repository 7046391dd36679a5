package dev.cqs;

import static dev.cqs.CancellationMode.SIMPLE;
import static dev.cqs.CancellationMode.SMART;
import static dev.cqs.ResumeMode.ASYNC;
import static dev.cqs.ResumeMode.SYNC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the queue keeps reachable. The tests walk the objects; they do not depend on the garbage collector. */
class QueueLeakTest {
    private static final int MILLION = 1_000_000;

    /** Objects: two or three segments with their arrays, and the queue. */
    private static final int FEW = 20;

    @ParameterizedTest
    @MethodSource("dev.cqs.QueueTest#modes")
    void aMillionCancelledWaitersLeaveNoSegments(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        TestWaiter head = queue.enqueue("head");
        for (int done = 0; done < MILLION; done += 1000) {
            queue.enqueue(1000).forEach(TestWaiter::cancelNow);
            queue.cancelled.clear();
        }
        TestWaiter live = queue.enqueue("live");
        assertTrue(queue.segments() <= 4, () -> queue.segments() + " segments");
        assertTrue(holds(queue) <= FEW + 2 * 32, () -> holds(queue) + " objects");
        assertTrue(queue.resume("v"));
        assertTrue(head.isResumed());
        if (cancellationMode == SMART) {
            assertTrue(queue.resume("v"));
            assertTrue(live.isResumed());
        }
    }

    @Test
    void theNextResumeSkipsAMillionCancelledWaitersInOneStep() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        queue.enqueue(MILLION).forEach(TestWaiter::cancelNow);
        TestWaiter live = queue.enqueue("live");
        assertTrue(queue.segments() <= 2, "from the old head to the live segment");
        assertTrue(queue.resume("v"));
        assertTrue(live.isResumed());
        assertEquals(MILLION + 1, queue.resumeIndex);
    }

    /** With 2^50 cancelled cells: a resume that visited each of them, or each segment, would not end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(30)
    void aResumeVisitsNoRemovedSegments(boolean lookingFirst) throws Exception {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        queue.enqueue(Segment.SIZE).forEach(TestWaiter::cancelNow);
        Segment far = new Segment(queue, 1L << 50, queue.head, 1);
        Field next = Segment.class.getDeclaredField("next");
        next.setAccessible(true);
        next.set(queue.head, far); // as if all segments between the two had been removed
        queue.tail = far;
        queue.suspendIndex = far.firstIndex();
        TestWaiter live = queue.enqueue("live");
        if (lookingFirst) {
            assertEquals(live, queue.firstWaiter());
        }
        assertTrue(queue.resume("v"));
        assertTrue(live.isResumed());
    }

    @Test
    void aSimpleResumeFailsForTheFirstCancelledWaiterAndSkipsNone() {
        TestQueue queue = new TestQueue(ASYNC, SIMPLE);
        queue.enqueue(3 * Segment.SIZE).forEach(TestWaiter::cancelNow);
        queue.enqueue("live");
        assertFalse(queue.resume("v"));
        assertEquals(1, queue.resumeIndex);
    }

    @ParameterizedTest
    @EnumSource
    void aMillionResumedWaitersLeaveNoSegments(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        for (int i = 0; i < MILLION; i++) {
            queue.enqueue("waiter");
            queue.resume("v");
        }
        assertTrue(holds(queue) <= FEW, () -> holds(queue) + " objects");
    }

    @Test
    void claimedWaitersLeaveNoSegments() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        for (int i = 0; i < MILLION; i++) {
            queue.enqueue("waiter");
            queue.claim(queue.firstWaiter());
        }
        assertTrue(holds(queue) <= FEW, () -> holds(queue) + " objects");
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.QueueTest#modes")
    void finishedWaitersAndValuesAreNotReachable(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        List<Object> gone = new ArrayList<>();
        for (TestWaiter waiter : queue.enqueue(Segment.SIZE / 2)) {
            gone.add(waiter);
            Object value = new Object();
            gone.add(value);
            queue.resume(value);
        }
        for (TestWaiter waiter : queue.enqueue(Segment.SIZE / 2)) {
            gone.add(waiter);
            waiter.cancelNow();
        }
        queue.cancelled.clear();
        if (resumeMode == ASYNC && cancellationMode == SMART) { // values that come before their requests
            Object value = new Object();
            gone.add(value);
            queue.resume(value);
            gone.add(queue.enqueue("late"));
        }
        Set<Object> reachable = Reachable.from(queue);
        assertTrue(gone.stream().noneMatch(reachable::contains));
        assertTrue(gone.size() >= Segment.SIZE, "enough objects were looked at");
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.QueueTest#modes")
    void aFinishedWaiterDoesNotKeepItsQueue(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        List<TestWaiter> waiters = queue.enqueue(3);
        queue.resume("v");
        waiters.get(1).cancelNow();
        queue.claim(waiters.get(2));
        for (TestWaiter waiter : waiters) {
            assertFalse(Reachable.from(waiter).contains(queue), waiter.name);
        }
    }

    @Test
    void segmentsBehindTheHeadAreNotReachable() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        Segment first = queue.head;
        queue.enqueue(5 * Segment.SIZE);
        assertTrue(Reachable.from(queue).contains(first));
        queue.resume("v", 5 * Segment.SIZE);
        assertFalse(Reachable.from(queue).contains(first));
    }

    private static int holds(TestQueue queue) {
        return Reachable.from(queue).size();
    }
}
