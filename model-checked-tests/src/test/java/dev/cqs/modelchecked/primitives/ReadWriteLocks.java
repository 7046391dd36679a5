package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.ConditionWaiter;
import dev.cqs.sync.ReadWriteMutex;
import dev.cqs.sync.WaitFailure;
import dev.cqs.threads.ReentrantReadWriteLock;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Scenarios of read-write locks. */
final class ReadWriteLocks {

    private ReadWriteLocks() {}

    /** The guarded data: a reader finds both numbers equal. A race, unless the lock orders the accesses. */
    abstract static class Guarded {

        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private int one;
        private int other;

        final void write() {
            one++;
            other++;
        }

        final void read() {
            assert one == other : "a writer writes meanwhile";
        }

        final void writeLocked() {
            lock.writeLock().lock();
            write();
            lock.writeLock().unlock();
        }

        final void readLocked() {
            lock.readLock().lock();
            read();
            lock.readLock().unlock();
        }

        @Arbiter
        void isFree() {
            assert !lock.isWriteLocked() && lock.getReadLockCount() == 0 : "it is still locked";
            assert lock.getQueueLength() == 0 : "a request is still counted as waiting";
            assert lock.core().tryWriteLock();
        }
    }

    static class WriterAndReader extends Guarded {

        @Actor
        void writes() {
            writeLocked();
        }

        @Actor
        void reads() {
            readLocked();
        }
    }

    static class TwoWriters extends Guarded {

        @Actor(2)
        void writes(int me) {
            writeLocked();
        }
    }

    /** A writer waits with a timeout, and readers behind it. */
    static class WritesForSomeTime extends Guarded {

        @Actor
        void writes() throws InterruptedException {
            if (lock.writeLock().tryLock(1, TimeUnit.SECONDS)) {
                write();
                lock.writeLock().unlock();
            }
        }

        @Actor(2)
        void reads(int me) {
            if (lock.readLock().tryLock()) {
                read();
                lock.readLock().unlock();
            }
        }
    }

    /** A reader enters again though a writer waits. */
    static class ReadsAgain extends Guarded {

        @Actor
        void writes() {
            writeLocked();
        }

        @Actor
        void reads() {
            lock.readLock().lock();
            readLocked();
            read();
            lock.readLock().unlock();
        }
    }

    /** A writer downgrades, and stays as a reader before another writer enters. */
    static class Downgrades extends Guarded {

        @Actor
        void downgrades() {
            lock.writeLock().lock();
            write();
            lock.downgrade();
            read();
            lock.readLock().unlock();
        }

        @Actor
        void writes() {
            writeLocked();
        }
    }

    /** A lock whose waiters are enqueued before the threads start, and have no threads. */
    abstract static class Line {

        private static final BiFunction<Object, Object, Ticket> NEW_TICKET = (lock, nothing) -> new Ticket();

        final ReadWriteMutex lock = new ReadWriteMutex();
        private int one;
        private int other;

        /** Requests the write lock. The result is null if it is granted at once. */
        final Ticket writer() {
            return lock.writeLock(null, NEW_TICKET);
        }

        /** Requests a read lock. The result is null if it is granted at once. */
        final Ticket reader() {
            return lock.readLock(null, NEW_TICKET);
        }

        final void comeAndWrite() {
            Ticket writer = writer();
            if (writer != null) {
                writer.await();
            }
            writeAndUnlock();
        }

        final void comeAndRead() {
            Ticket reader = reader();
            if (reader != null) {
                reader.await();
            }
            readAndUnlock();
        }

        final void writeAndUnlock() {
            one++;
            other++;
            lock.unlockWrite();
        }

        final void readAndUnlock() {
            assert one == other : "a writer writes meanwhile";
            lock.unlockRead();
        }

        @Arbiter
        void isFree() {
            assert !lock.isWriteLocked() && lock.readLockCount() == 0 : "it is still locked";
            assert lock.waitingReaders() == 0 && lock.waitingWriters() == 0 : "a request is still counted as waiting";
            assert lock.tryWriteLock();
        }
    }

    /** A writer waits, and a reader behind it. The writer is cancelled while the first reader unlocks. */
    static class WriterLeaves extends Line {

        private final Ticket writer;
        private final Ticket reader;

        WriterLeaves() {
            lock.tryReadLock();
            writer = writer();
            reader = reader();
        }

        @Actor
        void unlocks() {
            readAndUnlock();
        }

        @Actor
        void leaves() {
            if (!writer.giveUp()) {
                writer.await();
                writeAndUnlock();
            }
        }

        @Actor
        void reads() {
            reader.await();
            readAndUnlock();
        }
    }

    /** A writer unlocks, and the waiting readers enter together before the next writer. One of the readers is cancelled. */
    static class ReaderLeaves extends Line {

        private final Ticket first;
        private final Ticket second;
        private final Ticket writer;

        ReaderLeaves() {
            lock.tryWriteLock();
            first = reader();
            second = reader();
            writer = writer();
        }

        @Actor
        void unlocks() {
            writeAndUnlock();
        }

        @Actor
        void leaves() {
            if (!first.giveUp()) {
                first.await();
                readAndUnlock();
            }
        }

        @Actor
        void reads() {
            second.await();
            readAndUnlock();
            writer.await();
            writeAndUnlock();
        }
    }

    /** A reader barges past a waiting writer while the last reader unlocks. */
    static class Barges extends Line {

        private final Ticket writer;

        Barges() {
            lock.tryReadLock();
            writer = writer();
        }

        @Actor
        void unlocks() {
            readAndUnlock();
        }

        @Actor
        void barges() {
            if (lock.tryReadLockBarging()) {
                readAndUnlock();
            }
        }

        @Actor
        void writes() {
            writer.await();
            writeAndUnlock();
        }
    }

    /**
     * A reader barges in while a writer arrives. The lock is held for reading all the time, so the reader is never refused.
     */
    static class BargesAsWriterComes extends Line {

        BargesAsWriterComes() {
            lock.tryReadLock();
        }

        @Actor
        void barges() {
            assert lock.tryReadLockBarging() : "no writer holds the lock";
            readAndUnlock();
            readAndUnlock();
        }

        @Actor
        void writes() {
            comeAndWrite();
        }
    }

    /** A reader barges in while the first writer is cancelled, which lets the reader behind it enter. */
    static class BargesAsWriterLeaves extends Line {

        private final Ticket writer;
        private final Ticket reader;

        BargesAsWriterLeaves() {
            lock.tryReadLock();
            writer = writer();
            reader = reader();
        }

        @Actor
        void leaves() {
            if (!writer.giveUp()) {
                writer.await();
                writeAndUnlock();
            }
        }

        @Actor
        void barges() {
            if (lock.tryReadLockBarging()) {
                readAndUnlock();
            }
        }

        @Actor
        void unlocks() {
            readAndUnlock();
            reader.await();
            readAndUnlock();
        }
    }

    /** A lock that is closed by one of the actors. */
    abstract static class ClosedByAnActor extends Line {

        final void close() {
            assert lock.close(null) : "it was closed before";
        }

        static boolean hasFailed(Ticket ticket) {
            return ticket.value() instanceof WaitFailure.Closed;
        }

        /** Also checks that the lock is closed. */
        @Override
        @Arbiter
        void isFree() {
            end();
            assert !lock.isWriteLocked() && lock.readLockCount() == 0 : "it is still locked";
            assert lock.waitingReaders() == 0 && lock.waitingWriters() == 0 : "a request is still counted as waiting";
            assert lock.isClosed() && isRefused(lock::tryReadLock) && isRefused(lock::tryWriteLock)
                    : "it is not closed";
        }

        private static boolean isRefused(Runnable request) {
            try {
                request.run();
                return false;
            } catch (ClosedException expected) {
                return true;
            }
        }

        /** Unlocks what was granted. */
        abstract void end();
    }

    /** The lock is closed while its writer unlocks. A reader and a writer wait. */
    static class ClosesAndUnlocks extends ClosedByAnActor {

        private final Ticket reader;
        private final Ticket writer;

        ClosesAndUnlocks() {
            lock.tryWriteLock();
            reader = reader();
            writer = writer();
        }

        @Actor
        void closes() {
            close();
        }

        @Actor
        void unlocks() {
            writeAndUnlock();
        }

        @Override
        void end() {
            assert reader.isGranted() && hasFailed(writer);
            if (!hasFailed(reader)) {
                readAndUnlock();
            }
        }
    }

    /** The lock is closed while the first writer is cancelled. A reader waits behind it. */
    static class ClosesAndWriterLeaves extends ClosedByAnActor {

        private final Ticket writer;
        private final Ticket reader;
        private boolean left;

        ClosesAndWriterLeaves() {
            lock.tryReadLock();
            writer = writer();
            reader = reader();
        }

        @Actor
        void closes() {
            close();
        }

        @Actor
        void leaves() {
            left = writer.giveUp();
        }

        @Override
        void end() {
            assert left ? !writer.isGranted() : hasFailed(writer);
            assert reader.isGranted() && hasFailed(reader) != left
                    : "the reader enters if the writer was cancelled in time";
            readAndUnlock();
            if (left) {
                readAndUnlock();
            }
        }
    }

    /** The lock is closed while one of two waiting readers is cancelled. */
    static class ClosesAndReaderLeaves extends ClosedByAnActor {

        private final Ticket first;
        private final Ticket second;
        private boolean left;

        ClosesAndReaderLeaves() {
            lock.tryWriteLock();
            first = reader();
            second = reader();
        }

        @Actor
        void closes() {
            close();
        }

        @Actor
        void leaves() {
            left = first.giveUp();
        }

        @Override
        void end() {
            assert left ? !first.isGranted() : hasFailed(first);
            assert hasFailed(second);
            writeAndUnlock();
        }
    }

    /** The lock is closed and then unlocked, while a writer arrives. */
    static class ClosesAndOneComes extends ClosedByAnActor {

        ClosesAndOneComes() {
            lock.tryReadLock();
        }

        @Actor
        void closes() {
            close();
            readAndUnlock();
        }

        @Actor
        void comes() {
            try {
                Ticket writer = writer();
                writer.await();
                assert hasFailed(writer);
            } catch (ClosedException expected) {
                assert lock.isClosed();
            }
        }

        @Override
        void end() {}
    }

    /** The lock is closed while its last reader unlocks. A signalled waiter of a condition waits. */
    static class ClosesAndOneComesBack extends ClosedByAnActor {

        private final SignalledTicket back = new SignalledTicket();
        private final Ticket writer;
        private final Ticket reader;

        ClosesAndOneComesBack() {
            lock.tryReadLock();
            writer = writer();
            lock.writeLock(back, (same, waiter) -> waiter);
            reader = reader();
        }

        @Actor
        void closes() {
            close();
        }

        @Actor
        void unlocks() {
            readAndUnlock();
        }

        @Override
        void end() {
            if (!hasFailed(writer)) {
                writeAndUnlock(); // hands the lock to the signalled writer, since the reader has failed
            }
            assert back.value() == lock && hasFailed(reader);
            writeAndUnlock();
        }
    }

    /** A signalled waiter of a condition, which waits for the lock. */
    private static final class SignalledTicket extends Ticket implements ConditionWaiter {

        @Override
        public void fail(WaitFailure.Closed closing) {
            throw new AssertionError("it is on no condition, so it cannot fail");
        }
    }

    /** A writer and a reader arrive while the lock is unlocked. Both get it. */
    static class BothCome extends Line {

        BothCome() {
            lock.tryReadLock();
        }

        @Actor
        void unlocks() {
            readAndUnlock();
        }

        @Actor
        void writes() {
            comeAndWrite();
        }

        @Actor
        void reads() {
            comeAndRead();
        }
    }
}
