package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A stack overflow in an operation that waits or hands over: the operation completes, or throws and changes nothing. With
 * {@code -Ddev.cqs.stackFrames=1} the check for enough stack has no effect.
 */
@Timeout(60)
class StackOverflowTest {
    private static final int STACK = 256 << 10;
    private static final int OVERFLOWS = 150;

    private static int sink;

    /** An operation that a stack overflow may end. */
    private interface Operation {
        void run() throws InterruptedException;
    }

    @Test
    void aTimedOutLockLeavesNoRequestBehind() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        overflow(() -> assertFalse(lock.tryLock(1, TimeUnit.NANOSECONDS)));
        assertEquals(0, lock.getQueueLength());
        lock.unlock();
        assertTrue(lock.tryLock());
    }

    @Test
    void aTimedAcquireOfSeveralLeavesNoRequestBehind() throws Exception {
        Semaphore semaphore = new Semaphore(1);
        overflow(() -> assertFalse(semaphore.tryAcquire(2, 1, TimeUnit.NANOSECONDS)));
        assertEquals(0, semaphore.getQueueLength());
        assertTrue(semaphore.tryAcquire());
    }

    @Test
    void aReleaseServesAWaiterOrThrows() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        List<CompletableFuture<Grant>> waiting = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            waiting.add(semaphore.acquireAsync());
        }
        int[] released = {0};
        overflow(() -> {
            semaphore.release();
            released[0]++;
        });
        int served = Math.min(released[0], waiting.size());
        assertEquals(served, waiting.stream().filter(CompletableFuture::isDone).count());
        assertEquals(released[0] - served, semaphore.availablePermits());
        assertEquals(waiting.size() - served, semaphore.getQueueLength());
    }

    @Test
    void anUnlockServesAWaiterOrThrows() throws Exception {
        Mutex mutex = new Mutex();
        Queue<CompletableFuture<Grant>> waiting = new ArrayDeque<>();
        for (int i = 0; i < 100_000; i++) {
            waiting.add(mutex.lockAsync());
        }
        overflow(() -> {
            if (waiting.size() > 1) { // the number depends on the size of compiled frames
                waiting.element().join().close(); // if this throws, the holder still holds it
                waiting.remove();
            }
        });
        assertTrue(waiting.element().isDone());
        assertEquals(1, waiting.stream().filter(CompletableFuture::isDone).count());
        assertEquals(waiting.size() - 1, mutex.getQueueLength());
    }

    @Test
    void aTimedOutReaderLeavesNeitherARequestNorTheListLockBehind() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.writeLock().lock();
        overflow(() -> assertFalse(lock.readLock().tryLock(1, TimeUnit.NANOSECONDS)));
        assertEquals(0, lock.getQueueLength());
        lock.writeLock().unlock();
        overflow(() -> {
            ReentrantReadWriteLock.ReadLock reading = lock.readLock();
            reading.lock();
        });
        assertTrue(lock.core().readLockCount() > 0);
    }

    @Test
    void aSignalMovesAWaiterOrThrows() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        java.util.concurrent.locks.Condition condition = lock.newCondition();
        overflow(() -> {
            lock.lock();
            try {
                assertTrue(condition.awaitNanos(1) <= 0);
                condition.signal();
            } finally {
                unlockLater(lock);
            }
        });
        while (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
        assertEquals(0, lock.getQueueLength());
    }

    /** The stack may end in a finally block before its unlock. That is not under test, so another thread unlocks. */
    private static void unlockLater(ReentrantLock lock) {
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    @Test
    void aLatchIsOpenedForAllWaiters() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        overflow(() -> assertFalse(latch.await(1, TimeUnit.NANOSECONDS)));
        assertEquals(0, latch.core().queueLength());
        latch.countDown();
        assertTrue(latch.await(1, TimeUnit.NANOSECONDS));
    }

    @Test
    void aPutServesAWaiterOrLeavesTheElementWithTheCaller() throws Exception {
        BlockingPool<Integer> pool = BlockingPool.queue();
        overflow(() -> assertEquals(null, pool.poll(1, TimeUnit.NANOSECONDS)));
        assertEquals(0, pool.getQueueLength());
        pool.put(1);
        assertNotNull(pool.poll(1, TimeUnit.SECONDS));
    }

    @Test
    void aTimedOutOfferLeavesNoSenderBehind() throws Exception {
        for (boolean fair : new boolean[] {true, false}) {
            SynchronousQueue<Integer> queue = new SynchronousQueue<>(fair);
            overflow(() -> assertFalse(queue.offer(1, 1, TimeUnit.NANOSECONDS)));
            assertEquals(null, queue.poll());
        }
    }

    // The overflow

    private static void overflow(Operation operation) throws Exception {
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Thread thread = new Thread(
                null,
                () -> {
                    Random random = new Random(1);
                    for (int i = 0; i < OVERFLOWS && failed.get() == null; i++) {
                        try {
                            indent(operation, random.nextInt(40), random.nextInt(3));
                        } catch (StackOverflowError e) {
                            // the test checks the state at the end
                        } catch (Throwable t) {
                            failed.set(t);
                        }
                    }
                },
                "overflowing",
                STACK);
        thread.start();
        thread.join();
        if (failed.get() != null) {
            throw new AssertionError(failed.get());
        }
    }

    /** Varies the position at which the stack ends. */
    private static void indent(Operation operation, int times, int kind) throws InterruptedException {
        if (times == 0) {
            recurse(operation, 1);
        } else if (kind == 0) {
            indent(operation, times - 1, 2);
        } else {
            wide(operation, times, kind - 1, 1, 2, 3);
        }
    }

    private static void wide(Operation operation, int times, int kind, long a, long b, long c)
            throws InterruptedException {
        indent(operation, times - 1, kind);
        sink += (int) (a + b * c);
    }

    /** Approaches the end of the stack in steps, so that most operations run near it. */
    private static void recurse(Operation operation, int depth) throws InterruptedException {
        if (depth % 16 == 0) {
            operation.run();
        }
        recurse(operation, depth + 1);
        sink++;
    }
}
