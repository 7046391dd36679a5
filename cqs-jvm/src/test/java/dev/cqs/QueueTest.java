package dev.cqs;

import static dev.cqs.CancellationMode.SIMPLE;
import static dev.cqs.CancellationMode.SMART;
import static dev.cqs.ResumeMode.ASYNC;
import static dev.cqs.ResumeMode.SYNC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The operations of the queue, one at a time. */
class QueueTest {
    private static final int MANY = 10 * Segment.SIZE + 7;

    static Stream<Arguments> modes() {
        return Stream.of(ResumeMode.values())
                .flatMap(r -> Stream.of(CancellationMode.values()).map(c -> Arguments.of(r, c)));
    }

    // Order

    @ParameterizedTest
    @MethodSource("modes")
    void resumesInTheOrderOfSuspension(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        for (int i = 0; i < MANY; i++) {
            assertFalse(waiters.get(i).isResumed());
            assertTrue(queue.resume(i));
            assertEquals(i, waiters.get(i).value);
        }
        assertEquals(List.of(), queue.waiting());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void oneCallResumesSeveralWaiters(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        int first = MANY / 2;
        assertEquals(first, queue.resume("a", first));
        assertEquals(0, queue.resume("v", 0));
        assertEquals(waiters.subList(first, MANY), queue.waiting());
        assertEquals(MANY - first, queue.resume("b", MANY - first));
        for (int i = 0; i < MANY; i++) {
            assertEquals(i < first ? "a" : "b", waiters.get(i).value);
        }
    }

    // Resume before suspend

    @ParameterizedTest
    @EnumSource
    void asyncResumeLeavesItsValueForTheNextSuspender(CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(ASYNC, cancellationMode);
        assertTrue(queue.resume("early"));
        assertEquals("early", queue.enqueue("late").value);
        assertNull(queue.enqueue("later").value);
    }

    @ParameterizedTest
    @EnumSource
    void syncResumeBreaksTheCellAndBothStartAgain(CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(SYNC, cancellationMode);
        assertFalse(queue.resume("early"));
        TestWaiter waiter = new TestWaiter("late");
        assertFalse(queue.suspend(waiter));
        assertTrue(queue.suspend(waiter));
        assertTrue(queue.resume("again"));
        assertEquals("again", waiter.value);
    }

    @Test
    void brokenCellsOfOneCallAreNotCountedAsResumed() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        TestWaiter present = queue.enqueue("present");
        assertEquals(1, queue.resume("v", 3));
        assertTrue(present.isResumed());
        assertFalse(queue.suspend(new TestWaiter("second")));
        assertFalse(queue.suspend(new TestWaiter("third")));
    }

    // Cancellation

    @ParameterizedTest
    @MethodSource("modes")
    void exactlyOneOfCancelAndResumeWins(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        TestWaiter resumed = queue.enqueue("resumed");
        TestWaiter cancelled = queue.enqueue("cancelled");
        assertTrue(queue.resume("v"));
        assertFalse(resumed.cancelNow());
        assertTrue(cancelled.cancelNow());
        assertFalse(cancelled.cancelNow(), "only the first succeeds");
        assertFalse(cancelled.isResumed());
    }

    @ParameterizedTest
    @EnumSource
    void simpleResumeFailsOncePerCancelledWaiter(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SIMPLE);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        TestWaiter live = queue.enqueue("live");
        waiters.forEach(TestWaiter::cancelNow);
        for (int i = 0; i < MANY; i++) {
            assertFalse(queue.resume("v"), "fails for cancelled waiter " + i);
        }
        assertTrue(queue.resume("v"));
        assertTrue(live.isResumed());
    }

    @ParameterizedTest
    @EnumSource
    void simpleResumeOfSeveralCountsTheCancelledAsFailures(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SIMPLE);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        for (int i = 0; i < MANY; i += 2) {
            waiters.get(i).cancelNow();
        }
        assertEquals(MANY / 2, queue.resume("v", MANY));
    }

    @ParameterizedTest
    @EnumSource
    void smartResumeSkipsCancelledWaiters(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        for (int i = 0; i < MANY; i++) {
            if (i % 3 != 0) {
                assertTrue(waiters.get(i).cancelNow());
            }
        }
        assertEquals(MANY - (MANY + 2) / 3, queue.cancelled.size());
        for (int i = 0; i < MANY; i += 3) {
            assertTrue(queue.resume(i));
            assertEquals(i, waiters.get(i).value);
        }
    }

    @ParameterizedTest
    @EnumSource
    void smartResumeOfSeveralSkipsCancelledWaiters(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        List<TestWaiter> dead = queue.enqueue(MANY);
        List<TestWaiter> live = queue.enqueue(MANY);
        dead.forEach(TestWaiter::cancelNow);
        assertEquals(MANY, queue.resume("v", MANY));
        assertTrue(live.stream().allMatch(TestWaiter::isResumed));
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedResumeEndsInCompleteRefusedResume(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        queue.onCancellation = waiter -> false;
        assertTrue(queue.enqueue("last").cancelNow());
        assertTrue(queue.resume("v"));
        assertEquals(List.of("v"), queue.refused);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aWaiterThatRefusesItsResumeCountsAsCancelled(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        TestWaiter gone = queue.enqueue("gone");
        TestWaiter next = queue.enqueue("next");
        gone.accepts = false;
        assertEquals(cancellationMode == SMART, queue.resume("v"));
        assertEquals(cancellationMode == SMART, next.isResumed());
        assertEquals(cancellationMode == SMART ? List.of(gone) : List.of(), queue.cancelled);
        assertFalse(gone.cancelNow(), "the resumer has cancelled it");
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatRefusesItsResumeMayEndInARefusedCell(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        queue.onCancellation = waiter -> false;
        queue.enqueue("gone").accepts = false;
        assertTrue(queue.resume("v"));
        assertEquals(List.of("v"), queue.refused);
    }

    @ParameterizedTest
    @EnumSource
    void aValueInTheCellOfAWaiterThatRefusesItIsGivenBack(CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(ASYNC, cancellationMode);
        queue.resume("v");
        TestWaiter gone = new TestWaiter("gone");
        gone.accepts = false;
        assertTrue(queue.suspend(gone));
        assertEquals(List.of("v"), queue.givenBack);
        assertEquals(List.of(), queue.cancelled, "the request has used up its resume, so nothing is cancelled");
    }

    @Test
    void afterCancellationRunsWhenTheCellIsDecided() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        TestWaiter first = queue.enqueue("first");
        TestWaiter second = queue.enqueue("second");
        queue.afterCancellation = () -> assertTrue(queue.resume("v")); // inside the window it would wait for ever
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertTrue(first.cancelNow());
            assertEquals(List.of(), uncaught.seen);
        }
        assertEquals("v", second.value);
    }

    // Abandoned requests

    @ParameterizedTest
    @MethodSource("modes")
    void anAbandonedRequestCountsAsCancelled(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        queue.abandon();
        TestWaiter live = queue.enqueue("live");
        assertEquals(cancellationMode == SMART, queue.resume("v"));
        assertEquals(cancellationMode == SMART, live.isResumed());
    }

    @ParameterizedTest
    @EnumSource
    void anAbandonedRequestGivesBackTheValueInItsCell(CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(ASYNC, cancellationMode);
        queue.resume("v");
        queue.abandon();
        assertEquals(List.of("v"), queue.givenBack);
        assertEquals(List.of(), queue.cancelled, "the request has used up its resume, so nothing is cancelled");
    }

    @Test
    void anAbandonedRequestWithABrokenCellChangesNothing() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        assertFalse(queue.resume("v"));
        queue.abandon();
        assertEquals(List.of(), queue.cancelled);
        assertEquals(List.of(), queue.refused);
    }

    // Claims of the first waiter

    @Test
    void claimedWaitersGetTheirValueFromTheClaimerAndAreSkippedByResumes() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        for (int i = 0; i < MANY / 2; i++) {
            assertEquals(waiters.get(i), queue.firstWaiter());
            assertEquals(waiters.get(i), queue.firstWaiter(), "firstWaiter changes nothing");
            assertTrue(queue.claim(waiters.get(i)));
            assertFalse(queue.claim(waiters.get(i)), "only the first succeeds");
            assertFalse(waiters.get(i).cancelNow());
            assertTrue(queue.handOver(waiters.get(i), i));
            assertEquals(i, waiters.get(i).value);
        }
        assertTrue(queue.claim(waiters.get(MANY - 1)), "a waiter behind the head can be claimed");
        assertTrue(queue.resume("v"));
        assertEquals("v", waiters.get(MANY / 2).value);
    }

    /** Between a look at the head and the claim, the waiter may be cancelled and enqueued in another queue. */
    @Test
    void aWaiterThatHasMovedToAnotherQueueIsNotClaimedThere() {
        TestQueue queue = new TestQueue(ASYNC, SIMPLE);
        TestQueue other = new TestQueue(ASYNC, SMART);
        TestWaiter waiter = queue.enqueue("waiter");
        assertEquals(waiter, queue.firstWaiter());
        assertTrue(queue.cancel(waiter));
        assertTrue(other.suspend(waiter), "at the same index of its first segment");
        assertFalse(queue.claim(waiter));
        assertFalse(queue.cancel(waiter));
        assertEquals(List.of(waiter), other.waiting());
        assertTrue(other.resume("v"));
        assertEquals("v", waiter.value);
    }

    @Test
    void theFirstWaiterIsFoundBehindCancelledAndRefusedCells() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        assertNull(queue.firstWaiter());
        List<TestWaiter> dead = queue.enqueue(MANY);
        TestWaiter refused = queue.enqueue("refused");
        TestWaiter live = queue.enqueue("live");
        dead.forEach(TestWaiter::cancelNow);
        queue.onCancellation = waiter -> false;
        refused.cancelNow();
        assertEquals(live, queue.firstWaiter());
        assertTrue(queue.resume("v"), "a refused cell still uses up one resume");
        assertEquals(List.of("v"), queue.refused);
        assertTrue(queue.resume("w"));
        assertEquals("w", live.value);
    }

    // Bad arguments

    @Test
    void badArgumentsAreRefusedAndChangeNothing() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        TestWaiter waiter = queue.enqueue("waiter");
        assertThrows(NullPointerException.class, () -> queue.resume(null));
        assertThrows(NullPointerException.class, () -> queue.suspend(null));
        assertThrows(IllegalArgumentException.class, () -> new WaiterQueue().resume(waiter));
        String negative = assertThrows(IllegalArgumentException.class, () -> queue.resume("v", -1))
                .getMessage();
        assertTrue(negative.contains("-1"), negative);
        String twice = assertThrows(IllegalStateException.class, () -> queue.suspend(waiter))
                .getMessage();
        assertTrue(twice.contains("waiter"), twice);
        assertThrows(NullPointerException.class, () -> new TestQueue(null, SMART));
        assertThrows(NullPointerException.class, () -> new TestQueue(SYNC, null));
        assertEquals(List.of(waiter), queue.waiting());
        assertTrue(queue.resume("v"));
        assertTrue(waiter.isResumed());
    }

    @Test
    void smartCancellationNeedsTheHookOnCancellation() {
        CancellableQueueSynchronizer<Object> queue = new CancellableQueueSynchronizer<>(ASYNC, SMART) {};
        TestWaiter waiter = new TestWaiter("waiter");
        queue.suspend(waiter);
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertTrue(waiter.cancelNow());
            assertEquals(
                    UnsupportedOperationException.class, uncaught.seen.get(0).getClass());
        }
    }

    private static final class WaiterQueue extends CancellableQueueSynchronizer<Waiter> {
        WaiterQueue() {
            super(ASYNC, SIMPLE);
        }
    }

    @Test
    void abandonedRequestsNeedTheHookGiveBack() {
        CancellableQueueSynchronizer<Object> queue = new CancellableQueueSynchronizer<>(ASYNC, SMART) {};
        queue.resume("v");
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            queue.abandon();
            assertEquals(
                    UnsupportedOperationException.class, uncaught.seen.get(0).getClass());
        }
    }

    // Hooks that throw

    @Test
    void aWaiterThatThrowsIsResumedAndSoIsTheRestOfTheBatch() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        List<TestWaiter> waiters = queue.enqueue(3);
        RuntimeException failure = new RuntimeException("from a waiter");
        waiters.get(1).onResume = value -> {
            throw failure;
        };
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertEquals(3, queue.resume("v", 3));
            assertEquals(List.of(failure), uncaught.seen);
        }
        assertTrue(waiters.stream().allMatch(TestWaiter::isResumed));
    }

    @ParameterizedTest
    @EnumSource
    void anOnCancellationThatThrowsLosesNoValue(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        List<TestWaiter> waiters = queue.enqueue(3);
        RuntimeException failure = new RuntimeException("from onCancellation");
        queue.onCancellation = waiter -> {
            throw failure;
        };
        waiters.get(1).accepts = false; // so its resumer cancels it
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertTrue(waiters.get(0).cancelNow());
            assertTrue(queue.resume("v"));
            assertEquals(List.of(failure, failure), uncaught.seen);
        }
        assertEquals("v", waiters.get(2).value);
    }

    @Test
    void hooksThatThrowAfterTheDecisionLeaveTheQueueIntact() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        List<RuntimeException> failures = new ArrayList<>();
        queue.onCancellation = waiter -> false;
        queue.onRefused = value -> failWith(failures, "from completeRefusedResume");
        queue.afterCancellation = () -> failWith(failures, "from afterCancellation");
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertTrue(queue.enqueue("refused").cancelNow());
            assertTrue(queue.resume("v"));
            assertEquals(failures, uncaught.seen);
            assertEquals(2, failures.size());
        }
        TestWaiter next = queue.enqueue("next");
        assertTrue(queue.resume("w"));
        assertEquals("w", next.value);
    }

    @Test
    void anExceptionHandlerThatThrowsIsIgnored() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, thrown) -> failWith(new ArrayList<>(), "from the handler"));
        try {
            List<TestWaiter> waiters = queue.enqueue(2);
            waiters.get(0).onResume = value -> failWith(new ArrayList<>(), "from a waiter");
            assertEquals(2, queue.resume("v", 2));
            assertTrue(waiters.get(1).isResumed());
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
    }

    private static void failWith(List<RuntimeException> failures, String message) {
        RuntimeException failure = new RuntimeException(message);
        failures.add(failure);
        throw failure;
    }

    /** Every waiter of every primitive pays for a field here. */
    @Test
    void aWaiterHasNoFieldsButThoseOfItsCell() {
        Stream<String> fields = Stream.of(Waiter.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(field -> field.getType().getSimpleName() + " " + field.getName());
        assertEquals(Set.of("CellRef cellRef", "short index"), fields.collect(Collectors.toSet()));
    }

    /** A primitive may have to change its own state before a waiter leaves. */
    @Test
    void aPrimitiveMayRefuseACancellation() {
        boolean[] mayLeave = new boolean[1];
        CancellableQueueSynchronizer<Object> queue =
                new CancellableQueueSynchronizer<>(ResumeMode.ASYNC, CancellationMode.SMART) {
                    @Override
                    protected boolean leave(Waiter waiter) {
                        return mayLeave[0] && claim(waiter);
                    }
                };
        TestWaiter first = new TestWaiter("first");
        TestWaiter second = new TestWaiter("second");
        assertTrue(queue.suspend(first));
        assertTrue(queue.suspend(second));
        assertFalse(first.cancelNow());
        mayLeave[0] = true;
        assertTrue(first.cancelNow());
        assertFalse(first.cancelNow());
        assertTrue(queue.resume("value"));
        assertFalse(first.isResumed());
        assertEquals("value", second.value);
        assertFalse(second.cancelNow());
    }
}
