package dev.cqs.examples;

import dev.cqs.Waiter;
import java.util.concurrent.locks.LockSupport;

/** A waiter whose thread parks. {@link TinySemaphore} uses it. */
final class Parked extends Waiter {
    private final Thread thread = Thread.currentThread();
    private volatile boolean resumed;

    @Override
    protected boolean tryResume(Object value) {
        resumed = true;
        LockSupport.unpark(thread);
        return true;
    }

    void await() throws InterruptedException {
        boolean interrupted = false;
        while (!resumed) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                if (!interrupted && cancel()) {
                    throw new InterruptedException();
                }
                interrupted = true; // too late: the value is on its way
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
    }
}
