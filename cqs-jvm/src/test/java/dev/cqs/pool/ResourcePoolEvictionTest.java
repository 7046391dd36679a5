package dev.cqs.pool;

import static dev.cqs.pool.ResourcePoolFixture.slot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.UncaughtExceptions;
import dev.cqs.pool.ResourcePoolFixture.Tool;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Eviction of idle resources, one operation at a time, also with a clock that throws. */
class ResourcePoolEvictionTest {

    // A clock that throws

    @Test
    void aClockThatThrowsAtALendLosesNothing() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.pool.put(fixture.tryTake());
        Tool tool = withoutClock(fixture, 1, fixture::tryTake);
        fixture.assertState(1, 0, 1);
        fixture.pool.put(tool);
        fixture.assertState(1, 1, 0);
        fixture.assertCapacity(1);
    }

    @Test
    void anElementOfUnknownAgeIsNotEvicted() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(1, 100);
        fixture.pool.put(fixture.tryTake());
        fixture.now = 1000;
        Tool tool = withoutClock(fixture, 3, fixture::tryTake); // read to evict, to check the age, and to lend
        assertSame(fixture.made.get(0), tool);
        fixture.assertState(1, 0, 1);
        fixture.pool.put(tool);
        assertSame(tool, fixture.tryTake(), "it was put with a clock that works");
    }

    @Test
    void aClockThatThrowsAtAPutLosesNothing() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(1, 100);
        Tool tool = fixture.tryTake();
        fixture.now = 1000;
        withoutClock(fixture, 2, () -> {
            fixture.pool.put(tool); // reads the clock to rest the element, and to evict
            return null;
        });
        fixture.assertState(1, 1, 0);
        assertEquals(1, fixture.pool.evictIdle(), "it is idle since it was lent");
        fixture.assertCapacity(1);
    }

    @Test
    void aClockThatThrowsAtAPutStillServesTheNextWaiter() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        TestWaiter next = fixture.waiter("next");
        withoutClock(fixture, 1, () -> {
            fixture.pool.put(tool);
            return null;
        });
        assertSame(tool, fixture.lend(next));
    }

    /** Runs the operation with a clock that throws, and checks that this is reported {@code times} times. */
    private static Tool withoutClock(ResourcePoolFixture fixture, int times, Supplier<Tool> operation) {
        Error thrown = new Error("no clock");
        fixture.onClock = new Runnable() {
            @Override
            public void run() {
                fixture.onClock = this; // the next reading throws, too
                throw thrown;
            }
        };
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            Tool tool = operation.get();
            assertEquals(Collections.nCopies(times, thrown), uncaught.seen);
            return tool;
        } finally {
            fixture.onClock = () -> {};
        }
    }

    // Eviction

    @Test
    void evictIdleDestroysWhatHasBeenIdleForTooLong() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(3, 100);
        List<Tool> tools = fixture.take(3);
        fixture.now = 10;
        fixture.pool.put(tools.get(0));
        fixture.now = 50;
        fixture.pool.put(tools.get(1));
        assertEquals(0, fixture.pool.evictIdle());
        fixture.now = 109;
        assertEquals(0, fixture.pool.evictIdle());
        fixture.now = 110;
        assertEquals(1, fixture.pool.evictIdle());
        assertEquals(List.of(tools.get(0)), fixture.destroyed);
        fixture.assertState(2, 1, 1);
        fixture.now = 1000;
        assertEquals(1, fixture.pool.evictIdle());
        fixture.assertState(1, 0, 1);
        fixture.pool.put(tools.get(2));
        fixture.assertState(1, 1, 0);
        fixture.assertCapacity(3);
    }

    @Test
    void usingThePoolEvictsToo() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(3, 100);
        List<Tool> tools = fixture.take(3);
        fixture.pool.put(tools.get(0));
        fixture.pool.put(tools.get(1));
        fixture.now = 200;
        fixture.pool.put(tools.get(2));
        assertEquals(Set.of(tools.get(0), tools.get(1)), Set.copyOf(fixture.destroyed));
        fixture.assertState(1, 1, 0);
        assertSame(tools.get(2), fixture.tryTake());
    }

    @Test
    void anElementThatIsTooOldIsNotLentThoughItWasNotEvictedYet() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(1, 100);
        Tool old = fixture.tryTake();
        fixture.pool.put(old);
        fixture.now = 100;
        PoolSlot<Tool> slot = fixture.pool.slots.tryTake(); // evicts nothing
        assertEquals(1, slot.lendOrMake("test").number);
        assertEquals(List.of(old), fixture.destroyed);
    }

    @Test
    void behindAnEvictedHeadIdleElementsAreLentBeforeNewOnesAreMade() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(4, 100);
        List<Tool> tools = fixture.take(3);
        fixture.pool.put(tools.get(0));
        fixture.now = 90;
        fixture.pool.put(tools.get(1));
        fixture.pool.put(tools.get(2));
        fixture.now = 100;
        assertEquals(1, fixture.pool.evictIdle());
        assertSame(tools.get(1), fixture.tryTake());
        assertSame(tools.get(2), fixture.tryTake());
        assertEquals(3, fixture.tryTake().number);
        assertEquals(4, fixture.tryTake().number);
        assertNull(fixture.tryTake());
    }

    /** An element that is being destroyed still counts for the maximum. */
    @Test
    void theSlotOfAnElementThatIsBeingDestroyedIsNotFree() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(2, 100);
        List<Tool> tools = fixture.take(2);
        fixture.pool.put(tools.get(0));
        fixture.now = 60;
        fixture.pool.put(tools.get(1));
        fixture.now = 120;
        fixture.onDestroy = tool -> {
            assertSame(tools.get(1), fixture.tryTake());
            assertNull(fixture.tryTake());
        };
        assertEquals(1, fixture.pool.evictIdle());
        fixture.onDestroy = tool -> {};
        fixture.assertState(1, 0, 1);
        assertEquals(2, fixture.tryTake().number);
        assertNull(fixture.tryTake());
    }

    @Test
    void theSlotOfAnInvalidElementThatIsBeingDestroyedIsNotFree() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        fixture.pool.put(tool);
        tool.valid = false;
        fixture.onDestroy = destroyed -> assertNull(fixture.tryTake());
        Tool next = fixture.tryTake();
        assertEquals(1, next.number);
        fixture.pool.invalidate(next);
        fixture.onDestroy = destroyed -> {};
        fixture.assertCapacity(1);
    }

    /** An eviction reads the state, and acts when the element has been lent and put back in between. */
    @Test
    void aReadOfTheStateHoldsForOneIdleTimeOnly() {
        ResourceSlot<Tool> slot = new ResourceSlot<>(null, new Tool(0), null);
        slot.rest();
        long seen = slot.state();
        assertTrue(ResourceSlot.isIdle(seen));
        assertTrue(slot.holdIdle());
        assertFalse(slot.hold(seen));
        slot.lendTo("Anna", 2, false, null);
        assertTrue(slot.holdLent());
        assertFalse(slot.holdLent());
        slot.rest();
        assertTrue(slot.isIdle());
        assertFalse(slot.hold(seen));
        assertTrue(slot.hold(slot.state()));
    }

    @Test
    void theSlotOfAnEvictedElementGoesToARequestThatBeganToWaitMeanwhile() {
        ResourcePoolFixture fixture = ResourcePoolFixture.evicting(1, 100);
        fixture.pool.put(fixture.tryTake());
        fixture.now = 100;
        TestWaiter[] waiter = new TestWaiter[1];
        fixture.onDestroy = tool -> waiter[0] = fixture.waiter("waiter");
        assertEquals(1, fixture.pool.evictIdle());
        assertEquals(1, fixture.lend(waiter[0]).number);
        assertEquals(0, fixture.pool.queueLength());
    }

    @Test
    void theIdleTimeMustBePositive() {
        ResourcePool.Builder<Tool> builder = ResourcePool.builder(1);
        for (Duration time : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThrows(IllegalArgumentException.class, () -> builder.evictAfter(time));
        }
        ResourcePool<Tool> pool =
                builder.evictAfter(Duration.ofSeconds(Long.MAX_VALUE)).build();
        assertEquals(0, pool.evictIdle());
        assertEquals(0, ResourcePool.<Tool>builder(1).build().evictIdle());
    }
}
