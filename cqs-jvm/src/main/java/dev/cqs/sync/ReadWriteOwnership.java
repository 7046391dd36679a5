package dev.cqs.sync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which threads hold a {@link ReadWriteMutex}, for writing or for reading, and how often. */
abstract class ReadWriteOwnership extends ReadWriteState {
    /*
     * Overview.
     *
     * All views of a lock share this record. A thread writes its own part of the record, after it was granted the lock and
     * before it unlocks. It reads its own writes, so its check whether it is a holder is exact without any ordering. What it
     * reads of other threads is a hint.
     *
     *   The writer: the superclass's field, and `reentries`.
     *
     *   Readers: `firstReader`, with its holds beside it, is the thread that found no read lock held. So a lock that threads
     *   read one after the other costs no look at a table. The holds of all other threads are in ReadHolds, each in its own
     *   thread.
     *
     *   RW-5  Only the thread that found no read lock held writes itself to `firstReader`, and it clears the field before it
     *         gives its last hold up. The next thread that finds none comes after that, so no two write it at once.
     *
     * Coroutines and futures are not on record. So a thread does not reenter by what they hold, and any caller can unlock what
     * they hold.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    /** How often the thread that writes has reentered for writing. Plain: written and read by that thread. */
    private transient int reentries;

    /** The thread that found no read lock held: RW-5. Plain. */
    private transient @Nullable Thread firstReader;

    /** How many read locks it holds. Plain: written and read by that thread. */
    private transient int firstReaderHolds;

    // Writing

    /** The thread on record as the writer, or {@code null}. Exact for the current thread; a snapshot of any other. */
    public final @Nullable Thread owner() {
        return getExclusiveOwnerThread();
    }

    /** Puts the current thread, which was granted the write lock just now, on record as its owner. */
    public final void setOwner(Thread current) {
        setExclusiveOwnerThread(current);
    }

    /** The same for a thread that regains these holds, after it has waited on a condition. */
    public final void setOwner(Thread current, int holds) {
        reentries = holds - 1;
        setExclusiveOwnerThread(current);
    }

    /**
     * Takes the write lock if the lock is free, or if the current thread has it already, and puts this hold on record.
     *
     * @return whether the current thread holds it now
     * @throws ClosedException if this lock is closed, and the current thread does not hold it for writing
     * @throws Error if the thread has entered more often than an {@code int} can count
     */
    public final boolean tryWriteLock(Thread current) {
        if (getExclusiveOwnerThread() == current) {
            reenter();
            return true;
        }
        if (!enterToWrite()) {
            return refused();
        }
        setExclusiveOwnerThread(current);
        return true;
    }

    private void reenter() {
        if (reentries == Integer.MAX_VALUE - 1) {
            throw new Error("Maximum lock count exceeded");
        }
        reentries++;
    }

    /** How often the current thread has entered for writing and not left; zero if it is not the writer. */
    public final int writeHoldCount(Thread current) {
        return getExclusiveOwnerThread() == current ? reentries + 1 : 0;
    }

    /**
     * Undoes one entry of the current thread for writing. The last one gives the lock to all readers that wait, or if there
     * are none, to the first writer.
     *
     * @throws IllegalMonitorStateException if the current thread is not the writer
     */
    public final void unlockWrite(Thread current) {
        checkOwner(current);
        if (reentries == 0) {
            unlockWrite();
        } else {
            reentries--;
        }
    }

    /** @throws IllegalMonitorStateException if the current thread is not the writer */
    public final void checkOwner(Thread current) {
        Thread owner = getExclusiveOwnerThread();
        if (owner != current) {
            throw new IllegalMonitorStateException("the current thread does not hold this write lock; "
                    + (owner == null ? "no thread does" : "thread " + owner.getName() + " does"));
        }
    }

    /**
     * Gives the write lock up: to all readers that wait, or if there are none, to the first writer.
     *
     * @throws IllegalStateException if the lock is not held for writing; nothing is then changed
     */
    public final void unlockWrite() {
        checkStack(); // before the owner is taken off the record
        if (getExclusiveOwnerThread() != null) {
            clearOwner();
        }
        leaveAsWriter();
    }

    /**
     * Turns the write lock into a read lock, so that no other writer comes between. All readers that wait enter as well.
     *
     * @throws IllegalStateException if the lock is not held for writing; nothing is then changed
     */
    public final void downgrade() {
        checkStack();
        if (getExclusiveOwnerThread() != null) {
            clearOwner();
        }
        turnIntoReader();
    }

    /**
     * Turns one entry of the current thread for writing into a read lock that is on record. If it was the last entry, all
     * readers that wait enter as well, and no other writer comes between.
     *
     * @throws IllegalMonitorStateException if the current thread is not the writer
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public final void downgrade(Thread current) {
        checkOwner(current);
        tryReadLock(current); // reenters
        unlockWrite(current);
    }

    private void clearOwner() {
        checkWriteLocked(); // a record without a lock is that of a later owner: leave it
        reentries = 0;
        setExclusiveOwnerThread(null);
    }

    // Reading

    /**
     * Takes a read lock for the current thread and puts it on record, if no writer holds the lock or waits for it, or if the
     * thread holds the lock already, for reading or for writing.
     *
     * @return whether the current thread has just taken one
     * @throws ClosedException if this lock is closed, and the current thread does not hold it
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public final boolean tryReadLock(Thread current) {
        return tryRead(current, enterToRead());
    }

    /**
     * Takes a read lock for the current thread and puts it on record, if no other caller holds the write lock. Barges past
     * writers that wait.
     *
     * @return whether the current thread has just taken one
     * @throws ClosedException if this lock is closed, and the current thread does not hold it
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public final boolean tryReadLockBarging(Thread current) {
        return tryRead(current, bargeToRead());
    }

    /** @param entered how many read locks there were, or WAITS if the thread may only reenter */
    private boolean tryRead(Thread current, int entered) {
        int before = entered == WAITS ? readAgain(current) : entered;
        if (before == WAITS) {
            return refused();
        }
        recordOrLeave(current, before == 0);
        return true;
    }

    private int readAgain(Thread current) {
        boolean writes = getExclusiveOwnerThread() == current;
        return writes || readHoldCount(current) > 0 ? enterAgainToRead(writes) : WAITS;
    }

    /** Puts a read lock on record that the current thread was granted just now, after it has waited. */
    public final void addReadHold(Thread current) {
        recordOrLeave(current, false);
    }

    /** @param first whether there was no other read lock */
    private void recordOrLeave(Thread current, boolean first) {
        try {
            record(current, first);
        } catch (Throwable t) { // no memory for the record
            leaveAsReader();
            throw t;
        }
    }

    private void record(Thread current, boolean first) {
        if (first) {
            firstReader = current;
            firstReaderHolds = 1;
        } else if (firstReader == current) {
            firstReaderHolds++;
        } else {
            ReadHolds.add(this);
        }
    }

    /** How many read locks of the current thread are on record. */
    public final int readHoldCount(Thread current) {
        return firstReader == current ? firstReaderHolds : ReadHolds.of(this);
    }

    /**
     * Gives up one read lock of the current thread. If it was the last of all, the first writer that waits gets the lock.
     *
     * @throws IllegalMonitorStateException if none of the current thread is on record; nothing is then changed
     */
    public final void unlockRead(Thread current) {
        checkStack(); // before the hold is taken off the record
        if (firstReader == current) {
            if (firstReaderHolds == 1) {
                firstReader = null;
            } else {
                firstReaderHolds--;
            }
        } else if (!ReadHolds.remove(this)) {
            throw new IllegalMonitorStateException("the current thread does not hold this read lock");
        }
        leaveAsReader();
    }

    /** Executes what puts a hold on record once: see Rehearsal. */
    final void rehearseHolds() {
        ReadHolds.add(this);
        ReadHolds.remove(this);
    }

    /** Answers that a request cannot be granted now, or throws because it never will. */
    final boolean refused() {
        checkOpen();
        return false;
    }

    /** The read locks of the current thread: on which {@link ReadWriteMutex} it has how many. */
    static final class ReadHolds {
        /*
         * One record per thread, for all locks, with an entry only for locks that the thread holds. So its size is proportional
         * to the nesting depth, a lock that is not held is not reachable from it, and looking up an entry is a scan over one or
         * two. It consists of arrays only, so that a thread that outlives the class loader of this library does not keep that
         * class loader alive.
         *
         *      lock, int[1], lock, int[1], ..., null, int[1] or null, ...
         *
         * The count is changed in place: giving a lock up needs no memory, however many holds there are. The array of a count
         * stays where a hold has ended and serves the next one, so a thread that reads again and again allocates nothing.
         */

        private static final int FEW = 4;

        private static final ThreadLocal<@Nullable Object @Nullable []> ENTRIES = new ThreadLocal<>();

        private ReadHolds() {}

        static int of(ReadWriteOwnership lock) {
            @Nullable Object @Nullable [] entries = ENTRIES.get();
            int at = find(entries, lock);
            return at < 0 ? 0 : count(entries, at)[0];
        }

        static void add(ReadWriteOwnership lock) {
            @Nullable Object @Nullable [] entries = ENTRIES.get();
            int at = find(entries, lock);
            if (at >= 0) {
                count(entries, at)[0]++;
                return;
            }
            int end = find(entries, null);
            if (end < 0) {
                end = entries == null ? 0 : entries.length;
                entries = entries == null ? new Object[FEW] : Arrays.copyOf(entries, 2 * end);
                ENTRIES.set(entries);
            }
            if (entries[end + 1] == null) {
                entries[end + 1] = new int[1];
            }
            count(entries, end)[0] = 1;
            entries[end] = lock;
        }

        /** Takes one off; false if there is none. */
        static boolean remove(ReadWriteOwnership lock) {
            @Nullable Object @Nullable [] entries = ENTRIES.get();
            int at = find(entries, lock);
            if (at < 0) {
                return false;
            }
            if (--count(entries, at)[0] == 0) {
                removeEntry(entries, at);
            }
            return true;
        }

        @SuppressWarnings("NullAway") // each entry has its count
        private static int[] count(@Nullable Object[] entries, int at) {
            return (int[]) entries[at + 1];
        }

        /** Closes the gap with the last entry. */
        private static void removeEntry(@Nullable Object[] entries, int at) {
            int last = at;
            while (last + 2 < entries.length && entries[last + 2] != null) {
                last += 2;
            }
            Object ended = entries[at + 1];
            entries[at] = entries[last];
            entries[at + 1] = entries[last + 1];
            entries[last] = null;
            entries[last + 1] = ended;
        }

        /** The first entry for this lock, or with {@code null} the first that is free; -1 if there is none. */
        private static int find(@Nullable Object @Nullable [] entries, @Nullable ReadWriteOwnership lock) {
            if (entries != null) {
                for (int at = 0; at < entries.length; at += 2) {
                    if (entries[at] == lock) {
                        return at;
                    }
                }
            }
            return -1;
        }
    }
}
