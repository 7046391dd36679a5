package dev.cqs.pool;

import static dev.cqs.pool.ResourcePoolFixture.slot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.pool.ResourcePoolFixture.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Changes of the maximum of a pool of resources, one operation at a time, and inside the user's code that the pool calls. */
class ResourcePoolResizeTest {

    // Resizing

    @Test
    void aHigherMaximumServesWaiters() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.tryTake();
        TestWaiter first = fixture.waiter("first");
        TestWaiter second = fixture.waiter("second");
        fixture.pool.resize(3);
        assertEquals(3, fixture.pool.maximum());
        assertEquals(1, fixture.lend(first).number);
        assertEquals(2, fixture.lend(second).number);
        assertNull(fixture.tryTake());
        fixture.made.forEach(fixture.pool::put);
        fixture.assertCapacity(3);
    }

    @Test
    void aLowerMaximumDestroysIdleElementsAtOnceAndLentOnesOnReturn() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(5);
        List<Tool> tools = fixture.take(5);
        fixture.pool.put(tools.get(0));
        fixture.pool.put(tools.get(1));
        fixture.pool.resize(2);
        assertEquals(Set.of(tools.get(0), tools.get(1)), Set.copyOf(fixture.destroyed));
        fixture.assertState(3, 0, 3);
        TestWaiter waiter = fixture.waiter("waiter");
        fixture.pool.put(tools.get(2));
        assertFalse(waiter.isResumed(), "a surplus element is still lent");
        assertTrue(tools.get(2).destroyed);
        fixture.pool.put(tools.get(3));
        assertSame(tools.get(3), fixture.lend(waiter));
        fixture.pool.put(tools.get(3));
        fixture.pool.put(tools.get(4));
        fixture.assertState(2, 2, 0);
        fixture.assertCapacity(2);
    }

    /** A put reads the clock between its two reads of the maximum. */
    @Test
    void aSlotThatIsReturnedWhileTheMaximumFallsIsRemoved() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        List<Tool> tools = fixture.take(2);
        fixture.onClock = () -> fixture.pool.resize(1);
        fixture.pool.put(tools.get(0));
        assertEquals(tools.subList(0, 1), fixture.destroyed);
        fixture.pool.put(tools.get(1));
        fixture.assertState(1, 1, 0);
        fixture.assertCapacity(1);
    }

    @Test
    void emptySlotsAreRemovedBeforeElementsAreDestroyed() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(5);
        List<Tool> tools = fixture.take(3);
        tools.forEach(fixture.pool::put);
        fixture.pool.resize(3);
        assertEquals(List.of(), fixture.destroyed);
        fixture.assertCapacity(3);
        fixture.pool.resize(1);
        assertEquals(2, fixture.destroyed.size());
        fixture.assertCapacity(1);
    }

    @Test
    void surplusSlotsStayWhenTheMaximumRisesAgain() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(4);
        List<Tool> tools = fixture.take(4);
        fixture.pool.resize(1);
        fixture.pool.resize(3);
        assertEquals(3, fixture.pool.maximum());
        tools.forEach(fixture.pool::put);
        assertEquals(1, fixture.destroyed.size());
        fixture.assertCapacity(3);
        fixture.pool.resize(3);
        fixture.pool.resize(6);
        fixture.assertCapacity(6);
    }

    @Test
    void invalidatedElementsAndFailedFactoriesReduceASurplus() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(3);
        List<Tool> tools = fixture.take(2);
        fixture.onMake = () -> {
            fixture.pool.resize(1);
            throw new IllegalStateException();
        };
        assertThrows(IllegalStateException.class, fixture::tryTake);
        fixture.onMake = () -> {};
        fixture.pool.invalidate(tools.get(0));
        assertNull(fixture.tryTake());
        fixture.pool.put(tools.get(1));
        fixture.assertState(1, 1, 0);
        fixture.assertCapacity(1);
    }

    @Test
    void aSlotThatIsGivenBackReducesASurplus() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        List<Tool> tools = fixture.take(2);
        TestWaiter cancelled = fixture.waiter("cancelled");
        fixture.pool.put(tools.get(0));
        fixture.pool.resize(1);
        TestWaiter waiter = fixture.waiter("waiter");
        slot(cancelled).giveBack();
        assertEquals(List.of(tools.get(0)), fixture.destroyed);
        assertFalse(waiter.isResumed());
        fixture.pool.put(tools.get(1));
        assertSame(tools.get(1), fixture.lend(waiter));
        fixture.assertState(1, 0, 1);
    }

    @Test
    void theSlotOfASurplusLentElementIsNotFreeBeforeTheElementIsDestroyed() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        List<Tool> tools = fixture.take(2);
        fixture.pool.resize(1);
        List<Tool> lent = new ArrayList<>();
        fixture.onDestroy = tool -> {
            fixture.onDestroy = other -> {};
            fixture.pool.resize(2);
            lent.add(fixture.tryTake());
        };
        fixture.pool.put(tools.get(0));
        assertNull(lent.get(0), "both elements are still alive");
        fixture.pool.put(tools.get(1));
        assertEquals(2, fixture.made.size());
        fixture.assertCapacity(2);
    }

    @Test
    void theSlotOfASurplusIdleElementIsNotFreeBeforeTheElementIsDestroyed() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        fixture.take(2).forEach(fixture.pool::put);
        List<Tool> lent = new ArrayList<>();
        fixture.onDestroy = tool -> {
            fixture.onDestroy = other -> {};
            fixture.pool.resize(2);
            lent.add(fixture.tryTake());
            lent.add(fixture.tryTake());
        };
        fixture.pool.resize(1);
        assertEquals(2, fixture.made.size(), "no more elements are alive than the maximum");
        assertNull(lent.get(1));
        fixture.pool.put(lent.get(0));
        fixture.assertCapacity(2);
    }

    @Test
    void theSlotOfAnElementThatIsBeingEvictedIsNotRemoved() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(2, 10);
        List<Tool> tools = fixture.take(2);
        fixture.pool.put(tools.get(0));
        fixture.now = 9;
        fixture.pool.put(tools.get(1));
        List<Integer> idle = new ArrayList<>();
        fixture.onDestroy = tool -> {
            fixture.onDestroy = other -> {};
            fixture.pool.put(fixture.tryTake()); // finds the evicted slot, and moves it to the empty ones
            fixture.pool.resize(1);
            idle.add(fixture.pool.idle());
        };
        fixture.now = 10;
        fixture.pool.evictIdle();
        assertEquals(List.of(0), idle, "the element that was being destroyed was alive, so the idle one had to go");
        assertEquals(2, fixture.destroyed.size());
        fixture.assertCapacity(1);
    }

    @Test
    void aMaximumMustBePositiveAndWithinBounds() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        for (int maximum : new int[] {0, -1, Integer.MIN_VALUE, (1 << 20) + 1, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> fixture.pool.resize(maximum));
            assertThrows(IllegalArgumentException.class, () -> ResourcePool.builder(maximum));
        }
        assertThrows(NullPointerException.class, () -> ResourcePool.builder(1, null));
        assertEquals(2, fixture.pool.maximum());
    }
}
