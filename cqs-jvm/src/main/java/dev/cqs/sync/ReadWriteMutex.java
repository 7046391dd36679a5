package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.internal.Spin;
import dev.cqs.spi.Closing;
import dev.cqs.spi.ReadWriteSteps;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
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
 * and it is never free while somebody waits. Both are exact.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the number of
 * those who wait nor of those who gave up before. If it was the first of the writers, and readers hold the lock, then the
 * readers that wait enter at once, even if another writer waits: the turn after that of a writer is theirs.
 *
 * <p><b>Memory consistency.</b> What is done before {@code unlockWrite} or {@code downgrade} happens-before what is done
 * by all later holders, and what is done before {@code unlockRead} happens-before what is done by later writers.
 *
 * <p><b>Ownership.</b> The lock itself does not check who unlocks it, only that there is something to unlock; faces for
 * threads do.
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
public final class ReadWriteMutex extends AbstractOwnableSynchronizer {
    /*
     * Overview.
     *
     * One 64-bit word says who holds the lock and whether somebody waits:
     *
     *      bits 4..63   read locks held
     *      bit  3       READERS_WAIT: the line of readers is not empty
     *      bit  2       WRITERS_WAIT: the line of writers is not empty
     *      bit  1       WRITER: held for writing
     *      bit  0       KEEPER: a thread keeps the lines; nobody else looks at them or changes them
     *
     * Who waits, and how many, stands in the lines (ReadWriteLines), which are made when somebody has to wait for the
     * first time. So no number of waiters overflows a field, and an overflow of the upper field is out of reach: read
     * locks are refused above MOST_READERS, far below its end, and those who wait add less than that.
     *
     * While the keeper's bit is clear:
     *
     *   I1  The two bits for those who wait say what is true of the lines.
     *   I2  READERS_WAIT only with WRITER or WRITERS_WAIT. WRITERS_WAIT only with WRITER or a read lock that is held.
     *
     * Two ways to change the word.
     *
     *   By a CAS, where nothing is to be done for those who wait:
     *      enter to read      neither WRITER nor WRITERS_WAIT; or the caller holds the lock already
     *      enter to write     nothing but perhaps KEEPER
     *      leave as a reader  a second read lock or WRITER stays, or there is nothing else at all, not even KEEPER
     *      leave as a writer  neither of the bits for those who wait, nor KEEPER
     *
     *   As the keeper, elected by the CAS that sets the bit: whoever has to join a line, leaves one (a cancellation), or
     *   leaves the lock when somebody waits. The keeper decides, does its work on the lines, and gives its role up in the
     *   same atomic step that changes the rest of the word. That step is where the operation takes effect.
     *
     *   I3  What the others do to the word meanwhile never lets anybody in who was kept out: they do not take WRITER away,
     *       nor the last read lock unless WRITER is set, nor the bits for those who wait. So a keeper that has seen that
     *       a request must wait, or that a line is to be served, need not look again.
     *
     * Transitions that serve those who wait:
     *
     *   the last reader leaves       the first writer enters: WRITER
     *   a writer leaves, or turns    all readers that wait enter: their number is added to the upper field in the same
     *   into a reader                step; or, if there are none and no read lock is held, the next writer enters
     *   a waiting writer gives up    if it was the first of them, or the last that was left, and WRITER is clear, then all
     *                                readers that wait enter; the writers behind wait for them
     *
     * Exactness. Place in line, the count in the word and the decision of a cancellation change in one step, because
     * nobody sees anything between. With counters and cells that change one after the other it is not so. A writer that
     * has stopped a reader could still be overtaken by one that came after that; a reader of the next turn could slip
     * into the place of one that gives up while its turn is let in; and whoever gives up could not tell whether it is the
     * first.
     *
     * Handing over. Those who have been let in are taken out of their line by the keeper, and are handed the lock, that is
     * woken, when it is the keeper no more: some waiters run their owner's code in place. One writer is claimed. A
     * turn of readers is not taken out one by one, but the whole line is set aside and another one takes its place; they
     * hold the lock from then on, although not all have been told. Who gives up then finds that its line is not the
     * one for those who wait, and that it is too late. Two lines take turns in steady use.
     *
     * A waiter whose owner turns out to be gone has held the lock for a moment, and leaves it.
     *
     * The record of who holds it. The writer: as for Mutex, the superclass's field and `reentries`, written by that thread
     * only. Readers that are threads: the one that entered when there was no read lock is in `firstReader`, written by it
     * alone as long as it holds the lock, and before it leaves; all others are in ReadHolds, each in its own thread. So a
     * thread finds its own holds without any ordering, and reads nothing of others but "not me". Coroutines and
     * futures are not on record.
     *
     * Progress. Without waiters, lock-free, a fixed number of steps. The keeper does a fixed number of steps as well, but
     * for what the queues do to pass cancelled cells, and runs no code of a waiter. Those who need its role wait for its
     * end; if it has lost its processor they yield theirs. A keeper that finds no memory for a place in a line waits for
     * some, and they with it. tryReadLock and tryWriteLock never wait.
     *
     * Ordering. All accesses to the word are volatile: they order holders where no one waits, and each keeper after the
     * one before. Those who were handed the lock are ordered by their waiter. The lines are read from outside for
     * information only.
     */

    private static final long serialVersionUID = 1L;

    private static final long KEEPER = 1;
    private static final long WRITER = 2;
    private static final long WRITERS_WAIT = 4;
    private static final long READERS_WAIT = 8;
    private static final int READER_SHIFT = 4;
    private static final long ONE_READER = 1L << READER_SHIFT;

    /** An {@code int}, because that is how they are counted outside. */
    private static final int MOST_READERS = Integer.MAX_VALUE;

    private static final long FULL = MOST_READERS * ONE_READER;

    private static final VarHandle WORD;
    private static final VarHandle LINES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(ReadWriteMutex.class, "word", long.class);
            LINES = lookup.findVarHandle(ReadWriteMutex.class, "lines", ReadWriteLines.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerReadWrite(new StepsOfBoth());
    }

    /** Who holds the lock and whether somebody waits; changed by CAS, and by addition to give up the keeper's role. */
    private transient volatile long word;

    /** Made by CAS when the first request has to wait; what is in it belongs to the keeper. */
    private transient volatile ReadWriteLines lines;

    /** How often the thread that writes has entered again to write. Plain: written and read by that thread. */
    private transient int reentries;

    /** The thread that found no read lock held; see the overview. Plain. */
    private transient Thread firstReader;

    /** How many read locks it holds. Plain: written and read by that thread. */
    private transient int firstReaderHolds;

    /** Creates a free lock. */
    public ReadWriteMutex() {}

    // Entering

    /**
     * Takes a read lock if no writer holds the lock or waits for it.
     *
     * @return whether the caller now holds one
     * @throws Error if there are more read locks than an {@code int} can count
     */
    public boolean tryReadLock() {
        return enterToRead() >= 0;
    }

    /** The word before, or a negative number if it has to wait. */
    private long enterToRead() {
        for (; ; ) {
            long seen = word;
            if ((seen & (WRITER | WRITERS_WAIT)) != 0) {
                return -1;
            }
            checkRoom(seen);
            if (casWord(seen, seen + ONE_READER)) {
                return seen;
            }
        }
    }

    /**
     * Takes the write lock if the lock is free.
     *
     * @return whether the caller now holds it
     */
    public boolean tryWriteLock() {
        for (; ; ) {
            long seen = word;
            if ((seen & ~KEEPER) != 0) {
                return false;
            }
            if (casWord(seen, seen + WRITER)) {
                return true;
            }
        }
    }

    private static void checkRoom(long word) {
        if (word >= FULL) {
            throw new Error("Maximum lock count exceeded");
        }
    }

    // Leaving

    /**
     * Gives a read lock up. If it was the last one, the first writer that waits gets the lock.
     *
     * @throws IllegalStateException if there is no read lock to give up; nothing is then changed
     */
    public void unlockRead() {
        for (; ; ) {
            long seen = word;
            if (seen != ONE_READER && seen < 2 * ONE_READER && (seen & WRITER) == 0) {
                unlockLastRead();
                return;
            }
            if (seen < ONE_READER) {
                throw notReadLocked();
            }
            if (casWord(seen, seen - ONE_READER)) {
                return;
            }
        }
    }

    /** There is no other read lock and no writer, but somebody waits, or the lines are being changed. */
    private void unlockLastRead() {
        for (long seen = keep(); ; seen = word) {
            if (seen < ONE_READER) {
                endKeeping(0);
                throw notReadLocked();
            }
            if (seen >= 2 * ONE_READER || (seen & (WRITER | WRITERS_WAIT)) != WRITERS_WAIT) { // not the last, or nobody waits
                if (casWord(seen, seen - ONE_READER - KEEPER)) {
                    return;
                }
            } else if (casWord(seen, seen - ONE_READER + WRITER)) {
                handOver(nextWriter());
                return;
            }
        }
    }

    /**
     * Gives the write lock up: to all readers that wait, or if there are none, to the first writer.
     *
     * @throws IllegalStateException if the lock is not held for writing; nothing is then changed
     */
    public void unlockWrite() {
        if (getExclusiveOwnerThread() != null) {
            clearRecord();
        }
        handOver(leaveWriting());
    }

    private void clearRecord() {
        checkWriteLocked(word); // a record without a lock is another's, made a moment ago: leave it
        reentries = 0;
        setExclusiveOwnerThread(null);
    }

    /** The end of a writer's turn; returns the writer that the lock is to be handed to. */
    private Waiter leaveWriting() {
        for (; ; ) {
            long seen = word;
            checkWriteLocked(seen);
            if ((seen & (KEEPER | READERS_WAIT | WRITERS_WAIT)) != 0) {
                return serveAfterWriting();
            }
            if (casWord(seen, seen - WRITER)) {
                return null;
            }
        }
    }

    private Waiter serveAfterWriting() {
        for (long seen = keepWriting(); ; seen = word) {
            if ((seen & READERS_WAIT) != 0) {
                letReadersIn(-WRITER);
                return null;
            }
            if ((seen & WRITERS_WAIT) != 0 && seen < ONE_READER) {
                return nextWriter();
            }
            if (casWord(seen, seen - WRITER - KEEPER)) { // nobody waits, or the thread that wrote goes on reading
                return null;
            }
        }
    }

    /**
     * Turns the write lock into a read lock, so that no other writer comes between. All readers that wait enter as well.
     *
     * @throws IllegalStateException if the lock is not held for writing; nothing is then changed
     */
    public void downgrade() {
        if (getExclusiveOwnerThread() != null) {
            clearRecord();
        }
        for (; ; ) {
            long seen = word;
            checkWriteLocked(seen);
            if ((seen & (KEEPER | READERS_WAIT)) != 0) {
                downgradeWithOthers();
                return;
            }
            if (casWord(seen, seen - WRITER + ONE_READER)) {
                return;
            }
        }
    }

    private void downgradeWithOthers() {
        if ((keepWriting() & READERS_WAIT) != 0) {
            letReadersIn(ONE_READER - WRITER);
        } else {
            endKeeping(ONE_READER - WRITER);
        }
    }

    private static void checkWriteLocked(long word) {
        if ((word & WRITER) == 0) {
            throw notWriteLocked();
        }
    }

    private static IllegalStateException notReadLocked() {
        return new IllegalStateException("unlock of a read lock that nobody holds");
    }

    private static IllegalStateException notWriteLocked() {
        return new IllegalStateException("unlock of a write lock that nobody holds");
    }

    // The keeper

    /** Becomes the keeper; returns the word. */
    private long keep() {
        for (int turns = 0; ; ) {
            long seen = word;
            if ((seen & KEEPER) != 0) {
                Spin.pause(turns++);
            } else if (casWord(seen, seen + KEEPER)) {
                return seen + KEEPER;
            }
        }
    }

    /** The same for the writer, unless there is none. */
    private long keepWriting() {
        long seen = keep();
        if ((seen & WRITER) == 0) {
            endKeeping(0);
            throw notWriteLocked();
        }
        return seen;
    }

    /** Changes the word by so much, and is the keeper no more. */
    private void endKeeping(long change) {
        WORD.getAndAdd(this, change - KEEPER);
    }

    /** Takes the first writer, which has been granted the lock, out of its line. Ends the keeper's role. */
    private Waiter nextWriter() {
        Waiter next = lines.takeWriter();
        endKeeping(lines.writers() == 0 ? -WRITERS_WAIT : 0);
        return next;
    }

    /** Lets all readers in that wait, and changes the word by so much besides. Ends the keeper's role. */
    private void letReadersIn(long change) {
        ReadWriteLines present = lines;
        int count = present.readers();
        ReadWriteLines.Line turn = present.takeReaders();
        endKeeping(change - READERS_WAIT + count * ONE_READER);
        turn.resume(this, count);
        present.keepForLater(turn);
    }

    /** Hands the write lock to those whose turn it is, until one takes it; {@code null} for nobody. */
    private void handOver(Waiter first) {
        for (Waiter next = first; next != null && !lines.handOver(next, this); ) {
            next = leaveWriting();
        }
    }

    // Waiting

    private void joinReaders(Waiter waiter) {
        ReadWriteLines present = lines();
        for (long seen = keep(); (seen & (WRITER | WRITERS_WAIT)) == 0; seen = word) {
            if (seen >= FULL) {
                endKeeping(0);
                checkRoom(seen);
            }
            if (casWord(seen, seen + ONE_READER - KEEPER)) {
                if (!present.handOver(waiter, this)) {
                    unlockRead();
                }
                return;
            }
        }
        long change = 0;
        try {
            change = present.joinReaders(waiter) ? READERS_WAIT : 0;
        } finally {
            endKeeping(change);
        }
    }

    private void joinWriters(Waiter waiter) {
        ReadWriteLines present = lines();
        for (long seen = keep(); seen == KEEPER; seen = word) {
            if (casWord(KEEPER, WRITER)) {
                handOver(waiter);
                return;
            }
        }
        long change = 0;
        try {
            change = present.joinWriters(waiter) ? WRITERS_WAIT : 0;
        } finally {
            endKeeping(change);
        }
    }

    /** Has a reader give up; called by its line. */
    boolean leaveReaders(ReadWriteLines.Line line, Waiter waiter) {
        keep();
        boolean left = lines.leaveReaders(line, waiter);
        endKeeping(left && lines.readers() == 0 ? -READERS_WAIT : 0);
        return left;
    }

    /** Has a writer give up; called by its line. */
    boolean leaveWriters(Waiter waiter) {
        long seen = keep();
        boolean first = lines.isFirstWriter(waiter);
        if (!lines.leaveWriters(waiter)) {
            endKeeping(0);
            return false;
        }
        boolean last = lines.writers() == 0;
        long change = last ? -WRITERS_WAIT : 0;
        if ((first || last) && (seen & (WRITER | READERS_WAIT)) == READERS_WAIT) {
            letReadersIn(change);
        } else {
            endKeeping(change);
        }
        return true;
    }

    /** A condition of the write lock. */
    public Condition newCondition() {
        return new Condition(new WriteLock());
    }

    // The holds of threads

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

    private boolean tryReadAs(Thread thread) {
        long seen = enterToRead();
        if (seen < 0) {
            seen = reenterToRead(thread);
        }
        if (seen < 0) {
            return false;
        }
        recordOrLeave(thread, seen < ONE_READER);
        return true;
    }

    /** The same for a thread that holds the lock already, and so does not wait behind those who wait for it. */
    private long reenterToRead(Thread thread) {
        boolean writes = getExclusiveOwnerThread() == thread;
        if (!writes && holds(thread) == 0) {
            return -1;
        }
        for (; ; ) {
            long seen = word;
            if (!writes && (seen < ONE_READER || (seen & WRITER) != 0)) {
                return -1; // somebody else has unlocked what it holds
            }
            checkRoom(seen);
            if (casWord(seen, seen + ONE_READER)) {
                return seen;
            }
        }
    }

    private void recordOrLeave(Thread thread, boolean first) {
        try {
            record(thread, first);
        } catch (Throwable t) { // no memory for the record
            unlockRead();
            throw t;
        }
    }

    private boolean unlockReadAs(Thread thread) {
        if (firstReader == thread) {
            if (firstReaderHolds == 1) {
                firstReader = null;
            } else {
                firstReaderHolds--;
            }
        } else if (!ReadHolds.remove(this)) {
            return false;
        }
        unlockRead();
        return true;
    }

    private int holds(Thread thread) {
        return firstReader == thread ? firstReaderHolds : ReadHolds.of(this);
    }

    // Looking

    /** Whether somebody holds the lock for writing at this moment. */
    public boolean isWriteLocked() {
        return (word & WRITER) != 0;
    }

    /** How many read locks are held at this moment, those included that have been handed over and not been noticed yet. */
    public int readLockCount() {
        return readLocks(word);
    }

    private static int readLocks(long word) {
        return (int) Math.min(MOST_READERS, word >> READER_SHIFT);
    }

    /** How many requests wait to read at this moment. */
    public int waitingReaders() {
        ReadWriteLines present = lines;
        return present == null ? 0 : present.readers();
    }

    /** How many requests wait to write at this moment. */
    public int waitingWriters() {
        ReadWriteLines present = lines;
        return present == null ? 0 : present.writers();
    }

    /**
     * Shows the waiters of those who want to read, first to last. Weakly consistent: never fails, and may or may not show
     * those who come or leave meanwhile.
     */
    public void forEachWaitingReader(Consumer<? super Waiter> action) {
        ReadWriteLines present = lines;
        if (present != null) {
            present.forEachReader(action);
        }
    }

    /** The same for those who want to write. */
    public void forEachWaitingWriter(Consumer<? super Waiter> action) {
        ReadWriteLines present = lines;
        if (present != null) {
            present.forEachWriter(action);
        }
    }

    /** Says how the lock is held, by which thread if it is held for writing and that is on record, and how many wait. */
    @Override
    public String toString() {
        long seen = word;
        Thread owner = getExclusiveOwnerThread();
        StringBuilder text = new StringBuilder("ReadWriteMutex@").append(Integer.toHexString(hashCode())).append('[');
        if ((seen & WRITER) != 0) {
            text.append("write locked").append(owner == null ? "" : " by " + owner.getName()).append(", ");
        }
        return text.append(readLocks(seen)).append(" read locks, ").append(waitingWriters()).append(" writers and ")
                .append(waitingReaders()).append(" readers waiting]").toString();
    }

    // The word and the lines

    private boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    private ReadWriteLines lines() {
        ReadWriteLines present = lines;
        return present != null ? present : makeLines();
    }

    /** A waiter that comes from a condition has nowhere else to go: if there is no memory, again until there is. */
    private ReadWriteLines makeLines() {
        for (; ; ) {
            try {
                ReadWriteLines fresh = new ReadWriteLines(this);
                return LINES.compareAndSet(this, null, fresh) ? fresh : lines;
            } catch (OutOfMemoryError e) {
                Thread.yield();
            }
        }
    }

    /** A serialized lock would be held by nobody. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(getClass().getName());
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
        Closing closing() {
            return null; // it cannot be closed
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
            return lock.tryReadAs(thread);
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
