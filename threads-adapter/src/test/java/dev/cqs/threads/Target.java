package dev.cqs.threads;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * The object under test: a semaphore, a lock or a pool, ours or the JDK's, with its protected methods made public. A contract
 * test that takes a {@link Kind} runs on every target.
 */
interface Target {
    Collection<Thread> getQueuedThreads();

    boolean hasQueuedThreads();

    int getQueueLength();

    boolean isFair();

    /** Releases what one successful acquire of that many permits has taken. */
    void exit(int permits);

    /** The number of free permits. A lock has one or none. */
    int free();

    /** The methods of {@link java.util.concurrent.Semaphore}. */
    interface Permits extends Target {
        void acquire() throws InterruptedException;

        void acquire(int permits) throws InterruptedException;

        void acquireUninterruptibly();

        void acquireUninterruptibly(int permits);

        boolean tryAcquire();

        boolean tryAcquire(int permits);

        boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException;

        boolean tryAcquire(int permits, long timeout, TimeUnit unit) throws InterruptedException;

        void release();

        void release(int permits);

        int availablePermits();

        int drainPermits();

        void reducePermits(int reduction);

        @Override
        default void exit(int permits) {
            release(permits);
        }

        @Override
        default int free() {
            return availablePermits();
        }
    }

    /** The methods that {@link java.util.concurrent.locks.ReentrantLock} and {@link Mutex} have in common. */
    interface Locked extends Target, Lock {
        Thread getOwner();

        boolean isLocked();

        boolean isHeldByCurrentThread();

        boolean hasQueuedThread(Thread thread);

        @Override
        default void exit(int permits) {
            unlock();
        }

        @Override
        default int free() {
            return isLocked() ? 0 : 1;
        }
    }

    /** The methods of {@link java.util.concurrent.locks.ReentrantLock}. */
    interface Reentrant extends Locked {
        int getHoldCount();

        boolean hasWaiters(Condition condition);

        int getWaitQueueLength(Condition condition);

        Collection<Thread> getWaitingThreads(Condition condition);
    }

    /** A pool; the targets keep a list of the elements that are lent. */
    interface Elements extends Target {
        boolean take() throws InterruptedException;

        boolean takeUninterruptibly();

        boolean tryTake();

        boolean poll(long timeout, TimeUnit unit) throws InterruptedException;

        boolean close(Throwable cause);

        @Override
        default boolean isFair() {
            return true;
        }
    }

    /** The kinds of targets. */
    enum Kind {
        SEMAPHORE,
        /** A semaphore that is in weighted mode, because it began with a debt. */
        SEMAPHORE_IN_WEIGHTED_MODE,
        JDK_SEMAPHORE,
        REENTRANT_LOCK,
        MUTEX,
        /** The write lock of a read-write lock. */
        WRITE_LOCK,
        JDK_LOCK,
        JDK_WRITE_LOCK,
        POOL_QUEUE,
        POOL_STACK,
        RESOURCE_POOL;

        boolean isSemaphore() {
            return ordinal() <= JDK_SEMAPHORE.ordinal();
        }

        boolean isPool() {
            return ordinal() >= POOL_QUEUE.ordinal();
        }

        /** The interface on which its methods are called. */
        Class<? extends Target> type() {
            return isSemaphore() ? Permits.class : isPool() ? Elements.class : Locked.class;
        }

        boolean isOurs() {
            return this != JDK_SEMAPHORE && this != JDK_LOCK && this != JDK_WRITE_LOCK;
        }

        Target make(int permits) {
            return isSemaphore() ? semaphore(permits) : isPool() ? pool(permits) : lock();
        }

        Permits semaphore(int permits) {
            switch (this) {
                case SEMAPHORE:
                    return new OurSemaphore(permits);
                case SEMAPHORE_IN_WEIGHTED_MODE:
                    OurSemaphore semaphore = new OurSemaphore(permits < 0 ? permits : -1);
                    if (permits >= 0) {
                        semaphore.release();
                        semaphore.release(permits);
                    }
                    return semaphore;
                case JDK_SEMAPHORE:
                    return new JdkSemaphore(permits);
                default:
                    throw new AssertionError(this);
            }
        }

        Elements pool(int elements) {
            return this == RESOURCE_POOL
                    ? new PoolTarget.OfResources(elements)
                    : new PoolTarget.OfElements(
                            this == POOL_QUEUE ? BlockingPool.queue() : BlockingPool.stack(), elements);
        }

        Locked lock() {
            switch (this) {
                case REENTRANT_LOCK:
                    return new OurLock();
                case MUTEX:
                    return new OurMutex();
                case WRITE_LOCK:
                    return new OurReadWriteLock().write();
                case JDK_LOCK:
                    return new JdkLock();
                case JDK_WRITE_LOCK:
                    return new JdkReadWriteLock().write();
                default:
                    throw new AssertionError(this);
            }
        }
    }

    /** The class of this library, with its protected methods made public. */
    final class OurSemaphore extends Semaphore implements Permits {
        OurSemaphore(int permits) {
            super(permits);
        }

        OurSemaphore(dev.cqs.sync.Semaphore core) {
            super(core);
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }
    }

    /** The class of the JDK, with its protected methods made public. */
    final class JdkSemaphore extends java.util.concurrent.Semaphore implements Permits {
        private static final long serialVersionUID = 1L;

        JdkSemaphore(int permits) {
            super(permits, true);
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }
    }

    /** The class of this library, with its protected methods made public. */
    final class OurMutex extends Mutex implements Locked {
        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public Thread getOwner() {
            return super.getOwner();
        }

        @Override
        public boolean isFair() {
            return true;
        }
    }

    /** The class of this library, with its protected methods made public. */
    final class OurLock extends ReentrantLock implements Reentrant {
        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public Thread getOwner() {
            return super.getOwner();
        }

        @Override
        public Collection<Thread> getWaitingThreads(Condition condition) {
            return super.getWaitingThreads(condition);
        }
    }

    /** The class of the JDK, with its protected methods made public. */
    final class JdkLock extends java.util.concurrent.locks.ReentrantLock implements Reentrant {
        private static final long serialVersionUID = 1L;

        JdkLock() {
            super(true);
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public Thread getOwner() {
            return super.getOwner();
        }

        @Override
        public Collection<Thread> getWaitingThreads(Condition condition) {
            return super.getWaitingThreads(condition);
        }
    }

    /** The methods of {@link java.util.concurrent.locks.ReentrantReadWriteLock}. */
    interface ReadWrite extends ReadWriteLock {
        boolean isFair();

        Thread getOwner();

        int getReadLockCount();

        boolean isWriteLocked();

        boolean isWriteLockedByCurrentThread();

        int getWriteHoldCount();

        int getReadHoldCount();

        Collection<Thread> getQueuedWriterThreads();

        Collection<Thread> getQueuedReaderThreads();

        Collection<Thread> getQueuedThreads();

        boolean hasQueuedThreads();

        boolean hasQueuedThread(Thread thread);

        int getQueueLength();

        boolean hasWaiters(Condition condition);

        int getWaitQueueLength(Condition condition);

        Collection<Thread> getWaitingThreads(Condition condition);

        /** The write lock as a lock of its own. */
        default Reentrant write() {
            return new WriteLockAlone(this);
        }
    }

    /** The class of this library, with its protected methods made public. */
    final class OurReadWriteLock extends ReentrantReadWriteLock implements ReadWrite {
        @Override
        public Thread getOwner() {
            return super.getOwner();
        }

        @Override
        public Collection<Thread> getQueuedWriterThreads() {
            return super.getQueuedWriterThreads();
        }

        @Override
        public Collection<Thread> getQueuedReaderThreads() {
            return super.getQueuedReaderThreads();
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public Collection<Thread> getWaitingThreads(Condition condition) {
            return super.getWaitingThreads(condition);
        }
    }

    /** The class of the JDK, with its protected methods made public. */
    final class JdkReadWriteLock extends java.util.concurrent.locks.ReentrantReadWriteLock implements ReadWrite {
        private static final long serialVersionUID = 1L;

        JdkReadWriteLock() {
            super(true);
        }

        @Override
        public Thread getOwner() {
            return super.getOwner();
        }

        @Override
        public Collection<Thread> getQueuedWriterThreads() {
            return super.getQueuedWriterThreads();
        }

        @Override
        public Collection<Thread> getQueuedReaderThreads() {
            return super.getQueuedReaderThreads();
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return super.getQueuedThreads();
        }

        @Override
        public Collection<Thread> getWaitingThreads(Condition condition) {
            return super.getWaitingThreads(condition);
        }
    }

    /** A write lock whose read lock is not used. */
    record WriteLockAlone(ReadWrite both) implements Reentrant {
        @Override
        public void lock() {
            both.writeLock().lock();
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            both.writeLock().lockInterruptibly();
        }

        @Override
        public boolean tryLock() {
            return both.writeLock().tryLock();
        }

        @Override
        public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
            return both.writeLock().tryLock(timeout, unit);
        }

        @Override
        public void unlock() {
            both.writeLock().unlock();
        }

        @Override
        public Condition newCondition() {
            return both.writeLock().newCondition();
        }

        @Override
        public Thread getOwner() {
            return both.getOwner();
        }

        @Override
        public boolean isLocked() {
            return both.isWriteLocked();
        }

        @Override
        public boolean isHeldByCurrentThread() {
            return both.isWriteLockedByCurrentThread();
        }

        @Override
        public boolean isFair() {
            return both.isFair();
        }

        @Override
        public int getHoldCount() {
            return both.getWriteHoldCount();
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return both.getQueuedThreads();
        }

        @Override
        public boolean hasQueuedThreads() {
            return both.hasQueuedThreads();
        }

        @Override
        public boolean hasQueuedThread(Thread thread) {
            return both.hasQueuedThread(thread);
        }

        @Override
        public int getQueueLength() {
            return both.getQueueLength();
        }

        @Override
        public boolean hasWaiters(Condition condition) {
            return both.hasWaiters(condition);
        }

        @Override
        public int getWaitQueueLength(Condition condition) {
            return both.getWaitQueueLength(condition);
        }

        @Override
        public Collection<Thread> getWaitingThreads(Condition condition) {
            return both.getWaitingThreads(condition);
        }

        @Override
        public String toString() {
            return both.writeLock().toString();
        }
    }
}
