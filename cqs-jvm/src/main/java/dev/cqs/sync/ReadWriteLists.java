package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The waiters of a {@link ReadWriteMutex}: a list of readers and a list of writers. */
final class ReadWriteLists {
    /*
     * All methods need the list lock (ReadWriteWord), except for read-only looks, handOver() and keepForLater(). So waiters
     * come and go one after the other. The concurrency of the queues is not needed here. What is needed is that a waiter
     * leaves from anywhere at constant cost.
     *
     * No cell is ever taken by a resume before its waiter is in it. Writers are claimed, one by one. Readers that enter in one
     * turn are not taken out one by one: the whole list is set aside and another one takes its place. The readers in it hold
     * the lock from then on, although not all have been told. Only the thread that has set the list aside changes it: it
     * resumes all waiters in it, and then the list is empty, and good for another turn. In steady use two lists alternate. A
     * reader that cancels finds that its list is not the present one, and so that it is too late.
     *
     * The closing takes the list of writers in the same way.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private final ReadWriteState lock;

    /** Another one after the closing. Volatile for callers that look. */
    private volatile WaiterList writerList;

    /** Null until a reader waits. Volatile for callers that look. */
    private volatile @Nullable WaiterList readerList;

    /** An emptied list, or null. Put here without the list lock, taken under it; a surplus list is dropped. */
    private volatile @Nullable WaiterList spare;

    /** Volatile for callers that look, as the next. */
    private volatile int readers;

    private volatile int writers;

    ReadWriteLists(ReadWriteState lock) {
        this.lock = lock;
        this.writerList = new WaiterList(false);
    }

    int readers() {
        return readers;
    }

    int writers() {
        return writers;
    }

    /** Whether this is the first in the list. */
    boolean joinReaders(Waiter waiter) {
        if (readerList == null) {
            readerList = new WaiterList(true);
        }
        readerList.suspend(waiter);
        int before = readers;
        readers = before + 1;
        return before == 0;
    }

    /** Whether this is the first in the list. */
    boolean joinWriters(Waiter waiter) {
        writerList.suspend(waiter);
        int before = writers;
        writers = before + 1;
        return before == 0;
    }

    /** False if the waiter is in a list that was taken, or has been resumed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the list lock
    boolean leaveReaders(WaiterList list, Waiter waiter) {
        boolean left = list == readerList && list.claim(waiter);
        if (left) {
            readers = readers - 1;
        }
        return left;
    }

    boolean isFirstWriter(Waiter waiter) {
        return writerList.firstWaiter() == waiter;
    }

    /** False if it was taken before, alone or with its list. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the list lock
    boolean leaveWriters(WaiterList list, Waiter waiter) {
        boolean left = list == writerList && list.claim(waiter);
        if (left) {
            writers = writers - 1;
        }
        return left;
    }

    /** Takes the first writer out of its list; there must be one. */
    @SuppressWarnings("NullAway") // see above
    Waiter takeWriter() {
        WaiterList present = writerList;
        Waiter first = present.firstWaiter();
        leaveWriters(present, first);
        return first;
    }

    /** Sets the list of readers aside, to be resumed by the caller when the lists are unlocked. */
    @SuppressWarnings("NullAway") // there is one if there are readers
    WaiterList takeReaders() {
        WaiterList taken = readerList;
        WaiterList next = spare;
        if (next != null) {
            spare = null;
        }
        readerList = next;
        readers = 0;
        return taken;
    }

    /** Takes a list back whose readers have all been resumed. */
    void keepForLater(WaiterList emptied) {
        spare = emptied;
    }

    /** Tells the waiter that it has the lock, or that it fails; false if its owner is gone. */
    boolean handOver(Waiter waiter, Object outcome) {
        return writerList.handOver(waiter, outcome);
    }

    /** Whether the waiter gets the lock even if that is closed, because it waited on a condition. */
    static boolean comesBack(Waiter waiter) {
        return waiter instanceof ConditionWaiter;
    }

    void forEachReader(Consumer<? super Waiter> action) {
        WaiterList present = readerList;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    void forEachWriter(Consumer<? super Waiter> action) {
        writerList.forEachWaiter(action);
    }

    /** Takes all waiters out that the closing fails. Made before the closing is noted. */
    final class Closer implements Consumer<Waiter> {
        /*
         * A waiter that comes back from a condition must get the lock, a closed one as well: its owner goes on as the holder.
         * So such waiters are moved to a new list, in their order, and only such waiters may join it later. When they ask
         * whether the lock is free, they find CLOSED where other waiters find nothing. They are served as before, and cannot
         * be cancelled.
         *
         * A list that is taken for the closing is treated like the readers of a turn: a waiter that cancels finds that its
         * list is not the present one, and so that it is too late. It has no lock to give back when its owner is gone.
         */

        private final WaiterList returning = new WaiterList(false);

        @SuppressWarnings("NullAway.Init") // set if there are readers to fail
        private WaiterList failedReaders;

        @SuppressWarnings("NullAway.Init") // set if there are writers to fail
        private WaiterList failedWriters;

        private int readersToFail;
        private int writersToFail;

        void takeReaders() {
            readersToFail = readers;
            if (readersToFail > 0) {
                failedReaders = ReadWriteLists.this.takeReaders();
            }
        }

        /** The waiters that come back from a condition stay, in a list of their own. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // under the list lock
        void takeWriters() {
            failedWriters = writerList;
            writersToFail = writers;
            failedWriters.forEachWaiter(this); // exact: no waiter comes or leaves
            writerList = returning;
            writers = writers - writersToFail;
        }

        /** Called for each writer that waits, first to last. */
        @Override
        public void accept(Waiter waiter) {
            if (comesBack(waiter) && failedWriters.claim(waiter)) {
                returning.suspend(waiter);
                writersToFail--;
            }
        }

        /** Called when the lists are unlocked. */
        void failAll(Closed closing) {
            if (readersToFail > 0) {
                failedReaders.resume(closing, readersToFail);
            }
            if (writersToFail > 0) {
                failedWriters.resume(closing, writersToFail);
            }
        }
    }

    /** One of the lists. Changed under the list lock, and once it was taken, by the taker. */
    final class WaiterList extends CancellableQueueSynchronizer<Object> {
        private final boolean ofReaders;

        WaiterList(boolean ofReaders) {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
            this.ofReaders = ofReaders;
        }

        @Override
        protected boolean leave(Waiter waiter) {
            if (comesBack(waiter)) {
                return false; // it stays: COND-2
            }
            return ofReaders ? lock.leaveReaders(this, waiter) : lock.leaveWriters(this, waiter);
        }

        /** Asked for a waiter whose owner is gone, when it has a read lock already or has failed. */
        @Override
        protected boolean onCancellation(@Nullable Waiter waiter) {
            return false;
        }

        @Override
        protected void completeRefusedResume(Object outcome) {
            if (outcome == lock) { // otherwise it has failed, and holds nothing
                lock.leaveAsReader();
            }
        }
    }
}
