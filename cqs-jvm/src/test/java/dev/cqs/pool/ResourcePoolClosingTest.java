package dev.cqs.pool;

import static dev.cqs.pool.ResourcePoolFixture.slot;
import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.pool.ResourcePoolFixture.Tool;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The closing of a pool of resources, one operation at a time, and inside the user's code that the pool calls. */
class ResourcePoolClosingTest {
    private final Throwable cause = new Throwable("the cause");

    // Closing

    @Test
    void closingDestroysIdleElementsAtOnceAndLentOnesOnReturn() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(3);
        List<Tool> tools = fixture.take(3);
        TestWaiter waiter = fixture.waiter("waiter");
        assertTrue(waiter.cancelNow());
        fixture.pool.put(tools.get(0));
        fixture.pool.put(tools.get(1));
        assertTrue(fixture.pool.close(cause));
        assertTrue(fixture.pool.isClosed());
        assertFalse(fixture.pool.close(null));
        assertEquals(Set.of(tools.get(0), tools.get(1)), Set.copyOf(fixture.destroyed));
        fixture.assertState(1, 0, 1);
        assertClosed(cause, fixture::tryTake);
        fixture.pool.put(tools.get(2));
        fixture.assertState(0, 0, 0);
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.put(tools.get(2)));
        fixture.pool.resize(5);
        fixture.pool.resize(1);
        assertClosed(cause, fixture::tryTake);
    }

    @Test
    void waitersFailAndAWaiterThatWasHandedASlotIsServed() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        TestWaiter first = fixture.waiter("first");
        TestWaiter second = fixture.waiter("second");
        fixture.pool.put(tool);
        fixture.pool.close(cause);
        assertFailed(cause, second);
        assertSame(tool, fixture.lend(first));
        fixture.pool.put(tool);
        assertEquals(List.of(tool), fixture.destroyed);

        ResourcePoolFixture other = ResourcePoolFixture.of(1);
        Tool lent = other.tryTake();
        TestWaiter cancelled = other.waiter("cancelled");
        other.pool.put(lent);
        other.pool.close(cause);
        slot(cancelled).giveBack();
        assertEquals(List.of(lent), other.destroyed);
        other.assertState(0, 0, 0);
    }

    @Test
    void anElementReturnedDuringTheClosingIsDestroyed() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        fixture.onClock = () -> fixture.pool.close(cause);
        fixture.pool.put(tool);
        assertEquals(List.of(tool), fixture.destroyed);
        fixture.assertState(0, 0, 0);
    }

    /** An eviction looks at idle slots only, and not at one that was handed over. */
    @Test
    void theElementOfATakenSlotIsNotEvicted() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(2, 100);
        List<Tool> tools = fixture.take(2);
        TestWaiter waiter = fixture.waiter("waiter");
        tools.forEach(fixture.pool::put); // one slot is handed to the waiter, the other is idle
        PoolSlot<Tool> slot = fixture.pool.tryTakeSlot();
        assertNull(fixture.pool.tryTakeSlot());
        fixture.assertState(2, 0, 0);
        fixture.now = 100;
        assertEquals(0, fixture.pool.evictIdle());
        slot(waiter).giveBack();
        slot.giveBack();
        fixture.assertState(2, 2, 0);
        assertEquals(2, fixture.pool.evictIdle(), "both have been idle all the time");
        fixture.assertCapacity(2);
    }

    /** The idle element is evicted first. Its slot is not free before the element is destroyed. */
    @Test
    void aWaiterWhoseElementIsTooOldMakesNoMoreThanTheMaximum() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(2, 100);
        List<Tool> tools = fixture.take(2);
        TestWaiter waiter = fixture.waiter("waiter");
        tools.forEach(fixture.pool::put); // one slot is handed to the waiter, the other is idle
        fixture.now = 100;
        fixture.onDestroy = first -> {
            fixture.onDestroy = second -> {};
            assertEquals(2, fixture.lend(waiter).number);
            assertEquals(2, fixture.destroyed.size(), "the element of its own slot was too old as well");
        };
        assertEquals(1, fixture.pool.evictIdle());
        fixture.assertState(1, 0, 1);
        fixture.pool.put(fixture.made.get(2));
        fixture.assertCapacity(2);
    }

    @Test
    void anElementThatIsMadeDuringTheClosingIsLentAndDestroyedOnReturn() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.onMake = () -> fixture.pool.close(cause);
        Tool tool = fixture.tryTake();
        fixture.assertState(1, 0, 1);
        fixture.pool.put(tool);
        fixture.assertState(0, 0, 0);
        assertEquals(List.of(tool), fixture.destroyed);
    }

    @Test
    void closingDuringAnEvictionDestroysEachElementOnce() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(3, 100);
        fixture.take(3).forEach(fixture.pool::put);
        fixture.now = 100;
        fixture.onDestroy = tool -> fixture.pool.close(cause);
        assertEquals(1, fixture.pool.evictIdle(), "the closing has destroyed the others");
        assertEquals(3, fixture.destroyed.size());
        fixture.assertState(0, 0, 0);
    }
}
