package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.ReadWriteSteps;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * A fair read-write lock that callers of every kind can share: threads, virtual threads and coroutines. Any number of
 * readers hold it together, or one writer holds it alone. This object holds the state and the operations that never wait
 * for the lock; waiting for it is done through a face, for example {@code dev.cqs.threads.ReentrantReadWriteLock}.
 *
 * <p><b>Fairness.</b> Phase-fair: where both wait, readers and writers take turns. A writer that waits stops those readers
 * that come after it. When a writer leaves, all readers that wait by then enter together; when they have left, the next
 * writer enters. So a reader waits for one writer at the most, however many wait, and a writer for those before it and one
 * turn of readers for each. Writers are served first in, first out. A request has its place from the moment at which its
 * waiter is in the queue.
 *
 * <pre>
 *   held by      waiting                        next
 *   reader R1    writer W1, readers R2 R3,      R1 leaves: W1 enters
 *                writer W2
 *   writer W1    readers R2 R3, writer W2       W1 leaves: R2 and R3 enter
 *   R2, R3       writer W2, reader R4           R2 and R3 leave: W2 enters
 *   writer W2    reader R4                      W2 leaves: R4 enters
 * </pre>
 *
 * <p>{@link #tryReadLock} succeeds if no writer holds the lock or waits for it, {@link #tryWriteLock} if the lock is free,
 * and it is never free while somebody waits. Both are exact. {@link #tryReadLockBarging} is outside this order: it passes
 * writers that wait, as the JDK's untimed {@code readLock().tryLock()} does, and no bound holds for a writer while readers
 * barge in.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the number of
 * those who wait nor of those who gave up before. If it was the first of the writers, and readers hold the lock, then the
 * readers that wait enter at once, even if another writer waits: the turn after that of a writer is theirs.
 *
 * <p><b>Memory consistency.</b> What is done before {@code unlockWrite} or {@code downgrade} happens-before what is done
 * by all later holders, and what is done before {@code unlockRead} happens-before what is done by later writers.
 *
 * <p><b>Closing.</b> Once the lock is {@linkplain #close closed}, the requests that wait and those that come get a {@link
 * ClosedException}. The holders unlock and {@linkplain #downgrade downgrade} as before, and a thread that holds the lock
 * enters again.
 *
 * <p><b>Ownership.</b> The lock itself does not check who unlocks it, only that there is something to unlock; faces for
 * threads do. A holder that waits for the lock waits for itself: a reader that asks for the write lock, a writer that asks
 * again, and a reader that asks for a second read lock behind a writer that waits. Only threads, through their face, are told
 * or enter again.
 *
 * <pre>{@code
 * ReadWriteMutex lock = new ReadWriteMutex();
 * if (lock.tryWriteLock()) {
 *     ...                                 // alone
 *     lock.downgrade();
 *     ...                                 // with other readers; no writer has come between
 *     lock.unlockRead();
 * }
 * }</pre>
 */
public final class ReadWriteMutex extends ReadWriteState {
    /*
     * What changes by atomic steps is in ReadWriteState. Beside it stands the record of who holds the lock; all faces share
     * it.
     *
     *   The writer: as for Mutex, the superclass's field and `reentries`, written by that thread only.
     *
     *   Readers that are threads: the one that entered when there was no read lock is in `firstReader`, written by it
     *   alone, after it has entered and before it leaves; all others are in ReadHolds, each in its own thread. So a thread
     *   finds its own holds without any ordering, and of others it reads nothing but "not me".
     *
     * Coroutines and futures are not on record, so a thread does not enter again by what they hold.
     */

    private static final long serialVersionUID = 1L;

    private static final VarHandle CONDITIONS;

    static {
        try {
            CONDITIONS = MethodHandles.lookup().findVarHandle(ReadWriteMutex.class, "conditions", ConditionLock.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerReadWrite(new StepsOfBoth());
        rehearse();
    }

    /** How often the thread that writes has entered again to write. Plain: written and read by that thread. */
    private transient int reentries;

    /** The thread that found no read lock held; see the overview. Plain. */
    private transient Thread firstReader;

    /** How many read locks it holds. Plain: written and read by that thread. */
    private transient int firstReaderHolds;

    /** The write lock as its conditions see it; made by CAS with the first of them. */
    private transient volatile ConditionLock conditions;

    /** Creates a free lock. */
    public ReadWriteMutex() {}

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        ReadWriteMutex lock = new ReadWriteMutex();
        lock.tryWriteLock();
        lock.newCondition().rehearse();
        ReadHolds.add(lock);
        ReadHolds.remove(lock);
    }

    /**
     * Takes a read lock if no writer holds the lock or waits for it.
     *
     * @return whether the caller now holds one
     * @throws ClosedException if this lock is closed
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public boolean tryReadLock() {
        return enterToRead() != WAITS || refused();
    }

    /**
     * Takes a read lock if no writer holds the lock, past all writers that wait for it. Never waits, and leaves the requests
     * that wait where they are.
     *
     * @return whether the caller now holds one
     * @throws ClosedException if this lock is closed
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public boolean tryReadLockBarging() {
        return bargeToRead() != WAITS || refused();
    }

    /**
     * Takes the write lock if the lock is free.
     *
     * @return whether the caller now holds it
     * @throws ClosedException if this lock is closed
     */
    public boolean tryWriteLock() {
        return enterToWrite() || refused();
    }

    /** Answers that a request cannot be granted now, or throws because it never will. */
    private boolean refused() {
        checkOpen();
        return false;
    }

    /**
     * Gives a read lock up. If it was the last one, the first writer that waits gets the lock.
     *
     * @throws IllegalStateException if there is no read lock to give up; nothing is then changed
     */
    public void unlockRead() {
        checkStack();
        leaveAsReader();
    }

    /**
     * Gives the write lock up: to all readers that wait, or if there are none, to the first writer.
     *
     * @throws IllegalStateException if the lock is not held for writing; nothing is then changed
     */
    public void unlockWrite() {
        checkStack(); // before the owner is taken off the record
        if (getExclusiveOwnerThread() != null) {
            clearRecord();
        }
        leaveAsWriter();
    }

    /**
     * Turns the write lock into a read lock, so that no other writer comes between. All readers that wait enter as well.
     *
     * @throws IllegalStateException if the lock is not held for writing; nothing is then changed
     */
    public void downgrade() {
        checkStack();
        if (getExclusiveOwnerThread() != null) {
            clearRecord();
        }
        turnIntoReader();
    }

    private void clearRecord() {
        checkWriteLocked(); // a record without a lock is another's, made a moment ago: leave it
        reentries = 0;
        setExclusiveOwnerThread(null);
    }

    /** A condition of the write lock. */
    public Condition newCondition() {
        if (conditions == null) {
            CONDITIONS.compareAndSet(this, null, new WriteLock());
        }
        return new Condition(conditions);
    }

    /**
     * Closes this lock for good: the requests that wait, and those that come later, get a {@link ClosedException} with this
     * cause. The holders may unlock it as before, and a thread that holds it may enter again. Requests that wait on its
     * {@linkplain Condition conditions} get the exception as well, but only with the write lock, one after the other.
     *
     * <p>An unlock that races with this may still serve some of the requests that wait; each is granted or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(Throwable cause) {
        boolean closed = closeWith(new Closed("read-write mutex", cause));
        ConditionLock present = conditions; // after the closing, which a thread that makes them later sees
        if (present != null) {
            present.failAll();
        }
        return closed;
    }

    /** Whether this lock was closed. */
    public boolean isClosed() {
        return closing() != null;
    }

    // The holds of threads

    private boolean tryReadAs(Thread thread, boolean barges) {
        int before = barges ? bargeToRead() : enterToRead();
        if (before == WAITS) {
            before = enterAgainToReadAs(thread);
        }
        if (before == WAITS) {
            return refused();
        }
        recordOrLeave(thread, before == 0);
        return true;
    }

    private int enterAgainToReadAs(Thread thread) {
        boolean writes = getExclusiveOwnerThread() == thread;
        return writes || holds(thread) > 0 ? enterAgainToRead(writes) : WAITS;
    }

    /** @param first whether there was no other read lock */
    private void recordOrLeave(Thread thread, boolean first) {
        try {
            record(thread, first);
        } catch (Throwable t) { // no memory for the record
            leaveAsReader();
            throw t;
        }
    }

    private void record(Thread thread, boolean first) {
        if (first) {
            firstReader = thread;
            firstReaderHolds = 1;
        } else if (firstReader == thread) {
            firstReaderHolds++;
        } else {
            ReadHolds.add(this);
        }
    }

    private boolean unlockReadAs(Thread thread) {
        checkStack(); // before the hold is taken off the record
        if (firstReader == thread) {
            if (firstReaderHolds == 1) {
                firstReader = null;
            } else {
                firstReaderHolds--;
            }
        } else if (!ReadHolds.remove(this)) {
            return false;
        }
        leaveAsReader();
        return true;
    }

    private int holds(Thread thread) {
        return firstReader == thread ? firstReaderHolds : ReadHolds.of(this);
    }

    // Looking

    /** Whether somebody holds the lock for writing at this moment. */
    public boolean isWriteLocked() {
        return hasWriter();
    }

    /** How many read locks are held at this moment, those included that have been handed over and not been noticed yet. */
    public int readLockCount() {
        return readLocks();
    }

    /** How many requests wait to read at this moment. */
    public int waitingReaders() {
        ReadWriteLines present = linesIfAny();
        return present == null ? 0 : present.readers();
    }

    /** How many requests wait to write at this moment. */
    public int waitingWriters() {
        ReadWriteLines present = linesIfAny();
        return present == null ? 0 : present.writers();
    }

    /**
     * Shows the waiters of those who want to read, first to last. Weakly consistent: never fails, and may or may not show
     * those who come or leave meanwhile.
     */
    public void forEachWaitingReader(Consumer<? super Waiter> action) {
        ReadWriteLines present = linesIfAny();
        if (present != null) {
            present.forEachReader(action);
        }
    }

    /** The same for those who want to write. */
    public void forEachWaitingWriter(Consumer<? super Waiter> action) {
        ReadWriteLines present = linesIfAny();
        if (present != null) {
            present.forEachWriter(action);
        }
    }

    /**
     * Says how the lock is held, by which thread if it is held for writing and that is on record, how many wait, and whether
     * it is closed.
     */
    @Override
    public String toString() {
        Thread owner = getExclusiveOwnerThread();
        StringBuilder text = new StringBuilder("ReadWriteMutex@").append(Integer.toHexString(hashCode())).append('[');
        if (isWriteLocked()) {
            text.append("write locked").append(owner == null ? "" : " by " + owner.getName()).append(", ");
        }
        return text.append(readLockCount()).append(" read locks, ").append(waitingWriters()).append(" writers and ")
                .append(waitingReaders()).append(" readers waiting").append(isClosed() ? ", closed]" : "]").toString();
    }

    // Serialization, for the face whose namesake in the JDK is serializable

    private Object writeReplace() {
        return new SerialForm(true);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a lock is not written to a stream itself, but as its serialized form");
    }

    /**
     * What a stream holds of a lock: nothing of its holders, waiters or closing. Its name and components are for good.
     *
     * @param fair always written as {@code true}; {@code false} permits barging, and does not ask for it
     */
    private record SerialForm(boolean fair) implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            return new ReadWriteMutex();
        }
    }

    private final class WriteLock extends ConditionLock {
        @Override
        Mutex mutex() {
            return null;
        }

        @Override
        ReadWriteMutex readWriteMutex() {
            return ReadWriteMutex.this;
        }

        @Override
        String what() {
            return "write lock";
        }

        @Override
        boolean isHeld() {
            return isWriteLocked();
        }

        @Override
        Closed closing() {
            return ReadWriteMutex.this.closing();
        }

        @Override
        void unlock() {
            unlockWrite();
        }

        @Override
        void prepareToRelock() {
            lines();
        }

        @Override
        void relock(Waiter waiter) {
            joinWriters(waiter);
        }
    }

    private static final class ToRead extends Steps<ReadWriteMutex> {
        @Override
        public int reserve(ReadWriteMutex lock, int n) {
            return lock.tryReadLock() ? GRANTED : ReadWriteSteps.WAITS;
        }

        @Override
        public boolean tryReserve(ReadWriteMutex lock, int n) {
            return lock.tryReadLock();
        }

        @Override
        public boolean enqueue(ReadWriteMutex lock, Waiter waiter, int ticket) {
            lock.joinReaders(waiter);
            return true;
        }

        @Override
        public void abandon(ReadWriteMutex lock, int ticket) {} // it has not been counted
    }

    private static final class ToWrite extends Steps<ReadWriteMutex> {
        @Override
        public int reserve(ReadWriteMutex lock, int n) {
            return lock.tryWriteLock() ? GRANTED : ReadWriteSteps.WAITS;
        }

        @Override
        public boolean tryReserve(ReadWriteMutex lock, int n) {
            return lock.tryWriteLock();
        }

        @Override
        public boolean enqueue(ReadWriteMutex lock, Waiter waiter, int ticket) {
            lock.joinWriters(waiter);
            return true;
        }

        @Override
        public void abandon(ReadWriteMutex lock, int ticket) {} // it has not been counted
    }

    private static final class StepsOfBoth extends ReadWriteSteps {
        StepsOfBoth() {
            super(new ToRead(), new ToWrite());
        }

        @Override
        public boolean tryReadAs(ReadWriteMutex lock, Thread thread) {
            return lock.tryReadAs(thread, false);
        }

        @Override
        public boolean tryReadBargingAs(ReadWriteMutex lock, Thread thread) {
            return lock.tryReadAs(thread, true);
        }

        @Override
        public void recordRead(ReadWriteMutex lock, Thread thread) {
            lock.recordOrLeave(thread, false);
        }

        @Override
        public boolean unlockReadAs(ReadWriteMutex lock, Thread thread) {
            return lock.unlockReadAs(thread);
        }

        @Override
        public int readHolds(ReadWriteMutex lock, Thread thread) {
            return lock.holds(thread);
        }

        @Override
        public Thread owner(ReadWriteMutex lock) {
            return lock.getExclusiveOwnerThread();
        }

        @Override
        public void setOwner(ReadWriteMutex lock, Thread owner) {
            lock.setExclusiveOwnerThread(owner);
        }

        @Override
        public int reentries(ReadWriteMutex lock) {
            return lock.reentries;
        }

        @Override
        public void setReentries(ReadWriteMutex lock, int reentries) {
            lock.reentries = reentries;
        }
    }
}
