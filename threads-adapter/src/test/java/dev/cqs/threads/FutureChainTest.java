package dev.cqs.threads;

import static dev.cqs.threads.FutureTarget.granted;
import static dev.cqs.threads.Waiting.PATIENCE;
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

/** What depends on a future runs in the releaser, and releases in its turn. */
class FutureChainTest {
    private static final int MANY = 100_000;

    @ParameterizedTest
    @EnumSource
    void aHundredThousandThatReleaseInPlaceDoNotGrowTheStack(Kind kind) throws Exception {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            CompletableFuture<Grant> future = asked.ask();
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
        asked.assertIdle();
    }

    @Test
    void neitherDoRequestsOfDifferentSizes() throws Exception {
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
    void oneThatAsksAgainBeforeItReleasesGoesOnForEver(Kind kind) throws Exception {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        int[] left = {MANY};
        Runnable[] again = new Runnable[1];
        again[0] = () -> asked.ask().thenAccept(grant -> {
            if (--left[0] > 0) {
                again[0].run(); // has to wait for this grant
            }
            grant.close();
        });
        again[0].run();
        onSmallStack(holder::close);
        assertEquals(0, left[0]);
        asked.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void closingFailsTenThousandWhoReactInPlace(Kind kind) throws Exception {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        AtomicInteger failed = new AtomicInteger();
        for (int i = 0; i < MANY / 10; i++) {
            asked.ask().whenComplete((grant, thrown) -> {
                assertEquals(null, grant);
                assertTrue(asked.ask().isCompletedExceptionally(), "asked again");
                failed.incrementAndGet();
            });
        }
        onSmallStack(() -> asked.close(null));
        assertEquals(MANY / 10, failed.get());
        holder.close();
        asked.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aDependentThatThrowsDisturbsNobody(Kind kind) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> first = asked.waiting();
        CompletableFuture<Grant> second = asked.waiting();
        CompletableFuture<Grant> third = asked.waiting();
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
        asked.assertIdle();
    }

    /** On a stack that a few hundred nested completions would overflow. */
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
        Waiting.until("the primitive is collected", () -> {
            System.gc();
            return core.get() == null;
        });
        assertEquals(5, ended.size());
        ended.forEach(future -> assertTrue(future.isDone()));
    }

    /** The ends of some futures, and a primitive that nobody else knows. */
    private static WeakReference<Object> use(Kind kind, List<CompletableFuture<Grant>> ended) {
        FutureTarget asked = kind.make();
        ended.add(asked.ask());
        for (int i = 0; i < 3; i++) {
            ended.add(asked.waiting());
        }
        granted(ended.get(0)).close();
        granted(ended.get(1)).close();
        granted(ended.get(2));
        assertTrue(ended.get(3).cancel(true));
        granted(ended.get(2)).close();
        Grant holder = asked.hold();
        ended.add(asked.waiting());
        asked.close(null);
        holder.close();
        asked.assertIdle();
        return new WeakReference<>(asked.core());
    }
}
