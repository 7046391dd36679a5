package dev.cqs;

import static dev.cqs.CancellationMode.SMART;
import static dev.cqs.ResumeMode.ASYNC;
import static dev.cqs.ResumeMode.SYNC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Races in an order that the test chooses: other callers act inside the {@code onCancellation} hook. */
class QueueRaceTest {
    @Test
    void anAsyncResumeThatMeetsACancellationDelegatesItsValueToTheNextWaiter() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        TestWaiter first = queue.enqueue("first");
        TestWaiter second = queue.enqueue("second");
        queue.onCancellation = waiter -> {
            assertTrue(elsewhere(() -> queue.resume("v")).join(), "the resume does not wait");
            assertFalse(second.isResumed(), "the canceller has the value");
            return true;
        };
        assertTrue(first.cancelNow());
        assertEquals("v", second.value);
        assertFalse(first.isResumed());
    }

    @Test
    void anAsyncResumeThatMeetsACancellationIsRefusedIfTheHookDecidesSo() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        TestWaiter last = queue.enqueue("last");
        queue.onCancellation = waiter -> {
            assertTrue(elsewhere(() -> queue.resume("v")).join());
            assertEquals(List.of(), queue.refused);
            return false;
        };
        assertTrue(last.cancelNow());
        assertEquals(List.of("v"), queue.refused);
    }

    @Test
    void aSyncResumeThatMeetsACancellationWaitsForItsDecision() throws Exception {
        TestQueue queue = new TestQueue(SYNC, SMART);
        TestWaiter first = queue.enqueue("first");
        TestWaiter second = queue.enqueue("second");
        CountDownLatch cancelling = new CountDownLatch(1);
        CountDownLatch decide = new CountDownLatch(1);
        queue.onCancellation = waiter -> {
            cancelling.countDown();
            awaitUninterrupted(decide);
            return true;
        };
        CompletableFuture<Boolean> cancel = elsewhere(first::cancelNow);
        cancelling.await();
        boolean[] decided = {false};
        second.onResume = value -> assertTrue(decided[0], "resumed before the decision");
        CompletableFuture<Boolean> resume = elsewhere(() -> queue.resume("v"));
        while (queue.resumeIndex == 0) {
            Thread.onSpinWait(); // until the resume has taken the cell that is being cancelled
        }
        decided[0] = true;
        decide.countDown();
        assertTrue(resume.get());
        assertTrue(cancel.get());
        assertEquals("v", second.value);
    }

    @Test
    void aTailSegmentWithAllCellsCancelledIsRemovedWhenTheTailMovesOn() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        TestWaiter front = queue.enqueue("front");
        for (int i = 1; i < Segment.SIZE; i++) {
            queue.enqueue("rest of the first segment");
        }
        List<TestWaiter> dead = queue.enqueue(Segment.SIZE);
        dead.forEach(TestWaiter::cancelNow);
        assertEquals(2, queue.segments(), "the tail segment stays");
        TestWaiter behind = queue.enqueue("behind");
        assertEquals(2, queue.segments(), "it is removed when it is no longer the tail");
        assertTrue(queue.resume("v", Segment.SIZE + 1) == Segment.SIZE + 1);
        assertTrue(front.isResumed() && behind.isResumed());
    }

    /** Two calls have taken cells of the run before either of them looks at its cell. Both skip the run. */
    @ParameterizedTest
    @EnumSource
    void allResumesThatHaveTakenCellsOfARunOfCancelledCellsSkipIt(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        TestWaiter first = queue.enqueue("first");
        List<TestWaiter> dead = queue.enqueue(3 * Segment.SIZE);
        List<TestWaiter> live = queue.enqueue(3);
        dead.forEach(TestWaiter::cancelNow);
        first.onResume = value -> assertTrue(queue.resume("inner"));
        assertEquals(3, queue.resume("outer", 3));
        assertEquals("outer", first.value);
        assertEquals(
                List.of("inner", "outer", "outer"),
                live.stream().map(waiter -> waiter.value).toList());
        assertEquals(queue.suspendIndex, queue.resumeIndex);
    }

    @Test
    void aResumeThatFindsNoWaiterBehindARunOfCancelledCellsServesTheNextRequest() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        TestWaiter first = queue.enqueue("first");
        List<TestWaiter> dead = queue.enqueue(2 * Segment.SIZE - 1); // through the last cell of the tail segment
        dead.forEach(TestWaiter::cancelNow);
        assertEquals(2, queue.resume("v", 2));
        assertEquals("v", first.value);
        assertEquals(2 * Segment.SIZE + 1, queue.resumeIndex);
        assertEquals("v", queue.enqueue("next").value);
        TestWaiter last = queue.enqueue("last");
        assertTrue(queue.resume("w"));
        assertEquals("w", last.value);
        assertTrue(queue.segments() <= 2, () -> queue.segments() + " segments");
    }

    private static <R> CompletableFuture<R> elsewhere(java.util.function.Supplier<R> action) {
        CompletableFuture<R> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(action.get());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
