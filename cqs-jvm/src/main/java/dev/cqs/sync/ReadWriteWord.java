package dev.cqs.sync;

import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;

/** The state word of a {@link ReadWriteMutex}, and the transitions that concern no waiting request. */
abstract class ReadWriteWord extends AbstractOwnableSynchronizer {
    /*
     * Overview.
     *
     * One 64-bit word says who holds the lock and whether requests wait:
     *
     *      bits 5..63   read locks held
     *      bit  4       CLOSED: no request is granted or waits, except requests of holders and of waiters that come back
     *      bit  3       READERS_WAIT: the list of readers is not empty
     *      bit  2       WRITERS_WAIT: the list of writers is not empty
     *      bit  1       WRITER: held for writing
     *      bit  0       LIST_LOCKED: a spin lock that protects both lists
     *
     * Which requests wait, and how many, stands in the lists. So no number of waiters overflows a field. An overflow of the
     * upper field is out of reach: read locks are refused above MOST_READERS, far below its end, and the readers that wait
     * add less than that.
     *
     *   RW-1  While LIST_LOCKED is clear, READERS_WAIT and WRITERS_WAIT say what is true of the lists.
     *   RW-2  READERS_WAIT only with WRITER or WRITERS_WAIT. WRITERS_WAIT only with WRITER or a read lock that is held.
     *         This holds of every value of the word, LIST_LOCKED or not.
     *
     * Two ways to change the word.
     *
     *   By a CAS, where nothing is to be done for waiting requests:
     *      enter to read      neither WRITER nor WRITERS_WAIT nor CLOSED; or the caller holds the lock already
     *      barge to read      neither WRITER nor CLOSED
     *      enter to write     nothing but perhaps LIST_LOCKED
     *      leave as a reader  a second read lock or WRITER stays, or there is nothing else at all, not even LIST_LOCKED
     *      leave as a writer  neither READERS_WAIT nor WRITERS_WAIT nor LIST_LOCKED
     *
     *   Under the list lock, which the CAS that sets LIST_LOCKED takes: see ReadWriteState. The thread decides, changes the
     *   lists, and unlocks them in the same atomic step that changes the rest of the word. That step is the linearization
     *   point of the operation.
     *
     *   RW-3  What other threads do to the word while the lists are locked never grants a request that had to wait: they do
     *         not clear WRITER, nor give up the last read lock unless WRITER is set, nor change READERS_WAIT and
     *         WRITERS_WAIT. So a thread that has seen under the list lock that a request must wait, or that a list is to be
     *         served, need not look again.
     *
     * Barging. A barging reader passes the writers that wait, and never one that has been let in: a writer has WRITER from
     * the step that grants it the lock to the one that ends its turn, and WRITER goes from one writer to the next without
     * being cleared. So if writers wait, the reader joins others that read (RW-2). It neither looks at the lists nor takes
     * the list lock, so it never waits. What it does to a decision under the list lock:
     *
     *   A request must wait, or all readers that wait enter (leaveWriters). Both follow from what RW-3 keeps: the reason to
     *   wait, or WRITER being clear while writers wait. One read lock more changes neither, and its count is added to the
     *   word, not stored over it.
     *
     *   No read lock is held any more, so a writer enters (leaveAsLastReader, joinWriters, enterToWrite). One read lock more
     *   would make this wrong. So each of these is a CAS of the whole word, which fails if a reader has barged in.
     *   endWritingWithOthers asks the same question under WRITER, where no reader barges.
     *
     * The price is the bound on how long a writer waits: barging readers that overlap keep it out.
     *
     * Ordering. All accesses to the word are volatile: they order holders where no request waits, and each holder of the list
     * lock after the one before.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    static final long LIST_LOCKED = 1;
    static final long WRITER = 2;
    static final long WRITERS_WAIT = 4;
    static final long READERS_WAIT = 8;
    static final long CLOSED = 16;
    private static final int READER_SHIFT = 5;
    static final long ONE_READER = 1L << READER_SHIFT;

    /** An {@code int}, because callers see the number of read locks as an {@code int}. */
    private static final int MOST_READERS = Integer.MAX_VALUE;

    static final long FULL = MOST_READERS * ONE_READER;

    /** What {@link #enterToRead} answers if the reader has to wait. */
    static final int WAITS = -1;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(ReadWriteWord.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Who holds the lock and whether requests wait; changed by CAS, and by addition to unlock the lists. */
    private transient volatile long word;

    // Entering

    /** Takes a read lock; returns how many there were, or {@link #WAITS}, also if the lock is closed. */
    final int enterToRead() {
        for (; ; ) {
            long seen = word;
            if ((seen & (WRITER | WRITERS_WAIT | CLOSED)) != 0) {
                return WAITS;
            }
            checkRoom(seen);
            if (casWord(seen, seen + ONE_READER)) {
                return (int) (seen >> READER_SHIFT);
            }
        }
    }

    /** The same, barging past writers that wait: {@link #WAITS} if a writer holds the lock or it is closed. */
    final int bargeToRead() {
        for (; ; ) {
            long seen = word;
            if ((seen & (WRITER | CLOSED)) != 0) {
                return WAITS;
            }
            checkRoom(seen);
            if (casWord(seen, seen + ONE_READER)) { // the whole word: a writer that has entered meanwhile is seen
                return (int) (seen >> READER_SHIFT);
            }
        }
    }

    /** Takes a read lock for a caller that holds the lock already, and so passes writers that wait. */
    final int enterAgainToRead(boolean writes) {
        for (; ; ) {
            long seen = word;
            if (!writes && (seen < ONE_READER || (seen & WRITER) != 0)) {
                return WAITS; // another caller has unlocked what it holds
            }
            checkRoom(seen);
            if (casWord(seen, seen + ONE_READER)) {
                return (int) (seen >> READER_SHIFT);
            }
        }
    }

    /** False if the lock is held or closed, or requests wait. */
    final boolean enterToWrite() {
        for (; ; ) {
            long seen = word;
            if ((seen & ~LIST_LOCKED) != 0) {
                return false;
            }
            if (casWord(seen, seen + WRITER)) {
                return true;
            }
        }
    }

    static void checkRoom(long word) {
        if (word >= FULL) {
            throw new Error("Maximum lock count exceeded");
        }
    }

    // Before leaving

    final void checkWriteLocked() {
        checkWriteLocked(word);
    }

    static void checkWriteLocked(long word) {
        if ((word & WRITER) == 0) {
            throw notWriteLocked();
        }
    }

    static IllegalStateException notReadLocked() {
        return new IllegalStateException("This mutex is not locked for reading");
    }

    private static IllegalStateException notWriteLocked() {
        return new IllegalStateException("This mutex is not locked for writing");
    }

    /** Checks the stack before a leave whose caller can be told that its stack is at its end. Nothing has changed yet. */
    final void checkStack() {
        if ((word & (LIST_LOCKED | READERS_WAIT | WRITERS_WAIT)) != 0) { // it may lock the lists, and hand over
            StackCheck.ensure();
        }
    }

    // The list lock

    /** Spins until it has the list lock; returns the word. The step that unlocks restores RW-1. */
    final long lockLists() {
        for (int turns = 0; ; ) {
            long seen = word;
            if ((seen & LIST_LOCKED) != 0) {
                turns = Spin.pause(turns);
            } else if (casWord(seen, seen + LIST_LOCKED)) {
                return seen + LIST_LOCKED;
            }
        }
    }

    /** The same for the writer, unless there is none. */
    final long lockListsAsWriter() {
        long seen = lockLists();
        if ((seen & WRITER) == 0) {
            unlockLists(0);
            throw notWriteLocked();
        }
        return seen;
    }

    /** Unlocks the lists, and adds {@code change} to the word in the same step. */
    final void unlockLists(long change) {
        WORD.getAndAdd(this, change - LIST_LOCKED);
    }

    // The word

    final boolean hasWriter() {
        return (word & WRITER) != 0;
    }

    final int readLocks() {
        return (int) Math.min(MOST_READERS, word >> READER_SHIFT);
    }

    final long word() {
        return word;
    }

    final boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }
}
