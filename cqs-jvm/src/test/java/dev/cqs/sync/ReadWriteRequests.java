package dev.cqs.sync;

import dev.cqs.TestWaiter;

/** Requests of a read-write lock. A waiter whose request is granted at once is resumed as if it had waited. */
final class ReadWriteRequests {
    private ReadWriteRequests() {}

    static <W extends TestWaiter> W read(ReadWriteMutex lock, W waiter) {
        if (lock.readLock(waiter, TestWaiter.ITSELF) == null) {
            waiter.resumeNow(lock);
        }
        return waiter;
    }

    static <W extends TestWaiter> W write(ReadWriteMutex lock, W waiter) {
        if (lock.writeLock(waiter, TestWaiter.ITSELF) == null) {
            waiter.resumeNow(lock);
        }
        return waiter;
    }
}
