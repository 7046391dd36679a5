package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.pool.Lease;
import dev.cqs.pool.Pool;
import dev.cqs.sync.ClosedException;
import dev.cqs.threads.TestThreads.Attempt;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pools for threads offer beyond taking and putting: use of an element, futures, queries, shared cores. */
class PoolViewsTest {
    static List<ThreadKind> threads() {
        return ThreadKind.available();
    }

    private static BlockingPool<String> of(String... elements) {
        BlockingPool<String> pool = BlockingPool.queue();
        List.of(elements).forEach(pool::put);
        return pool;
    }

    // Using

    @Test
    void useLendsAnElementAndPutsItBackWhateverHappens() throws Exception {
        BlockingPool<String> pool = of("one");
        assertEquals(3, pool.use(String::length));
        assertEquals(1, pool.size());
        AtomicReference<String> seen = new AtomicReference<>();
        pool.run(seen::set);
        assertEquals("one", seen.get());
        assertEquals(1, pool.size());
        IOException thrown = new IOException();
        assertSame(
                thrown,
                assertThrows(
                        IOException.class,
                        () -> pool.use(element -> {
                            assertEquals(0, pool.size());
                            throw thrown;
                        })));
        assertEquals(1, pool.size());
        assertSame(
                thrown,
                assertThrows(
                        IOException.class,
                        () -> pool.run(element -> {
                            throw thrown;
                        })));
        assertEquals(1, pool.size());
        assertThrows(NullPointerException.class, () -> pool.use(null));
        assertThrows(NullPointerException.class, () -> pool.run(null));
        assertEquals(3, pool.withElement(String::length));
        assertThrows(NullPointerException.class, () -> pool.withElement(null));
        assertEquals(1, pool.size());
    }

    @Test
    void useOfResourcesPutsBackOrInvalidates() throws Exception {
        AtomicInteger made = new AtomicInteger();
        ResourcePool<Integer> pool = ResourcePool.of(2, () -> 1000 + made.incrementAndGet());
        assertEquals(1001, (int) pool.use(element -> element));
        assertEquals(1, pool.idle());
        pool.run(element -> assertEquals(0, pool.idle()));
        IOException thrown = new IOException();
        assertSame(
                thrown,
                assertThrows(
                        IOException.class,
                        () -> pool.use(element -> {
                            throw thrown;
                        })));
        assertSame(
                thrown,
                assertThrows(
                        IOException.class,
                        () -> pool.run(element -> {
                            pool.invalidate(element);
                            throw thrown;
                        })));
        assertEquals(0, pool.size());
        pool.run(pool::invalidate);
        assertEquals(0, pool.size());
        assertEquals(1003, (int) pool.use(element -> element));
        assertThrows(NullPointerException.class, () -> pool.use(null));
        assertThrows(NullPointerException.class, () -> pool.run(null));
        assertEquals(1003, (int) pool.withElement(element -> element));
        assertThrows(NullPointerException.class, () -> pool.withElement(null));
        assertEquals(1, pool.idle());
    }

    /** A pool that waited in slices of time, with a new request for each, would lose the order of the waiters. */
    @ParameterizedTest
    @MethodSource("threads")
    void waitersKeepTheirOrderAfterSpuriousWakeUps(ThreadKind kind) {
        BlockingPool<String> pool = BlockingPool.queue();
        ResourcePool<String> resources = ResourcePool.of(1, () -> "one");
        String one = resources.tryTake();
        List<Attempt> inPool = new ArrayList<>();
        List<Attempt> inResources = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            inPool.add(queued(kind, () -> pool.poll(LONG, NANOSECONDS) != null, pool::getQueuedThreads));
            inResources.add(queued(kind, () -> resources.poll(LONG, NANOSECONDS) != null, resources::getQueuedThreads));
        }
        long start = System.nanoTime();
        until("time has passed", () -> {
            inPool.forEach(attempt -> LockSupport.unpark(attempt.thread));
            inResources.forEach(attempt -> LockSupport.unpark(attempt.thread));
            assertOrder(inPool, pool.getQueuedThreads());
            assertOrder(inResources, resources.getQueuedThreads());
            return System.nanoTime() - start > 2 * SHORT;
        });
        pool.put("one");
        inPool.get(0).isGranted();
        resources.put(one);
        inResources.get(0).isGranted();
        assertOrder(inPool.subList(1, 4), pool.getQueuedThreads());
        assertOrder(inResources.subList(1, 4), resources.getQueuedThreads());
        pool.close();
        resources.close();
    }

    private static Attempt queued(ThreadKind kind, Callable<Boolean> entry, Supplier<Collection<Thread>> queue) {
        Attempt attempt = TestThreads.start(kind, entry, () -> {});
        until("it waits", () -> queue.get().contains(attempt.thread));
        return attempt;
    }

    private static void assertOrder(List<Attempt> expected, Collection<Thread> queue) {
        assertEquals(expected.stream().map(attempt -> attempt.thread).toList(), List.copyOf(queue));
    }

    // Elements

    /** A pool must not confuse a thread that is an element with a thread that waits. */
    @ParameterizedTest
    @MethodSource("threads")
    void aThreadCanWaitForAnElementThatIsAThread(ThreadKind kind) {
        BlockingPool<Thread> pool = BlockingPool.queue();
        AtomicReference<Thread> got = new AtomicReference<>();
        Attempt waiter = TestThreads.start(
                kind,
                () -> {
                    got.set(pool.take());
                    return true;
                },
                () -> {});
        until("it waits", () -> pool.getQueuedThreads().contains(waiter.thread));
        pool.put(waiter.thread);
        waiter.isGranted();
        assertSame(waiter.thread, got.get());
    }

    @ParameterizedTest
    @MethodSource("threads")
    void aFutureCanWaitForAnElementThatIsAThread(ThreadKind kind) {
        BlockingPool<Thread> pool = BlockingPool.stack();
        CompletableFuture<Thread> future = pool.takeAsync();
        Attempt other = TestThreads.start(kind, () -> true, () -> {});
        pool.put(other.thread);
        assertSame(other.thread, future.join());
        pool.put(other.thread);
        assertSame(other.thread, pool.takeUninterruptibly());
        other.isGranted();
    }

    @Test
    void badElementsAndTimeoutsAreRefused() {
        BlockingPool<String> pool = of("one");
        assertThrows(NullPointerException.class, () -> pool.put(null));
        assertThrows(NullPointerException.class, () -> pool.poll(1, null));
        assertThrows(NullPointerException.class, () -> BlockingPool.viewOf(null));
        assertThrows(NullPointerException.class, () -> ResourcePool.viewOf(null));
        assertThrows(IllegalArgumentException.class, () -> ResourcePool.of(0, Object::new));
        assertEquals(1, pool.size());
    }

    @Test
    void viewsOfOneCoreShareTheElementsAndTheQueue() throws InterruptedException {
        Pool<String> core = Pool.stack();
        BlockingPool<String> one = BlockingPool.viewOf(core);
        BlockingPool<String> other = BlockingPool.viewOf(core);
        assertSame(core, one.core());
        one.put("one");
        other.put("two");
        assertEquals("two", one.take());
        assertEquals("one", other.poll(1, NANOSECONDS));
        assertTrue(one.toString().endsWith("[Idle = 0, waiting = 0]"), one.toString());
        Attempt waiter = TestThreads.start(ThreadKind.PLATFORM, () -> one.take() != null, () -> {});
        until("it waits", () -> other.getQueuedThreads().contains(waiter.thread));
        assertTrue(other.hasQueuedThreads());
        assertTrue(one.toString().endsWith("[Idle = 0, waiting = 1]"), one.toString());
        core.put("three");
        waiter.isGranted();
        assertTrue(other.close());
        assertFalse(one.close());
        assertTrue(one.isClosed());
        other.put("three");
        List<String> drained = new ArrayList<>();
        assertEquals(1, one.drain(drained::add));
        assertEquals(List.of("three"), drained);
    }

    // Resources

    @Test
    void queriesOfAPoolOfResourcesShowItsCore() throws InterruptedException {
        dev.cqs.pool.ResourcePool<Object> core =
                dev.cqs.pool.ResourcePool.builder(2, Object::new).build();
        ResourcePool<Object> pool = ResourcePool.viewOf(core);
        assertSame(core, pool.core());
        Object element = pool.take();
        Lease<Object> lent = pool.lent().get(0);
        assertSame(element, lent.element());
        assertEquals(Thread.currentThread().getName(), lent.borrower());
        pool.resize(3);
        assertEquals(3, pool.maximum());
        assertEquals(1, pool.size());
        assertEquals(0, pool.idle());
        assertEquals(0, pool.evictIdle());
        assertTrue(pool.toString().endsWith("[Size = 1 of 3, idle = 0, waiting = 0]"), pool.toString());
        assertThrows(IllegalArgumentException.class, () -> pool.put(new Object()));
        pool.put(element);
        assertThrows(IllegalStateException.class, () -> pool.put(element));
        assertTrue(pool.close());
        assertFalse(pool.close());
        assertTrue(pool.isClosed());
        assertEquals(0, pool.size());
    }

    /** In a stack the oldest elements are at the bottom, where no borrower finds them. */
    @Test
    void everyMethodThatBorrowsEvictsElementsThatAreIdleForTooLong() throws InterruptedException {
        for (AcquireVariant by : EnumSet.of(
                AcquireVariant.TAKE,
                AcquireVariant.TAKE_UNINTERRUPTIBLY,
                AcquireVariant.TRY_TAKE,
                AcquireVariant.POLL)) {
            AtomicLong clock = new AtomicLong();
            List<Object> destroyed = new ArrayList<>();
            ResourcePool<Object> pool = ResourcePool.viewOf(dev.cqs.pool.ResourcePool.<Object>builder(2, Object::new)
                    .stack()
                    .destroyer(destroyed::add)
                    .evictAfter(Duration.ofNanos(100))
                    .nanoTime(clock::get)
                    .build());
            Object old = pool.tryTake();
            Object young = pool.tryTake();
            pool.put(old);
            clock.set(60);
            pool.put(young);
            clock.set(120);
            Object taken = switch (by) {
                case TAKE -> pool.take();
                case TAKE_UNINTERRUPTIBLY -> pool.takeUninterruptibly();
                case TRY_TAKE -> pool.tryTake();
                default -> pool.poll(1, NANOSECONDS);
            };
            assertSame(young, taken);
            assertEquals(List.of(old), destroyed, by.name());
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void theBorrowerIsRecordedByName(ThreadKind kind) {
        ResourcePool<Object> pool = ResourcePool.of(1, Object::new);
        Attempt named = TestThreads.start(kind, () -> pool.take() != null, () -> {});
        named.isGranted();
        assertEquals(named.thread.getName(), pool.lent().get(0).borrower());
        pool.put(pool.lent().get(0).element());
        Attempt nameless = TestThreads.start(
                kind,
                () -> {
                    Thread.currentThread().setName("");
                    return pool.take() != null;
                },
                () -> {});
        nameless.isGranted();
        assertFalse(pool.lent().get(0).borrower().isEmpty());
    }

    /** The factory blocks in one thread. Other threads take idle elements and make new ones. */
    @ParameterizedTest
    @MethodSource("threads")
    void aFactoryThatBlocksDelaysNoOtherThread(ThreadKind kind) {
        java.util.concurrent.CountDownLatch inFactory = new java.util.concurrent.CountDownLatch(1);
        java.util.concurrent.CountDownLatch goOn = new java.util.concurrent.CountDownLatch(1);
        AtomicInteger made = new AtomicInteger();
        ResourcePool<Integer> pool = ResourcePool.of(2, () -> {
            int number = made.incrementAndGet();
            if (number == 1) {
                inFactory.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return number;
        });
        Attempt slow = TestThreads.start(kind, () -> pool.take() == 1, () -> {});
        until("it is in the factory", () -> inFactory.getCount() == 0);
        Integer quick = pool.tryTake();
        assertEquals(2, quick);
        Attempt waiter = TestThreads.start(kind, () -> pool.take().equals(quick), () -> {});
        until("it waits", () -> pool.getQueuedThreads().contains(waiter.thread));
        pool.put(quick);
        waiter.isGranted();
        goOn.countDown();
        slow.isGranted();
    }

    // Futures

    @Test
    void aFutureGetsAnElementInFifoOrder() {
        BlockingPool<String> pool = of("one");
        CompletableFuture<String> atOnce = pool.takeAsync();
        assertEquals("one", atOnce.join());
        CompletableFuture<String> first = pool.takeAsync();
        CompletableFuture<String> cancelled = pool.takeAsync();
        CompletableFuture<String> last = pool.takeAsync();
        assertEquals(3, pool.getQueueLength());
        assertTrue(cancelled.cancel(true));
        assertEquals(2, pool.getQueueLength());
        pool.put("two");
        assertEquals("two", first.join());
        assertFalse(last.isDone());
        assertFalse(first.cancel(true));
        pool.put("three");
        assertEquals("three", last.join());
        assertEquals(0, pool.size());
    }

    @Test
    void anElementForAFutureThatItsUserHasCompletedStaysInThePool() {
        BlockingPool<String> pool = BlockingPool.stack();
        CompletableFuture<String> gone = pool.takeAsync();
        CompletableFuture<String> timedOut = pool.takeAsync().orTimeout(1, TimeUnit.NANOSECONDS);
        assertTrue(gone.complete("mine"));
        until("it has left the queue", () -> timedOut.isDone() && pool.getQueueLength() == 0);
        pool.put("one");
        assertEquals(1, pool.size());
        assertEquals("mine", gone.join());
        assertEquals("one", pool.tryTake());
    }

    /** A dependent of another future completes this one between the put that serves it and its completion. */
    @Test
    void anElementWhoseFutureIsCompletedAsItIsServedGoesBack() {
        BlockingPool<String> pool = BlockingPool.queue();
        CompletableFuture<String> first = pool.takeAsync();
        CompletableFuture<String> second = pool.takeAsync();
        first.thenAccept(element -> {
            pool.put("two"); // serves the second future, which the trampoline completes later
            assertFalse(second.isDone());
            second.complete("mine");
        });
        pool.put("one");
        assertEquals("mine", second.join());
        assertEquals("two", pool.tryTake());
        assertNull(pool.tryTake());
    }

    @Test
    void closingFailsTheFutures() {
        BlockingPool<String> pool = BlockingPool.queue();
        CompletableFuture<String> waiting = pool.takeAsync();
        Throwable cause = new Throwable();
        pool.core().close(cause);
        for (CompletableFuture<String> future : List.of(waiting, pool.takeAsync())) {
            Throwable thrown =
                    assertThrows(CompletionException.class, future::join).getCause();
            assertSame(ClosedException.class, thrown.getClass());
            assertSame(cause, thrown.getCause());
        }
    }

    @Test
    void aHundredThousandDependentsThatPutDoNotGrowTheStack() {
        BlockingPool<String> pool = BlockingPool.queue();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 100_000; i++) {
            int number = i;
            pool.takeAsync().thenAccept(element -> {
                order.add(number);
                pool.put(element);
            });
        }
        pool.put("one");
        assertEquals(100_000, order.size());
        for (int i = 0; i < order.size(); i++) {
            assertEquals(i, order.get(i));
        }
        assertEquals("one", pool.tryTake());
    }
}
