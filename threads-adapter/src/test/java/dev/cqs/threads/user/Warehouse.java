package dev.cqs.threads.user;

import dev.cqs.threads.ReentrantLock;
import dev.cqs.threads.ReentrantReadWriteLock;
import dev.cqs.threads.Semaphore;
import dev.cqs.threads.SynchronousQueue;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A class as users write it, with the imports changed: serializable, with locks and conditions in its fields. */
public class Warehouse implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A subclass of a lock, with state of its own and in another package. */
    public static class CountingLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private int locked;

        @Override
        public void lock() {
            super.lock();
            locked++;
        }

        /** The number of times that it was locked. */
        public int locked() {
            return locked;
        }
    }

    /** A subclass of a semaphore, with state of its own. */
    public static class NamedSemaphore extends Semaphore {
        private static final long serialVersionUID = 1L;

        private final String name;

        /** Creates one. */
        public NamedSemaphore(int permits, String name) {
            super(permits);
            this.name = name;
        }

        /** The name of the semaphore. */
        public String name() {
            return name;
        }
    }

    /** A subclass of a lock with a condition of its own. The two reference each other. */
    public static class LockWithCondition extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        /** A condition of this lock. */
        public final Condition condition = newCondition();
    }

    public final CountingLock lock = new CountingLock();
    public final Condition notEmpty = lock.newCondition();
    public final Condition notFull = lock.newCondition();
    public final ReentrantReadWriteLock pricesLock = new ReentrantReadWriteLock();
    public final Lock reading = pricesLock.readLock();
    public final Lock writing = pricesLock.writeLock();
    public final Condition pricesChanged = writing.newCondition();
    public final NamedSemaphore doors = new NamedSemaphore(3, "doors");
    public final SynchronousQueue<String> counter = new SynchronousQueue<>(true);
    public final LockWithCondition office = new LockWithCondition();
    public final List<String> goods = new ArrayList<>();
}
