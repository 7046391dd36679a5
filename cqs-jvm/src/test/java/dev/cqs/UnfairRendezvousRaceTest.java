package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.enter;
import static dev.cqs.RendezvousTest.waiting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Races in chosen orders: one who has looked at the top, or has marked it, stands still, while others act, and goes on. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a loop for ever hears no interrupt
class UnfairRendezvousRaceTest {
    private final UnfairRendezvous stack = new UnfairRendezvous();
    private final TestWaiter low = enter(stack, SENDER, "low");
    private final TestWaiter high = enter(stack, SENDER, "high");

    @Test
    void whoHasLookedBeforeAPushMeetsTheOneSeen() {
        UnfairRendezvous.Node seen = stack.top;
        TestWaiter later = enter(stack, SENDER, "later");
        assertSame(high, seen.mark());
        assertEquals(List.of(later, low), waiting(stack));
        assertSame(later, stack.meet(RECEIVER));
        assertSame(low, stack.meet(RECEIVER));
        assertNull(stack.meet(RECEIVER));
    }

    @Test
    void whoHasLookedBeforeAnotherMeetsTheSameStartsAgain() {
        UnfairRendezvous.Node seen = stack.top;
        assertSame(high, stack.meet(RECEIVER));
        assertNull(seen.mark());
        assertSame(low, stack.meet(RECEIVER));
    }

    @Test
    void whoHasLookedBeforeACancellationStartsAgain() {
        UnfairRendezvous.Node seen = stack.top;
        assertTrue(high.cancelNow());
        assertNull(seen.mark());
        assertSame(low, stack.meet(RECEIVER));
    }

    @Test
    void whoIsMetAndStillAtTheTopCannotCancelAndIsNotShown() {
        assertSame(high, stack.top.mark());
        assertFalse(high.cancelNow());
        assertFalse(stack.takeOut(high));
        assertEquals(List.of(low), waiting(stack));
    }

    @Test
    void whoIsMetAndStillAtTheTopIsPassedByVisitors() {
        assertSame(high, stack.top.mark());
        assertSame(low, stack.meet(RECEIVER));
        assertNull(stack.meet(RECEIVER));
    }

    @Test
    void whoIsMetAndStillAtTheTopDoesNotSendTheOtherSideAway() {
        assertSame(high, stack.top.mark());
        assertTrue(low.cancelNow());
        TestWaiter receiver = enter(stack, RECEIVER, "receiver");
        assertEquals(List.of(receiver), waiting(stack));
        assertSame(receiver, stack.meet(SENDER));
    }

    @Test
    void nobodyIsPushedOverOneWhoIsMet() {
        assertSame(high, stack.top.mark());
        TestWaiter later = enter(stack, SENDER, "later");
        assertSame(later, stack.top.waiter);
        assertSame(low, stack.top.below.waiter);
    }

    @Test
    void whoIsMetIsLeftAtTheTopUntilTheNextComes() {
        assertSame(high, stack.meet(RECEIVER));
        assertTrue(stack.top.gone);
        assertSame(low, stack.top.below.waiter);
        TestWaiter later = enter(stack, SENDER, "later");
        assertSame(later, stack.top.waiter);
        assertSame(low, stack.top.below.waiter);
    }

    @Test
    void whoIsMetIsNotLeftAtTheTopIfTheNextOneIsGoneToo() {
        assertTrue(low.cancelNow());
        assertSame(high, stack.meet(RECEIVER));
        assertNull(stack.top);
    }

    @Test
    void whoFindsNobodyTakesOffThoseThatAreGone() {
        assertSame(high, stack.meet(RECEIVER));
        assertTrue(low.cancelNow());
        assertNull(stack.meet(RECEIVER));
        assertNull(stack.top);
    }

    /** So that it is swept, though who met it has seen it at the top and has left it there. */
    @Test
    void whoPushesOverOneThatHasJustEndedCountsIt() {
        UnfairRendezvous.Node seen = stack.top;
        assertSame(high, stack.meet(RECEIVER));
        assertEquals(0, stack.ended);
        TestWaiter later = new TestWaiter("later");
        assertTrue(stack.push(new UnfairRendezvous.Node(stack, SENDER, later), seen, seen));
        assertEquals(1, stack.ended);
        assertEquals(List.of(later, low), waiting(stack));
    }

    @Test
    void whoTakesTheTopOffLateChangesNothing() {
        UnfairRendezvous.Node seen = stack.top;
        assertSame(high, seen.mark());
        TestWaiter later = enter(stack, SENDER, "later");
        stack.remove(seen);
        assertEquals(List.of(later, low), waiting(stack));
    }

    @Test
    void aSweepOverOneWhoIsMetLosesNobody() {
        List<TestWaiter> dead = List.copyOf(enter(stack, SENDER, 2 * UnfairRendezvous.LEAST));
        TestWaiter top = enter(stack, SENDER, "top");
        assertSame(top, stack.top.mark());
        dead.forEach(waiter -> assertTrue(waiter.cancelNow()));
        assertEquals(List.of(high, low), waiting(stack));
        assertSame(high, stack.meet(RECEIVER));
        assertSame(low, stack.meet(RECEIVER));
        assertNull(stack.meet(RECEIVER));
    }
}
