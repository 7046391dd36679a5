package dev.cqs.pool;

import static dev.cqs.pool.ResourcePoolFixture.slot;
import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.Uncaught;
import dev.cqs.pool.ResourcePoolFixture.Tool;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pool of resources, one operation at a time, and foreign code that calls into it. */
class ResourcePoolTest {
    private final Throwable cause = new Throwable("the cause");

    // Making

    @Test
    void elementsAreMadeOnDemandUpToTheMaximum() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(3);
        workshop.assertState(0, 0, 0);
        List<Tool> tools = workshop.take(3);
        assertEquals(workshop.made, tools);
        assertNull(workshop.tryTake());
        workshop.assertState(3, 0, 3);
        tools.forEach(workshop.pool::put);
        workshop.assertState(3, 3, 0);
        workshop.assertPlaces(3);
        assertEquals(3, workshop.made.size());
    }

    @Test
    void anIdleElementIsLentBeforeAnotherIsMadeInEitherOrder() {
        for (ResourcePoolFixture workshop :
                List.of(ResourcePoolFixture.of(10), new ResourcePoolFixture(10, ResourcePool.Builder::stack))) {
            for (int i = 0; i < 20; i++) {
                Tool tool = workshop.tryTake();
                assertSame(workshop.made.get(0), tool);
                workshop.pool.put(tool);
            }
            workshop.assertState(1, 1, 0);
        }
    }

    @Test
    void aQueueLendsTheElementThatHasBeenIdleLongestAndAStackTheLastOne() {
        ResourcePoolFixture queue = ResourcePoolFixture.of(3);
        ResourcePoolFixture stack = new ResourcePoolFixture(3, ResourcePool.Builder::stack);
        for (ResourcePoolFixture workshop : List.of(queue, stack)) {
            workshop.take(3).forEach(workshop.pool::put);
        }
        assertEquals(
                List.of(0, 1, 2),
                queue.take(3).stream().map(tool -> tool.number).toList());
        assertEquals(
                List.of(2, 1, 0),
                stack.take(3).stream().map(tool -> tool.number).toList());
    }

    @Test
    void aFactoryThatThrowsLeavesThePlaceFree() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Error thrown = new Error("no");
        workshop.onMake = () -> {
            throw thrown;
        };
        for (int i = 0; i < 3; i++) {
            assertSame(thrown, assertThrows(Error.class, workshop::tryTake));
        }
        workshop.onMake = () -> {};
        workshop.assertState(0, 0, 0);
        workshop.assertPlaces(1);
    }

    @Test
    void anElementThatWasMadeAndCannotBeEnteredIsDestroyed() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Error thrown = new Error("no clock");
        workshop.onClock = () -> {
            throw thrown;
        };
        assertSame(thrown, assertThrows(Error.class, workshop::tryTake));
        assertEquals(workshop.made, workshop.destroyed);
        workshop.assertState(0, 0, 0);
        workshop.assertPlaces(1);
    }

    @Test
    void thePlaceOfAFactoryThatThrowsGoesToTheNextWhoWaits() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        TestWaiter[] waiter = new TestWaiter[1];
        workshop.onMake = () -> {
            workshop.onMake = () -> {};
            waiter[0] = workshop.waiter("waiter");
            throw new IllegalStateException();
        };
        assertThrows(IllegalStateException.class, workshop::tryTake);
        assertEquals(0, workshop.lend(waiter[0]).number);
        workshop.assertState(1, 0, 1);
    }

    @Test
    void aFactoryThatIsAtWorkIsInNobodysWay() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(3);
        workshop.pool.put(workshop.tryTake());
        Tool idle = workshop.tryTake();
        workshop.onMake = () -> {
            workshop.onMake = () -> {};
            workshop.pool.put(idle);
            assertSame(idle, workshop.tryTake());
            assertEquals(1, workshop.tryTake().number, "another factory call overtakes");
            assertNull(workshop.tryTake(), "the third place is being filled");
        };
        assertEquals(2, workshop.tryTake().number);
        workshop.assertState(3, 0, 3);
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
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.pool.put(workshop.tryTake());
        Tool other = new Tool(1);
        assertThrows(
                IllegalStateException.class, () -> workshop.pool.tryTakeSlot().fill(other, "test"));
        assertTrue(other.destroyed, "nobody else would destroy it");
        assertEquals(1, workshop.pool.available());
        assertSame(workshop.made.get(0), workshop.tryTake());
    }

    @Test
    void aBorrowerWithoutANameIsRefusedAndTheSlotIsFree() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        assertThrows(
                NullPointerException.class, () -> workshop.pool.tryTakeSlot().lend(null));
        assertThrows(
                NullPointerException.class, () -> workshop.pool.tryTakeSlot().lendOrMake(null));
        PoolSlot<Tool> slot = workshop.pool.tryTakeSlot();
        assertNull(slot.lend("test"));
        Tool other = new Tool(1);
        assertThrows(NullPointerException.class, () -> slot.fill(other, null));
        assertTrue(other.destroyed, "nobody else would destroy it");
        assertThrows(NullPointerException.class, () -> workshop.pool.putIfLent(null));
        assertEquals(1, workshop.pool.available());
        assertEquals(List.of(), workshop.made);
    }

    @Test
    void whatWasPutBackOrInvalidatedIsNotPutBackAgain() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        workshop.pool.putIfLent(tool);
        workshop.pool.putIfLent(tool);
        assertEquals(1, workshop.pool.available());
        workshop.pool.invalidate(workshop.tryTake());
        workshop.pool.putIfLent(tool);
        workshop.assertState(0, 0, 0);
        workshop.assertPlaces(1);
    }

    // Waiting

    @Test
    void thoseWhoWaitGetWhatComesBackInTheirOrder() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        List<Tool> tools = workshop.take(2);
        TestWaiter first = workshop.waiter("first");
        TestWaiter second = workshop.waiter("second");
        TestWaiter third = workshop.waiter("third");
        assertTrue(second.cancelNow());
        workshop.pool.put(tools.get(1));
        assertSame(tools.get(1), workshop.lend(first));
        workshop.pool.put(tools.get(0));
        assertSame(tools.get(0), workshop.lend(third));
        assertEquals(0, workshop.pool.queueLength());
    }

    /** Prompt cancellation: the slot has been handed over, its coroutine is cancelled before it runs. */
    @Test
    void aSlotThatWasHandedOverAndIsNotUsedIsNotLost() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        TestWaiter cancelled = workshop.waiter("cancelled");
        TestWaiter next = workshop.waiter("next");
        cancelled.onResume = value -> slot(cancelled).giveBack();
        next.onResume = value -> slot(next).giveBack();
        workshop.pool.put(tool);
        assertTrue(next.isResumed());
        workshop.assertState(1, 1, 0);
        assertSame(tool, workshop.tryTake());
    }

    @Test
    void anEmptyPlaceIsHandedOverAsWell() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        TestWaiter waiter = workshop.waiter("waiter");
        workshop.pool.invalidate(tool);
        assertEquals(1, workshop.lend(waiter).number);
        workshop.assertState(1, 0, 1);
    }

    // Validating

    @Test
    void elementsThatAreNotValidAreDestroyedAndAnotherIsLentOrMade() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(5);
        List<Tool> tools = workshop.take(3);
        tools.forEach(workshop.pool::put);
        tools.get(0).valid = false;
        tools.get(1).valid = false;
        assertSame(tools.get(2), workshop.tryTake(), "an idle one first");
        assertEquals(tools.subList(0, 2), workshop.destroyed);
        workshop.assertState(1, 0, 1);
        tools.get(2).valid = false;
        workshop.pool.put(tools.get(2));
        assertEquals(3, workshop.tryTake().number);
        workshop.assertState(1, 0, 1);
        workshop.pool.put(workshop.made.get(3));
        workshop.assertPlaces(5);
    }

    @Test
    void aValidatorThatThrowsCostsTheElementAndLeavesThePlaceFree() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.pool.put(workshop.tryTake());
        RuntimeException thrown = new RuntimeException("no");
        workshop.onCheck = tool -> {
            throw thrown;
        };
        assertSame(thrown, assertThrows(RuntimeException.class, workshop::tryTake));
        workshop.onCheck = tool -> {};
        workshop.assertState(0, 0, 0);
        workshop.assertPlaces(1);
    }

    @Test
    void anElementThatIsBeingValidatedIsNobodys() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.pool.put(workshop.tryTake());
        workshop.onCheck = tool -> {
            assertNull(workshop.tryTake());
            assertThrows(IllegalStateException.class, () -> workshop.pool.put(tool));
            assertThrows(IllegalStateException.class, () -> workshop.pool.invalidate(tool));
        };
        assertEquals(0, workshop.tryTake().number);
    }

    // Putting back

    @Test
    void onlyWhatIsLentCanBePutBack() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        Tool tool = workshop.tryTake();
        assertThrows(NullPointerException.class, () -> workshop.pool.put(null));
        assertThrows(NullPointerException.class, () -> workshop.pool.invalidate(null));
        assertThrows(IllegalArgumentException.class, () -> workshop.pool.put(new Tool(0)));
        assertThrows(IllegalArgumentException.class, () -> workshop.pool.invalidate(new Tool(0)));
        workshop.assertState(1, 0, 1);
        workshop.pool.put(tool);
        assertThrows(IllegalStateException.class, () -> workshop.pool.put(tool));
        assertThrows(IllegalStateException.class, () -> workshop.pool.invalidate(tool));
        workshop.assertState(1, 1, 0);
        assertSame(tool, workshop.tryTake());
        workshop.pool.invalidate(tool);
        assertThrows(IllegalArgumentException.class, () -> workshop.pool.put(tool));
        assertThrows(IllegalArgumentException.class, () -> workshop.pool.invalidate(tool));
        workshop.assertState(0, 0, 0);
        assertEquals(List.of(tool), workshop.destroyed);
        workshop.assertPlaces(2);
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
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        RuntimeException thrown = new RuntimeException("no");
        workshop.onDestroy = tool -> {
            throw thrown;
        };
        try (Uncaught uncaught = new Uncaught()) {
            workshop.pool.invalidate(workshop.tryTake());
            assertEquals(List.of(thrown), uncaught.seen);
        }
        workshop.assertState(0, 0, 0);
        workshop.assertPlaces(1);
    }

    // A clock that throws

    @Test
    void aClockThatThrowsWhenAnElementIsLentCostsNothing() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.pool.put(workshop.tryTake());
        Tool tool = withoutClock(workshop, 1, workshop::tryTake);
        workshop.assertState(1, 0, 1);
        workshop.pool.put(tool);
        workshop.assertState(1, 1, 0);
        workshop.assertPlaces(1);
    }

    @Test
    void anElementWhoseAgeIsNotKnownIsNotTooOld() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(1, 100);
        workshop.pool.put(workshop.tryTake());
        workshop.now = 1000;
        Tool tool = withoutClock(workshop, 3, workshop::tryTake); // to tidy, to look at the age, to lend
        assertSame(workshop.made.get(0), tool);
        workshop.assertState(1, 0, 1);
        workshop.pool.put(tool);
        assertSame(tool, workshop.tryTake(), "put with a clock that works");
    }

    @Test
    void aClockThatThrowsWhenAnElementIsPutCostsNothing() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(1, 100);
        Tool tool = workshop.tryTake();
        workshop.now = 1000;
        withoutClock(workshop, 2, () -> {
            workshop.pool.put(tool); // and to tidy
            return null;
        });
        workshop.assertState(1, 1, 0);
        assertEquals(1, workshop.pool.evictIdle(), "as old as when it was lent");
        workshop.assertPlaces(1);
    }

    @Test
    void aClockThatThrowsWhenItIsPutLetsTheNextHaveAnElement() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        TestWaiter next = workshop.waiter("next");
        withoutClock(workshop, 1, () -> {
            workshop.pool.put(tool);
            return null;
        });
        assertSame(tool, workshop.lend(next));
    }

    /** With a clock that throws from now on, which is reported so many times. */
    private static Tool withoutClock(ResourcePoolFixture workshop, int times, Supplier<Tool> operation) {
        Error thrown = new Error("no clock");
        workshop.onClock = new Runnable() {
            @Override
            public void run() {
                workshop.onClock = this; // once more
                throw thrown;
            }
        };
        try (Uncaught uncaught = new Uncaught()) {
            Tool tool = operation.get();
            assertEquals(Collections.nCopies(times, thrown), uncaught.seen);
            return tool;
        } finally {
            workshop.onClock = () -> {};
        }
    }

    // Eviction

    @Test
    void whatHasBeenIdleForTooLongIsDestroyedOnDemand() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(3, 100);
        List<Tool> tools = workshop.take(3);
        workshop.now = 10;
        workshop.pool.put(tools.get(0));
        workshop.now = 50;
        workshop.pool.put(tools.get(1));
        assertEquals(0, workshop.pool.evictIdle());
        workshop.now = 109;
        assertEquals(0, workshop.pool.evictIdle());
        workshop.now = 110;
        assertEquals(1, workshop.pool.evictIdle());
        assertEquals(List.of(tools.get(0)), workshop.destroyed);
        workshop.assertState(2, 1, 1);
        workshop.now = 1000;
        assertEquals(1, workshop.pool.evictIdle());
        workshop.assertState(1, 0, 1);
        workshop.pool.put(tools.get(2));
        workshop.assertState(1, 1, 0);
        workshop.assertPlaces(3);
    }

    @Test
    void useOfThePoolEvictsAsWell() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(3, 100);
        List<Tool> tools = workshop.take(3);
        workshop.pool.put(tools.get(0));
        workshop.pool.put(tools.get(1));
        workshop.now = 200;
        workshop.pool.put(tools.get(2));
        assertEquals(Set.of(tools.get(0), tools.get(1)), Set.copyOf(workshop.destroyed));
        workshop.assertState(1, 1, 0);
        assertSame(tools.get(2), workshop.tryTake());
    }

    @Test
    void whatIsTooOldIsNotLentEvenIfNobodyHasEvictedIt() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(1, 100);
        Tool old = workshop.tryTake();
        workshop.pool.put(old);
        workshop.now = 100;
        PoolSlot<Tool> slot = workshop.pool.slots.tryTake(); // without tidying up
        assertEquals(1, slot.lendOrMake("test").number);
        assertEquals(List.of(old), workshop.destroyed);
    }

    @Test
    void ofAQueueWhoseHeadWasEvictedTheIdleOnesAreLentFirst() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(4, 100);
        List<Tool> tools = workshop.take(3);
        workshop.pool.put(tools.get(0));
        workshop.now = 90;
        workshop.pool.put(tools.get(1));
        workshop.pool.put(tools.get(2));
        workshop.now = 100;
        assertEquals(1, workshop.pool.evictIdle());
        assertSame(tools.get(1), workshop.tryTake());
        assertSame(tools.get(2), workshop.tryTake());
        assertEquals(3, workshop.tryTake().number);
        assertEquals(4, workshop.tryTake().number);
        assertNull(workshop.tryTake());
    }

    /** No more than the maximum are alive at a time, the one that is being destroyed included. */
    @Test
    void thePlaceOfAnElementThatIsBeingDestroyedIsNotFree() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(2, 100);
        List<Tool> tools = workshop.take(2);
        workshop.pool.put(tools.get(0));
        workshop.now = 60;
        workshop.pool.put(tools.get(1));
        workshop.now = 120;
        workshop.onDestroy = tool -> {
            assertSame(tools.get(1), workshop.tryTake());
            assertNull(workshop.tryTake());
        };
        assertEquals(1, workshop.pool.evictIdle());
        workshop.onDestroy = tool -> {};
        workshop.assertState(1, 0, 1);
        assertEquals(2, workshop.tryTake().number);
        assertNull(workshop.tryTake());
    }

    @Test
    void thePlaceOfAnInvalidElementThatIsBeingDestroyedIsNotFree() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        workshop.pool.put(tool);
        tool.valid = false;
        workshop.onDestroy = destroyed -> assertNull(workshop.tryTake());
        Tool next = workshop.tryTake();
        assertEquals(1, next.number);
        workshop.pool.invalidate(next);
        workshop.onDestroy = destroyed -> {};
        workshop.assertPlaces(1);
    }

    /** An eviction that looks, and acts when the element has been lent and put back meanwhile. */
    @Test
    void oneLookAtAnIdleElementHoldsForOneIdleTime() {
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
    void thePlaceOfAnEvictedElementGoesToOneWhoHasBegunToWaitMeanwhile() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(1, 100);
        workshop.pool.put(workshop.tryTake());
        workshop.now = 100;
        TestWaiter[] waiter = new TestWaiter[1];
        workshop.onDestroy = tool -> waiter[0] = workshop.waiter("waiter");
        assertEquals(1, workshop.pool.evictIdle());
        assertEquals(1, workshop.lend(waiter[0]).number);
        assertEquals(0, workshop.pool.queueLength());
    }

    @Test
    void onlyAPositiveTimeEvicts() {
        ResourcePool.Builder<Tool> builder = ResourcePool.builder(1);
        for (Duration time : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThrows(IllegalArgumentException.class, () -> builder.evictAfter(time));
        }
        ResourcePool<Tool> pool =
                builder.evictAfter(Duration.ofSeconds(Long.MAX_VALUE)).build();
        assertEquals(0, pool.evictIdle());
        assertEquals(0, ResourcePool.<Tool>builder(1).build().evictIdle());
    }

    // Resizing

    @Test
    void aHigherMaximumServesThoseWhoWait() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.tryTake();
        TestWaiter first = workshop.waiter("first");
        TestWaiter second = workshop.waiter("second");
        workshop.pool.resize(3);
        assertEquals(3, workshop.pool.maximum());
        assertEquals(1, workshop.lend(first).number);
        assertEquals(2, workshop.lend(second).number);
        assertNull(workshop.tryTake());
        workshop.made.forEach(workshop.pool::put);
        workshop.assertPlaces(3);
    }

    @Test
    void aLowerMaximumDestroysIdleElementsAtOnceAndLentOnesWhenTheyComeBack() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(5);
        List<Tool> tools = workshop.take(5);
        workshop.pool.put(tools.get(0));
        workshop.pool.put(tools.get(1));
        workshop.pool.resize(2);
        assertEquals(Set.of(tools.get(0), tools.get(1)), Set.copyOf(workshop.destroyed));
        workshop.assertState(3, 0, 3);
        TestWaiter waiter = workshop.waiter("waiter");
        workshop.pool.put(tools.get(2));
        assertFalse(waiter.isResumed(), "one too many is still lent");
        assertTrue(tools.get(2).destroyed);
        workshop.pool.put(tools.get(3));
        assertSame(tools.get(3), workshop.lend(waiter));
        workshop.pool.put(tools.get(3));
        workshop.pool.put(tools.get(4));
        workshop.assertState(2, 2, 0);
        workshop.assertPlaces(2);
    }

    /** The clock is looked at between the two looks at the maximum. */
    @Test
    void aPlaceThatComesBackWhileTheMaximumFallsDisappears() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        List<Tool> tools = workshop.take(2);
        workshop.onClock = () -> workshop.pool.resize(1);
        workshop.pool.put(tools.get(0));
        assertEquals(tools.subList(0, 1), workshop.destroyed);
        workshop.pool.put(tools.get(1));
        workshop.assertState(1, 1, 0);
        workshop.assertPlaces(1);
    }

    @Test
    void emptyPlacesDisappearBeforeElementsAreDestroyed() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(5);
        List<Tool> tools = workshop.take(3);
        tools.forEach(workshop.pool::put);
        workshop.pool.resize(3);
        assertEquals(List.of(), workshop.destroyed);
        workshop.assertPlaces(3);
        workshop.pool.resize(1);
        assertEquals(2, workshop.destroyed.size());
        workshop.assertPlaces(1);
    }

    @Test
    void placesThatWereToDisappearStayWhenTheMaximumRisesAgain() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(4);
        List<Tool> tools = workshop.take(4);
        workshop.pool.resize(1);
        workshop.pool.resize(3);
        assertEquals(3, workshop.pool.maximum());
        tools.forEach(workshop.pool::put);
        assertEquals(1, workshop.destroyed.size());
        workshop.assertPlaces(3);
        workshop.pool.resize(3);
        workshop.pool.resize(6);
        workshop.assertPlaces(6);
    }

    @Test
    void invalidatedElementsAndFailedOnesCountForALowerMaximum() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(3);
        List<Tool> tools = workshop.take(2);
        workshop.onMake = () -> {
            workshop.pool.resize(1);
            throw new IllegalStateException();
        };
        assertThrows(IllegalStateException.class, workshop::tryTake);
        workshop.onMake = () -> {};
        workshop.pool.invalidate(tools.get(0));
        assertNull(workshop.tryTake());
        workshop.pool.put(tools.get(1));
        workshop.assertState(1, 1, 0);
        workshop.assertPlaces(1);
    }

    @Test
    void aSlotThatIsNotUsedCountsForALowerMaximum() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        List<Tool> tools = workshop.take(2);
        TestWaiter cancelled = workshop.waiter("cancelled");
        workshop.pool.put(tools.get(0));
        workshop.pool.resize(1);
        TestWaiter waiter = workshop.waiter("waiter");
        slot(cancelled).giveBack();
        assertEquals(List.of(tools.get(0)), workshop.destroyed);
        assertFalse(waiter.isResumed());
        workshop.pool.put(tools.get(1));
        assertSame(tools.get(1), workshop.lend(waiter));
        workshop.assertState(1, 0, 1);
    }

    @Test
    void thePlaceOfALentElementAboveTheMaximumIsNotFreeBeforeThatIsDestroyed() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        List<Tool> tools = workshop.take(2);
        workshop.pool.resize(1);
        List<Tool> lent = new ArrayList<>();
        workshop.onDestroy = tool -> {
            workshop.onDestroy = other -> {};
            workshop.pool.resize(2);
            lent.add(workshop.tryTake());
        };
        workshop.pool.put(tools.get(0));
        assertNull(lent.get(0), "two were alive");
        workshop.pool.put(tools.get(1));
        assertEquals(2, workshop.made.size());
        workshop.assertPlaces(2);
    }

    @Test
    void thePlaceOfAnIdleElementAboveTheMaximumIsNotFreeBeforeThatIsDestroyed() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        workshop.take(2).forEach(workshop.pool::put);
        List<Tool> lent = new ArrayList<>();
        workshop.onDestroy = tool -> {
            workshop.onDestroy = other -> {};
            workshop.pool.resize(2);
            lent.add(workshop.tryTake());
            lent.add(workshop.tryTake());
        };
        workshop.pool.resize(1);
        assertEquals(2, workshop.made.size(), "never more alive than the maximum");
        assertNull(lent.get(1));
        workshop.pool.put(lent.get(0));
        workshop.assertPlaces(2);
    }

    @Test
    void thePlaceOfAnElementThatIsBeingEvictedDoesNotDisappear() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(2, 10);
        List<Tool> tools = workshop.take(2);
        workshop.pool.put(tools.get(0));
        workshop.now = 9;
        workshop.pool.put(tools.get(1));
        List<Integer> idle = new ArrayList<>();
        workshop.onDestroy = tool -> {
            workshop.onDestroy = other -> {};
            workshop.pool.put(workshop.tryTake()); // comes to the evicted one, and moves it to the empty ones
            workshop.pool.resize(1);
            idle.add(workshop.pool.idle());
        };
        workshop.now = 10;
        workshop.pool.evictIdle();
        assertEquals(List.of(0), idle, "the one that was being destroyed was alive");
        assertEquals(2, workshop.destroyed.size());
        workshop.assertPlaces(1);
    }

    @Test
    void aMaximumIsPositiveAndNotOutOfBounds() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        for (int maximum : new int[] {0, -1, Integer.MIN_VALUE, (1 << 20) + 1, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> workshop.pool.resize(maximum));
            assertThrows(IllegalArgumentException.class, () -> ResourcePool.builder(maximum));
        }
        assertThrows(NullPointerException.class, () -> ResourcePool.builder(1, null));
        assertEquals(2, workshop.pool.maximum());
    }

    // Reports

    @Test
    void itSaysWhatIsLentAndToWhomAndSinceWhen() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(2);
        assertEquals(List.of(), workshop.pool.lent());
        Tool tool = workshop.tryTake("Anna");
        workshop.now = 7;
        workshop.pool.put(workshop.tryTake("Bert"));
        Lease<Tool> lent = workshop.pool.lent().get(0);
        assertEquals(1, workshop.pool.lent().size());
        assertSame(tool, lent.element());
        assertEquals("Anna", lent.borrower());
        assertEquals(Duration.ofNanos(7), lent.since());
        assertNull(lent.trace());
        assertThrows(
                UnsupportedOperationException.class, () -> workshop.pool.lent().add(lent));
        assertThrows(NullPointerException.class, () -> new Lease<>(tool, null, Duration.ZERO, null));
        assertThrows(NullPointerException.class, () -> new Lease<>(tool, "Anna", null, null));
    }

    @Test
    void itSaysWhatIsInIt() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(3);
        String name = "ResourcePool@" + Integer.toHexString(workshop.pool.hashCode());
        assertEquals(name + "[0 of 3, 0 idle, 0 waiting]", workshop.pool.toString());
        List<Tool> tools = workshop.take(3);
        TestWaiter waiter = workshop.waiter("waiter");
        List<Object> waiting = new ArrayList<>();
        workshop.pool.forEachWaiter(waiting::add);
        assertEquals(List.of(waiter), waiting);
        assertEquals(name + "[3 of 3, 0 idle, 1 waiting]", workshop.pool.toString());
        assertTrue(waiter.cancelNow());
        workshop.pool.put(tools.get(0));
        assertEquals(name + "[3 of 3, 1 idle, 0 waiting]", workshop.pool.toString());
        workshop.pool.close(null);
        assertEquals(name + "[2 of 3, 0 idle, 0 waiting, closed]", workshop.pool.toString());
    }

    /** The collector decides when; it is asked until it has. */
    @Test
    @Timeout(60)
    void anElementThatItsBorrowerHasDroppedIsReportedAndItsPlaceIsFree() throws InterruptedException {
        ResourcePoolFixture workshop = ResourcePoolFixture.tracking(2);
        Tool kept = workshop.tryTake("Anna");
        workshop.tryTake("Bert");
        workshop.made.clear();
        TestWaiter waiter = workshop.waiter("waiter");
        workshop.now = 5;
        while (workshop.dropped.isEmpty()) {
            System.gc();
            Thread.sleep(1); // for the thread of the JDK that enqueues what was collected
            workshop.pool.evictIdle();
        }
        assertEquals(1, workshop.dropped.size());
        Lease<Tool> report = workshop.dropped.get(0);
        assertNull(report.element());
        assertEquals("Bert", report.borrower());
        assertEquals(Duration.ofNanos(5), report.since());
        assertTrue(List.of(report.trace().getStackTrace()).toString().contains("ResourcePoolFixture.tryTake"));
        assertEquals(0, workshop.lend(waiter).number, "made in the place of the lost one");
        assertSame(
                kept,
                workshop.pool.lent().stream()
                        .filter(lent -> lent.borrower().equals("Anna"))
                        .findFirst()
                        .orElseThrow()
                        .element());
        workshop.pool.put(kept);
        workshop.pool.put(workshop.made.get(0));
        assertEquals(List.of(), workshop.destroyed, "nobody has it who could destroy it");
        assertEquals(2, workshop.pool.idle());
        kept = null;
        workshop.made.clear();
        collect();
        workshop.take(2);
        assertEquals(List.of(), workshop.made, "idle elements are kept");
        assertEquals(1, workshop.dropped.size());
    }

    @Test
    @Timeout(60)
    void aClockThatThrowsWhenADroppedElementIsReportedCostsNoPlace() throws InterruptedException {
        ResourcePoolFixture workshop = ResourcePoolFixture.tracking(1);
        workshop.tryTake("Bert");
        workshop.made.clear();
        Error thrown = new Error("no clock");
        try (Uncaught uncaught = new Uncaught()) {
            while (workshop.dropped.isEmpty()) {
                System.gc();
                Thread.sleep(1); // as above
                workshop.onClock = () -> {
                    throw thrown;
                };
                workshop.pool.evictIdle();
            }
            assertEquals(List.of(thrown), uncaught.seen);
        }
        assertEquals(Duration.ZERO, workshop.dropped.get(0).since());
        workshop.assertPlaces(1);
    }

    /** Until something that nobody has is gone; what the pool alone has is then gone as well, or kept by it. */
    private static void collect() {
        WeakReference<Object> nobodys = new WeakReference<>(new Object());
        while (nobodys.get() != null) {
            System.gc();
        }
    }

    @Test
    @Timeout(60)
    void aPoolThatDoesNotTrackKeepsItsElements() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.tryTake("Anna");
        workshop.made.clear();
        collect();
        workshop.pool.evictIdle();
        Tool tool = workshop.pool.lent().get(0).element();
        workshop.pool.put(tool);
        assertEquals(1, workshop.pool.idle());
    }

    // Closing

    @Test
    void closingDestroysIdleElementsAtOnceAndLentOnesWhenTheyComeBack() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(3);
        List<Tool> tools = workshop.take(3);
        TestWaiter waiter = workshop.waiter("waiter");
        assertTrue(waiter.cancelNow());
        workshop.pool.put(tools.get(0));
        workshop.pool.put(tools.get(1));
        assertTrue(workshop.pool.close(cause));
        assertTrue(workshop.pool.isClosed());
        assertFalse(workshop.pool.close(null));
        assertEquals(Set.of(tools.get(0), tools.get(1)), Set.copyOf(workshop.destroyed));
        workshop.assertState(1, 0, 1);
        assertClosed(cause, workshop::tryTake);
        workshop.pool.put(tools.get(2));
        workshop.assertState(0, 0, 0);
        assertThrows(IllegalArgumentException.class, () -> workshop.pool.put(tools.get(2)));
        workshop.pool.resize(5);
        workshop.pool.resize(1);
        assertClosed(cause, workshop::tryTake);
    }

    @Test
    void thoseWhoWaitFailAndOneWhoHasASlotIsServed() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        TestWaiter first = workshop.waiter("first");
        TestWaiter second = workshop.waiter("second");
        workshop.pool.put(tool);
        workshop.pool.close(cause);
        assertFailed(cause, second);
        assertSame(tool, workshop.lend(first));
        workshop.pool.put(tool);
        assertEquals(List.of(tool), workshop.destroyed);

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
    void anElementThatComesBackWhileThePoolIsClosedIsDestroyed() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        Tool tool = workshop.tryTake();
        workshop.onClock = () -> workshop.pool.close(cause);
        workshop.pool.put(tool);
        assertEquals(List.of(tool), workshop.destroyed);
        workshop.assertState(0, 0, 0);
    }

    /** A slot that was handed over is out of reach of an eviction. */
    @Test
    void theElementOfASlotThatWasTakenIsNotEvicted() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(2, 100);
        List<Tool> tools = workshop.take(2);
        TestWaiter waiter = workshop.waiter("waiter");
        tools.forEach(workshop.pool::put); // the first is handed over, the second is idle
        PoolSlot<Tool> slot = workshop.pool.tryTakeSlot();
        assertNull(workshop.pool.tryTakeSlot());
        workshop.assertState(2, 0, 0);
        workshop.now = 100;
        assertEquals(0, workshop.pool.evictIdle());
        slot(waiter).giveBack();
        slot.giveBack();
        workshop.assertState(2, 2, 0);
        assertEquals(2, workshop.pool.evictIdle(), "they have been idle all the time");
        workshop.assertPlaces(2);
    }

    /** The idle one is evicted first; its slot is not free before it is destroyed. */
    @Test
    void oneWhoseElementIsEvictedBeforeHeHasItMakesNoMoreThanThereArePlaces() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(2, 100);
        List<Tool> tools = workshop.take(2);
        TestWaiter waiter = workshop.waiter("waiter");
        tools.forEach(workshop.pool::put); // the first is handed over, the second is idle
        workshop.now = 100;
        workshop.onDestroy = first -> {
            workshop.onDestroy = second -> {};
            assertEquals(2, workshop.lend(waiter).number);
            assertEquals(2, workshop.destroyed.size(), "the other one was too old as well, and is gone");
        };
        assertEquals(1, workshop.pool.evictIdle());
        workshop.assertState(1, 0, 1);
        workshop.pool.put(workshop.made.get(2));
        workshop.assertPlaces(2);
    }

    @Test
    void closingWhileAnElementIsMadeLendsItAndDestroysItInTheEnd() {
        ResourcePoolFixture workshop = ResourcePoolFixture.of(1);
        workshop.onMake = () -> workshop.pool.close(cause);
        Tool tool = workshop.tryTake();
        workshop.assertState(1, 0, 1);
        workshop.pool.put(tool);
        workshop.assertState(0, 0, 0);
        assertEquals(List.of(tool), workshop.destroyed);
    }

    @Test
    void closingInTheMiddleOfAnEvictionDestroysEverythingOnce() {
        ResourcePoolFixture workshop = ResourcePoolFixture.evicting(3, 100);
        workshop.take(3).forEach(workshop.pool::put);
        workshop.now = 100;
        workshop.onDestroy = tool -> workshop.pool.close(cause);
        assertEquals(1, workshop.pool.evictIdle(), "the others were destroyed by the closing");
        assertEquals(3, workshop.destroyed.size());
        workshop.assertState(0, 0, 0);
    }
}
