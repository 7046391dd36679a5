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

/** What the queue does, one operation at a time. */
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
    void resumesSeveralWithOneCall(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        int first = MANY / 2;
        assertEquals(first, queue.resume("a", first));
        assertEquals(0, queue.resume("nobody", 0));
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
        assertFalse(cancelled.cancelNow(), "a second time");
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
            assertFalse(queue.resume("v"), "cancelled waiter " + i);
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
    void aWaiterWhoseOwnerIsGoneCountsAsCancelled(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        TestWaiter gone = queue.enqueue("gone");
        TestWaiter next = queue.enqueue("next");
        gone.accepts = false;
        assertEquals(cancellationMode == SMART, queue.resume("v"));
        assertEquals(cancellationMode == SMART, next.isResumed());
        assertEquals(cancellationMode == SMART ? List.of(gone) : List.of(), queue.cancelled);
        assertFalse(gone.cancelNow(), "the resumer stood in");
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterWhoseOwnerIsGoneCanRefuse(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        queue.onCancellation = waiter -> false;
        queue.enqueue("gone").accepts = false;
        assertTrue(queue.resume("v"));
        assertEquals(List.of("v"), queue.refused);
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatMeetsAnOwnerGoneBeforeItCameIsGivenBack(CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(ASYNC, cancellationMode);
        queue.resume("v");
        TestWaiter gone = new TestWaiter("gone");
        gone.accepts = false;
        assertTrue(queue.suspend(gone));
        assertEquals(List.of("v"), queue.givenBack);
        assertEquals(List.of(), queue.cancelled, "request and resume have been counted against each other");
    }

    @Test
    void afterCancellationRunsWhenTheCellIsDecided() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        TestWaiter first = queue.enqueue("first");
        TestWaiter second = queue.enqueue("second");
        queue.afterCancellation = () -> assertTrue(queue.resume("v")); // would wait for ever in the window
        try (Uncaught uncaught = new Uncaught()) {
            assertTrue(first.cancelNow());
            assertEquals(List.of(), uncaught.seen);
        }
        assertEquals("v", second.value);
    }

    // Abandoned requests

    @ParameterizedTest
    @MethodSource("modes")
    void anAbandonedRequestIsACancelledOne(ResumeMode resumeMode, CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(resumeMode, cancellationMode);
        queue.abandon();
        TestWaiter live = queue.enqueue("live");
        assertEquals(cancellationMode == SMART, queue.resume("v"));
        assertEquals(cancellationMode == SMART, live.isResumed());
    }

    @ParameterizedTest
    @EnumSource
    void anAbandonedRequestGivesBackAValueThatWasThereFirst(CancellationMode cancellationMode) {
        TestQueue queue = new TestQueue(ASYNC, cancellationMode);
        queue.resume("v");
        queue.abandon();
        assertEquals(List.of("v"), queue.givenBack);
        assertEquals(List.of(), queue.cancelled, "request and resume have been counted against each other");
    }

    @Test
    void anAbandonedRequestOfABrokenCellNeedsNothing() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        assertFalse(queue.resume("v"));
        queue.abandon();
        assertEquals(List.of(), queue.cancelled);
        assertEquals(List.of(), queue.refused);
    }

    // Looking at the head first

    @Test
    void claimedWaitersAreHandedTheirValueAndSkippedByAll() {
        TestQueue queue = new TestQueue(ASYNC, SMART);
        List<TestWaiter> waiters = queue.enqueue(MANY);
        for (int i = 0; i < MANY / 2; i++) {
            assertEquals(waiters.get(i), queue.firstWaiter());
            assertEquals(waiters.get(i), queue.firstWaiter(), "looking changes nothing");
            assertTrue(queue.claim(waiters.get(i)));
            assertFalse(queue.claim(waiters.get(i)), "a second time");
            assertFalse(waiters.get(i).cancelNow());
            assertTrue(queue.handOver(waiters.get(i), i));
            assertEquals(i, waiters.get(i).value);
        }
        assertTrue(queue.claim(waiters.get(MANY - 1)), "anywhere in the queue");
        assertTrue(queue.resume("v"));
        assertEquals("v", waiters.get(MANY / 2).value);
    }

    /** A claim that comes after its look at the head may find that the waiter has left, and waits elsewhere. */
    @Test
    void aWaiterThatHasGoneToAnotherQueueIsNotClaimedThere() {
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
        assertTrue(queue.resume("v"), "the refused cell must still get its resume");
        assertEquals(List.of("v"), queue.refused);
        assertTrue(queue.resume("w"));
        assertEquals("w", live.value);
    }

    // Bad input

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
    void smartCancellationAsksForItsHook() {
        CancellableQueueSynchronizer<Object> queue = new CancellableQueueSynchronizer<>(ASYNC, SMART) {};
        TestWaiter waiter = new TestWaiter("waiter");
        queue.suspend(waiter);
        try (Uncaught uncaught = new Uncaught()) {
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
    void abandonedRequestsAskForTheirHook() {
        CancellableQueueSynchronizer<Object> queue = new CancellableQueueSynchronizer<>(ASYNC, SMART) {};
        queue.resume("v");
        try (Uncaught uncaught = new Uncaught()) {
            queue.abandon();
            assertEquals(
                    UnsupportedOperationException.class, uncaught.seen.get(0).getClass());
        }
    }

    // Hooks that throw

    @Test
    void aThrowingWaiterIsResumedAndTheRestOfTheBatchToo() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        List<TestWaiter> waiters = queue.enqueue(3);
        RuntimeException failure = new RuntimeException("from a waiter");
        waiters.get(1).onResume = value -> {
            throw failure;
        };
        try (Uncaught uncaught = new Uncaught()) {
            assertEquals(3, queue.resume("v", 3));
            assertEquals(List.of(failure), uncaught.seen);
        }
        assertTrue(waiters.stream().allMatch(TestWaiter::isResumed));
    }

    @ParameterizedTest
    @EnumSource
    void aThrowingOnCancellationDropsNoValue(ResumeMode resumeMode) {
        TestQueue queue = new TestQueue(resumeMode, SMART);
        List<TestWaiter> waiters = queue.enqueue(3);
        RuntimeException failure = new RuntimeException("from onCancellation");
        queue.onCancellation = waiter -> {
            throw failure;
        };
        waiters.get(1).accepts = false; // its resumer stands in for the canceller
        try (Uncaught uncaught = new Uncaught()) {
            assertTrue(waiters.get(0).cancelNow());
            assertTrue(queue.resume("v"));
            assertEquals(List.of(failure, failure), uncaught.seen);
        }
        assertEquals("v", waiters.get(2).value);
    }

    @Test
    void throwingHooksAfterTheDecisionLeaveTheQueueIntact() {
        TestQueue queue = new TestQueue(SYNC, SMART);
        List<RuntimeException> failures = new ArrayList<>();
        queue.onCancellation = waiter -> false;
        queue.onRefused = value -> failWith(failures, "from completeRefusedResume");
        queue.afterCancellation = () -> failWith(failures, "from afterCancellation");
        try (Uncaught uncaught = new Uncaught()) {
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
    void aThrowingExceptionHandlerIsIgnored() {
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

    /** Everything else would be paid for by every waiter of every primitive. */
    @Test
    void aWaiterHoldsItsCellAlone() {
        Stream<String> fields = Stream.of(Waiter.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(field -> field.getType().getSimpleName() + " " + field.getName());
        assertEquals(Set.of("CellRef cellRef", "short index"), fields.collect(Collectors.toSet()));
    }

    /** Its state may have to change first. */
    @Test
    void aPrimitiveMayKeepAWaiterThatWantsToLeave() {
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
