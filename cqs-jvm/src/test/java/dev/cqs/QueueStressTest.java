package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A million races of acquire, cancel and release on a small semaphore over the queue. Every permit is accounted for. */
@Tag("slow")
class QueueStressTest {
    private static final int RACES = 1_000_000;
    private static final int THREADS = 4;
    private static final int PERMITS = 2;

    @ParameterizedTest
    @MethodSource("dev.cqs.QueueTest#modes")
    void noPermitIsLostOrDoubled(ResumeMode resumeMode, CancellationMode cancellationMode) throws Exception {
        TinySemaphore semaphore = new TinySemaphore(resumeMode, cancellationMode, PERMITS);
        AtomicInteger holders = new AtomicInteger();
        AtomicLong cancelled = new AtomicLong();
        AtomicLong granted = new AtomicLong();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch start = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SplittableRandom random = new SplittableRandom(t);
            Thread thread = new Thread(() -> {
                start.countDown();
                while (start.getCount() > 0) {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < RACES / THREADS; i++) {
                    if (!semaphore.acquireFor(random.nextInt(64))) {
                        cancelled.incrementAndGet();
                        continue;
                    }
                    int now = holders.incrementAndGet();
                    if (now > PERMITS) {
                        throw new AssertionError(now + " holders of " + PERMITS + " permits");
                    }
                    granted.incrementAndGet();
                    for (int turn = random.nextInt(8); turn > 0; turn--) {
                        Thread.onSpinWait(); // holds the permit until others have queued up
                    }
                    holders.decrementAndGet();
                    semaphore.release();
                }
            });
            thread.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
        assertEquals(RACES, granted.get() + cancelled.get());
        assertTrue(cancelled.get() > 0 && granted.get() > 0, "acquires and cancellations have raced");
        for (int i = 0; i < PERMITS; i++) {
            assertTrue(semaphore.acquireFor(0), "permit " + i + " is lost");
        }
        assertTrue(!semaphore.acquireFor(0), "a permit was doubled");
        assertTrue(semaphore.queue.segments() <= 3, "few segments are left");
    }

    /** A semaphore whose waiters spin for a given number of turns and then cancel. */
    private static final class TinySemaphore {
        final TestQueue queue;
        private final AtomicLong free;

        TinySemaphore(ResumeMode resumeMode, CancellationMode cancellationMode, int permits) {
            free = new AtomicLong(permits);
            queue = new TestQueue(resumeMode, cancellationMode) {
                @Override
                protected boolean onCancellation(Waiter waiter) {
                    return free.getAndIncrement() < 0;
                }

                @Override
                protected void completeRefusedResume(Object value) {}
            };
        }

        boolean acquireFor(int turns) {
            while (free.getAndDecrement() <= 0) {
                TestWaiter waiter = new TestWaiter("waiter");
                if (!queue.suspend(waiter)) {
                    continue;
                }
                for (int turn = 0; turn < turns; turn++) {
                    if (waiter.isResumed()) {
                        return true;
                    }
                    Thread.onSpinWait();
                }
                if (waiter.cancelNow()) {
                    return false;
                }
                while (!waiter.isResumed()) {
                    Thread.onSpinWait();
                }
                return true;
            }
            return true;
        }

        void release() {
            while (free.getAndIncrement() < 0) {
                if (queue.resume(this)) {
                    return;
                }
            }
        }
    }
}
