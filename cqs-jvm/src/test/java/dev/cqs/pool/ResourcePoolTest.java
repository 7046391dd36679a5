package dev.cqs.pool;

import static dev.cqs.pool.ResourcePoolFixture.slot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.UncaughtExceptions;
import dev.cqs.pool.ResourcePoolFixture.Tool;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Making, waiting for, validating and returning resources, one operation at a time. The user's code that a pool calls
 * (factory, validator, destroyer, clock) calls into the pool, or throws.
 */
class ResourcePoolTest {

    // Making elements

    @Test
    void elementsAreMadeOnDemandUpToTheMaximum() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(3);
        fixture.assertState(0, 0, 0);
        List<Tool> tools = fixture.take(3);
        assertEquals(fixture.made, tools);
        assertNull(fixture.tryTake());
        fixture.assertState(3, 0, 3);
        tools.forEach(fixture.pool::put);
        fixture.assertState(3, 3, 0);
        fixture.assertCapacity(3);
        assertEquals(3, fixture.made.size());
    }

    @Test
    void anIdleElementIsLentBeforeAnotherIsMadeByQueuesAndStacks() {
        for (ResourcePoolFixture fixture :
                List.of(ResourcePoolFixture.of(10), new ResourcePoolFixture(10, ResourcePool.Builder::stack))) {
            for (int i = 0; i < 20; i++) {
                Tool tool = fixture.tryTake();
                assertSame(fixture.made.get(0), tool);
                fixture.pool.put(tool);
            }
            fixture.assertState(1, 1, 0);
        }
    }

    @Test
    void aQueueLendsElementsInFifoOrderAndAStackInLifoOrder() {
        ResourcePoolFixture queue = ResourcePoolFixture.of(3);
        ResourcePoolFixture stack = new ResourcePoolFixture(3, ResourcePool.Builder::stack);
        for (ResourcePoolFixture fixture : List.of(queue, stack)) {
            fixture.take(3).forEach(fixture.pool::put);
        }
        assertEquals(
                List.of(0, 1, 2),
                queue.take(3).stream().map(tool -> tool.number).toList());
        assertEquals(
                List.of(2, 1, 0),
                stack.take(3).stream().map(tool -> tool.number).toList());
    }

    @Test
    void aFactoryThatThrowsLeavesTheSlotFree() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Error thrown = new Error("no");
        fixture.onMake = () -> {
            throw thrown;
        };
        for (int i = 0; i < 3; i++) {
            assertSame(thrown, assertThrows(Error.class, fixture::tryTake));
        }
        fixture.onMake = () -> {};
        fixture.assertState(0, 0, 0);
        fixture.assertCapacity(1);
    }

    @Test
    void anElementThatWasMadeAndCannotBeRegisteredIsDestroyed() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Error thrown = new Error("no clock");
        fixture.onClock = () -> {
            throw thrown;
        };
        assertSame(thrown, assertThrows(Error.class, fixture::tryTake));
        assertEquals(fixture.made, fixture.destroyed);
        fixture.assertState(0, 0, 0);
        fixture.assertCapacity(1);
    }

    @Test
    void theSlotOfAFactoryThatThrowsGoesToTheNextWaiter() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        TestWaiter[] waiter = new TestWaiter[1];
        fixture.onMake = () -> {
            fixture.onMake = () -> {};
            waiter[0] = fixture.waiter("waiter");
            throw new IllegalStateException();
        };
        assertThrows(IllegalStateException.class, fixture::tryTake);
        assertEquals(0, fixture.lend(waiter[0]).number);
        fixture.assertState(1, 0, 1);
    }

    @Test
    void aFactoryThatRunsDelaysNoOtherCaller() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(3);
        fixture.pool.put(fixture.tryTake());
        Tool idle = fixture.tryTake();
        fixture.onMake = () -> {
            fixture.onMake = () -> {};
            fixture.pool.put(idle);
            assertSame(idle, fixture.tryTake());
            assertEquals(1, fixture.tryTake().number, "another factory call overtakes");
            assertNull(fixture.tryTake(), "the element of the third slot is being made");
        };
        assertEquals(2, fixture.tryTake().number);
        fixture.assertState(3, 0, 3);
    }

    @Test
    void aFactoryMustMakeNewElements() {
        Tool one = new Tool(1);
        ResourcePool<Tool> pool = ResourcePool.<Tool>builder(2, () -> one).build();
        assertSame(one, lend(pool));
        assertThrows(IllegalStateException.class, () -> lend(pool));
        assertThrows(IllegalStateException.class, () -> lend(pool));
        assertEquals(1, pool.size());
        pool.put(one);
        assertSame(one, lend(pool));

        ResourcePool<Tool> nulls = ResourcePool.<Tool>builder(1, () -> null).build();
        assertThrows(NullPointerException.class, () -> lend(nulls));
        assertThrows(NullPointerException.class, () -> lend(nulls));
        assertEquals(0, nulls.size());
    }

    @Test
    void aPoolWithoutAFactoryIsFilledByItsUsers() {
        ResourcePool<Tool> pool = ResourcePool.<Tool>builder(1).build();
        assertThrows(IllegalStateException.class, () -> lend(pool));
        PoolSlot<Tool> unused = pool.tryTakeSlot();
        assertNull(unused.lend("test"));
        assertEquals(0, pool.available());
        unused.giveBack();
        assertEquals(1, pool.available());
        PoolSlot<Tool> slot = pool.tryTakeSlot();
        assertNull(slot.lend("test"));
        Tool tool = new Tool(1);
        assertSame(tool, slot.fill(tool, "test"));
        assertNull(pool.tryTakeSlot());
        pool.put(tool);
        assertSame(tool, pool.tryTakeSlot().lend("test"));
    }

    private static Tool lend(ResourcePool<Tool> pool) {
        return pool.tryTakeSlot().lendOrMake("test");
    }

    @Test
    void aSlotWithAnIdleElementIsNotFilledWithAnother() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.pool.put(fixture.tryTake());
        Tool other = new Tool(1);
        assertThrows(
                IllegalStateException.class, () -> fixture.pool.tryTakeSlot().fill(other, "test"));
        assertTrue(other.destroyed, "the pool destroys the element, since its caller does not");
        assertEquals(1, fixture.pool.available());
        assertSame(fixture.made.get(0), fixture.tryTake());
    }

    @Test
    void aNullBorrowerIsRefusedAndTheSlotIsFree() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        assertThrows(
                NullPointerException.class, () -> fixture.pool.tryTakeSlot().lend(null));
        assertThrows(
                NullPointerException.class, () -> fixture.pool.tryTakeSlot().lendOrMake(null));
        PoolSlot<Tool> slot = fixture.pool.tryTakeSlot();
        assertNull(slot.lend("test"));
        Tool other = new Tool(1);
        assertThrows(NullPointerException.class, () -> slot.fill(other, null));
        assertTrue(other.destroyed, "the pool destroys the element, since its caller does not");
        assertThrows(NullPointerException.class, () -> fixture.pool.putIfLent(null));
        assertEquals(1, fixture.pool.available());
        assertEquals(List.of(), fixture.made);
    }

    @Test
    void anElementIsPutBackOrInvalidatedOnce() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        fixture.pool.putIfLent(tool);
        fixture.pool.putIfLent(tool);
        assertEquals(1, fixture.pool.available());
        fixture.pool.invalidate(fixture.tryTake());
        fixture.pool.putIfLent(tool);
        fixture.assertState(0, 0, 0);
        fixture.assertCapacity(1);
    }

    // Waiting

    @Test
    void waitersGetReturnedElementsInFifoOrder() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        List<Tool> tools = fixture.take(2);
        TestWaiter first = fixture.waiter("first");
        TestWaiter second = fixture.waiter("second");
        TestWaiter third = fixture.waiter("third");
        assertTrue(second.cancelNow());
        fixture.pool.put(tools.get(1));
        assertSame(tools.get(1), fixture.lend(first));
        fixture.pool.put(tools.get(0));
        assertSame(tools.get(0), fixture.lend(third));
        assertEquals(0, fixture.pool.queueLength());
    }

    /** As in a prompt cancellation: a coroutine is cancelled after the slot was handed to it and before it runs. */
    @Test
    void aSlotThatAResumedWaiterGivesBackIsNotLost() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        TestWaiter cancelled = fixture.waiter("cancelled");
        TestWaiter next = fixture.waiter("next");
        cancelled.onResume = value -> slot(cancelled).giveBack();
        next.onResume = value -> slot(next).giveBack();
        fixture.pool.put(tool);
        assertTrue(next.isResumed());
        fixture.assertState(1, 1, 0);
        assertSame(tool, fixture.tryTake());
    }

    @Test
    void anEmptySlotIsHandedToAWaiter() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        Tool tool = fixture.tryTake();
        TestWaiter waiter = fixture.waiter("waiter");
        fixture.pool.invalidate(tool);
        assertEquals(1, fixture.lend(waiter).number);
        fixture.assertState(1, 0, 1);
    }

    // Validating

    @Test
    void invalidElementsAreDestroyedAndAnotherIsLentOrMade() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(5);
        List<Tool> tools = fixture.take(3);
        tools.forEach(fixture.pool::put);
        tools.get(0).valid = false;
        tools.get(1).valid = false;
        assertSame(tools.get(2), fixture.tryTake(), "an idle element before a new one");
        assertEquals(tools.subList(0, 2), fixture.destroyed);
        fixture.assertState(1, 0, 1);
        tools.get(2).valid = false;
        fixture.pool.put(tools.get(2));
        assertEquals(3, fixture.tryTake().number);
        fixture.assertState(1, 0, 1);
        fixture.pool.put(fixture.made.get(3));
        fixture.assertCapacity(5);
    }

    @Test
    void aValidatorThatThrowsLosesTheElementAndFreesTheSlot() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.pool.put(fixture.tryTake());
        RuntimeException thrown = new RuntimeException("no");
        fixture.onCheck = tool -> {
            throw thrown;
        };
        assertSame(thrown, assertThrows(RuntimeException.class, fixture::tryTake));
        fixture.onCheck = tool -> {};
        fixture.assertState(0, 0, 0);
        fixture.assertCapacity(1);
    }

    @Test
    void anElementThatIsBeingValidatedIsNeitherIdleNorLent() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.pool.put(fixture.tryTake());
        fixture.onCheck = tool -> {
            assertNull(fixture.tryTake());
            assertThrows(IllegalStateException.class, () -> fixture.pool.put(tool));
            assertThrows(IllegalStateException.class, () -> fixture.pool.invalidate(tool));
        };
        assertEquals(0, fixture.tryTake().number);
    }

    // Putting back

    @Test
    void onlyALentElementCanBePutBack() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        Tool tool = fixture.tryTake();
        assertThrows(NullPointerException.class, () -> fixture.pool.put(null));
        assertThrows(NullPointerException.class, () -> fixture.pool.invalidate(null));
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.put(new Tool(0)));
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.invalidate(new Tool(0)));
        fixture.assertState(1, 0, 1);
        fixture.pool.put(tool);
        assertThrows(IllegalStateException.class, () -> fixture.pool.put(tool));
        assertThrows(IllegalStateException.class, () -> fixture.pool.invalidate(tool));
        fixture.assertState(1, 1, 0);
        assertSame(tool, fixture.tryTake());
        fixture.pool.invalidate(tool);
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.put(tool));
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.invalidate(tool));
        fixture.assertState(0, 0, 0);
        assertEquals(List.of(tool), fixture.destroyed);
        fixture.assertCapacity(2);
    }

    @Test
    void elementsAreComparedByIdentity() {
        ResourcePool<String> pool =
                ResourcePool.<String>builder(2, () -> new String("equal")).build();
        String one = pool.tryTakeSlot().lendOrMake("test");
        String other = pool.tryTakeSlot().lendOrMake("test");
        assertNotSame(one, other);
        assertThrows(IllegalArgumentException.class, () -> pool.put("equal"));
        pool.put(one);
        assertThrows(IllegalStateException.class, () -> pool.put(one));
        pool.put(other);
        assertEquals(2, pool.idle());
    }

    @Test
    void aDestroyerThatThrowsIsReportedAndChangesNothing() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        RuntimeException thrown = new RuntimeException("no");
        fixture.onDestroy = tool -> {
            throw thrown;
        };
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            fixture.pool.invalidate(fixture.tryTake());
            assertEquals(List.of(thrown), uncaught.seen);
        }
        fixture.assertState(0, 0, 0);
        fixture.assertCapacity(1);
    }
}
