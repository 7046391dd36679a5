package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Rendezvous.Side;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The operations of a rendezvous, one at a time. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // an endless loop does not respond to interrupts
class RendezvousTest {
    private static final int MANY = 10 * Segment.SIZE + 7;

    static Stream<Arguments> kindsAndSides() {
        return Stream.of(RendezvousKind.values())
                .flatMap(kind -> Stream.of(Side.values()).map(side -> Arguments.of(kind, side)));
    }

    static Side other(Side side) {
        return side == SENDER ? RECEIVER : SENDER;
    }

    static TestWaiter enqueue(Rendezvous rendezvous, Side side, String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertNull(rendezvous.matchOrEnqueue(side, waiter), name + " has to wait");
        return waiter;
    }

    static Deque<TestWaiter> enqueue(Rendezvous rendezvous, Side side, int count) {
        Deque<TestWaiter> waiters = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            waiters.add(enqueue(rendezvous, side, side + " " + i));
        }
        return waiters;
    }

    static List<Waiter> waiting(Rendezvous rendezvous) {
        List<Waiter> waiting = new ArrayList<>();
        rendezvous.forEachWaiter(waiting::add);
        return waiting;
    }

    /** The two operations that match a waiter. */
    private static Stream<BiFunction<Rendezvous, Side, Waiter>> matches() {
        return Stream.of(
                Rendezvous::tryMatch,
                (rendezvous, side) -> rendezvous.matchOrEnqueue(side, new TestWaiter("counterpart")));
    }

    // Matching

    @ParameterizedTest
    @EnumSource
    void withoutAWaiterNothingIsMatched(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        for (int i = 0; i < MANY; i++) {
            assertNull(rendezvous.tryMatch(SENDER));
            assertNull(rendezvous.tryMatch(RECEIVER));
        }
        assertEquals(List.of(), waiting(rendezvous));
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void theSecondCallerMatchesTheFirst(RendezvousKind kind, Side side) {
        matches().forEach(match -> {
            Rendezvous rendezvous = kind.make();
            TestWaiter first = enqueue(rendezvous, side, "first");
            assertEquals(List.of(first), waiting(rendezvous));
            assertSame(first, match.apply(rendezvous, other(side)));
            assertEquals(List.of(), waiting(rendezvous));
            assertFalse(first.isResumed(), "only its counterpart resumes it");
            assertNull(rendezvous.tryMatch(other(side)));
            assertNull(rendezvous.tryMatch(side));
        });
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void callersOfOneSideAreNotMatched(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        TestWaiter first = enqueue(rendezvous, side, "first");
        assertNull(rendezvous.tryMatch(side));
        TestWaiter second = enqueue(rendezvous, side, "second");
        assertNull(rendezvous.tryMatch(side));
        assertEquals(2, waiting(rendezvous).size());
        assertTrue(first.cancelNow() && second.cancelNow());
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void waitersAreMatchedInTheOrderOfTheKind(RendezvousKind kind, Side side) {
        matches().forEach(match -> {
            Rendezvous rendezvous = kind.make();
            Deque<TestWaiter> waiters = enqueue(rendezvous, side, MANY);
            while (!waiters.isEmpty()) {
                assertSame(kind.next(waiters), match.apply(rendezvous, other(side)));
            }
            assertNull(rendezvous.tryMatch(other(side)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void forEachWaiterShowsWaitersInTheOrderOfMatching(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        enqueue(rendezvous, SENDER, MANY).stream().skip(5).limit(9).forEach(TestWaiter::cancelNow);
        List<Waiter> shown = waiting(rendezvous);
        assertEquals(MANY - 9, shown.size());
        for (Waiter waiter : shown) {
            assertSame(waiter, rendezvous.tryMatch(RECEIVER));
        }
    }

    /** Each side waits in turn, many times, and in more cells than a segment has. */
    @ParameterizedTest
    @EnumSource
    void theSidesTakeTurnsAtWaiting(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        for (int round = 0; round < 20; round++) {
            Side side = Side.values()[round % 2];
            Deque<TestWaiter> waiters = enqueue(rendezvous, side, 1 + round * Segment.SIZE / 3);
            while (!waiters.isEmpty()) {
                assertNull(rendezvous.tryMatch(side));
                assertSame(kind.next(waiters), rendezvous.tryMatch(other(side)));
            }
            assertEquals(List.of(), waiting(rendezvous));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatWasNotEnqueuedMayBeUsedForAnotherRequest(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        enqueue(rendezvous, SENDER, "one");
        TestWaiter counterpart = new TestWaiter("counterpart");
        assertEquals("one", rendezvous.matchOrEnqueue(RECEIVER, counterpart).toString());
        assertFalse(counterpart.cancelNow(), "it was not enqueued");
        assertNull(rendezvous.matchOrEnqueue(RECEIVER, counterpart));
        assertSame(counterpart, rendezvous.tryMatch(SENDER));
    }

    // Cancellation

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void aCancelledWaiterIsNeverMatched(RendezvousKind kind, Side side) {
        matches().forEach(match -> {
            Rendezvous rendezvous = kind.make();
            Deque<TestWaiter> left = new ArrayDeque<>();
            int number = 0;
            for (TestWaiter waiter : enqueue(rendezvous, side, MANY)) {
                if (number++ % 3 == 0) {
                    left.add(waiter);
                } else {
                    assertTrue(waiter.cancelNow());
                    assertFalse(waiter.cancelNow(), "only once");
                }
            }
            while (!left.isEmpty()) {
                assertSame(kind.next(left), match.apply(rendezvous, other(side)));
            }
            assertNull(rendezvous.tryMatch(other(side)));
            assertEquals(List.of(), waiting(rendezvous));
        });
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void behindCancelledWaitersTheOtherSideWaits(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        for (int count : List.of(1, 2, Segment.SIZE - 1, Segment.SIZE, MANY)) {
            enqueue(rendezvous, side, count).forEach(waiter -> assertTrue(waiter.cancelNow()));
            TestWaiter last = enqueue(rendezvous, other(side), "last");
            assertSame(last, rendezvous.tryMatch(side));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMatchedWaiterCannotBeCancelled(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        Deque<TestWaiter> waiters = enqueue(rendezvous, SENDER, 3);
        Waiter matched = rendezvous.tryMatch(RECEIVER);
        assertSame(kind.next(waiters), matched);
        assertFalse(matched.cancel());
        assertFalse(rendezvous.cancel(matched));
        assertEquals(2, waiting(rendezvous).size());
    }

    @ParameterizedTest
    @EnumSource
    void anyCallerMayCancelAWaiterButOnlyInItsOwnRendezvous(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        TestWaiter waiter = enqueue(rendezvous, SENDER, "waiter");
        for (RendezvousKind another : RendezvousKind.values()) {
            assertFalse(another.make().cancel(waiter));
        }
        assertFalse(rendezvous.cancel(new TestWaiter("never there")));
        assertTrue(rendezvous.cancel(waiter));
        assertFalse(rendezvous.cancel(waiter));
        assertFalse(waiter.cancelNow());
        assertNull(rendezvous.tryMatch(RECEIVER));
    }

    // Bad arguments

    @ParameterizedTest
    @EnumSource
    void anEnqueuedWaiterCannotBeEnqueuedAgain(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        TestWaiter waiter = enqueue(rendezvous, SENDER, "waiter");
        for (Rendezvous at : List.of(rendezvous, Rendezvous.fair(), Rendezvous.unfair())) {
            Throwable thrown = assertThrows(IllegalStateException.class, () -> at.matchOrEnqueue(SENDER, waiter));
            assertEquals("the waiter is in a queue already: waiter", thrown.getMessage());
            assertThrows(IllegalStateException.class, () -> at.matchOrEnqueue(RECEIVER, waiter));
        }
        assertThrows(
                IllegalStateException.class,
                () -> new TestQueue(ResumeMode.ASYNC, CancellationMode.SMART).suspend(waiter));
        assertSame(waiter, rendezvous.tryMatch(RECEIVER));
        assertNull(rendezvous.tryMatch(RECEIVER));
        assertNull(rendezvous.tryMatch(SENDER));
    }

    @ParameterizedTest
    @EnumSource
    void nullIsRefusedAndChangesNothing(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        TestWaiter waiter = new TestWaiter("waiter");
        assertThrows(NullPointerException.class, () -> rendezvous.tryMatch(null));
        assertThrows(NullPointerException.class, () -> rendezvous.matchOrEnqueue(null, waiter));
        assertThrows(NullPointerException.class, () -> rendezvous.matchOrEnqueue(SENDER, null));
        assertThrows(NullPointerException.class, () -> rendezvous.cancel(null));
        assertThrows(NullPointerException.class, () -> rendezvous.forEachWaiter(null));
        assertThrows(NullPointerException.class, () -> Rendezvous.handOver(null, "value"));
        assertThrows(NullPointerException.class, () -> Rendezvous.handOver(waiter, null));
        assertFalse(waiter.isResumed());
        assertEquals(List.of(), waiting(rendezvous));
        assertNull(rendezvous.matchOrEnqueue(SENDER, waiter), "no waiter was enqueued before");
        assertSame(waiter, rendezvous.tryMatch(RECEIVER));
    }

    // The hand-off to a matched waiter

    @ParameterizedTest
    @EnumSource
    void handOverReturnsTheAnswerOfTheWaiter(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        TestWaiter waiter = enqueue(rendezvous, SENDER, "waiter");
        Waiter matched = rendezvous.tryMatch(RECEIVER);
        waiter.accepts = false;
        assertFalse(Rendezvous.handOver(matched, "value"));
        waiter.accepts = true;
        assertTrue(Rendezvous.handOver(matched, "value"));
        assertEquals("value", waiter.value);
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatThrowsCountsAsResumed(RendezvousKind kind) {
        Rendezvous rendezvous = kind.make();
        RuntimeException thrown = new RuntimeException();
        enqueue(rendezvous, SENDER, "waiter").onResume = value -> {
            throw thrown;
        };
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertTrue(Rendezvous.handOver(rendezvous.tryMatch(RECEIVER), "value"));
            assertEquals(List.of(thrown), uncaught.seen);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void theWaiterThatIsMatchedNextIsAmongTheFirst(RendezvousKind kind, Side side) {
        Rendezvous rendezvous = kind.make();
        Deque<TestWaiter> waiters = enqueue(rendezvous, side, 9);
        TestWaiter first = kind.next(waiters);
        assertTrue(first.isAmongFirst());
        TestWaiter last = kind == RendezvousKind.FAIR ? waiters.getLast() : waiters.getFirst();
        assertFalse(last.isAmongFirst());
        assertSame(first, rendezvous.tryMatch(other(side)));
        assertFalse(last.isAmongFirst());
    }
}
