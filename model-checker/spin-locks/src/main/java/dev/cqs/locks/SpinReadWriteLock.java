package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that either one writer or any number of readers hold: a semaphore from which a writer takes all permits and a
 * reader takes one.
 *
 * <p>Unfair, but a waiting writer holds back the readers that arrive after it.
 */
public final class SpinReadWriteLock {

    private static final VarHandle WRITES = Fields.handle(MethodHandles.lookup(), "writes", boolean.class);
    private static final int ALL = Integer.MAX_VALUE;

    private final SpinSemaphore permits = new SpinSemaphore(ALL);
    private final SpinLock readLock = new ReadLock();
    private final SpinLock writeLock = new WriteLock();
    /**
     * Whether a writer holds the lock or waits. It holds others back; the semaphore orders, so all accesses to it are
     * opaque.
     */
    private volatile boolean writes;

    /** Creates a free lock. */
    public SpinReadWriteLock() {}

    /** {@return the lock that any number of readers may hold} */
    public SpinLock readLock() {
        return readLock;
    }

    /** {@return the lock that one writer may hold, while no reader holds the other one} */
    public SpinLock writeLock() {
        return writeLock;
    }

    private boolean isAwaitedByWriter() {
        return (boolean) WRITES.getOpaque(this);
    }

    private final class ReadLock implements SpinLock {

        @Override
        public void lock() {
            while (isAwaitedByWriter()) {
                Thread.onSpinWait();
            }
            permits.acquire(1);
        }

        @Override
        public void unlock() {
            permits.release(1);
        }
    }

    private final class WriteLock implements SpinLock {

        @Override
        public void lock() {
            // An atomic plain access is opaque.
            while (!WRITES.weakCompareAndSetPlain(SpinReadWriteLock.this, false, true)) {
                Thread.onSpinWait();
            }
            permits.acquire(ALL);
        }

        @Override
        public void unlock() {
            permits.release(ALL);
            WRITES.setOpaque(SpinReadWriteLock.this, false);
        }
    }
}
