package dev.cqs.threads;

import dev.cqs.sync.ReadWriteMutex;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BiFunction;

/**
 * A reentrant read-write lock with the methods and the contract of {@link
 * java.util.concurrent.locks.ReentrantReadWriteLock} in its fair mode. Changing the import is the migration.
 *
 * <p><b>Fairness.</b> Always fair, whatever the argument of the constructor, and phase-fair: where both wait, readers and
 * writers take turns. A writer that waits stops later readers. When it has had its turn, all readers that wait enter
 * together, also those that came after a second writer; when they have left, the next writer enters. So a reader waits for at
 * most one writer. Writers are served in FIFO order. A thread has its place from the moment at which it is in the queue.
 *
 * <p>As with the JDK's class, {@link ReadLock#tryLock()} barges: it passes writers that wait. {@link
 * ReadLock#tryLock(long, TimeUnit)} does not, also with a timeout of zero. Readers that barge in without a pause can keep a
 * writer waiting for as long as they do.
 *
 * <p><b>Reentrancy.</b> A thread that holds the lock, for reading or for writing, may read again, even if writers wait. A
 * thread that writes may write again. It may turn into a reader so that no other writer comes between: by {@link #downgrade},
 * or by locking the read lock and then unlocking the write lock.
 *
 * <p>The other way round does not work: a thread that reads and locks the write lock would wait for itself, because no other
 * thread can unlock what it holds. The JDK's class hangs there without a word. Here {@link WriteLock#lock} and {@link
 * WriteLock#lockInterruptibly} throw {@link IllegalStateException}. A {@code tryLock} answers {@code false}, at once or when
 * its time is up, as the JDK's does. To write after reading, unlock the read lock, lock the write lock, and look again:
 * another thread may have written in between. A thread that keeps a read lock while it waits on a condition gets the
 * exception too, because no thread could lock the write lock and signal.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait. Of an interrupt, a timeout and a
 * grant that race, exactly one wins. If the first waiting writer gives up while readers hold the lock, the readers that it has
 * stopped enter at once. A thread that is granted a lock although it was interrupted meanwhile returns with its interrupt
 * status set.
 *
 * <p><b>Closing.</b> Once its {@linkplain #core core} is closed, threads that wait and threads that come later get a {@link
 * dev.cqs.sync.ClosedException}, and an interrupt that has not ended the wait stays pending. A thread that holds the lock
 * reenters, downgrades and unlocks as before. A thread that waits on a condition gets the exception when it holds the write
 * lock again.
 *
 * <p><b>Ownership.</b> Each thread unlocks what it has locked. The thread that writes shows in thread dumps, and the JVM's
 * deadlock detection sees it.
 *
 * <p><b>Memory consistency.</b> That of {@link ReadWriteLock}.
 *
 * <p><b>Serialization.</b> As with the JDK's class, a lock that is read from a stream is free, whatever the state of the lock
 * that was written. Its two parts are written with it, or alone, and in one stream they stay parts of one lock. It has
 * an open {@linkplain #core core} of its own, even if the other shared its core.
 *
 * <pre>{@code
 * ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
 *
 * V get(K key) {
 *     lock.readLock().lock();
 *     try {
 *         return map.get(key);
 *     } finally {
 *         lock.readLock().unlock();
 *     }
 * }
 *
 * V putAndUse(K key, V value) {
 *     lock.writeLock().lock();
 *     try {
 *         map.put(key, value);
 *         lock.downgrade();                       // others may read from here on
 *     } catch (Throwable t) {
 *         lock.writeLock().unlock();
 *         throw t;
 *     }
 *     try {
 *         return use(map);
 *     } finally {
 *         lock.readLock().unlock();
 *     }
 * }
 * }</pre>
 */
public class ReentrantReadWriteLock extends AbstractReadWriteLock implements Serializable {
    /*
     * The core has a record of the threads that hold the lock, so that all views agree. A thread that has waited puts itself
     * on record after it woke.
     *
     * A thread parks with the core as its blocker. The core is an AbstractOwnableSynchronizer, which thread dumps and the
     * JVM's deadlock detection look for.
     */

    private static final long serialVersionUID = 1L;

    private static final BiFunction<ReadWriteMutex, Thread, ThreadWaiter> NEW_WRITER =
            ReentrantReadWriteLock::newWriter;

    static { // as ThreadWaiter.rehearse
        ReadWriteMutex nobodys = new ReadWriteMutex();
        nobodys.tryWriteLock();
        Objects.requireNonNull(nobodys.readLock(Thread.currentThread(), ThreadWaiter.NEW))
                .leaveAtOnce(nobodys);
        Objects.requireNonNull(nobodys.writeLock(Thread.currentThread(), NEW_WRITER))
                .leaveAtOnce(nobodys);
        FutureWaiter.rehearse();
    }

    /** @serial written in a form of its own, in which there is nothing but the fairness */
    private final ReadWriteMutex core;

    /** @serial a part of this lock */
    private final ReadLock readLock;

    /** @serial a part of this lock */
    private final WriteLock writeLock;

    /** Creates a free lock. */
    public ReentrantReadWriteLock() {
        this(new ReadWriteMutex());
    }

    /**
     * Creates a free lock; it is fair in any case.
     *
     * @param fair accepted for compatibility: {@code false} permits barging but does not require it
     */
    public ReentrantReadWriteLock(boolean fair) {
        this();
    }

    private ReentrantReadWriteLock(ReadWriteMutex core) {
        this.core = Objects.requireNonNull(core, "core");
        this.readLock = new ReadLock(this);
        this.writeLock = new WriteLock(this);
    }

    /**
     * {@return the view for threads of a lock that other callers share, coroutines among them} All wait for it in the
     * same queues. Only a thread that holds it through a view like this one can reenter. Do not wait through this view
     * inside a coroutine: it blocks the thread that other coroutines need, perhaps the holder of the lock.
     *
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static ReentrantReadWriteLock viewOf(ReadWriteMutex core) {
        return new ReentrantReadWriteLock(core);
    }

    /** The lock that this is a view of; all its views share the holders and the queues. */
    @Override
    public final ReadWriteMutex core() {
        return core;
    }

    /** The lock for readers. */
    @Override
    public ReadLock readLock() {
        return readLock;
    }

    /** The lock for writers. */
    @Override
    public WriteLock writeLock() {
        return writeLock;
    }

    /**
     * Turns one hold of the write lock into one of the read lock. If it was the last one, all readers that wait enter as
     * well, and no writer comes between.
     *
     * @throws IllegalMonitorStateException if the current thread does not hold the write lock
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public void downgrade() {
        core.downgrade(Thread.currentThread());
    }

    /** Makes the waiter of a thread, unless it would wait for itself, as a reader that waits for all readers does. */
    private static ThreadWaiter newWriter(ReadWriteMutex core, Thread thread) {
        if (readsAs(thread, core)) {
            throw new IllegalStateException(
                    "the current thread holds a read lock of this lock, and would wait for itself: "
                            + "it must unlock that first");
        }
        return new ThreadWaiter(thread);
    }

    /** Exact, because it concerns the current thread's own record. Without read locks there is no record to look for. */
    static boolean readsAs(Thread current, ReadWriteMutex core) {
        return core.readLockCount() > 0 && core.readHoldCount(current) > 0;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        if (core == null || readLock == null || writeLock == null) {
            throw new InvalidObjectException("a read-write lock without its core or one of its parts");
        }
        if (readLock.core != core || writeLock.core != core) {
            throw new InvalidObjectException("a read-write lock with a part of another");
        }
    }

    private static void checkNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** The lock for readers of a {@link ReentrantReadWriteLock}, whose documentation says what holds for both. */
    public static class ReadLock implements Lock, Serializable {
        private static final long serialVersionUID = 1L;

        /** @serial that of the whole lock */
        private final ReadWriteMutex core;

        /**
         * For subclasses.
         *
         * @param lock whose read lock this is
         * @throws NullPointerException if the lock is {@code null}
         */
        protected ReadLock(ReentrantReadWriteLock lock) {
            this.core = lock.core;
        }

        /**
         * Takes a read lock, waiting for it if need be; an interrupt meanwhile stays pending.
         *
         * @throws Error if there are more read locks than an {@code int} can count
         */
        @Override
        public void lock() {
            Thread thread = Thread.currentThread();
            if (!core.tryReadLock(thread)) {
                ThreadWaiter waiter = core.readLock(thread, ThreadWaiter.NEW);
                if (waiter != null) {
                    waiter.awaitUninterruptibly(core);
                }
                core.addReadHold(thread);
            }
        }

        /**
         * Takes a read lock, waiting for it if need be.
         *
         * @throws InterruptedException if the thread is interrupted before or while it waits
         * @throws Error if there are more read locks than an {@code int} can count
         */
        @Override
        public void lockInterruptibly() throws InterruptedException {
            checkNotInterrupted();
            Thread thread = Thread.currentThread();
            if (!core.tryReadLock(thread)) {
                awaitReadLock(thread, ThreadWaiter.FOREVER);
            }
        }

        /**
         * Takes a read lock if no other thread holds the write lock. Barges past writers that wait: the one way to lock that is
         * not fair. {@code tryLock(0, TimeUnit.SECONDS)} is fair, and reacts to an interrupt.
         *
         * @return whether the current thread has just taken it
         * @throws Error if there are more read locks than an {@code int} can count
         */
        @Override
        public boolean tryLock() {
            return core.tryReadLockBarging(Thread.currentThread());
        }

        /**
         * Takes a read lock, waiting for it no longer than the timeout; with a timeout of zero or less it does not wait. It
         * does not pass a writer that waits, unless the current thread holds the lock already.
         *
         * @return whether the current thread has just taken it
         * @throws InterruptedException if the thread is interrupted before or while it waits
         * @throws Error if there are more read locks than an {@code int} can count
         */
        @Override
        public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
            long nanos = unit.toNanos(timeout);
            checkNotInterrupted();
            Thread thread = Thread.currentThread();
            return core.tryReadLock(thread) || (nanos > 0 && awaitReadLock(thread, nanos));
        }

        private boolean awaitReadLock(Thread thread, long nanos) throws InterruptedException {
            ThreadWaiter waiter = core.readLock(thread, ThreadWaiter.NEW);
            if (waiter != null && !waiter.await(core, nanos)) {
                return false;
            }
            core.addReadHold(thread);
            return true;
        }

        /**
         * Gives up one read lock of the current thread. If it was the last of all, the first writer that waits has its turn.
         *
         * @throws IllegalMonitorStateException if the current thread holds none
         */
        @Override
        public void unlock() {
            core.unlockRead(Thread.currentThread());
        }

        /**
         * There are no conditions of a read lock.
         *
         * @throws UnsupportedOperationException always
         */
        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a read lock has no conditions");
        }

        /**
         * Requests a read lock without blocking the thread; see {@link Mutex#lockAsync}, all of which holds here too. The
         * read lock belongs to no thread, so no thread reenters by it.
         *
         * @return completes with the grant
         */
        public CompletableFuture<Grant> lockAsync() {
            return FutureWaiter.request(core::unlockRead, release -> core.readLock(release, FutureWaiter.NEW));
        }

        /** Identifies the lock and says how many read locks are held. */
        @Override
        public String toString() {
            return super.toString() + "[Read locks = " + core.readLockCount() + "]";
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            if (core == null) {
                throw new InvalidObjectException("a read lock without its core");
            }
        }
    }

    /** The lock for writers of a {@link ReentrantReadWriteLock}, whose documentation says what holds for both. */
    public static class WriteLock implements Lock, Serializable {
        private static final long serialVersionUID = 1L;

        /** @serial that of the whole lock */
        private final ReadWriteMutex core;

        /**
         * For subclasses.
         *
         * @param lock whose write lock this is
         * @throws NullPointerException if the lock is {@code null}
         */
        protected WriteLock(ReentrantReadWriteLock lock) {
            this.core = lock.core;
        }

        /**
         * Takes the write lock, waiting for it if need be; an interrupt meanwhile stays pending.
         *
         * @throws IllegalStateException if the current thread holds a read lock, and so would wait for itself
         * @throws Error if the thread has entered more often than an {@code int} can count
         */
        @Override
        public void lock() {
            Thread thread = Thread.currentThread();
            if (!core.tryWriteLock(thread)) {
                ThreadWaiter waiter = core.writeLock(thread, NEW_WRITER);
                if (waiter != null) {
                    waiter.awaitUninterruptibly(core);
                }
                core.setOwner(thread);
            }
        }

        /**
         * Takes the write lock, waiting for it if need be.
         *
         * @throws InterruptedException if the thread is interrupted before or while it waits
         * @throws IllegalStateException if the current thread holds a read lock, and so would wait for itself
         * @throws Error if the thread has entered more often than an {@code int} can count
         */
        @Override
        public void lockInterruptibly() throws InterruptedException {
            checkNotInterrupted();
            Thread thread = Thread.currentThread();
            if (!core.tryWriteLock(thread)) {
                awaitWriteLock(thread, NEW_WRITER, ThreadWaiter.FOREVER);
            }
        }

        /**
         * Takes the write lock if the lock is free, or if the current thread holds the write lock already.
         *
         * @return whether the current thread holds it now
         * @throws Error if the thread has entered more often than an {@code int} can count
         */
        @Override
        public boolean tryLock() {
            return core.tryWriteLock(Thread.currentThread());
        }

        /**
         * Takes the write lock, waiting for it no longer than the timeout; with a timeout of zero or less it does not wait.
         *
         * @return whether the current thread holds it now
         * @throws InterruptedException if the thread is interrupted before or while it waits
         * @throws Error if the thread has entered more often than an {@code int} can count
         */
        @Override
        public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
            long nanos = unit.toNanos(timeout);
            checkNotInterrupted();
            Thread thread = Thread.currentThread();
            return core.tryWriteLock(thread) || (nanos > 0 && awaitWriteLock(thread, ThreadWaiter.NEW, nanos));
        }

        private boolean awaitWriteLock(
                Thread thread, BiFunction<? super ReadWriteMutex, Thread, ThreadWaiter> newWaiter, long nanos)
                throws InterruptedException {
            ThreadWaiter waiter = core.writeLock(thread, newWaiter);
            if (waiter != null && !waiter.await(core, nanos)) {
                return false;
            }
            core.setOwner(thread);
            return true;
        }

        /**
         * Undoes one {@code lock}. The last one ends the writer's turn: all readers that wait enter, or if there are none, the
         * first writer that waits.
         *
         * @throws IllegalMonitorStateException if the current thread does not hold the write lock
         */
        @Override
        public void unlock() {
            core.unlockWrite(Thread.currentThread());
        }

        /**
         * A condition of this lock. Its methods throw {@link IllegalMonitorStateException} unless the current thread holds
         * the write lock. The methods that wait throw {@link IllegalStateException} if the thread holds a read lock as well: it
         * would keep that while it waits, so that no thread could signal. A signal goes to the thread that has waited longest
         * and wakes it only when it has got the write lock.
         */
        @Override
        public Condition newCondition() {
            return freshCondition();
        }

        final LockCondition freshCondition() {
            return new WriteLockCondition(this, core.newCondition());
        }

        /**
         * {@return the view for threads of a condition that other callers share} All wait in one queue; see {@link
         * #newCondition()}.
         *
         * @param core a condition of the {@linkplain ReentrantReadWriteLock#core() core} of this lock
         * @throws IllegalArgumentException if the condition is not one of the core of this lock
         * @throws NullPointerException if the condition is {@code null}
         */
        @SuppressWarnings("ObjectToString") // which of them it is
        public Condition conditionViewOf(dev.cqs.sync.Condition core) {
            if (core.readWriteMutex() != this.core) {
                throw new IllegalArgumentException("the condition is not of this lock: " + core);
            }
            return new WriteLockCondition(this, core);
        }

        /**
         * Requests the write lock without blocking the thread; see {@link Mutex#lockAsync}, all of which holds here too.
         * The write lock belongs to no thread, so no thread reenters by it.
         *
         * @return completes with the grant
         */
        public CompletableFuture<Grant> lockAsync() {
            return FutureWaiter.request(core::unlockWrite, release -> core.writeLock(release, FutureWaiter.NEW));
        }

        /** {@return whether the current thread holds this lock} */
        public boolean isHeldByCurrentThread() {
            return core.owner() == Thread.currentThread();
        }

        /** {@return how many more {@code unlock}s the current thread owes; zero if it does not hold the lock} */
        public int getHoldCount() {
            return core.writeHoldCount(Thread.currentThread());
        }

        /** Identifies the lock and says which thread holds it. */
        @Override
        public String toString() {
            Thread owner = core.owner();
            return super.toString()
                    + (owner != null
                            ? "[Locked by thread " + owner.getName() + "]"
                            : core.isWriteLocked() ? "[Locked]" : "[Unlocked]");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            if (core == null) {
                throw new InvalidObjectException("a write lock without its core");
            }
        }
    }
}
