package dev.cqs;

import static dev.cqs.MeetingPoint.Side.RECEIVER;
import static dev.cqs.MeetingPoint.Side.SENDER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.MeetingPoint.Side;
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

/** What meeting points do, one operation at a time. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a loop for ever hears no interrupt
class MeetingPointTest {
    private static final int MANY = 10 * Segment.SIZE + 7;

    static Stream<Arguments> kindsAndSides() {
        return Stream.of(MeetingKind.values())
                .flatMap(kind -> Stream.of(Side.values()).map(side -> Arguments.of(kind, side)));
    }

    static Side other(Side side) {
        return side == SENDER ? RECEIVER : SENDER;
    }

    static TestWaiter enter(MeetingPoint point, Side side, String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertNull(point.enter(side, waiter), name + " has to wait");
        return waiter;
    }

    static Deque<TestWaiter> enter(MeetingPoint point, Side side, int count) {
        Deque<TestWaiter> waiters = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            waiters.add(enter(point, side, side + " " + i));
        }
        return waiters;
    }

    static List<Waiter> waiting(MeetingPoint point) {
        List<Waiter> waiting = new ArrayList<>();
        point.forEachWaiter(waiting::add);
        return waiting;
    }

    /** The two ways to take out who waits. */
    private static Stream<BiFunction<MeetingPoint, Side, Waiter>> visits() {
        return Stream.of(MeetingPoint::meet, (point, side) -> point.enter(side, new TestWaiter("visitor")));
    }

    // Meeting

    @ParameterizedTest
    @EnumSource
    void nobodyIsMetWhereNobodyWaits(MeetingKind kind) {
        MeetingPoint point = kind.make();
        for (int i = 0; i < MANY; i++) {
            assertNull(point.meet(SENDER));
            assertNull(point.meet(RECEIVER));
        }
        assertEquals(List.of(), waiting(point));
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void whoComesSecondTakesOutWhoCameFirst(MeetingKind kind, Side side) {
        visits().forEach(visit -> {
            MeetingPoint point = kind.make();
            TestWaiter first = enter(point, side, "first");
            assertEquals(List.of(first), waiting(point));
            assertSame(first, visit.apply(point, other(side)));
            assertEquals(List.of(), waiting(point));
            assertFalse(first.isResumed(), "handing over is the visitor's");
            assertNull(point.meet(other(side)));
            assertNull(point.meet(side));
        });
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void thoseOfOneSideDoNotMeet(MeetingKind kind, Side side) {
        MeetingPoint point = kind.make();
        TestWaiter first = enter(point, side, "first");
        assertNull(point.meet(side));
        TestWaiter second = enter(point, side, "second");
        assertNull(point.meet(side));
        assertEquals(2, waiting(point).size());
        assertTrue(first.cancelNow() && second.cancelNow());
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void thoseWhoWaitAreMetInTheOrderOfTheKind(MeetingKind kind, Side side) {
        visits().forEach(visit -> {
            MeetingPoint point = kind.make();
            Deque<TestWaiter> waiters = enter(point, side, MANY);
            while (!waiters.isEmpty()) {
                assertSame(kind.next(waiters), visit.apply(point, other(side)));
            }
            assertNull(point.meet(other(side)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void thoseWhoWaitAreShownInTheOrderInWhichTheyAreMet(MeetingKind kind) {
        MeetingPoint point = kind.make();
        enter(point, SENDER, MANY).stream().skip(5).limit(9).forEach(TestWaiter::cancelNow);
        List<Waiter> shown = waiting(point);
        assertEquals(MANY - 9, shown.size());
        for (Waiter waiter : shown) {
            assertSame(waiter, point.meet(RECEIVER));
        }
    }

    /** Either side is the one that waits, again and again, and for longer than a segment. */
    @ParameterizedTest
    @EnumSource
    void theSidesTakeTurnsAtWaiting(MeetingKind kind) {
        MeetingPoint point = kind.make();
        for (int round = 0; round < 20; round++) {
            Side side = Side.values()[round % 2];
            Deque<TestWaiter> waiters = enter(point, side, 1 + round * Segment.SIZE / 3);
            while (!waiters.isEmpty()) {
                assertNull(point.meet(side));
                assertSame(kind.next(waiters), point.meet(other(side)));
            }
            assertEquals(List.of(), waiting(point));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoHasMetSomebodyMayComeAgain(MeetingKind kind) {
        MeetingPoint point = kind.make();
        enter(point, SENDER, "one");
        TestWaiter visitor = new TestWaiter("visitor");
        assertEquals("one", point.enter(RECEIVER, visitor).toString());
        assertFalse(visitor.cancelNow(), "it does not wait");
        assertNull(point.enter(RECEIVER, visitor));
        assertSame(visitor, point.meet(SENDER));
    }

    // Cancelling

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void whoIsCancelledIsMetByNobody(MeetingKind kind, Side side) {
        visits().forEach(visit -> {
            MeetingPoint point = kind.make();
            Deque<TestWaiter> left = new ArrayDeque<>();
            int number = 0;
            for (TestWaiter waiter : enter(point, side, MANY)) {
                if (number++ % 3 == 0) {
                    left.add(waiter);
                } else {
                    assertTrue(waiter.cancelNow());
                    assertFalse(waiter.cancelNow(), "only once");
                }
            }
            while (!left.isEmpty()) {
                assertSame(kind.next(left), visit.apply(point, other(side)));
            }
            assertNull(point.meet(other(side)));
            assertEquals(List.of(), waiting(point));
        });
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void whereAllAreCancelledTheOtherSideWaits(MeetingKind kind, Side side) {
        MeetingPoint point = kind.make();
        for (int count : List.of(1, 2, Segment.SIZE - 1, Segment.SIZE, MANY)) {
            enter(point, side, count).forEach(waiter -> assertTrue(waiter.cancelNow()));
            TestWaiter last = enter(point, other(side), "last");
            assertSame(last, point.meet(side));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoWasMetCannotBeCancelled(MeetingKind kind) {
        MeetingPoint point = kind.make();
        Deque<TestWaiter> waiters = enter(point, SENDER, 3);
        Waiter met = point.meet(RECEIVER);
        assertSame(kind.next(waiters), met);
        assertFalse(met.cancel());
        assertFalse(point.takeOut(met));
        assertEquals(2, waiting(point).size());
    }

    @ParameterizedTest
    @EnumSource
    void othersMayTakeAWaiterOutButNotOfAnotherPoint(MeetingKind kind) {
        MeetingPoint point = kind.make();
        TestWaiter waiter = enter(point, SENDER, "waiter");
        for (MeetingKind another : MeetingKind.values()) {
            assertFalse(another.make().takeOut(waiter));
        }
        assertFalse(point.takeOut(new TestWaiter("never there")));
        assertTrue(point.takeOut(waiter));
        assertFalse(point.takeOut(waiter));
        assertFalse(waiter.cancelNow());
        assertNull(point.meet(RECEIVER));
    }

    // Bad input

    @ParameterizedTest
    @EnumSource
    void whoWaitsCannotWaitAgain(MeetingKind kind) {
        MeetingPoint point = kind.make();
        TestWaiter waiter = enter(point, SENDER, "waiter");
        for (MeetingPoint at : List.of(point, MeetingPoint.fair(), MeetingPoint.unfair())) {
            Throwable thrown = assertThrows(IllegalStateException.class, () -> at.enter(SENDER, waiter));
            assertEquals("the waiter is in a queue already: waiter", thrown.getMessage());
            assertThrows(IllegalStateException.class, () -> at.enter(RECEIVER, waiter));
        }
        assertThrows(IllegalStateException.class, () -> new TestQueue(ResumeMode.ASYNC, CancellationMode.SMART)
                .suspend(waiter));
        assertSame(waiter, point.meet(RECEIVER));
        assertNull(point.meet(RECEIVER));
        assertNull(point.meet(SENDER));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMissingIsRefusedAndNothingHappens(MeetingKind kind) {
        MeetingPoint point = kind.make();
        TestWaiter waiter = new TestWaiter("waiter");
        assertThrows(NullPointerException.class, () -> point.meet(null));
        assertThrows(NullPointerException.class, () -> point.enter(null, waiter));
        assertThrows(NullPointerException.class, () -> point.enter(SENDER, null));
        assertThrows(NullPointerException.class, () -> point.takeOut(null));
        assertThrows(NullPointerException.class, () -> point.forEachWaiter(null));
        assertThrows(NullPointerException.class, () -> MeetingPoint.handOver(null, "value"));
        assertThrows(NullPointerException.class, () -> MeetingPoint.handOver(waiter, null));
        assertFalse(waiter.isResumed());
        assertEquals(List.of(), waiting(point));
        assertNull(point.enter(SENDER, waiter), "nobody waits, and the waiter neither");
        assertSame(waiter, point.meet(RECEIVER));
    }

    // Handing over

    @ParameterizedTest
    @EnumSource
    void handingOverSaysWhatTheWaiterSays(MeetingKind kind) {
        MeetingPoint point = kind.make();
        TestWaiter waiter = enter(point, SENDER, "waiter");
        Waiter met = point.meet(RECEIVER);
        waiter.accepts = false;
        assertFalse(MeetingPoint.handOver(met, "value"));
        waiter.accepts = true;
        assertTrue(MeetingPoint.handOver(met, "value"));
        assertEquals("value", waiter.value);
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatThrowsCountsAsResumed(MeetingKind kind) {
        MeetingPoint point = kind.make();
        RuntimeException thrown = new RuntimeException();
        enter(point, SENDER, "waiter").onResume = value -> {
            throw thrown;
        };
        try (Uncaught uncaught = new Uncaught()) {
            assertTrue(MeetingPoint.handOver(point.meet(RECEIVER), "value"));
            assertEquals(List.of(thrown), uncaught.seen);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void whoIsMetNextIsAmongTheFirst(MeetingKind kind, Side side) {
        MeetingPoint point = kind.make();
        Deque<TestWaiter> waiters = enter(point, side, 9);
        TestWaiter first = kind.next(waiters);
        assertTrue(first.isAmongFirst());
        TestWaiter last = kind == MeetingKind.FAIR ? waiters.getLast() : waiters.getFirst();
        assertFalse(last.isAmongFirst());
        assertSame(first, point.meet(other(side)));
        assertFalse(last.isAmongFirst());
    }
}
