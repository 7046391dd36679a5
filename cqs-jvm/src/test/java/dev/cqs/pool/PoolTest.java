package dev.cqs.pool;

import static dev.cqs.pool.PoolKind.take;
import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.Reachable;
import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operations of a pool, one at a time. Random histories are in {@link PoolModelTest}, races in {@link PoolRaceTest}. */
class PoolTest {
    private final Throwable cause = new Throwable("the cause");

    // Elements

    @Test
    void aQueueLendsElementsInFifoOrderAndAStackInLifoOrder() {
        Pool<Integer> queue = Pool.queue();
        Pool<Integer> stack = Pool.stack();
        for (int i = 0; i < 100; i++) { // several segments
            queue.put(i);
            stack.put(i);
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(i, queue.tryTake());
            assertEquals(99 - i, stack.tryTake());
        }
        assertNull(queue.tryTake());
        assertNull(stack.tryTake());
    }

    @ParameterizedTest
    @EnumSource
    void anObjectThatIsPutTwiceIsInThePoolTwice(PoolKind kind) {
        Pool<String> pool = kind.make();
        pool.put("one");
        pool.put("one");
        assertEquals(2, pool.size());
        assertEquals("one", pool.tryTake());
        assertEquals("one", pool.tryTake());
        assertNull(pool.tryTake());
    }

    @ParameterizedTest
    @EnumSource
    void nullWaitersAndFailuresAreRefusedAsElementsAndChangeNothing(PoolKind kind) {
        Pool<Object> pool = kind.make();
        TestWaiter waiter = take(pool, "waiter");
        assertEquals(
                "element",
                assertThrows(NullPointerException.class, () -> pool.put(null)).getMessage());
        String message = assertThrows(IllegalArgumentException.class, () -> pool.put(new TestWaiter("x")))
                .getMessage();
        assertEquals("an element must not be a waiter, but is x", message);
        Closed failure = new Closed("x", null);
        message = assertThrows(IllegalArgumentException.class, () -> pool.put(failure))
                .getMessage();
        assertEquals("an element must not be a failure, but is " + failure, message);
        assertThrows(NullPointerException.class, () -> pool.drain(null));
        assertFalse(waiter.isResumed());
        assertEquals(1, pool.queueLength());
        assertEquals(0, pool.size());
    }

    @ParameterizedTest
    @EnumSource
    void waitersAreServedInFifoOrderByBothKinds(PoolKind kind) {
        Pool<Integer> pool = kind.make();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiters.add(take(pool, "waiter " + i));
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(100 - i, pool.queueLength());
            pool.put(i);
            assertEquals(i, waiters.get(i).value);
            assertNull(pool.tryTake(), "it does not overtake an earlier request");
        }
        assertEquals(0, pool.queueLength());
    }

    @ParameterizedTest
    @EnumSource
    void anElementForACancelledWaiterGoesToTheNextOrStays(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter first = take(pool, "first");
        TestWaiter second = take(pool, "second");
        assertTrue(first.cancelNow());
        pool.put("one");
        assertEquals("one", second.value);
        assertFalse(second.cancelNow(), "too late");
        assertTrue(take(pool, "third").cancelNow());
        pool.put("two");
        assertEquals(1, pool.size());
        assertEquals("two", pool.tryTake());
    }

    /** As a future that its user has completed refuses its resume. */
    @ParameterizedTest
    @EnumSource
    void anElementThatAWaiterRefusesGoesToTheNextOrStays(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter gone = take(pool, "gone");
        TestWaiter next = take(pool, "next");
        TestWaiter alsoGone = take(pool, "also gone");
        gone.accepts = false;
        alsoGone.accepts = false;
        pool.put("one");
        assertEquals("one", next.value);
        pool.put("two");
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
        assertEquals("two", pool.tryTake());
    }

    /** As in a prompt cancellation: a coroutine is cancelled after the element was handed to it and before it runs. */
    @ParameterizedTest
    @EnumSource
    void anElementThatAResumedWaiterPutsBackIsNotLost(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter cancelled = take(pool, "cancelled");
        TestWaiter next = take(pool, "next");
        cancelled.onResume = element -> pool.put((String) element);
        next.onResume = element -> pool.put((String) element);
        pool.put("one");
        assertEquals("one", next.value);
        assertEquals(1, pool.size());
        assertEquals("one", pool.tryTake());
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWhoseFactoryThrowsTakesNoElement(PoolKind kind) {
        Pool<String> pool = kind.make();
        FactoryFailure.propagatesFrom(
                newWaiter -> pool.take(null, newWaiter), () -> assertEquals(1, pool.queueLength()));
        assertEquals(0, pool.queueLength());
        assertThrows(NullPointerException.class, () -> pool.take(null, TestWaiter.ITSELF));
        assertEquals(0, pool.queueLength());
        pool.put("one");
        assertEquals(1, pool.size());
        assertEquals("one", pool.tryTake());
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWhoseFactoryThrowsDelaysNoOther(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter first = take(pool, "first");
        FactoryFailure.propagatesFrom(newWaiter -> pool.take(null, newWaiter));
        TestWaiter second = take(pool, "second");
        assertEquals(2, pool.queueLength());
        pool.put("one");
        pool.put("two");
        assertEquals(List.of("one", "two"), List.of(first.value, second.value));
        assertEquals(0, pool.queueLength());
    }

    @ParameterizedTest
    @EnumSource
    void theFactoryGetsThePoolAndTheArgumentAndIsNotCalledIfAnElementIsIdle(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter waiter = new TestWaiter("waiter");
        assertSame(waiter, pool.take("argument", (same, argument) -> {
            assertSame(pool, same);
            assertEquals("argument", argument);
            return waiter;
        }));
        assertTrue(waiter.cancelNow());
        pool.put("one");
        assertEquals("one", pool.take(null, FactoryFailure.FACTORY));
        assertEquals(0, pool.size());
        assertEquals(0, pool.queueLength());
    }

    // Closing

    @ParameterizedTest
    @EnumSource
    void presentAndLaterRequestsFailWithTheCauseOfTheFirstClose(PoolKind kind) {
        Pool<String> pool = kind.make();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiters.add(take(pool, "waiter " + i));
        }
        assertTrue(waiters.remove(40).cancelNow());
        assertTrue(pool.close(cause));
        assertFalse(pool.close(new Throwable("another")));
        assertTrue(pool.isClosed());
        for (TestWaiter waiter : waiters) {
            assertFailed(cause, waiter);
            assertFalse(waiter.cancelNow(), "it has ended");
        }
        assertClosed(cause, pool::tryTake);
        assertClosed(cause, () -> pool.take(null, FactoryFailure.FACTORY));
        assertEquals(
                "the pool is closed",
                assertThrows(ClosedException.class, pool::tryTake).getMessage());
        assertEquals(0, pool.queueLength());
    }

    @ParameterizedTest
    @EnumSource
    void aClosedPoolKeepsItsElementsForDrain(PoolKind kind) {
        Pool<String> pool = kind.make();
        pool.put("before");
        pool.put("lent");
        String lent = kind == PoolKind.QUEUE ? "before" : "lent";
        assertSame(lent, pool.tryTake());
        pool.close(cause);
        assertEquals(1, pool.size());
        pool.put(lent);
        pool.put("new");
        assertEquals(3, pool.size());
        assertThrows(NullPointerException.class, () -> pool.put(null));
        assertClosed(cause, pool::tryTake);
        List<String> drained = new ArrayList<>();
        assertEquals(3, pool.drain(drained::add));
        assertEquals(Set.of("before", "lent", "new"), Set.copyOf(drained));
        assertEquals(0, pool.size());
        assertEquals(0, pool.drain(drained::add));
        pool.put("late");
        assertEquals(1, pool.drain(drained::add));
        assertEquals("late", drained.get(3));
    }

    /** Each of these operations changes, or tries to change, the word that holds the closed bit. */
    @ParameterizedTest
    @EnumSource
    void noOperationReopensAClosedPool(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter late = new TestWaiter("late");
        assertClosed(null, () -> take(pool, late, () -> closeAmongRequests(pool)));
        assertFalse(late.isResumed(), "the closing has broken its cell");
        assertEquals(0, pool.queueLength());
    }

    private static void closeAmongRequests(Pool<String> pool) {
        FactoryFailure.propagatesFrom(newWaiter -> pool.take(null, newWaiter), () -> {
            TestWaiter waiter = take(pool, "waiter");
            pool.close(null);
            waiter.cancelNow();
        });
        for (int i = 0; i < 10_000; i++) {
            assertClosed(null, () -> pool.take(null, FactoryFailure.FACTORY));
            assertClosed(null, pool::tryTake);
        }
        for (int i = 0; i < 20_000; i++) {
            pool.put("element");
            assertTrue(pool.isClosed());
        }
        assertClosed(null, pool::tryTake);
        assertEquals(20_000, pool.drain(element -> {}));
        assertFalse(pool.close(new Throwable("another")));
        assertClosed(null, () -> pool.take(null, FactoryFailure.FACTORY));
    }

    @ParameterizedTest
    @EnumSource
    void drainStopsWhereTheActionThrows(PoolKind kind) {
        Pool<Integer> pool = kind.make();
        for (int i = 0; i < 5; i++) {
            pool.put(i);
        }
        List<Integer> seen = new ArrayList<>();
        assertThrows(
                IllegalStateException.class,
                () -> pool.drain(element -> {
                    seen.add(element);
                    if (seen.size() == 2) {
                        throw new IllegalStateException();
                    }
                }));
        assertEquals(3, pool.size());
        assertEquals(3, pool.drain(seen::add));
        assertEquals(Set.of(0, 1, 2, 3, 4), Set.copyOf(seen));
        assertNull(pool.tryTake());
    }

    // Queries

    @ParameterizedTest
    @EnumSource
    void toStringShowsTheElementsAndTheWaiters(PoolKind kind) {
        Pool<String> pool = kind.make();
        pool.forEachWaiter(waiter -> assertNull(waiter));
        String name = "Pool@" + Integer.toHexString(pool.hashCode());
        assertEquals(name + "[0 idle, 0 waiting]", pool.toString());
        pool.put("one");
        assertEquals(name + "[1 idle, 0 waiting]", pool.toString());
        pool.tryTake();
        TestWaiter waiter = take(pool, "waiter");
        List<Waiter> waiting = new ArrayList<>();
        pool.forEachWaiter(waiting::add);
        assertEquals(List.of(waiter), waiting);
        assertEquals(name + "[0 idle, 1 waiting]", pool.toString());
        pool.close(cause);
        pool.put("one");
        assertEquals(name + "[1 idle, 0 waiting, closed]", pool.toString());
    }

    // What stays reachable

    @ParameterizedTest
    @EnumSource
    void aMillionElementsThatWerePutAndTakenAreNotReachable(PoolKind kind) {
        Pool<Object> pool = kind.make();
        List<Object> gone = new ArrayList<>();
        for (int i = 0; i < 1_000_000; i++) {
            Object element = new Object();
            if (i % 100_000 < 50) {
                gone.add(element);
            }
            pool.put(element);
            assertSame(element, pool.tryTake());
        }
        Set<Object> reachable = Reachable.from(pool);
        assertTrue(gone.stream().noneMatch(reachable::contains));
        assertTrue(reachable.size() < 20, () -> reachable.size() + " objects");
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(30)
    void aHundredThousandCancelledWaitersAreSkippedAndForgotten(PoolKind kind) {
        Pool<String> pool = kind.make();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            waiters.add(take(pool, "waiter"));
        }
        TestWaiter live = take(pool, "live");
        for (int i = waiters.size() - 1; i >= 0; i--) {
            assertTrue(waiters.get(i).cancelNow());
        }
        assertEquals(1, pool.queueLength());
        pool.put("one");
        assertEquals("one", live.value);
        waiters.clear();
        assertTrue(Reachable.from(pool).size() < 30, "the queue is short again");
    }
}
