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

/** What meeting points do, one operation at a time. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a loop for ever hears no interrupt
class RendezvousTest {
    private static final int MANY = 10 * Segment.SIZE + 7;

    static Stream<Arguments> kindsAndSides() {
        return Stream.of(RendezvousKind.values())
                .flatMap(kind -> Stream.of(Side.values()).map(side -> Arguments.of(kind, side)));
    }

    static Side other(Side side) {
        return side == SENDER ? RECEIVER : SENDER;
    }

    static TestWaiter enter(Rendezvous point, Side side, String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertNull(point.enter(side, waiter), name + " has to wait");
        return waiter;
    }

    static Deque<TestWaiter> enter(Rendezvous point, Side side, int count) {
        Deque<TestWaiter> waiters = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            waiters.add(enter(point, side, side + " " + i));
        }
        return waiters;
    }

    static List<Waiter> waiting(Rendezvous point) {
        List<Waiter> waiting = new ArrayList<>();
        point.forEachWaiter(waiting::add);
        return waiting;
    }

    /** The two ways to take out who waits. */
    private static Stream<BiFunction<Rendezvous, Side, Waiter>> visits() {
        return Stream.of(Rendezvous::meet, (point, side) -> point.enter(side, new TestWaiter("visitor")));
    }

    // Meeting

    @ParameterizedTest
    @EnumSource
    void nobodyIsMetWhereNobodyWaits(RendezvousKind kind) {
        Rendezvous point = kind.make();
        for (int i = 0; i < MANY; i++) {
            assertNull(point.meet(SENDER));
            assertNull(point.meet(RECEIVER));
        }
        assertEquals(List.of(), waiting(point));
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void whoComesSecondTakesOutWhoCameFirst(RendezvousKind kind, Side side) {
        visits().forEach(visit -> {
            Rendezvous point = kind.make();
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
    void thoseOfOneSideDoNotMeet(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        TestWaiter first = enter(point, side, "first");
        assertNull(point.meet(side));
        TestWaiter second = enter(point, side, "second");
        assertNull(point.meet(side));
        assertEquals(2, waiting(point).size());
        assertTrue(first.cancelNow() && second.cancelNow());
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void thoseWhoWaitAreMetInTheOrderOfTheKind(RendezvousKind kind, Side side) {
        visits().forEach(visit -> {
            Rendezvous point = kind.make();
            Deque<TestWaiter> waiters = enter(point, side, MANY);
            while (!waiters.isEmpty()) {
                assertSame(kind.next(waiters), visit.apply(point, other(side)));
            }
            assertNull(point.meet(other(side)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void thoseWhoWaitAreShownInTheOrderInWhichTheyAreMet(RendezvousKind kind) {
        Rendezvous point = kind.make();
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
    void theSidesTakeTurnsAtWaiting(RendezvousKind kind) {
        Rendezvous point = kind.make();
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
    void whoHasMetSomebodyMayComeAgain(RendezvousKind kind) {
        Rendezvous point = kind.make();
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
    void whoIsCancelledIsMetByNobody(RendezvousKind kind, Side side) {
        visits().forEach(visit -> {
            Rendezvous point = kind.make();
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
    void whereAllAreCancelledTheOtherSideWaits(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        for (int count : List.of(1, 2, Segment.SIZE - 1, Segment.SIZE, MANY)) {
            enter(point, side, count).forEach(waiter -> assertTrue(waiter.cancelNow()));
            TestWaiter last = enter(point, other(side), "last");
            assertSame(last, point.meet(side));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoWasMetCannotBeCancelled(RendezvousKind kind) {
        Rendezvous point = kind.make();
        Deque<TestWaiter> waiters = enter(point, SENDER, 3);
        Waiter met = point.meet(RECEIVER);
        assertSame(kind.next(waiters), met);
        assertFalse(met.cancel());
        assertFalse(point.takeOut(met));
        assertEquals(2, waiting(point).size());
    }

    @ParameterizedTest
    @EnumSource
    void othersMayTakeAWaiterOutButNotOfAnotherPoint(RendezvousKind kind) {
        Rendezvous point = kind.make();
        TestWaiter waiter = enter(point, SENDER, "waiter");
        for (RendezvousKind another : RendezvousKind.values()) {
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
    void whoWaitsCannotWaitAgain(RendezvousKind kind) {
        Rendezvous point = kind.make();
        TestWaiter waiter = enter(point, SENDER, "waiter");
        for (Rendezvous at : List.of(point, Rendezvous.fair(), Rendezvous.unfair())) {
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
    void whatIsMissingIsRefusedAndNothingHappens(RendezvousKind kind) {
        Rendezvous point = kind.make();
        TestWaiter waiter = new TestWaiter("waiter");
        assertThrows(NullPointerException.class, () -> point.meet(null));
        assertThrows(NullPointerException.class, () -> point.enter(null, waiter));
        assertThrows(NullPointerException.class, () -> point.enter(SENDER, null));
        assertThrows(NullPointerException.class, () -> point.takeOut(null));
        assertThrows(NullPointerException.class, () -> point.forEachWaiter(null));
        assertThrows(NullPointerException.class, () -> Rendezvous.handOver(null, "value"));
        assertThrows(NullPointerException.class, () -> Rendezvous.handOver(waiter, null));
        assertFalse(waiter.isResumed());
        assertEquals(List.of(), waiting(point));
        assertNull(point.enter(SENDER, waiter), "nobody waits, and the waiter neither");
        assertSame(waiter, point.meet(RECEIVER));
    }

    // Handing over

    @ParameterizedTest
    @EnumSource
    void handingOverSaysWhatTheWaiterSays(RendezvousKind kind) {
        Rendezvous point = kind.make();
        TestWaiter waiter = enter(point, SENDER, "waiter");
        Waiter met = point.meet(RECEIVER);
        waiter.accepts = false;
        assertFalse(Rendezvous.handOver(met, "value"));
        waiter.accepts = true;
        assertTrue(Rendezvous.handOver(met, "value"));
        assertEquals("value", waiter.value);
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatThrowsCountsAsResumed(RendezvousKind kind) {
        Rendezvous point = kind.make();
        RuntimeException thrown = new RuntimeException();
        enter(point, SENDER, "waiter").onResume = value -> {
            throw thrown;
        };
        try (Uncaught uncaught = new Uncaught()) {
            assertTrue(Rendezvous.handOver(point.meet(RECEIVER), "value"));
            assertEquals(List.of(thrown), uncaught.seen);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndSides")
    void whoIsMetNextIsAmongTheFirst(RendezvousKind kind, Side side) {
        Rendezvous point = kind.make();
        Deque<TestWaiter> waiters = enter(point, side, 9);
        TestWaiter first = kind.next(waiters);
        assertTrue(first.isAmongFirst());
        TestWaiter last = kind == RendezvousKind.FAIR ? waiters.getLast() : waiters.getFirst();
        assertFalse(last.isAmongFirst());
        assertSame(first, point.meet(other(side)));
        assertFalse(last.isAmongFirst());
    }
}
