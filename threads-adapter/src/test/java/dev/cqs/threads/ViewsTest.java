package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Several views of one core object, and views of cores that were made with more than a view can ask for. */
class ViewsTest {
    private final dev.cqs.sync.Mutex mutexCore = new dev.cqs.sync.Mutex();
    private final Mutex mutex = Mutex.viewOf(mutexCore);
    private final ReentrantLock lock = ReentrantLock.viewOf(mutexCore);

    @Test
    void aViewKnowsItsCoreAndACoreIsNeverNull() {
        dev.cqs.sync.Semaphore core = new dev.cqs.sync.Semaphore(3);
        assertSame(core, Semaphore.viewOf(core).core());
        assertSame(mutexCore, mutex.core());
        assertSame(mutexCore, lock.core());
        assertNotSame(new Semaphore(1).core(), new Semaphore(1).core());
        assertNotSame(new Mutex().core(), new Mutex().core());
        assertNotSame(new ReentrantLock().core(), new ReentrantLock(true).core());
        Stream.<Executable>of(() -> Semaphore.viewOf(null), () -> Mutex.viewOf(null), () -> ReentrantLock.viewOf(null))
                .forEach(call -> assertEquals(
                        "core", assertThrows(NullPointerException.class, call).getMessage()));
    }

    // Semaphores

    @Test
    void viewsOfOneSemaphoreShareThePermitsAndTheQueue() throws InterruptedException {
        dev.cqs.sync.Semaphore core = new dev.cqs.sync.Semaphore(3);
        Semaphore one = Semaphore.viewOf(core);
        Semaphore other = Semaphore.viewOf(core);
        one.acquire(2);
        assertEquals(1, other.availablePermits());
        assertTrue(core.tryAcquire());
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Attempt first = acquire(one, 1, () -> order.add("first"));
        Attempt second = acquire(other, 1, () -> order.add("second"));
        assertEquals(List.of(first.thread, second.thread), List.copyOf(one.getQueuedThreads()));
        assertEquals(List.of(first.thread, second.thread), List.copyOf(other.getQueuedThreads()));
        assertEquals(2, one.getQueueLength());
        other.release();
        first.isGranted();
        core.release();
        second.isGranted();
        assertEquals(List.of("first", "second"), order);
        one.reducePermits(1);
        assertEquals(-1, other.drainPermits());
        assertEquals(0, core.availablePermits());
    }

    @Test
    void aReleaseAboveTheMaximumOfTheCoreIsRefusedAndChangesNothing() {
        Semaphore semaphore = Semaphore.viewOf(dev.cqs.sync.Semaphore.bounded(3, 1));
        assertThrows(IllegalStateException.class, () -> semaphore.release(2));
        semaphore.release();
        assertThrows(IllegalStateException.class, semaphore::release);
        assertThrows(IllegalStateException.class, () -> semaphore.release(Integer.MAX_VALUE));
        assertEquals(3, semaphore.availablePermits());
    }

    @Test
    void aRequestAboveTheMaximumOfTheCoreIsRefused() {
        for (int taken = 0; taken <= 3; taken++) {
            int permits = 3 - taken;
            Semaphore semaphore = Semaphore.viewOf(dev.cqs.sync.Semaphore.bounded(3, taken));
            Stream.<Executable>of(
                            () -> semaphore.acquire(4),
                            () -> semaphore.acquireUninterruptibly(4),
                            () -> semaphore.tryAcquire(4),
                            () -> semaphore.tryAcquire(4, 0, NANOSECONDS),
                            () -> semaphore.tryAcquire(4, LONG, NANOSECONDS),
                            () -> semaphore.acquireAsync(4))
                    .forEach(call -> assertThrows(IllegalArgumentException.class, call));
            assertEquals(permits, semaphore.availablePermits());
            assertEquals(0, semaphore.getQueueLength());
        }
    }

    // Locks

    @Test
    void viewsOfOneMutexAgreeOnItsOwnerAndHoldCount() {
        assertTrue(mutex.tryLock());
        assertTrue(lock.isHeldByCurrentThread());
        assertEquals(1, lock.getHoldCount());
        assertSame(Thread.currentThread(), lock.getOwner());
        assertFalse(mutex.tryLock(), "not reentrant");
        assertThrows(IllegalStateException.class, mutex::lock);
        assertEquals(0, lock.getQueueLength(), "its request has left the queue");
        lock.lock();
        assertTrue(lock.tryLock());
        assertEquals(3, ReentrantLock.viewOf(mutexCore).getHoldCount());
        Attempt stranger = run(ThreadKind.PLATFORM, () -> {
            assertFalse(lock.tryLock());
            assertFalse(mutex.tryLock());
            assertFalse(mutex.isHeldByCurrentThread());
            assertEquals(0, lock.getHoldCount());
            assertThrows(IllegalMonitorStateException.class, lock::unlock);
            assertThrows(IllegalMonitorStateException.class, mutex::unlock);
        });
        stranger.isGranted();
        lock.unlock();
        lock.unlock();
        assertTrue(mutex.isHeldByCurrentThread());
        lock.unlock();
        assertFalse(mutex.isLocked());
        assertNull(mutex.getOwner());
        assertThrows(IllegalMonitorStateException.class, mutex::unlock);
    }

    @Test
    void unlockThroughAnyViewUndoesOneHold() {
        lock.lock();
        lock.lock();
        lock.lock();
        mutex.unlock();
        assertEquals(2, lock.getHoldCount());
        mutex.unlock();
        assertEquals(1, lock.getHoldCount());
        assertTrue(mutex.isHeldByCurrentThread());
        mutex.unlock();
        assertFalse(lock.isLocked());
        assertThrows(IllegalMonitorStateException.class, mutex::unlock);
        lock.lock();
        assertEquals(1, lock.getHoldCount(), "earlier holds are not counted");
        lock.unlock();
        assertFalse(lock.isLocked());
    }

    @Test
    void unlockThroughTheCoreUndoesAllHolds() {
        lock.lock();
        lock.lock();
        mutexCore.unlock();
        assertFalse(lock.isLocked());
        assertEquals(0, lock.getHoldCount());
        lock.lock();
        assertEquals(1, lock.getHoldCount());
    }

    @Test
    void viewsOfOneMutexShareItsQueue() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        lock.lock();
        Attempt first = start(
                ThreadKind.PLATFORM,
                () -> {
                    mutex.lock();
                    order.add("first");
                    lock.unlock();
                    return true;
                },
                () -> {});
        until("the first waits", () -> lock.getQueuedThreads().contains(first.thread));
        Attempt second = start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.lock();
                    order.add("second");
                    mutex.unlock();
                    return true;
                },
                () -> {});
        until("the second waits", () -> mutex.hasQueuedThread(second.thread));
        assertEquals(List.of(first.thread, second.thread), List.copyOf(lock.getQueuedThreads()));
        assertEquals(2, mutex.getQueueLength());
        mutex.unlock();
        first.isGranted();
        second.isGranted();
        assertEquals(List.of("first", "second"), order);
        assertFalse(mutexCore.isLocked());
    }

    private static Attempt acquire(Semaphore semaphore, int permits, Runnable onGrant) {
        Attempt attempt = start(
                ThreadKind.PLATFORM,
                () -> {
                    semaphore.acquire(permits);
                    return true;
                },
                onGrant);
        until("it waits", () -> semaphore.getQueuedThreads().contains(attempt.thread));
        return attempt;
    }
}
