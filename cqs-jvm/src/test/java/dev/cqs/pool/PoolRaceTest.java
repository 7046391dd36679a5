package dev.cqs.pool;

import static dev.cqs.pool.PoolKind.take;
import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.GivenUp;
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
 * Operations that meet in the middle of others, at points that the test chooses: between the count of a request and its
 * waiter, and between the store of a pool and its count.
 */
class PoolRaceTest {
    private final Throwable cause = new Throwable("the cause");

    /** A store that stops before each of its operations, once. */
    private static final class Stopping extends ElementStore<String> {
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
            throw new AssertionError("a pool knows before it takes");
        }
    }

    private final Stopping store = new Stopping();
    private final Pool<String> pool = new Pool<>(store);

    // put() and requests that begin to wait

    @Test
    void whoBeginsToWaitWhileAnElementIsPutGetsIt() {
        TestWaiter[] waiter = new TestWaiter[1];
        store.afterInsert = () -> {
            assertEquals(0, pool.size(), "not there before it is counted");
            assertNull(pool.tryTake());
            waiter[0] = take(pool, "waiter");
        };
        pool.put("one");
        assertEquals("one", waiter[0].value);
        assertEquals(0, pool.size());
        assertNull(pool.tryTake());
    }

    @Test
    void theElementOfOneWhoGivesUpWhileItIsOnItsWayIsNotLost() {
        TestWaiter[] waiter = new TestWaiter[1];
        store.afterInsert = () -> waiter[0] = take(pool, "waiter");
        store.beforeRetrieve = () -> assertTrue(waiter[0].cancelNow(), "it is still in its cell");
        pool.put("one");
        assertFalse(waiter[0].isResumed());
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
        assertEquals("one", pool.tryTake());
    }

    @Test
    void theElementOfOneWhoGivesUpGoesToTheNextWhoHasComeMeanwhile() {
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
    void anElementOnItsWayToARequestThatIsNotYetInItsCellStays() throws Exception {
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
        assertEquals("one", taker.get(10, TimeUnit.SECONDS), "starts again");
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

    /** The one who waits gets what is in the store; nobody gets the element that another is about to take out. */
    @Test
    void aPutThatServesLeavesAsManyElementsAsOthersMayTakeOut() {
        pool.put("one");
        TestWaiter[] waiter = new TestWaiter[1];
        String[] taken = new String[1];
        store.beforeRetrieve = () -> {
            store.afterInsert = () -> waiter[0] = take(pool, "waiter");
            pool.put("two"); // serves the waiter out of the store, in which the first element still is
        };
        taken[0] = pool.tryTake();
        assertEquals("one", waiter[0].value);
        assertEquals("two", taken[0]);
        assertEquals(0, pool.size());
    }

    @ParameterizedTest
    @EnumSource
    void anElementWhoseRequestIsNotYetInItsCellStaysAndTheRequestFindsIt(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter late = new TestWaiter("late");
        Object taken = take(pool, late, () -> {
            pool.put("one"); // waits for the request, then breaks its cell
            assertEquals(1, pool.size());
            assertEquals(0, pool.queueLength());
        });
        assertEquals("one", taken, "starts again");
        assertFalse(late.isResumed());
        assertEquals(0, pool.size());
    }

    /** The put has been counted for the request, which then has no waiter. */
    @ParameterizedTest
    @EnumSource
    void anElementPutForARequestWhoseWaiterCannotBeMadeStays(PoolKind kind) {
        Pool<String> pool = kind.make();
        GivenUp.in(newWaiter -> pool.take(null, newWaiter), () -> pool.put("one"));
        assertEquals(1, pool.size());
        assertEquals(0, pool.queueLength());
        assertEquals("one", pool.tryTake());
        TestWaiter waiter = take(pool, "behind the cells that were given up");
        pool.put("two");
        assertEquals("two", waiter.value);
    }

    /** The request is made again where its cell was broken; a waiter that is there is used again. */
    @Test
    void oneWaiterIsMadeForARequestHoweverOftenItStartsAgain() {
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
    void aBrokenCellIsNotInTheWayOfThoseBehindIt(PoolKind kind) {
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
                            pool.put("one"); // breaks two cells and stays
                            assertEquals("one", pool.tryTake());
                            waiters.add(take(pool, "meets the broken cells in the place of the two"));
                        }))),
                "as counted before");
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
    void anElementPutWhileThePoolIsClosedIsThereForDrain() {
        store.afterInsert = () -> {
            assertTrue(pool.close(cause));
            assertEquals(0, pool.drain(element -> {}), "it is not counted yet");
        };
        pool.put("one");
        assertEquals(1, pool.size());
        List<String> drained = new ArrayList<>();
        assertEquals(1, pool.drain(drained::add));
        assertEquals(List.of("one"), drained);
    }

    @Test
    void oneWhoMayTakeAnElementGetsItThoughThePoolIsClosedAndDrained() {
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
    void oneForWhomAnElementIsOnItsWayGetsItThoughThePoolIsClosed() {
        TestWaiter[] waiters = new TestWaiter[2];
        store.afterInsert = () -> {
            waiters[0] = take(pool, "first");
            waiters[1] = take(pool, "second");
        };
        store.beforeRetrieve = () -> {
            assertTrue(pool.close(cause)); // one resume is the put's, one the closing's
            assertFalse(waiters[0].cancelNow());
        };
        pool.put("one");
        assertFailed(cause, waiters[0]);
        assertEquals("one", waiters[1].value);
        assertEquals(0, pool.size());
        assertEquals(0, pool.queueLength());
    }

    @Test
    void theElementOfOneWhoGivesUpAfterTheCloseIsThereForDrain() {
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
    void oneWhoGivesUpWhileOthersFailStopsNobody(PoolKind kind) {
        Pool<String> pool = kind.make();
        TestWaiter first = take(pool, "first");
        TestWaiter second = take(pool, "second");
        TestWaiter third = take(pool, "third");
        first.onResume = value -> {
            assertTrue(second.cancelNow(), "its own resume is still to come");
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
    void aRequestThatIsCountedWhenThePoolIsClosedStartsAgainAndFails(PoolKind kind) {
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
    void oneWhoIsHandedAnElementMayCloseAndTheRestFails(PoolKind kind) {
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
