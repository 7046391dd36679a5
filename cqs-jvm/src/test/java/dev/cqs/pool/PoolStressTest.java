package dev.cqs.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.WaitFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many short-lived pools. On each of them, threads take, cancel, refuse and put elements concurrently. Half of the pools are
 * closed meanwhile. At the end a pool has each of its elements once.
 */
@Tag("slow")
class PoolStressTest {
    private static final int THREADS = 3;
    private static final int LIVES = 5_000;
    private static final int STEPS_OF_A_LIFE = 16;

    /** An element that counts its holders. */
    private static final class Element {
        final AtomicInteger holders = new AtomicInteger();

        void isTaken() {
            assertEquals(1, holders.incrementAndGet(), "the element has one holder");
        }

        void isPut() {
            holders.decrementAndGet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void atTheEndAllElementsAreIdleAndNoThreadWaits(PoolKind kind) throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int life = 0; life < LIVES; life++) {
            Pool<Element> pool = kind.make();
            Set<Element> elements = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < 1 + life % 3; i++) {
                Element element = new Element();
                elements.add(element);
                pool.put(element);
            }
            boolean closing = life % 2 == 1;
            CountDownLatch start = new CountDownLatch(THREADS);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom((long) life * THREADS + t);
                int closeAt = closing && t == 0 ? random.nextInt(STEPS_OF_A_LIFE) : -1;
                Thread thread = new Thread(() -> live(pool, random, start, closeAt));
                thread.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join(60_000);
                assertTrue(!thread.isAlive(), "round " + life + " hangs: " + pool);
            }
            assertEquals(List.of(), failures, "life " + life);
            assertEquals(0, pool.queueLength(), "life " + life);
            assertEquals(closing, pool.isClosed(), "life " + life);
            assertEquals(elements.size(), pool.size(), "life " + life);
            pool.drain(element -> assertTrue(elements.remove(element), "twice"));
            assertEquals(Set.of(), elements, "life " + life);
        }
    }

    private static void live(Pool<Element> pool, SplittableRandom random, CountDownLatch start, int closeAt) {
        start.countDown();
        while (start.getCount() > 0) {
            Thread.yield();
        }
        for (int step = 0; step < STEPS_OF_A_LIFE; step++) {
            if (step == closeAt) {
                assertTrue(pool.close(null));
            }
            Element element;
            try {
                element = random.nextInt(8) == 0 ? pool.tryTake() : take(pool, random);
            } catch (ClosedException e) {
                continue;
            }
            if (element != null) {
                element.isTaken();
                for (int turn = random.nextInt(4); turn > 0; turn--) {
                    Thread.onSpinWait();
                }
                element.isPut();
                pool.put(element);
            }
        }
    }

    private static Element take(Pool<Element> pool, SplittableRandom random) {
        int fate = random.nextInt(8);
        if (fate == 0) {
            return takeWithoutWaiter(pool);
        }
        TestWaiter waiter = new TestWaiter("waiter");
        CountDownLatch gone = new CountDownLatch(1);
        if (fate == 1) { // refuses its resume, as a future that its user has completed does
            waiter.accepts = false;
            waiter.onResume = value -> gone.countDown();
        }
        Object taken = pool.take(waiter, TestWaiter.ITSELF);
        if (taken != waiter) {
            return (Element) taken;
        }
        int patience = fate < 5 ? random.nextInt(32) : Integer.MAX_VALUE;
        while (!waiter.isResumed() && gone.getCount() > 0) {
            if (patience-- == 0 && waiter.cancelNow()) {
                return null;
            }
            Thread.yield(); // on one processor, the holders of the elements must run
        }
        return waiter.value instanceof WaitFailure || !waiter.isResumed() ? null : (Element) waiter.value;
    }

    private static Element takeWithoutWaiter(Pool<Element> pool) {
        try {
            return (Element) pool.take(null, FactoryFailure.FACTORY);
        } catch (FactoryFailure e) {
            return null;
        }
    }
}
