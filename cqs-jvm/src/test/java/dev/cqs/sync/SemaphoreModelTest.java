package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Long random histories, one operation at a time, on a semaphore and on a model: the number of permits and a list of waiters.
 * With unit requests only, the semaphore stays in unit mode until it is closed; otherwise it is upgraded to weighted mode at
 * a random moment.
 */
class SemaphoreModelTest {
    private static final int LARGEST_MAXIMUM = 8;

    private final Random random = new Random();
    private Semaphore semaphore;
    private int maximum;
    private int permits;
    private Throwable cause;
    private final Deque<TestWaiter> queue = new ArrayDeque<>();
    private final List<TestWaiter> all = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void agreesWithANumberAndAList(int largest) {
        for (int seed = 0; seed < 300; seed++) {
            random.setSeed(seed);
            maximum = 1 + random.nextInt(LARGEST_MAXIMUM);
            int taken = random.nextInt(maximum + 1);
            semaphore = Semaphore.bounded(maximum, taken);
            permits = maximum - taken;
            cause = null;
            queue.clear();
            all.clear();
            int end = random.nextBoolean() ? random.nextInt(200) : 200; // half of them are closed on the way
            for (int i = 0; i < 200; i++) {
                String done = i == end ? close() : cause == null ? step(largest) : stepOnceClosed(largest);
                check("seed " + seed + ", operation " + i + ": " + done);
            }
        }
    }

    private String step(int largest) {
        int n = largest == 1 ? 1 : random.nextInt(largest + 1);
        switch (random.nextInt(largest == 1 ? 6 : 10)) {
            case 0:
            case 1:
                if (n > maximum) {
                    assertTooMany(() -> semaphore.acquire(n, null, FactoryFailure.FACTORY));
                } else {
                    acquire(n);
                }
                return "acquire " + n;
            case 2:
                if (n > maximum) {
                    assertTooMany(() -> semaphore.tryAcquire(n));
                    return "tryAcquire too many: " + n;
                }
                boolean got = permits >= n;
                permits -= got ? n : 0;
                assertEquals(got, n == 1 ? semaphore.tryAcquire() : semaphore.tryAcquire(n));
                return "tryAcquire " + n;
            case 3:
                release(n);
                return "release " + n;
            case 4:
                return cancel();
            case 5:
                if (n > maximum) {
                    assertTooMany(() -> semaphore.tryAcquireFairly(n));
                    return "tryAcquireFairly too many: " + n;
                }
                boolean fits = permits >= n && queue.isEmpty();
                permits -= fits ? n : 0;
                assertEquals(fits, semaphore.tryAcquireFairly(n));
                return "tryAcquireFairly " + n;
            case 6:
                permits -= n;
                semaphore.reducePermits(n);
                return "reduce " + n;
            case 7:
                int drained = Math.max(0, permits);
                permits -= drained;
                assertEquals(drained, semaphore.drainPermits());
                return "drain";
            default:
                return resize();
        }
    }

    private String close() {
        cause = new Throwable();
        assertEquals(true, semaphore.close(cause));
        for (TestWaiter waiter : queue) {
            assertFailed(cause, waiter);
        }
        queue.clear();
        return "close";
    }

    /** One of the operations that a closed semaphore still accepts or refuses. */
    private String stepOnceClosed(int largest) {
        int n = Math.min(maximum, random.nextInt(largest + 1));
        switch (random.nextInt(largest == 1 ? 7 : 8)) {
            case 0:
                assertClosed(cause, () -> semaphore.acquire(n, null, FactoryFailure.FACTORY));
                return "acquire " + n + " once closed";
            case 1:
                assertClosed(cause, () -> semaphore.tryAcquireFairly(n));
                return "tryAcquireFairly " + n + " once closed";
            case 2:
                assertClosed(cause, () -> semaphore.tryAcquire(n));
                return "tryAcquire " + n + " once closed";
            case 3:
                assertClosed(cause, semaphore::drainPermits);
                return "drain once closed";
            case 4:
                permits -= n;
                semaphore.reducePermits(n);
                return "reduce " + n + " once closed";
            case 5:
                assertEquals(false, semaphore.close(null));
                return cancel();
            case 7:
                return resize();
            default:
                release(n);
                return "release " + n + " once closed";
        }
    }

    private void acquire(int n) {
        TestWaiter waiter = new TestWaiter("waiter " + all.size() + " for " + n, n);
        all.add(waiter);
        if (queue.isEmpty() && permits >= n) {
            assertNull(semaphore.acquire(n, null, FactoryFailure.FACTORY));
            permits -= n;
            waiter.value = "at once";
        } else if (random.nextInt(20) == 0) {
            FactoryFailure.propagatesFrom(newWaiter -> semaphore.acquire(n, null, newWaiter));
            waiter.value = "given up";
        } else {
            queue.add(waiter);
            assertSame(waiter, semaphore.acquire(n, waiter, TestWaiter.ITSELF));
        }
    }

    private String resize() {
        int n = 1 + random.nextInt(LARGEST_MAXIMUM);
        permits += n - maximum;
        maximum = n;
        semaphore.resize(n);
        serve();
        return "resize to " + n;
    }

    private static void assertTooMany(Executable request) {
        String message = assertThrows(IllegalArgumentException.class, request).getMessage();
        assertTrue(message.contains("but the semaphore has no more than"), message);
    }

    private void release(int n) {
        if (permits + n > maximum) {
            assertThrows(IllegalStateException.class, () -> releaseNow(n));
        } else {
            releaseNow(n);
            permits += n;
            serve();
        }
    }

    private void releaseNow(int n) {
        if (n == 1) {
            semaphore.release();
        } else {
            semaphore.release(n);
        }
    }

    private String cancel() {
        if (all.isEmpty()) {
            return "nothing";
        }
        TestWaiter waiter = all.get(random.nextInt(all.size()));
        boolean waits = queue.remove(waiter);
        assertEquals(waits, waiter.cancelNow());
        serve();
        return "cancel " + waiter;
    }

    private void serve() {
        while (!queue.isEmpty()) {
            int need = queue.peek().weight();
            if (need > maximum) {
                assertEquals(new TooLarge(need, maximum), queue.remove().value);
            } else if (need <= permits) {
                assertSame(semaphore, queue.remove().value);
                permits -= need;
            } else {
                return;
            }
        }
    }

    private void check(String done) {
        assertEquals(cause != null, semaphore.isClosed(), done);
        assertEquals(permits, semaphore.availablePermits(), done);
        assertEquals(maximum, semaphore.maximum(), done);
        assertEquals(queue.size(), semaphore.queueLength(), done);
        List<Object> waiting = new ArrayList<>();
        semaphore.forEachWaiter(waiting::add);
        assertEquals(new ArrayList<>(queue), waiting, done);
        for (TestWaiter waiter : waiting.toArray(TestWaiter[]::new)) {
            assertEquals(null, waiter.value, done);
        }
    }
}
