package dev.cqs.threads;

import static dev.cqs.threads.FutureTarget.granted;
import static dev.cqs.threads.TestThreads.PATIENCE;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.FutureTarget.Kind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The dependents of a future run in the thread that releases, and release in turn. */
class FutureChainTest {
    private static final int MANY = 100_000;

    @ParameterizedTest
    @EnumSource
    void aHundredThousandDependentsThatReleaseDoNotGrowTheStack(Kind kind) throws Exception {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            CompletableFuture<Grant> future = target.request();
            if (i % 2 == 0) {
                future.thenAccept(Grant::close).thenRun(() -> order.add(number));
            } else {
                future.thenRun(() -> future.join().close()).thenRun(() -> order.add(number));
            }
        }
        onSmallStack(holder::close);
        assertEquals(MANY, order.size());
        for (int i = 0; i < MANY; i++) {
            assertEquals(i, order.get(i));
        }
        target.assertIdle();
    }

    @Test
    void dependentsOfRequestsOfDifferentSizesDoNotGrowTheStack() throws Exception {
        Semaphore semaphore = Semaphore.viewOf(dev.cqs.sync.Semaphore.bounded(3));
        semaphore.acquireUninterruptibly(3);
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < MANY; i++) {
            // the first requests are for one permit, so that some wait in unit mode at the upgrade
            semaphore.acquireAsync(i < 10 ? 1 : i % 4).thenAccept(grant -> {
                served.incrementAndGet();
                grant.close();
            });
        }
        onSmallStack(() -> semaphore.release(3));
        assertEquals(MANY, served.get());
        assertEquals(3, semaphore.availablePermits());
        assertEquals(0, semaphore.getQueueLength());
    }

    @ParameterizedTest
    @EnumSource
    void aDependentMayRequestAgainBeforeItReleasesAnyNumberOfTimes(Kind kind) throws Exception {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        int[] left = {MANY};
        Runnable[] again = new Runnable[1];
        again[0] = () -> target.request().thenAccept(grant -> {
            if (--left[0] > 0) {
                again[0].run(); // must wait for this grant
            }
            grant.close();
        });
        again[0].run();
        onSmallStack(holder::close);
        assertEquals(0, left[0]);
        target.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void closingFailsTenThousandFuturesWithDependents(Kind kind) throws Exception {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        AtomicInteger failed = new AtomicInteger();
        for (int i = 0; i < MANY / 10; i++) {
            target.request().whenComplete((grant, thrown) -> {
                assertEquals(null, grant);
                assertTrue(target.request().isCompletedExceptionally(), "a new request fails, too");
                failed.incrementAndGet();
            });
        }
        onSmallStack(() -> target.close(null));
        assertEquals(MANY / 10, failed.get());
        holder.close();
        target.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aDependentThatThrowsDoesNotAffectOtherRequests(Kind kind) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> first = target.waiting();
        CompletableFuture<Grant> second = target.waiting();
        CompletableFuture<Grant> third = target.waiting();
        Error error = new Error();
        CompletableFuture<Void> dependent = first.thenAccept(grant -> {
            grant.close();
            throw error;
        });
        second.thenAccept(Grant::close);
        second.thenRun(() -> {
            throw error;
        });
        holder.close();
        assertTrue(dependent.isCompletedExceptionally());
        assertFalse(first.isCompletedExceptionally());
        granted(third).close();
        target.assertIdle();
    }

    /** Runs {@code action} on a stack that a few hundred nested completions would overflow. */
    private static void onSmallStack(Runnable action) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        action.run();
                        end.complete(null);
                    } catch (Throwable t) {
                        end.completeExceptionally(t);
                    }
                },
                "small stack",
                256 * 1024);
        thread.setDaemon(true);
        thread.start();
        end.get(PATIENCE, NANOSECONDS);
    }

    // What a completed future keeps

    @ParameterizedTest
    @EnumSource
    void aCompletedFutureDoesNotKeepThePrimitive(Kind kind) {
        List<CompletableFuture<Grant>> ended = new ArrayList<>();
        WeakReference<Object> core = use(kind, ended);
        TestThreads.until("the primitive is collected", () -> {
            System.gc();
            return core.get() == null;
        });
        assertEquals(5, ended.size());
        ended.forEach(future -> assertTrue(future.isDone()));
    }

    /** Uses a primitive that is unreachable afterwards, and collects futures that have ended. */
    private static WeakReference<Object> use(Kind kind, List<CompletableFuture<Grant>> ended) {
        FutureTarget target = kind.make();
        ended.add(target.request());
        for (int i = 0; i < 3; i++) {
            ended.add(target.waiting());
        }
        granted(ended.get(0)).close();
        granted(ended.get(1)).close();
        granted(ended.get(2));
        assertTrue(ended.get(3).cancel(true));
        granted(ended.get(2)).close();
        Grant holder = target.hold();
        ended.add(target.waiting());
        target.close(null);
        holder.close();
        target.assertIdle();
        return new WeakReference<>(target.core());
    }
}
