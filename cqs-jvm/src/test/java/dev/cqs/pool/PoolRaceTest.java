package dev.cqs.pool;

import static dev.cqs.pool.PoolKind.take;
import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.sync.ClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Operations that run in the middle of others, at points that the test chooses: after a request is counted and before its
 * waiter is enqueued; and between a change of a pool's store and that of its count.
 */
class PoolRaceTest {
    private final Throwable cause = new Throwable("the cause");

    /** A store that runs an action of the test before or after an operation, once. */
    private static final class HookedStore extends ElementStore<String> {
        private final ElementStore<String> store = new ElementQueue<>();
        Runnable beforeInsert = () -> {};
        Runnable afterInsert = () -> {};
        Runnable beforeRetrieve = () -> {};

        @Override
        void insert(String element) {
            Runnable before = beforeInsert;
            Runnable after = afterInsert;
            beforeInsert = () -> {};
            afterInsert = () -> {};
            before.run();
            store.insert(element);
            after.run();
        }

        @Override
        String takeReserved() {
            Runnable before = beforeRetrieve;
            beforeRetrieve = () -> {};
            before.run();
            return store.takeReserved();
        }

        @Override
        String poll() {
            throw new AssertionError("a pool reserves an element before it removes one");
        }
    }

    private final HookedStore store = new HookedStore();
    private final Pool<String> pool = new Pool<>(store);

    // A put while a request begins to wait

    @Test
    void aRequestThatBeginsToWaitDuringAPutGetsTheElement() {
        TestWaiter[] waiter = new TestWaiter[1];
        store.afterInsert = () -> {
            assertEquals(0, pool.size(), "an element is available only when it is counted");
            assertNull(pool.tryTake());
            waiter[0] = take(pool, "waiter");
        };
        pool.put("one");
        assertEquals("one", waiter[0].value);
        assertEquals(0, pool.size());
        assertNull(pool.tryTake());
    }

    @Test
    void theElementForAWaiterThatIsCancelledDuringThePutStaysInThePool() {
        TestWaiter[] waiter = new TestWaiter[1];
        store.afterInsert = () -> waiter[0] = take(pool, "waiter");
        store.beforeRetrieve =
                () -> assertTrue(waiter[0].cancelNow(), "it is still in its cell, so it can be cancelled");
        pool.put("one");
        assertFalse(waiter[0].isResumed());
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
        assertEquals("one", pool.tryTake());
    }

    @Test
    void theElementForAWaiterThatIsCancelledDuringThePutGoesToTheNextWaiter() {
        TestWaiter[] waiters = new TestWaiter[2];
        store.afterInsert = () -> waiters[0] = take(pool, "first");
        store.beforeRetrieve = () -> {
            assertTrue(waiters[0].cancelNow());
            waiters[1] = take(pool, "second");
        };
        pool.put("one");
        assertFalse(waiters[0].isResumed());
        assertEquals("one", waiters[1].value);
        assertEquals(0, pool.size());
        assertEquals(0, pool.queueLength());
    }

    @Test
    void anElementForARequestThatIsNotYetInItsCellStaysInThePool() throws Exception {
        CountDownLatch counted = new CountDownLatch(1);
        CountDownLatch isPut = new CountDownLatch(1);
        TestWaiter late = new TestWaiter("late");
        FutureTask<Object> taker = new FutureTask<>(() -> take(pool, late, () -> {
            counted.countDown();
            await(isPut);
        }));
        store.afterInsert = () -> {
            new Thread(taker).start();
            await(counted);
        };
        pool.put("one");
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
        isPut.countDown();
        assertEquals("one", taker.get(10, TimeUnit.SECONDS), "the request starts again and finds the element");
        assertFalse(late.isResumed());
        assertEquals(0, pool.size());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The waiter gets the element that is in the store already, and the caller that has reserved that one gets the other. */
    @Test
    void aPutThatServesAWaiterLeavesAnElementForEachReservation() {
        pool.put("one");
        TestWaiter[] waiter = new TestWaiter[1];
        String[] taken = new String[1];
        store.beforeRetrieve = () -> {
            store.afterInsert = () -> waiter[0] = take(pool, "waiter");
            pool.put("two"); // serves the waiter from the store, which still has the first element
        };
        taken[0] = pool.tryTake();
        assertEquals("one", waiter[0].value);
        assertEquals("two", taken[0]);
        assertEquals(0, pool.size());
    }

    @ParameterizedTest
    @EnumSource
    void aPutBreaksTheEmptyCellOfARequestThatThenFindsTheElement(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter late = new TestWaiter("late");
        Object taken = take(pool, late, () -> {
            pool.put("one"); // waits for the request, then breaks its cell
            assertEquals(1, pool.size());
            assertEquals(0, pool.queueLength());
        });
        assertEquals("one", taken, "the request starts again and finds the element");
        assertFalse(late.isResumed());
        assertEquals(0, pool.size());
    }

    /** The put is counted for the request, whose factory then throws. */
    @ParameterizedTest
    @EnumSource
    void anElementPutForARequestWhoseFactoryThrowsStaysInThePool(PoolKind kind) {
        Pool<String> pool = kind.make();
        FactoryFailure.propagatesFrom(newWaiter -> pool.take(null, newWaiter), () -> pool.put("one"));
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
        assertEquals("one", pool.tryTake());
        TestWaiter waiter = take(pool, "behind the cells of failed requests");
        pool.put("two");
        assertEquals("two", waiter.value);
    }

    /** A request whose cell was broken starts again with the waiter that it has. */
    @Test
    void theFactoryIsCalledOnceThoughTheRequestStartsAgain() {
        int[] made = new int[1];
        Object taken = pool.take(null, (same, nothing) -> {
            made[0]++;
            pool.put("one");
            pool.put("two"); // breaks the cell of this request, which finds an element when it starts again
            assertEquals("one", pool.tryTake());
            assertEquals("two", pool.tryTake());
            return new TestWaiter("made");
        });
        assertEquals(1, made[0]);
        TestWaiter waiter = (TestWaiter) taken;
        assertEquals(1, pool.queueLength());
        pool.put("three");
        assertEquals("three", waiter.value);
    }

    @ParameterizedTest
    @EnumSource
    void brokenCellsDoNotKeepLaterWaitersFromBeingServed(PoolKind kind) {
        Pool<String> pool = kind.make();
        List<TestWaiter> waiters = new ArrayList<>();
        TestWaiter first = new TestWaiter("first");
        TestWaiter second = new TestWaiter("second");
        assertSame(
                first,
                take(
                        pool,
                        first,
                        () -> assertSame(second, take(pool, second, () -> {
                            pool.put("one"); // breaks two cells and leaves the element in the pool
                            assertEquals("one", pool.tryTake());
                            waiters.add(take(pool, "finds the broken cells instead of the first two"));
                        }))),
                "it was counted, so it waits");
        waiters.addAll(List.of(second, first));
        assertEquals(3, pool.queueLength());
        for (int i = 0; i < 3; i++) {
            pool.put("element " + i);
            assertEquals("element " + i, waiters.get(i).value);
        }
        assertEquals(0, pool.queueLength());
    }

    // Closing

    @Test
    void anElementPutDuringTheClosingIsLeftForDrain() {
        store.afterInsert = () -> {
            assertTrue(pool.close(cause));
            assertEquals(0, pool.drain(element -> {}), "the element is not counted yet");
        };
        pool.put("one");
        assertEquals(1, pool.size());
        List<String> drained = new ArrayList<>();
        assertEquals(1, pool.drain(drained::add));
        assertEquals(List.of("one"), drained);
    }

    @Test
    void aCallerThatHasReservedAnElementGetsItThoughThePoolIsClosedAndDrained() {
        pool.put("one");
        pool.put("two");
        List<String> drained = new ArrayList<>();
        store.beforeRetrieve = () -> {
            assertTrue(pool.close(cause));
            assertEquals(1, pool.drain(drained::add));
        };
        String taken = pool.tryTake();
        assertEquals(List.of("one"), drained);
        assertEquals("two", taken);
        assertEquals(0, pool.size());
        assertClosed(cause, pool::tryTake);
    }

    @Test
    void anElementThatIsBeingHandedOverReachesAWaiterThoughThePoolIsClosed() {
        TestWaiter[] waiters = new TestWaiter[2];
        store.afterInsert = () -> {
            waiters[0] = take(pool, "first");
            waiters[1] = take(pool, "second");
        };
        store.beforeRetrieve = () -> {
            assertTrue(pool.close(cause)); // the put resumes one waiter, the closing the other
            assertFalse(waiters[0].cancelNow());
        };
        pool.put("one");
        assertFailed(cause, waiters[0]);
        assertEquals("one", waiters[1].value);
        assertEquals(0, pool.size());
        assertEquals(0, pool.queueLength());
    }

    @Test
    void theElementForAWaiterThatIsCancelledAfterTheCloseIsLeftForDrain() {
        TestWaiter[] waiter = new TestWaiter[1];
        store.afterInsert = () -> waiter[0] = take(pool, "waiter");
        store.beforeRetrieve = () -> {
            assertTrue(pool.close(cause));
            assertTrue(waiter[0].cancelNow());
        };
        pool.put("one");
        assertFalse(waiter[0].isResumed());
        assertEquals(1, pool.size());
        List<String> drained = new ArrayList<>();
        assertEquals(1, pool.drain(drained::add));
        assertEquals(List.of("one"), drained);
    }

    @ParameterizedTest
    @EnumSource
    void aCancellationDuringTheClosingStopsNoOtherWaiterFromFailing(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter first = take(pool, "first");
        TestWaiter second = take(pool, "second");
        TestWaiter third = take(pool, "third");
        first.onResume = value -> {
            assertTrue(second.cancelNow(), "the closing has not resumed it yet");
            pool.put("one");
            assertClosed(cause, pool::tryTake);
        };
        assertTrue(pool.close(cause));
        assertFailed(cause, first);
        assertFalse(second.isResumed());
        assertFailed(cause, third);
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
    }

    @ParameterizedTest
    @EnumSource
    void aRequestCountedBeforeTheCloseFails(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter[] behind = new TestWaiter[1];
        TestWaiter late = new TestWaiter("late");
        try {
            assertSame(late, take(pool, late, () -> {
                behind[0] = take(pool, "behind");
                assertTrue(pool.close(cause));
            }));
            assertFailed(cause, late);
        } catch (ClosedException e) {
            assertSame(cause, e.getCause());
        }
        assertFailed(cause, behind[0]);
        assertEquals(0, pool.queueLength());
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterMayCloseThePoolAsItIsResumedAndTheOthersFail(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter first = take(pool, "first");
        TestWaiter second = take(pool, "second");
        first.onResume = value -> assertTrue(pool.close(cause));
        pool.put("one");
        assertSame("one", first.value);
        assertFailed(cause, second);
        pool.put("one");
        assertEquals(1, pool.drain(element -> {}));
    }
}
