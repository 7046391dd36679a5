package dev.cqs.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The locks on real threads. The model checker verifies all executions, see model-checker/conformance. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // an endless loop ignores interrupts
class SpinLocksOnThreadsTest {

    private static final int FEW = 1_000;
    private static final int MANY = 200_000;
    /** The holder yields now and then, so that the other thread runs even on one processor. */
    private static final int TURNS_WITHOUT_YIELD = 64;

    private int count;

    private void enter(SpinLock lock, int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            int seen = count;
            if (i % TURNS_WITHOUT_YIELD == 0) {
                Thread.yield();
            }
            count = seen + 1;
            lock.unlock();
        }
    }

    private void balance(AllLocks kind, int times) throws InterruptedException, ExecutionException {
        SpinLock lock = kind.make();
        RealThreads.two(number -> enter(lock, times));
        assertEquals(2 * times, count);
    }

    @ParameterizedTest
    @EnumSource
    void everyEntryCounts(AllLocks kind) throws InterruptedException, ExecutionException {
        balance(kind, FEW);
    }

    @Tag("slow")
    @Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
    @ParameterizedTest
    @EnumSource
    void everyEntryOfManyCounts(AllLocks kind) throws InterruptedException, ExecutionException {
        balance(kind, MANY);
    }

    /** Slots are reused. */
    @Test
    void arrayLockServesMoreTurnsThanItHasPlaces() {
        for (int threads = 1; threads <= 5; threads++) {
            count = 0;
            enter(new ArrayLock(threads), 20);
            assertEquals(20, count);
        }
    }

    @Test
    void readersAreInTogether() throws InterruptedException, ExecutionException {
        SpinReadWriteLock lock = new SpinReadWriteLock();
        CyclicBarrier inside = new CyclicBarrier(2);
        RealThreads.two(number -> {
            lock.readLock().lock();
            await(inside);
            lock.readLock().unlock();
        });
        assertEquals(0, inside.getNumberWaiting());
        enter(lock.writeLock(), 1);
        assertEquals(1, count);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    @Test
    void readerOfASequenceSeesWholeWrites() throws InterruptedException, ExecutionException {
        SequenceLock lock = new SequenceLock();
        AtomicIntegerArray pair = new AtomicIntegerArray(2);
        RealThreads.two(number -> {
            for (int i = 1; i <= FEW; i++) {
                if (number == 0) {
                    lock.lock();
                    pair.setOpaque(0, i);
                    pair.setOpaque(1, i);
                    lock.unlock();
                } else {
                    checkIsWhole(lock, pair);
                }
            }
        });
    }

    private static void checkIsWhole(SequenceLock lock, AtomicIntegerArray pair) {
        long stamp;
        int left;
        int right;
        do {
            stamp = lock.beginRead();
            left = pair.getOpaque(0);
            right = pair.getOpaque(1);
        } while (!lock.isValid(stamp));
        assertEquals(left, right);
    }

    @Test
    void validityEndsWithAWriter() {
        SequenceLock lock = new SequenceLock();
        long stamp = lock.beginRead();
        assertTrue(lock.isValid(stamp));
        lock.lock();
        assertFalse(lock.isValid(stamp));
        lock.unlock();
        assertFalse(lock.isValid(stamp));
        assertTrue(lock.isValid(lock.beginRead()));
    }

    @Test
    void semaphoreCountsPermits() {
        SpinSemaphore semaphore = new SpinSemaphore(3);
        assertFalse(semaphore.tryAcquire(4));
        assertTrue(semaphore.tryAcquire(2));
        assertFalse(semaphore.tryAcquire(2));
        assertTrue(semaphore.tryAcquire(0));
        semaphore.release(Integer.MAX_VALUE);
        semaphore.acquire(Integer.MAX_VALUE);
        assertTrue(semaphore.tryAcquire(1));
        assertFalse(semaphore.tryAcquire(1));
    }

    @Test
    void holderTakesARecursiveLockAgain() throws InterruptedException, ExecutionException {
        SpinLock lock = new RecursiveLock(new TicketLock());
        lock.lock();
        lock.lock();
        lock.unlock();
        RealThreads.two(number -> assertThrows(IllegalMonitorStateException.class, lock::unlock));
        lock.unlock();
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
        RealThreads.two(number -> enter(lock, 1));
        assertEquals(2, count);
    }

    @Test
    void sizesThatMakeNoSenseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ArrayLock(0));
        assertThrows(IllegalArgumentException.class, () -> new ArrayLock((1 << 20) + 1));
        assertThrows(IllegalArgumentException.class, () -> new CohortLock(0, 1, () -> 0));
        assertThrows(IllegalArgumentException.class, () -> new CohortLock(1, -1, () -> 0));
        assertThrows(IllegalArgumentException.class, () -> new HclhLock(0, () -> 0));
        assertThrows(IllegalArgumentException.class, () -> new CnaLock(-1, () -> 0));
        assertThrows(IllegalArgumentException.class, () -> new QueuedSpinLock(0, () -> 0));
        assertThrows(IllegalArgumentException.class, () -> new QueuedSpinLock(1 << 29, () -> 0));
        assertThrows(IllegalArgumentException.class, () -> new SpinSemaphore(-1));
        SpinSemaphore semaphore = new SpinSemaphore(1);
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquire(-1));
        assertThrows(IllegalArgumentException.class, () -> semaphore.tryAcquire(-1));
        assertThrows(IllegalArgumentException.class, () -> semaphore.release(-1));
    }

    @Test
    void missingPartsAreRefused() {
        assertThrows(NullPointerException.class, () -> new CohortLock(1, 1, null));
        assertThrows(NullPointerException.class, () -> new HclhLock(1, null));
        assertThrows(NullPointerException.class, () -> new CnaLock(1, null));
        assertThrows(NullPointerException.class, () -> new QueuedSpinLock(1, null));
        assertThrows(NullPointerException.class, () -> new RecursiveLock(null));
    }
}
