package dev.cqs.sync;

import dev.cqs.TestWaiter;

/** Makes requests of a read-write lock. The waiter is resumed even if its request is granted at once. */
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
