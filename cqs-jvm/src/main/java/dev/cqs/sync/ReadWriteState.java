package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.function.Function;

/** Who holds a {@link ReadWriteMutex} and who waits for it: all that changes by atomic steps. */
abstract class ReadWriteState extends AbstractOwnableSynchronizer {
    /*
     * Overview.
     *
     * One 64-bit word says who holds the lock and whether somebody waits:
     *
     *      bits 5..63   read locks held
     *      bit  4       CLOSED: nobody waits or enters any more, but for those who hold the lock or come back to it
     *      bit  3       READERS_WAIT: the line of readers is not empty
     *      bit  2       WRITERS_WAIT: the line of writers is not empty
     *      bit  1       WRITER: held for writing
     *      bit  0       LIST_LOCKED: a thread keeps the lines; nobody else looks at them or changes them
     *
     * Who waits, and how many, stands in the lines (ReadWriteLines), which are made when somebody has to wait for the
     * first time. So no number of waiters overflows a field, and an overflow of the upper field is out of reach: read
     * locks are refused above MOST_READERS, far below its end, and those who wait add less than that.
     *
     *   I1  While the keeper's bit is clear, the two bits for those who wait say what is true of the lines.
     *   I2  READERS_WAIT only with WRITER or WRITERS_WAIT. WRITERS_WAIT only with WRITER or a read lock that is held.
     *       This holds of every value of the word, with and without a keeper.
     *
     * Two ways to change the word.
     *
     *   By a CAS, where nothing is to be done for those who wait:
     *      enter to read      neither WRITER nor WRITERS_WAIT nor CLOSED; or the caller holds the lock already
     *      barge to read      neither WRITER nor CLOSED
     *      enter to write     nothing but perhaps LIST_LOCKED
     *      leave as a reader  a second read lock or WRITER stays, or there is nothing else at all, not even LIST_LOCKED
     *      leave as a writer  neither of the bits for those who wait, nor LIST_LOCKED
     *
     *   As the keeper, elected by the CAS that sets the bit: whoever has to join a line, leaves one (a cancellation), closes
     *   the lock, or leaves it when somebody waits. The keeper decides, does its work on the lines, and gives its role up in the
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
     * Barging. A barging reader passes the writers that wait, and never one that has been let in: a writer has WRITER from
     * the step that grants it the lock to the one that ends its turn, and WRITER goes from one writer to the next without
     * being cleared. So if writers wait, the reader joins others that read (I2). It neither looks at the lines nor asks for
     * the keeper's role, so it never waits. What it does to a keeper's decision:
     *
     *   A request must wait, or all readers that wait enter (leaveWriters). Both follow from what I3 keeps: the reason to
     *   wait, or WRITER being clear while writers wait. One read lock more changes neither, and its count is added to the
     *   word, not stored over it.
     *
     *   Nobody reads any more, so a writer enters (leaveAsLastReader, joinWriters, enterToWrite). One read lock more
     *   would make this wrong. So each of these is a CAS of the whole word, which fails if a reader has barged in.
     *   endWritingWithOthers asks the same question under WRITER, where nobody barges.
     *
     * The price is the bound on how long a writer waits: barging readers that overlap keep it out.
     *
     * Closing. The Closing is noted first, by CAS, beside the word. It is in force from the step that sets CLOSED, and CLOSED
     * is never cleared: so an operation that finds CLOSED finds the Closing, and one that finds it not set is before the
     * closing, whatever stands beside the word. The keeper that closes takes all waiters out of the lines and gives its role
     * up with the addition that sets CLOSED and clears the bits for the lines that are empty now. So no waiter is granted
     * the lock after that step, and none joins a line: a request that comes to a line as its keeper finds CLOSED and fails.
     * All fail when the keeper is the keeper no more.
     *
     *   I4  With CLOSED, READERS_WAIT is clear, and only waiters that come back from a condition are in the line of writers.
     *
     * A waiter that comes back from a condition must get the lock, a closed one as well: its owner goes on as the holder. So
     * the keeper that closes moves those to the new line, in their order, and they alone may join it later. They find CLOSED
     * where others find nothing, when they ask whether the lock is free, and are served as before; they cannot be cancelled.
     *
     * A line that is taken for the closing is treated as a turn of readers is: a waiter that gives up finds that its line is
     * not the one for those who wait, and that it is too late. It has no lock to give back when it turns out to be gone.
     *
     * Holders unlock, downgrade and enter again as before. The last reader of a closed lock leaves as the keeper, because it
     * is not alone in the word; nothing else changes for them.
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
     * Progress. Without waiters, lock-free, a fixed number of steps unless others succeed. The keeper does a fixed number of
     * steps as well, but for what the queues do to pass cancelled cells, and runs no code of a waiter. Only the closing, once
     * in the life of a lock, looks at each writer that waits. Those who need its
     * role wait for its end; if it has lost its processor they yield theirs. A keeper that finds no memory for a place in a
     * line waits for some, and they with it. A caller makes sure of its stack before it becomes
     * the keeper (StackCheck), because a keeper whose stack ends would keep its role for good. tryReadLock, tryReadLockBarging and tryWriteLock never wait.
     *
     * Ordering. All accesses to the word are volatile: they order holders where no one waits, and each keeper after the
     * one before. Those who were handed the lock are ordered by their waiter. The lines are read from outside for
     * information only.
     */

    private static final long serialVersionUID = 1L;

    private static final long LIST_LOCKED = 1;
    private static final long WRITER = 2;
    private static final long WRITERS_WAIT = 4;
    private static final long READERS_WAIT = 8;
    private static final long CLOSED = 16;
    private static final int READER_SHIFT = 5;
    private static final long ONE_READER = 1L << READER_SHIFT;

    /** An {@code int}, because that is how they are counted outside. */
    private static final int MOST_READERS = Integer.MAX_VALUE;

    private static final long FULL = MOST_READERS * ONE_READER;

    /** What {@link #enterToRead} answers if the reader has to wait. */
    static final int WAITS = -1;

    private static final Function<ReadWriteState, ReadWriteLines> NEW_LINES = ReadWriteLines::new;

    private static final VarHandle WORD;
    private static final VarHandle LINES;
    private static final VarHandle CLOSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(ReadWriteState.class, "word", long.class);
            LINES = lookup.findVarHandle(ReadWriteState.class, "lines", ReadWriteLines.class);
            CLOSING = lookup.findVarHandle(ReadWriteState.class, "closing", Closed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Who holds the lock and whether somebody waits; changed by CAS, and by addition to give up the keeper's role. */
    private transient volatile long word;

    /** Made by CAS when the first request has to wait; what is in it belongs to the keeper. */
    private transient volatile ReadWriteLines lines;

    /** What waiters get instead of the lock, once CLOSED is set; set once, by CAS, before that. */
    private transient volatile Closed closing;

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        ReadWriteState lock = new Rehearsed();
        lock.enterToWrite();
        RehearsedWaiter reader = new RehearsedWaiter();
        lock.joinReaders(reader);
        reader.leave();
        RehearsedWaiter writer = new RehearsedWaiter();
        lock.joinWriters(writer);
        writer.leave();
        lock.joinReaders(new RehearsedWaiter());
        lock.joinWriters(new RehearsedWaiter());
        lock.leaveAsWriter();
        lock.leaveAsReader();
        lock.turnIntoReader();
        lock.joinWriters(new RehearsedWaiter());
        lock.joinWriters(new RehearsedConditionWaiter());
        lock.joinReaders(new RehearsedWaiter());
        lock.closeWith(new Closed("", null));
    }

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

    /** Takes a read lock past the writers that wait; returns how many there were, or {@link #WAITS} if a writer is in or the lock closed. */
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
                return WAITS; // somebody else has unlocked what it holds
            }
            checkRoom(seen);
            if (casWord(seen, seen + ONE_READER)) {
                return (int) (seen >> READER_SHIFT);
            }
        }
    }

    /** False if the lock is held or closed, or somebody waits. */
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

    private static void checkRoom(long word) {
        if (word >= FULL) {
            throw new Error("Maximum lock count exceeded");
        }
    }

    // Leaving

    final void leaveAsReader() {
        for (; ; ) {
            long seen = word;
            if (seen != ONE_READER && seen < 2 * ONE_READER && (seen & WRITER) == 0) {
                leaveAsLastReader();
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
    private void leaveAsLastReader() {
        for (long seen = keep(); ; seen = word) {
            if (seen < ONE_READER) {
                endKeeping(0);
                throw notReadLocked();
            }
            boolean serves = seen < 2 * ONE_READER && (seen & (WRITER | WRITERS_WAIT)) == WRITERS_WAIT;
            if (!serves) { // somebody has come or gone meanwhile
                if (casWord(seen, seen - ONE_READER - LIST_LOCKED)) {
                    return;
                }
            } else if (casWord(seen, seen - ONE_READER + WRITER)) {
                handOver(nextWriter());
                return;
            }
        }
    }

    final void leaveAsWriter() {
        handOver(endWriting());
    }

    /** The end of a writer's turn; returns the writer that the lock is to be handed to. */
    private Waiter endWriting() {
        for (; ; ) {
            long seen = word;
            checkWriteLocked(seen);
            if ((seen & (LIST_LOCKED | READERS_WAIT | WRITERS_WAIT)) != 0) {
                return endWritingWithOthers();
            }
            if (casWord(seen, seen - WRITER)) {
                return null;
            }
        }
    }

    private Waiter endWritingWithOthers() {
        for (long seen = keepWriting(); ; seen = word) {
            if ((seen & READERS_WAIT) != 0) {
                letReadersIn(-WRITER);
                return null;
            }
            if ((seen & WRITERS_WAIT) != 0 && seen < ONE_READER) {
                return nextWriter();
            }
            if (casWord(seen, seen - WRITER - LIST_LOCKED)) { // nobody waits, or the thread that wrote goes on reading
                return null;
            }
        }
    }

    final void turnIntoReader() {
        for (; ; ) {
            long seen = word;
            checkWriteLocked(seen);
            if ((seen & (LIST_LOCKED | READERS_WAIT)) != 0) {
                turnIntoReaderWithOthers();
                return;
            }
            if (casWord(seen, seen - WRITER + ONE_READER)) {
                return;
            }
        }
    }

    private void turnIntoReaderWithOthers() {
        if ((keepWriting() & READERS_WAIT) != 0) {
            letReadersIn(ONE_READER - WRITER);
        } else {
            endKeeping(ONE_READER - WRITER);
        }
    }

    final void checkWriteLocked() {
        checkWriteLocked(word);
    }

    private static void checkWriteLocked(long word) {
        if ((word & WRITER) == 0) {
            throw notWriteLocked();
        }
    }

    private static IllegalStateException notReadLocked() {
        return new IllegalStateException("This mutex is not locked for reading");
    }

    private static IllegalStateException notWriteLocked() {
        return new IllegalStateException("This mutex is not locked for writing");
    }

    /** Before a caller leaves that can be told that its stack is at its end, with everything as it was. */
    final void checkStack() {
        if ((word & (LIST_LOCKED | READERS_WAIT | WRITERS_WAIT)) != 0) { // it may have to keep the lines, and to hand over
            StackCheck.ensure();
        }
    }

    // The keeper

    /** Becomes the keeper; returns the word. */
    private long keep() {
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
        WORD.getAndAdd(this, change - LIST_LOCKED);
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
            next = endWriting();
        }
    }

    // Waiting

    final void joinReaders(Waiter waiter) {
        StackCheck.ensure();
        ReadWriteLines present = lines();
        long seen = keep();
        if ((seen & CLOSED) != 0) {
            endKeeping(0);
            present.handOver(waiter, closing);
            return;
        }
        for (; (seen & (WRITER | WRITERS_WAIT)) == 0; seen = word) {
            if (seen >= FULL) {
                endKeeping(0);
                checkRoom(seen);
            }
            if (casWord(seen, seen + ONE_READER - LIST_LOCKED)) {
                if (!present.handOver(waiter, this)) {
                    leaveAsReader();
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

    /** Has a waiter wait to write; one that comes back from a condition also if the lock is closed. */
    final void joinWriters(Waiter waiter) {
        StackCheck.ensure();
        ReadWriteLines present = lines();
        long seen = keep();
        if ((seen & CLOSED) != 0 && !ReadWriteLines.comesBack(waiter)) {
            endKeeping(0);
            present.handOver(waiter, closing);
            return;
        }
        for (; (seen & ~CLOSED) == LIST_LOCKED; seen = word) {
            if (casWord(seen, seen - LIST_LOCKED + WRITER)) {
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
    final boolean leaveReaders(ReadWriteLines.Line line, Waiter waiter) {
        keep();
        boolean left = lines.leaveReaders(line, waiter);
        endKeeping(left && lines.readers() == 0 ? -READERS_WAIT : 0);
        return left;
    }

    /** Has a writer give up; called by its line. */
    final boolean leaveWriters(ReadWriteLines.Line line, Waiter waiter) {
        long seen = keep();
        boolean first = lines.isFirstWriter(waiter);
        if (!lines.leaveWriters(line, waiter)) {
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

    // Closing

    /** False if it was closed before, or another closing was noted first; it is closed in any case. */
    final boolean closeWith(Closed mine) {
        StackCheck.ensure();
        ReadWriteLines present = lines();
        ReadWriteLines.Closer closer = present.new Closer(); // before anything is announced: there may be no memory
        boolean first = CLOSING.compareAndSet(this, null, mine);
        if ((keep() & CLOSED) != 0) {
            endKeeping(0);
            return first;
        }
        long change = CLOSED - (present.readers() > 0 ? READERS_WAIT : 0);
        if (present.writers() > 0) {
            closer.takeWriters();
            change -= present.writers() == 0 ? WRITERS_WAIT : 0;
        }
        closer.takeReaders();
        endKeeping(change);
        closer.failAll(closing);
        return first;
    }

    /** What the lock was closed with, or null. */
    final Closed closing() {
        return (word & CLOSED) != 0 ? closing : null;
    }

    /** For a request that was not granted. */
    final void checkOpen() {
        Closed present = closing();
        if (present != null) {
            throw present.exception();
        }
    }

    // Looking

    final boolean hasWriter() {
        return (word & WRITER) != 0;
    }

    final int readLocks() {
        return readLocks(word);
    }

    private static int readLocks(long word) {
        return (int) Math.min(MOST_READERS, word >> READER_SHIFT);
    }

    // The word and the lines

    private boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    /** Null if nobody has waited yet. */
    final ReadWriteLines linesIfAny() {
        return lines;
    }

    final ReadWriteLines lines() {
        ReadWriteLines present = lines;
        return present != null ? present : makeLines();
    }

    /** A waiter that comes from a condition has nowhere else to go. */
    private ReadWriteLines makeLines() {
        ReadWriteLines fresh = AllocationRetry.create(NEW_LINES, this);
        return LINES.compareAndSet(this, null, fresh) ? fresh : lines;
    }

    /** Nobody's lock. */
    private static final class Rehearsed extends ReadWriteState {
        private static final long serialVersionUID = 1L;
    }
}
