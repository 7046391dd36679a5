package dev.cqs.spi;

import dev.cqs.sync.ReadWriteMutex;

/**
 * The steps of waiting on a read-write lock, and the record of the threads that hold it. A request that has to wait is
 * counted when its waiter is enqueued, so there is never one to abandon, and no place in the queue is ever lost. A waiter
 * is resumed with the lock itself, whether it waits to read or to write, perhaps before it is enqueued.
 *
 * <p>The record lives in the lock so that all faces of one lock agree. It is kept by the threads, each for itself, after
 * they were granted the lock and before they leave it. Others who hold the lock are not on record.
 */
public abstract class ReadWriteSteps {
    /** The ticket of every request that has to wait. */
    public static final int WAITS = 1;

    private final Steps<ReadWriteMutex> read;
    private final Steps<ReadWriteMutex> write;

    /** For the read-write lock of this library. */
    protected ReadWriteSteps(Steps<ReadWriteMutex> read, Steps<ReadWriteMutex> write) {
        this.read = read;
        this.write = write;
    }

    /** The steps of waiting to read. */
    public final Steps<ReadWriteMutex> read() {
        return read;
    }

    /** The steps of waiting to write. */
    public final Steps<ReadWriteMutex> write() {
        return write;
    }

    /**
     * Takes a read lock for the current thread, and puts it on record, if no writer holds the lock or waits for it, or
     * if the thread holds the lock already, to read or to write.
     *
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public abstract boolean tryReadAs(ReadWriteMutex lock, Thread thread);

    /**
     * Takes a read lock for the current thread, and puts it on record, if no other writer holds the lock: past writers that
     * wait.
     *
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public abstract boolean tryReadBargingAs(ReadWriteMutex lock, Thread thread);

    /** Puts a read lock on record that the current thread was granted after it has waited. */
    public abstract void recordRead(ReadWriteMutex lock, Thread thread);

    /** Gives a read lock of the current thread up; {@code false}, and nothing, if it is not on record with one. */
    public abstract boolean unlockReadAs(ReadWriteMutex lock, Thread thread);

    /** How many read locks the current thread holds. */
    public abstract int readHolds(ReadWriteMutex lock, Thread thread);

    /** The thread on record as the writer. Exact for the current thread; a moment's view of any other. */
    public abstract Thread owner(ReadWriteMutex lock);

    /** Puts the current thread, which has just been granted the write lock, on record, or {@code null} before it unlocks. */
    public abstract void setOwner(ReadWriteMutex lock, Thread owner);

    /** How often the writer has entered again to write; read by the writer. */
    public abstract int reentries(ReadWriteMutex lock);

    /** Written by the writer. */
    public abstract void setReentries(ReadWriteMutex lock, int reentries);
}
