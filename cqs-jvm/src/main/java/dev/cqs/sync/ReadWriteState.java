package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.ConditionLock.RehearsedConditionWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which requests wait for a {@link ReadWriteMutex}, and the transitions that serve them. */
abstract class ReadWriteState extends ReadWriteWord {
    /*
     * Overview.
     *
     * The requests that wait are in two lists (ReadWriteLists), which are made when a request has to wait for the first time
     * and are protected by the list lock, a bit of the word (ReadWriteWord). It is taken by a request that joins a list, by a
     * cancellation, by the closing, and by a holder that leaves while requests wait.
     *
     * Transitions that serve waiting requests:
     *
     *   the last reader leaves       the first writer enters: WRITER
     *   a writer leaves, or turns    all readers that wait enter: their number is added to the upper field in the same
     *   into a reader                step; or, if there are none and no read lock is held, the next writer enters
     *   a waiting writer cancels     if it was the first of them, or the last that was left, and WRITER is clear, then all
     *                                readers that wait enter; the writers behind wait for them
     *
     * Waiting. A request is counted by the step that puts its waiter into a list. Before that step there is nothing to take
     * back: making the waiter may fail, and if the lock is free by then the waiter is dropped.
     *
     * Closing. The cause is noted first, by CAS, beside the word. It is in force from the step that sets CLOSED, and CLOSED is
     * never cleared. So an operation that finds CLOSED finds the cause, and one that finds CLOSED clear is before the closing,
     * whatever stands beside the word. The closing takes all waiters out of the lists. It unlocks the lists by the addition
     * that sets CLOSED and clears the bits of the lists that are empty now. So no waiter is granted the lock after that step,
     * and none joins a list: a request that takes the list lock later finds CLOSED and fails. Waiters fail when the lists are
     * unlocked. Waiters that come back from a condition stay, see ReadWriteLists.Closer.
     *
     *   RW-4  With CLOSED, READERS_WAIT is clear, and only waiters that come back from a condition are in the list of writers.
     *
     * Holders unlock, downgrade and reenter as before. The last reader of a closed lock leaves under the list lock, because it
     * is not alone in the word; nothing else changes for holders.
     *
     * Exactness. The place in a list, the count in the word and the decision of a cancellation change in one step, because
     * no other thread sees anything between. Counters and cells that change one after the other would not be exact. A writer
     * that has stopped a reader could still be overtaken by a later writer. A reader of the next turn could slip into the
     * place of a reader that cancels while its turn is let in. And a canceller could not tell whether its writer is the first.
     *
     * Hand-off. Waiters that have been let in are taken out of their list under the list lock, and are resumed when the
     * lists are unlocked, because some waiters run their owner's code in place: see ReadWriteLists. A waiter whose owner turns
     * out to be gone has held the lock for a moment, and gives it up.
     *
     * Progress. Without waiters, lock-free: a fixed number of steps unless others succeed. Under the list lock a thread does a
     * fixed number of steps as well, except for what the queues do to pass cancelled cells, and runs no code of a waiter. Only
     * the closing, once in the life of a lock, looks at each writer that waits. Threads that need the list lock spin, and yield
     * if its holder was preempted. A holder that finds no memory for a place in a list retries until there is some, and the
     * threads that spin wait with it. A caller checks its stack before it takes the list lock (StackCheck), because a holder
     * whose stack overflows would keep the lock for good. tryReadLock, tryReadLockBarging and tryWriteLock never wait.
     *
     * Ordering. Holders that were handed the lock are ordered by their waiter, all others by the word. The lists are read
     * without the list lock for information only.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    private static final Function<ReadWriteState, ReadWriteLists> NEW_LISTS = ReadWriteLists::new;

    private static final VarHandle LISTS;
    private static final VarHandle CLOSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LISTS = lookup.findVarHandle(ReadWriteState.class, "lists", ReadWriteLists.class);
            CLOSING = lookup.findVarHandle(ReadWriteState.class, "closing", Closed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Made by CAS when the first request has to wait; what is in it is changed under the list lock. */
    @SuppressWarnings("NullAway.Init") // null only before that
    private transient volatile ReadWriteLists lists;

    /** What waiters get instead of the lock, once CLOSED is set; set once, by CAS, before that. */
    @SuppressWarnings("NullAway.Init") // as it says
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

    // Leaving

    final void leaveAsReader() {
        for (; ; ) {
            long seen = word();
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

    /** There is no other read lock and no writer, but requests wait, or the lists are being changed. */
    private void leaveAsLastReader() {
        for (long seen = lockLists(); ; seen = word()) {
            if (seen < ONE_READER) {
                unlockLists(0);
                throw notReadLocked();
            }
            boolean serves = seen < 2 * ONE_READER && (seen & (WRITER | WRITERS_WAIT)) == WRITERS_WAIT;
            if (!serves) { // requests have come or gone meanwhile
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
    private @Nullable Waiter endWriting() {
        for (; ; ) {
            long seen = word();
            checkWriteLocked(seen);
            if ((seen & (LIST_LOCKED | READERS_WAIT | WRITERS_WAIT)) != 0) {
                return endWritingWithOthers();
            }
            if (casWord(seen, seen - WRITER)) {
                return null;
            }
        }
    }

    private @Nullable Waiter endWritingWithOthers() {
        for (long seen = lockListsAsWriter(); ; seen = word()) {
            if ((seen & READERS_WAIT) != 0) {
                letReadersIn(-WRITER);
                return null;
            }
            if ((seen & WRITERS_WAIT) != 0 && seen < ONE_READER) {
                return nextWriter();
            }
            if (casWord(
                    seen, seen - WRITER - LIST_LOCKED)) { // no request waits, or the thread that wrote goes on reading
                return null;
            }
        }
    }

    final void turnIntoReader() {
        for (; ; ) {
            long seen = word();
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
        if ((lockListsAsWriter() & READERS_WAIT) != 0) {
            letReadersIn(ONE_READER - WRITER);
        } else {
            unlockLists(ONE_READER - WRITER);
        }
    }

    /** Takes the first writer, which has been granted the lock, out of its list, and unlocks the lists. */
    private Waiter nextWriter() {
        Waiter next = lists.takeWriter();
        unlockLists(lists.writers() == 0 ? -WRITERS_WAIT : 0);
        return next;
    }

    /** Lets all readers in that wait, and unlocks the lists; adds {@code change} to the word besides. */
    private void letReadersIn(long change) {
        ReadWriteLists present = lists;
        int count = present.readers();
        ReadWriteLists.WaiterList turn = present.takeReaders();
        unlockLists(change - READERS_WAIT + count * ONE_READER);
        turn.resume(this, count);
        present.keepForLater(turn);
    }

    /** Hands the write lock to this writer, or if its owner is gone, to the next; {@code null} for no writer. */
    private void handOver(@Nullable Waiter first) {
        for (Waiter next = first; next != null && !lists.handOver(next, this); ) {
            next = endWriting();
        }
    }

    // Waiting

    /**
     * Has a waiter wait for reading, or fail if this is closed.
     *
     * @return {@code false} if the read lock was granted after all; the waiter is then in no list and is not resumed
     */
    final boolean joinReaders(Waiter waiter) {
        StackCheck.ensure();
        ReadWriteLists present = lists();
        long seen = lockLists();
        if ((seen & CLOSED) != 0) {
            unlockLists(0);
            present.handOver(waiter, closing);
            return true;
        }
        for (; (seen & (WRITER | WRITERS_WAIT)) == 0; seen = word()) {
            if (seen >= FULL) {
                unlockLists(0);
                checkRoom(seen);
            }
            if (casWord(seen, seen + ONE_READER - LIST_LOCKED)) {
                return false;
            }
        }
        long change = 0;
        try {
            change = present.joinReaders(waiter) ? READERS_WAIT : 0;
        } finally {
            unlockLists(change);
        }
        return true;
    }

    /** The same for writing; a waiter that comes back from a condition does not fail. */
    final boolean joinWriters(Waiter waiter) {
        StackCheck.ensure();
        ReadWriteLists present = lists();
        long seen = lockLists();
        if ((seen & CLOSED) != 0 && !ReadWriteLists.comesBack(waiter)) {
            unlockLists(0);
            present.handOver(waiter, closing);
            return true;
        }
        for (; (seen & ~CLOSED) == LIST_LOCKED; seen = word()) {
            if (casWord(seen, seen - LIST_LOCKED + WRITER)) {
                return false;
            }
        }
        long change = 0;
        try {
            change = present.joinWriters(waiter) ? WRITERS_WAIT : 0;
        } finally {
            unlockLists(change);
        }
        return true;
    }

    /** Has a waiter that comes back from a condition wait for writing, or resumes it with the lock at once. */
    final void reacquire(Waiter waiter) {
        if (!joinWriters(waiter)) {
            handOver(waiter);
        }
    }

    /** Cancels a reader; called by its list. */
    final boolean leaveReaders(ReadWriteLists.WaiterList list, Waiter waiter) {
        lockLists();
        boolean left = lists.leaveReaders(list, waiter);
        unlockLists(left && lists.readers() == 0 ? -READERS_WAIT : 0);
        return left;
    }

    /** Cancels a writer; called by its list. */
    final boolean leaveWriters(ReadWriteLists.WaiterList list, Waiter waiter) {
        long seen = lockLists();
        boolean first = lists.isFirstWriter(waiter);
        if (!lists.leaveWriters(list, waiter)) {
            unlockLists(0);
            return false;
        }
        boolean last = lists.writers() == 0;
        long change = last ? -WRITERS_WAIT : 0;
        if ((first || last) && (seen & (WRITER | READERS_WAIT)) == READERS_WAIT) {
            letReadersIn(change);
        } else {
            unlockLists(change);
        }
        return true;
    }

    // Closing

    /** False if it was closed before, or another closing was noted first; it is closed in any case. */
    final boolean closeWith(Closed mine) {
        StackCheck.ensure();
        ReadWriteLists present = lists();
        ReadWriteLists.Closer closer = present.new Closer(); // before anything is announced: there may be no memory
        boolean first = CLOSING.compareAndSet(this, null, mine);
        if ((lockLists() & CLOSED) != 0) {
            unlockLists(0);
            return first;
        }
        long change = CLOSED - (present.readers() > 0 ? READERS_WAIT : 0); // RW-4
        if (present.writers() > 0) {
            closer.takeWriters();
            change -= present.writers() == 0 ? WRITERS_WAIT : 0;
        }
        closer.takeReaders();
        unlockLists(change);
        closer.failAll(closing);
        return first;
    }

    /** What the lock was closed with, or null. */
    final @Nullable Closed closing() {
        return (word() & CLOSED) != 0 ? closing : null;
    }

    /** For a request that was not granted. */
    final void checkOpen() {
        Closed present = closing();
        if (present != null) {
            throw present.exception();
        }
    }

    // The lists

    /** Null if no request has waited yet. */
    final @Nullable ReadWriteLists listsIfAny() {
        return lists;
    }

    final ReadWriteLists lists() {
        ReadWriteLists present = lists;
        return present != null ? present : makeLists();
    }

    /** Retries if memory is exhausted: a waiter that comes from a condition has nowhere else to go. */
    private ReadWriteLists makeLists() {
        ReadWriteLists fresh = AllocationRetry.create(NEW_LISTS, this);
        return LISTS.compareAndSet(this, null, fresh) ? fresh : lists;
    }

    /** A lock that is not in use, for the rehearsal. */
    private static final class Rehearsed extends ReadWriteState {
        private static final long serialVersionUID = 1L;
    }
}
