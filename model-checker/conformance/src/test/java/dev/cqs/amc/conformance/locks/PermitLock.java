package dev.cqs.amc.conformance.locks;

import dev.cqs.locks.SpinLock;
import dev.cqs.locks.SpinSemaphore;

/** A semaphore with one permit. */
final class PermitLock implements SpinLock {

    private final SpinSemaphore semaphore = new SpinSemaphore(1);

    @Override
    public void lock() {
        semaphore.acquire(1);
    }

    @Override
    public void unlock() {
        semaphore.release(1);
    }
}
