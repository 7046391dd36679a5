package dev.cqs;

import static dev.cqs.MeetingPoint.Side.RECEIVER;
import static dev.cqs.MeetingPoint.Side.SENDER;
import static dev.cqs.MeetingPointTest.enter;
import static dev.cqs.MeetingPointTest.waiting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Races in chosen orders: one who has covered the top stands still, while others act, and goes on. */
class MeetingStackRaceTest {
    private final MeetingStack stack = new MeetingStack();
    private final TestWaiter low = enter(stack, SENDER, "low");
    private final TestWaiter high = enter(stack, SENDER, "high");

    /** Somebody has covered the top, and stands still. */
    private MeetingStack.Node cover() {
        MeetingStack.Node cover = new MeetingStack.Node(null, null, null);
        cover.below = stack.top;
        stack.top = cover;
        return cover;
    }

    /** The one who has covered goes on; whom it meets. */
    private Waiter goOn(MeetingStack.Node cover) {
        MeetingStack.Node matched = stack.match(cover);
        return matched == null ? null : matched.waiter;
    }

    @Test
    void whoWasCoveredIsMetByWhoCoveredHim() {
        MeetingStack.Node cover = cover();
        assertSame(low, stack.meet(RECEIVER), "helps first, and meets the next");
        assertFalse(high.cancelNow());
        assertFalse(stack.takeOut(high));
        assertNull(stack.meet(RECEIVER));
        assertSame(high, goOn(cover));
        assertNull(stack.top);
    }

    @Test
    void nobodyIsPushedOverACover() {
        MeetingStack.Node cover = cover();
        TestWaiter later = enter(stack, SENDER, "later");
        assertEquals(List.of(later, low), waiting(stack));
        assertSame(high, goOn(cover));
        assertSame(later, stack.meet(RECEIVER));
        assertSame(low, stack.meet(RECEIVER));
    }

    @Test
    void anotherVisitorHelpsBeforeItTakesItsTurn() {
        MeetingStack.Node cover = cover();
        TestWaiter visitor = new TestWaiter("visitor");
        assertSame(low, stack.enter(RECEIVER, visitor));
        assertNull(stack.enter(RECEIVER, visitor), "nobody is left");
        assertSame(high, goOn(cover));
        assertSame(visitor, stack.meet(SENDER));
    }

    @Test
    void theSideThatWaitsHelpsAsWell() {
        cover();
        assertNull(stack.meet(SENDER));
        assertEquals(List.of(low), waiting(stack));
    }

    @Test
    void whoIsCancelledUnderACoverIsPassed() {
        MeetingStack.Node cover = cover();
        assertTrue(high.cancelNow());
        assertEquals(List.of(low), waiting(stack));
        assertSame(low, goOn(cover));
        assertNull(stack.top);
    }

    @Test
    void whoIsCancelledUnderACoverIsPassedByThoseWhoHelp() {
        MeetingStack.Node cover = cover();
        assertTrue(high.cancelNow());
        assertNull(stack.meet(RECEIVER), "the only one left is met by who covered");
        assertFalse(low.cancelNow());
        assertSame(low, goOn(cover));
    }

    @Test
    void aCoverWithNobodyLeftBelowComesOffAlone() {
        MeetingStack.Node cover = cover();
        assertTrue(high.cancelNow());
        assertTrue(low.cancelNow());
        assertEquals(List.of(), waiting(stack));
        assertNull(stack.meet(RECEIVER));
        TestWaiter next = enter(stack, SENDER, "next");
        assertNull(goOn(cover), "not one who came later");
        assertSame(next, stack.meet(RECEIVER));
    }

    @Test
    void aCoverThatHasDoneItsWorkDoesNotMatchAgain() {
        MeetingStack.Node cover = cover();
        assertSame(high, goOn(cover));
        TestWaiter later = enter(stack, SENDER, "later");
        assertSame(high, goOn(cover), "one who helps late");
        assertEquals(List.of(later, low), waiting(stack));
    }

    @Test
    void thoseUnderACoverAreShownUntilOneIsMatched() {
        cover();
        assertEquals(List.of(high, low), waiting(stack));
    }

    @Test
    void aSweepUnderACoverLosesNobody() {
        List<TestWaiter> dead = List.copyOf(enter(stack, SENDER, 2 * MeetingStack.LEAST));
        TestWaiter top = enter(stack, SENDER, "top");
        MeetingStack.Node cover = cover();
        dead.forEach(waiter -> assertTrue(waiter.cancelNow()));
        assertTrue(top.cancelNow());
        assertEquals(List.of(high, low), waiting(stack));
        assertSame(high, goOn(cover));
        assertSame(low, stack.meet(RECEIVER));
        assertNull(stack.meet(RECEIVER));
    }
}
