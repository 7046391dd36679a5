package dev.cqs.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ReentrantReadWriteLock;
import dev.cqs.threads.Semaphore;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java code of docs/migration.md, and what it says of it. */
@Timeout(60)
class MigrationGuideTest {
    private final Semaphore semaphore = new Semaphore(2, false);
    private int uses;

    private void useBoth() {
        uses++;
    }

    @Test
    void aSingleTypeImportGoesBeforeAWildcard() throws Exception {
        assertEquals("dev.cqs.threads", Semaphore.class.getPackageName());
        assertEquals("java.util.concurrent", CyclicBarrier.class.getPackageName());
        assertTrue(semaphore.isFair(), "whatever the constructor is told");
    }

    @Test
    void bothPermitsAreTakenAtOnce() throws InterruptedException {
        semaphore.acquire(2); // both at once: nobody waits for the second with the first in hand
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void tryAcquirePassesARequestThatWaitsForTheCaller() throws InterruptedException {
        semaphore.acquire();
        Thread other = new Thread(() -> semaphore.acquireUninterruptibly(2));
        other.start();
        while (!semaphore.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        if (semaphore.tryAcquire()) { // passes requests that wait, and does not wait itself
            useBoth();
        }
        assertEquals(1, uses);
        semaphore.release(2);
        other.join();
    }

    @Test
    void aReaderThatAsksToWriteIsToldSo() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        assertThrows(IllegalStateException.class, lock.writeLock()::lock);
        lock.readLock().unlock();
    }
}
