package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fair read-write lock that callers of every kind can share: threads, virtual threads and coroutines. Any number of
 * readers hold it together, or one writer holds it alone. This object holds the state and decides who is next; a view
 * decides how a caller waits, for example {@code dev.cqs.threads.ReentrantReadWriteLock}.
 *
 * <p><b>Fairness.</b> Phase-fair: where both wait, readers and writers take turns. A writer that waits stops later readers.
 * When a writer leaves, all readers that wait by then enter together; when they have left, the next writer enters. So a
 * reader waits for at most one writer, no matter how many wait. A writer waits for the writers before it and one turn of
 * readers for each of them. Writers are served in FIFO order. A request has its place from the moment at which its waiter is
 * in the queue.
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
 * <p>{@link #tryReadLock} succeeds if no writer holds the lock or waits for it. {@link #tryWriteLock} succeeds if the lock is
 * free, and it is never free while requests wait. Both are exact. {@link #tryReadLockBarging} is outside this order: it
 * passes writers that wait, as the JDK's untimed {@code readLock().tryLock()} does. While readers barge in, no bound holds for
 * a writer.
 *
 * <p><b>Cancellation.</b> A waiting request can be cancelled at any time, at a cost that depends neither on how many requests
 * wait nor on how many were cancelled before. If it was the first of the writers, and readers hold the lock, then the
 * readers that wait enter at once, even if another writer waits: the turn after that of a writer is theirs.
 *
 * <p><b>Memory consistency.</b> Actions before {@code unlockWrite} or {@code downgrade} happen-before actions of all later
 * holders, and actions before {@code unlockRead} happen-before actions of later writers.
 *
 * <p><b>Closing.</b> Once the lock is {@linkplain #close closed}, requests that wait and requests that come later fail with a
 * {@link ClosedException}. The holders unlock and {@linkplain #downgrade downgrade} as before, and a thread that holds the
 * lock can reenter.
 *
 * <p><b>Ownership.</b> The methods without a thread do not check which caller unlocks, only that there is something to unlock.
 * The methods with a thread keep a record of the threads that hold the lock, which all views for threads share, and let a
 * thread on record reenter. A holder that waits for the lock waits for itself: a reader that requests the write lock, a
 * writer that requests it again, and a reader that requests a second read lock behind a writer that waits. Only threads,
 * through their view, are told of this, or reenter.
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
public final class ReadWriteMutex extends ReadWriteOwnership {
    /*
     * What changes by atomic steps is in ReadWriteState, the record of the threads that hold the lock in ReadWriteOwnership.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    private static final VarHandle CONDITIONS;

    static {
        try {
            CONDITIONS = MethodHandles.lookup().findVarHandle(ReadWriteMutex.class, "conditions", ConditionLock.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** The write lock as its conditions see it; made by CAS with the first of them. */
    private transient volatile @Nullable ConditionLock conditions;

    /** Creates a free lock. */
    public ReadWriteMutex() {}

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        ReadWriteMutex lock = new ReadWriteMutex();
        lock.tryWriteLock();
        lock.newCondition().rehearse();
        lock.rehearseHolds();
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
     * Takes a read lock if no writer holds the lock, barging past all writers that wait for it. Never waits, and leaves the
     * requests that wait where they are.
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

    /**
     * Takes a read lock if no writer holds the lock or waits for it; otherwise makes a waiter and puts it into the queue of
     * readers.
     *
     * <p>A waiter that this returns is in the queue, or has been resumed already. It is resumed with this lock, on which its
     * owner then holds a read lock, or with a {@link WaitFailure}; or its owner {@linkplain Waiter#cancel cancels} it. An
     * owner that cannot use a read lock that was handed over {@linkplain #unlockRead gives it up}.
     *
     * <pre>{@code
     * Parked waiter = lock.readLock(null, (l, nothing) -> new Parked());     // the example of Waiter
     * if (waiter != null) waiter.await();
     * }</pre>
     *
     * @param <A> what the factory is called with
     * @param <W> the class of the waiter
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most, before the request is counted. It must
     *     neither block nor lock or unlock this lock. What it throws is passed on
     * @return the waiter, or {@code null} if the caller holds a read lock
     * @throws ClosedException if this lock is closed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public <A extends @Nullable Object, W extends Waiter> @Nullable W readLock(
            A argument, BiFunction<? super ReadWriteMutex, ? super A, ? extends W> newWaiter) {
        if (tryReadLock()) {
            return null;
        }
        W waiter = Objects.requireNonNull(newWaiter.apply(this, argument));
        return joinReaders(waiter) ? waiter : null;
    }

    /**
     * Takes the write lock if the lock is free; otherwise makes a waiter and puts it into the queue of writers. Everything
     * else is as with {@link #readLock}. An owner that cannot use a write lock that was handed over {@linkplain #unlockWrite
     * unlocks} it.
     *
     * @param <A> what the factory is called with
     * @param <W> the class of the waiter
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most, before the request is counted. It must
     *     neither block nor lock or unlock this lock. What it throws is passed on
     * @return the waiter, or {@code null} if the caller holds the write lock
     * @throws ClosedException if this lock is closed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A extends @Nullable Object, W extends Waiter> @Nullable W writeLock(
            A argument, BiFunction<? super ReadWriteMutex, ? super A, ? extends W> newWaiter) {
        if (tryWriteLock()) {
            return null;
        }
        W waiter = Objects.requireNonNull(newWaiter.apply(this, argument));
        return joinWriters(waiter) ? waiter : null;
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

    /** {@return a condition of the write lock} */
    @SuppressWarnings("NullAway") // set once
    public Condition newCondition() {
        if (conditions == null) {
            CONDITIONS.compareAndSet(this, null, new WriteConditionLock());
        }
        return new Condition(conditions);
    }

    /**
     * Closes this lock for good. Requests that wait, and requests that come later, fail with a {@link ClosedException} with
     * this cause. The holders may unlock it as before, and a thread that holds it may reenter. Requests that wait on its
     * {@linkplain Condition conditions} get the exception as well, but only with the write lock, one after the other.
     *
     * <p>An unlock that races with this may still serve some of the waiting requests; each request is granted or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        boolean closed = closeWith(new Closed("read-write mutex", cause));
        ConditionLock present = conditions; // after the closing, which a thread that makes them later sees
        if (present != null) {
            present.failAll();
        }
        return closed;
    }

    /** {@return whether this lock was closed} */
    public boolean isClosed() {
        return closing() != null;
    }

    // Looking

    /** {@return whether the lock is held for writing at this moment} */
    public boolean isWriteLocked() {
        return hasWriter();
    }

    /**
     * {@return how many read locks are held at this moment, including locks that were handed over and not noticed yet}
     */
    public int readLockCount() {
        return readLocks();
    }

    /** {@return how many requests wait to read at this moment} */
    public int waitingReaders() {
        ReadWriteLists present = listsIfAny();
        return present == null ? 0 : present.readers();
    }

    /** {@return how many requests wait to write at this moment} */
    public int waitingWriters() {
        ReadWriteLists present = listsIfAny();
        return present == null ? 0 : present.writers();
    }

    /**
     * Shows the waiters in the queue of readers, first to last. Weakly consistent: never fails, and may or may not show
     * waiters that come or leave meanwhile.
     *
     * @param action called with each waiter
     */
    public void forEachWaitingReader(Consumer<? super Waiter> action) {
        ReadWriteLists present = listsIfAny();
        if (present != null) {
            present.forEachReader(action);
        }
    }

    /**
     * The same for the queue of writers.
     *
     * @param action called with each waiter
     */
    public void forEachWaitingWriter(Consumer<? super Waiter> action) {
        ReadWriteLists present = listsIfAny();
        if (present != null) {
            present.forEachWriter(action);
        }
    }

    /**
     * Says how the lock is held, how many requests wait, and whether the lock is closed; and which thread holds it for
     * writing, if that is on record.
     */
    @Override
    public String toString() {
        Thread owner = owner();
        StringBuilder text = new StringBuilder("ReadWriteMutex@")
                .append(Integer.toHexString(hashCode()))
                .append('[');
        if (isWriteLocked()) {
            text.append("write locked")
                    .append(owner == null ? "" : " by " + owner.getName())
                    .append(", ");
        }
        return text.append(readLockCount())
                .append(" read locks, ")
                .append(waitingWriters())
                .append(" writers and ")
                .append(waitingReaders())
                .append(" readers waiting")
                .append(isClosed() ? ", closed]" : "]")
                .toString();
    }

    // Serialization, for the view whose namesake in the JDK is serializable

    private Object writeReplace() {
        return new SerialForm(true);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a lock is not written to a stream itself, but as its serialized form");
    }

    /**
     * What a stream holds of a lock: nothing of its holders, waiters or closing. Its name and components are for good.
     *
     * @param fair always written as {@code true}; {@code false} permits barging but does not require it
     */
    private record SerialForm(boolean fair) implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            return new ReadWriteMutex();
        }
    }

    private final class WriteConditionLock extends ConditionLock {
        @Override
        @Nullable
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
        @Nullable
        Closed closing() {
            return ReadWriteMutex.this.closing();
        }

        @Override
        void unlock() {
            unlockWrite();
        }

        @Override
        void prepareToRelock() {
            lists();
        }

        @Override
        void relock(Waiter waiter) {
            reacquire(waiter);
        }
    }
}
