package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.run;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.TestThreads.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads take and put concurrently, by all methods, interrupt each other, and resize and close the pools. No element has two
 * holders, and at the end each element is in its place, once.
 */
@Tag("slow")
class PoolStressTest {
    private static final int EACH = 40_000;
    private static final int CLOSINGS = 300;

    static List<ThreadKind> threads() {
        return ThreadKind.available();
    }

    private static final class Element {
        private final AtomicInteger holders = new AtomicInteger();
        private volatile boolean destroyed;

        void use(SplittableRandom random) {
            assertEquals(1, holders.incrementAndGet(), "the element has one holder");
            assertTrue(!destroyed, "the element is alive");
            for (int turns = random.nextInt(64); turns > 0; turns--) {
                Thread.onSpinWait();
            }
            if (random.nextInt(16) == 0) {
                Thread.yield();
            }
            assertEquals(0, holders.decrementAndGet());
        }
    }

    private interface Operation {
        void run(SplittableRandom random) throws Exception;
    }

    /** Runs {@code operation} {@code each} times in each thread, while the threads interrupt each other. */
    private static void race(ThreadKind kind, int threads, int each, Operation operation) {
        Thread[] all = new Thread[threads];
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int self = t;
            attempts.add(run(kind, () -> {
                SplittableRandom random = new SplittableRandom(self);
                all[self] = Thread.currentThread();
                try {
                    start.await();
                    for (int i = 0; i < each; i++) {
                        operation.run(random);
                        if (random.nextInt(8) == 0) {
                            all[random.nextInt(threads)].interrupt();
                        }
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }));
        }
        attempts.forEach(Attempt::isGranted);
    }

    /** Virtual threads take several times as long for an operation, so they do fewer. */
    private static int each(ThreadKind kind) {
        return kind == ThreadKind.VIRTUAL ? EACH / 8 : EACH;
    }

    private static Element take(BlockingPool<Element> pool, SplittableRandom random) {
        try {
            switch (random.nextInt(5)) {
                case 0:
                    return pool.take();
                case 1:
                    return pool.takeUninterruptibly();
                case 2:
                    return pool.tryTake();
                case 3:
                    CompletableFuture<Element> future = pool.takeAsync();
                    return future.isDone() || !future.cancel(true) ? future.get() : null;
                default:
                    return pool.poll(random.nextInt(8) == 0 ? 50_000 : 1, NANOSECONDS);
            }
        } catch (InterruptedException e) {
            return null;
        } catch (ExecutionException e) {
            throw (ClosedException) e.getCause();
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void allElementsAreBackAtTheEnd(ThreadKind kind) {
        for (int elements = 1; elements <= 3; elements++) {
            for (BlockingPool<Element> pool : List.of(BlockingPool.<Element>queue(), BlockingPool.<Element>stack())) {
                Set<Element> expected = fill(pool, elements);
                race(kind, 4, each(kind) / 6, random -> {
                    Element element = take(pool, random);
                    if (element != null) {
                        element.use(random);
                        pool.put(element);
                    }
                });
                assertAllIn(pool, expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void allElementsAreBackAtTheEndThoughThePoolIsClosed(ThreadKind kind) {
        for (int i = 0; i < CLOSINGS; i++) {
            BlockingPool<Element> pool = i % 2 == 0 ? BlockingPool.queue() : BlockingPool.stack();
            Set<Element> expected = fill(pool, 1 + i % 3);
            AtomicInteger until = new AtomicInteger(100);
            race(kind, 3, 60, random -> {
                if (until.decrementAndGet() == 0) {
                    assertTrue(pool.close());
                }
                try {
                    Element element = take(pool, random);
                    if (element != null) {
                        element.use(random);
                        pool.put(element);
                    }
                } catch (ClosedException e) {
                    assertTrue(pool.isClosed());
                }
            });
            assertTrue(pool.isClosed());
            assertAllIn(pool, expected);
        }
    }

    private static Set<Element> fill(BlockingPool<Element> pool, int elements) {
        Set<Element> all = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < elements; i++) {
            Element element = new Element();
            all.add(element);
            pool.put(element);
        }
        return all;
    }

    private static void assertAllIn(BlockingPool<Element> pool, Set<Element> expected) {
        assertEquals(0, pool.getQueueLength());
        assertEquals(expected.size(), pool.size());
        List<Element> drained = Collections.synchronizedList(new ArrayList<>());
        pool.drain(drained::add);
        assertEquals(expected, Set.copyOf(drained));
        assertEquals(expected.size(), drained.size());
    }

    /** A pool of resources that is used, resized, evicted from and finally closed. */
    private static final class Resources {
        final Set<Element> alive = ConcurrentHashMap.newKeySet();
        final AtomicInteger living = new AtomicInteger();
        final AtomicInteger destroyed = new AtomicInteger();
        final AtomicInteger invalidated = new AtomicInteger();
        final ResourcePool<Element> pool;

        private final int most;

        Resources(int maximum, int most, boolean stack) {
            this.most = most;
            dev.cqs.pool.ResourcePool.Builder<Element> builder = dev.cqs.pool.ResourcePool.builder(maximum, this::make);
            if (stack) {
                builder.stack();
            }
            pool = ResourcePool.viewOf(builder.destroyer(this::destroy)
                    .validator(element -> !element.destroyed && System.nanoTime() % 64 != 0)
                    .evictAfter(Duration.ofNanos(20_000))
                    .build());
        }

        private Element make() {
            if (System.nanoTime() % 32 == 0) {
                throw new IllegalStateException("none can be made");
            }
            assertTrue(living.incrementAndGet() <= most, "no more elements are alive than the maximum");
            Element element = new Element();
            alive.add(element);
            return element;
        }

        private void destroy(Element element) {
            assertEquals(0, element.holders.get(), "no element is destroyed while in use");
            assertTrue(alive.remove(element), "destroyed twice");
            element.destroyed = true;
            destroyed.incrementAndGet();
            living.decrementAndGet();
        }

        void operate(SplittableRandom random) throws InterruptedException {
            Element element;
            try {
                element = switch (random.nextInt(4)) {
                    case 0 -> pool.take();
                    case 1 -> pool.takeUninterruptibly();
                    case 2 -> pool.tryTake();
                    default -> pool.poll(random.nextInt(8) == 0 ? 50_000 : 1, NANOSECONDS);
                };
            } catch (InterruptedException | ClosedException e) {
                return;
            } catch (IllegalStateException e) {
                assertEquals("none can be made", e.getMessage());
                return;
            }
            if (element == null) {
                return;
            }
            element.use(random);
            if (random.nextInt(16) == 0) {
                invalidated.incrementAndGet();
                pool.invalidate(element);
            } else {
                pool.put(element);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void noMoreResourcesExistThanTheMaximumAndEachIsDestroyedOnce(ThreadKind kind) throws Exception {
        for (boolean stack : new boolean[] {false, true}) {
            Resources resources = new Resources(2, 4, stack);
            race(kind, 4, each(kind) / 4, random -> {
                switch (random.nextInt(64)) {
                    case 0 -> resources.pool.resize(1 + random.nextInt(4));
                    case 1 -> resources.pool.evictIdle();
                    default -> resources.operate(random);
                }
            });
            ResourcePool<Element> pool = resources.pool;
            assertEquals(0, pool.getQueueLength());
            assertEquals(List.of(), pool.lent());
            assertEquals(pool.size(), pool.idle());
            assertEquals(pool.size(), resources.alive.size());
            assertTrue(pool.size() <= pool.maximum(), pool.toString());
            assertEquals(pool.maximum(), pool.core().available(), "free places");
            assertTrue(resources.invalidated.get() > 0 && resources.destroyed.get() > resources.invalidated.get());
            pool.close();
            assertEquals(Set.of(), resources.alive);
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void aPoolThatIsClosedInUseHasNoElementsAtTheEnd(ThreadKind kind) {
        for (int i = 0; i < CLOSINGS; i++) {
            Resources resources = new Resources(1 + i % 3, 1 + i % 3, i % 2 == 0);
            AtomicInteger until = new AtomicInteger(100);
            race(kind, 3, 60, random -> {
                if (until.decrementAndGet() == 0) {
                    assertTrue(resources.pool.close());
                }
                resources.operate(random);
            });
            assertEquals(Set.of(), resources.alive);
            assertEquals(0, resources.pool.size());
            assertEquals(0, resources.pool.getQueueLength());
        }
    }
}
