package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.enqueue;
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

/** Races in an order that the test chooses: a caller that has read the top, or marked it, stalls while others act. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // an endless loop does not respond to interrupts
class UnfairRendezvousRaceTest {
    private final UnfairRendezvous stack = new UnfairRendezvous();
    private final TestWaiter low = enqueue(stack, SENDER, "low");
    private final TestWaiter high = enqueue(stack, SENDER, "high");

    @Test
    void aMatchThatReadTheTopBeforeAPushTakesTheNodeItHasRead() {
        UnfairRendezvous.Node seen = stack.top;
        TestWaiter later = enqueue(stack, SENDER, "later");
        assertSame(high, seen.mark());
        assertEquals(List.of(later, low), waiting(stack));
        assertSame(later, stack.tryMatch(RECEIVER));
        assertSame(low, stack.tryMatch(RECEIVER));
        assertNull(stack.tryMatch(RECEIVER));
    }

    @Test
    void aMatchThatReadTheTopBeforeAnotherMatchOfItStartsAgain() {
        UnfairRendezvous.Node seen = stack.top;
        assertSame(high, stack.tryMatch(RECEIVER));
        assertNull(seen.mark());
        assertSame(low, stack.tryMatch(RECEIVER));
    }

    @Test
    void aMatchThatReadTheTopBeforeItsCancellationStartsAgain() {
        UnfairRendezvous.Node seen = stack.top;
        assertTrue(high.cancelNow());
        assertNull(seen.mark());
        assertSame(low, stack.tryMatch(RECEIVER));
    }

    @Test
    void aMatchedWaiterAtTheTopCannotBeCancelledAndIsNotShown() {
        assertSame(high, stack.top.mark());
        assertFalse(high.cancelNow());
        assertFalse(stack.cancel(high));
        assertEquals(List.of(low), waiting(stack));
    }

    @Test
    void aMatchedNodeAtTheTopIsSkipped() {
        assertSame(high, stack.top.mark());
        assertSame(low, stack.tryMatch(RECEIVER));
        assertNull(stack.tryMatch(RECEIVER));
    }

    @Test
    void aMatchedNodeAtTheTopDoesNotSendTheOtherSideAway() {
        assertSame(high, stack.top.mark());
        assertTrue(low.cancelNow());
        TestWaiter receiver = enqueue(stack, RECEIVER, "receiver");
        assertEquals(List.of(receiver), waiting(stack));
        assertSame(receiver, stack.tryMatch(SENDER));
    }

    @Test
    void noNodeIsPushedOverAMatchedOne() {
        assertSame(high, stack.top.mark());
        TestWaiter later = enqueue(stack, SENDER, "later");
        assertSame(later, stack.top.waiter);
        assertSame(low, stack.top.below.waiter);
    }

    @Test
    void aMatchedNodeIsLeftAtTheTopUntilTheNextPush() {
        assertSame(high, stack.tryMatch(RECEIVER));
        assertTrue(stack.top.gone);
        assertSame(low, stack.top.below.waiter);
        TestWaiter later = enqueue(stack, SENDER, "later");
        assertSame(later, stack.top.waiter);
        assertSame(low, stack.top.below.waiter);
    }

    @Test
    void aMatchedNodeIsNotLeftAtTheTopOverAnotherThatHasEnded() {
        assertTrue(low.cancelNow());
        assertSame(high, stack.tryMatch(RECEIVER));
        assertNull(stack.top);
    }

    @Test
    void aFailedMatchRemovesNodesThatHaveEnded() {
        assertSame(high, stack.tryMatch(RECEIVER));
        assertTrue(low.cancelNow());
        assertNull(stack.tryMatch(RECEIVER));
        assertNull(stack.top);
    }

    /** The caller that matched the node saw it at the top and left it there, so only the push can count it for a sweep. */
    @Test
    void aPushOverANodeThatHasJustEndedCountsIt() {
        UnfairRendezvous.Node seen = stack.top;
        assertSame(high, stack.tryMatch(RECEIVER));
        assertEquals(0, stack.buriedCount);
        TestWaiter later = new TestWaiter("later");
        assertTrue(stack.push(new UnfairRendezvous.Node(stack, SENDER, later), seen, seen));
        assertEquals(1, stack.buriedCount);
        assertEquals(List.of(later, low), waiting(stack));
    }

    @Test
    void aLateRemovalOfTheTopChangesNothing() {
        UnfairRendezvous.Node seen = stack.top;
        assertSame(high, seen.mark());
        TestWaiter later = enqueue(stack, SENDER, "later");
        stack.remove(seen);
        assertEquals(List.of(later, low), waiting(stack));
    }

    @Test
    void aSweepBelowAMatchedNodeLosesNoWaiter() {
        List<TestWaiter> dead = List.copyOf(enqueue(stack, SENDER, 2 * UnfairRendezvous.SWEEP_THRESHOLD));
        TestWaiter top = enqueue(stack, SENDER, "top");
        assertSame(top, stack.top.mark());
        dead.forEach(waiter -> assertTrue(waiter.cancelNow()));
        assertEquals(List.of(high, low), waiting(stack));
        assertSame(high, stack.tryMatch(RECEIVER));
        assertSame(low, stack.tryMatch(RECEIVER));
        assertNull(stack.tryMatch(RECEIVER));
    }
}
