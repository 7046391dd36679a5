package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two operations race on each of many locks. Each test runs until both orders were seen. Each lock must look as it does after
 * one of the two orders.
 */
@Timeout(120)
class ReadWriteMutexRaceTest {
    enum Order {
        LEFT_FIRST,
        RIGHT_FIRST
    }

    /** A lock, and what two threads do to it. */
    abstract static class Contended {
        final ReadWriteMutex lock = new ReadWriteMutex();

        abstract void left();

        abstract void right();

        /** Checks the lock after both operations, and says which was first. */
        abstract Order check();

        TestWaiter reader() {
            return ReadWriteRequests.read(lock, new TestWaiter("reader"));
        }

        TestWaiter writer() {
            return ReadWriteRequests.write(lock, new TestWaiter("writer"));
        }

        void assertState(boolean writing, int reading, int waitingWriters, int waitingReaders) {
            assertEquals(writing, lock.isWriteLocked());
            assertEquals(reading, lock.readLockCount());
            assertEquals(waitingWriters, lock.waitingWriters());
            assertEquals(waitingReaders, lock.waitingReaders());
        }
    }

    /** The head writer is cancelled as the last reader unlocks. A reader and another writer wait behind it. */
    private static final class HeadAgainstLastReader extends Contended {
        final TestWaiter head;
        final TestWaiter next;
        final TestWaiter reader;
        boolean gaveUp;

        HeadAgainstLastReader() {
            assertTrue(lock.tryReadLock());
            head = writer();
            next = writer();
            reader = reader();
        }

        @Override
        void left() {
            gaveUp = head.cancelNow();
        }

        @Override
        void right() {
            lock.unlockRead();
        }

        @Override
        Order check() {
            assertEquals(!gaveUp, head.isResumed());
            assertEquals(gaveUp, reader.isResumed());
            assertFalse(next.isResumed(), "the readers enter before it in both orders");
            assertState(!gaveUp, gaveUp ? 1 : 0, 1, gaveUp ? 0 : 1);
            return gaveUp ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void aCancellationOfTheHeadWriterRacesWithTheUnlockOfTheLastReader() throws InterruptedException {
        race(HeadAgainstLastReader::new);
    }

    /** The first two writers are cancelled. A reader and a third writer wait behind them. */
    private static final class TwoWriters extends Contended {
        final TestWaiter first;
        final TestWaiter second;
        final TestWaiter third;
        final TestWaiter reader;
        volatile boolean done;
        boolean enteredBefore;

        TwoWriters() {
            assertTrue(lock.tryReadLock());
            first = writer();
            second = writer();
            third = writer();
            reader = reader();
        }

        @Override
        void left() {
            assertTrue(first.cancelNow());
            done = true;
        }

        @Override
        void right() {
            assertTrue(second.cancelNow());
            enteredBefore = done; // if true, the order is certain; if false, it was either
        }

        @Override
        Order check() {
            assertTrue(reader.isResumed());
            assertFalse(third.isResumed());
            assertState(false, 2, 1, 0);
            return enteredBefore ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void twoWritersThatAreCancelledAtOnceStillLetTheReadersEnter() throws InterruptedException {
        race(TwoWriters::new);
    }

    /** A reader is cancelled as the writer unlocks or downgrades. Another reader and a writer wait, too. */
    private static final class ReaderAgainstWriter extends Contended {
        final TestWaiter reader;
        final TestWaiter other;
        final TestWaiter writer;
        final boolean downgrade;
        boolean gaveUp;

        ReaderAgainstWriter(boolean downgrade) {
            this.downgrade = downgrade;
            assertTrue(lock.tryWriteLock());
            reader = reader();
            other = reader();
            writer = writer();
        }

        @Override
        void left() {
            gaveUp = reader.cancelNow();
        }

        @Override
        void right() {
            if (downgrade) {
                lock.downgrade();
            } else {
                lock.unlockWrite();
            }
        }

        @Override
        Order check() {
            assertEquals(!gaveUp, reader.isResumed());
            assertTrue(other.isResumed());
            assertFalse(writer.isResumed());
            assertState(false, (gaveUp ? 1 : 2) + (downgrade ? 1 : 0), 1, 0);
            return gaveUp ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void aCancellationOfAReaderRacesWithTheUnlockOfTheWriter() throws InterruptedException {
        race(() -> new ReaderAgainstWriter(false));
    }

    @Test
    void aCancellationOfAReaderRacesWithADowngrade() throws InterruptedException {
        race(() -> new ReaderAgainstWriter(true));
    }

    /** A reader arrives as the writer unlocks and the next writer waits. The reader enters in this turn or in the next. */
    private static final class ReaderComes extends Contended {
        final boolean downgrade;
        TestWaiter writer;
        TestWaiter reader;

        ReaderComes(boolean downgrade) {
            this.downgrade = downgrade;
            assertTrue(lock.tryWriteLock());
            if (!downgrade) {
                writer = writer();
            }
        }

        @Override
        void left() {
            reader = reader();
        }

        @Override
        void right() {
            if (downgrade) {
                lock.downgrade();
            } else {
                lock.unlockWrite();
            }
        }

        @Override
        Order check() {
            boolean first = reader.isResumed();
            if (downgrade) {
                assertTrue(first);
                assertState(false, 2, 0, 0);
                return Order.LEFT_FIRST;
            }
            assertEquals(!first, writer.isResumed());
            assertState(!first, first ? 1 : 0, first ? 1 : 0, first ? 0 : 1);
            return first ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void anArrivingReaderRacesWithTheUnlockOfTheWriter() throws InterruptedException {
        race(() -> new ReaderComes(false), EnumSet.allOf(Order.class));
    }

    /** The reader enters in both orders: it finds the lock downgraded, or the downgrade lets it enter. */
    @Test
    void anArrivingReaderRacesWithADowngrade() throws InterruptedException {
        race(() -> new ReaderComes(true), EnumSet.of(Order.LEFT_FIRST));
    }

    /** A writer arrives as the last reader unlocks. The writer has the lock in both orders. */
    private static final class WriterComes extends Contended {
        TestWaiter writer;
        volatile boolean left;
        boolean leftBefore;

        WriterComes() {
            assertTrue(lock.tryReadLock());
        }

        @Override
        void left() {
            writer = writer();
            left = true;
        }

        @Override
        void right() {
            leftBefore = left;
            lock.unlockRead();
        }

        @Override
        Order check() {
            assertTrue(writer.isResumed());
            assertState(true, 0, 0, 0);
            return leftBefore ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void anArrivingWriterRacesWithTheUnlockOfTheLastReader() throws InterruptedException {
        race(WriterComes::new);
    }

    /** A reader tries to enter as the only waiting writer is cancelled. */
    private static final class TryAgainstWriter extends Contended {
        final TestWaiter writer;
        final TestWaiter reader;
        boolean entered;

        TryAgainstWriter() {
            assertTrue(lock.tryReadLock());
            writer = writer();
            reader = reader();
        }

        @Override
        void left() {
            entered = lock.tryReadLock();
        }

        @Override
        void right() {
            assertTrue(writer.cancelNow());
        }

        @Override
        Order check() {
            assertTrue(reader.isResumed());
            assertState(false, entered ? 3 : 2, 0, 0);
            return entered ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void aTryToReadRacesWithTheCancellationOfTheWriter() throws InterruptedException {
        race(TryAgainstWriter::new);
    }

    /** A reader barges in as the last reader unlocks. A writer waits, and another reader behind it. */
    private static final class BargesAgainstLastReader extends Contended {
        final TestWaiter writer;
        final TestWaiter reader;
        boolean entered;

        BargesAgainstLastReader() {
            assertTrue(lock.tryReadLock());
            writer = writer();
            reader = reader();
        }

        @Override
        void left() {
            entered = lock.tryReadLockBarging();
        }

        @Override
        void right() {
            lock.unlockRead();
        }

        @Override
        Order check() {
            assertEquals(!entered, writer.isResumed());
            assertFalse(reader.isResumed());
            assertState(!entered, entered ? 1 : 0, entered ? 1 : 0, 1);
            if (entered) {
                lock.unlockRead();
                assertTrue(writer.isResumed());
            }
            assertState(true, 0, 0, 1);
            return entered ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void aBargingReaderRacesWithTheUnlockOfTheLastReader() throws InterruptedException {
        race(BargesAgainstLastReader::new);
    }

    /** A reader barges in and unlocks as the head writer is cancelled. Another writer and a reader wait behind it. */
    private static final class BargesAgainstHead extends Contended {
        final TestWaiter head;
        final TestWaiter next;
        final TestWaiter reader;
        volatile boolean gone;
        boolean goneBefore;

        BargesAgainstHead() {
            assertTrue(lock.tryReadLock());
            head = writer();
            next = writer();
            reader = reader();
        }

        @Override
        void left() {
            goneBefore = gone;
            assertTrue(lock.tryReadLockBarging());
            lock.unlockRead();
        }

        @Override
        void right() {
            assertTrue(head.cancelNow());
            gone = true;
        }

        @Override
        Order check() {
            assertTrue(reader.isResumed());
            assertFalse(next.isResumed());
            assertState(false, 2, 1, 0);
            return goneBefore ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void aBargingReaderRacesWithTheCancellationOfTheHeadWriter() throws InterruptedException {
        race(BargesAgainstHead::new);
    }

    /** A reader barges in as a writer is enqueued. The reader enters in both orders. */
    private static final class BargesAgainstComingWriter extends Contended {
        TestWaiter writer;
        volatile boolean came;
        boolean cameBefore;

        BargesAgainstComingWriter() {
            assertTrue(lock.tryReadLock());
        }

        @Override
        void left() {
            cameBefore = came;
            assertTrue(lock.tryReadLockBarging());
        }

        @Override
        void right() {
            writer = writer();
            came = true;
        }

        @Override
        Order check() {
            assertState(false, 2, 1, 0);
            lock.unlockRead();
            assertFalse(writer.isResumed());
            lock.unlockRead();
            assertTrue(writer.isResumed());
            return cameBefore ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void aBargingReaderRacesWithAnArrivingWriter() throws InterruptedException {
        race(BargesAgainstComingWriter::new);
    }

    /** The last two readers unlock. */
    private static final class TwoReaders extends Contended {
        final TestWaiter writer;
        volatile boolean left;
        boolean leftBefore;

        TwoReaders() {
            assertTrue(lock.tryReadLock());
            assertTrue(lock.tryReadLock());
            writer = writer();
        }

        @Override
        void left() {
            lock.unlockRead();
            left = true;
        }

        @Override
        void right() {
            leftBefore = left;
            lock.unlockRead();
        }

        @Override
        Order check() {
            assertTrue(writer.isResumed());
            assertState(true, 0, 0, 0);
            return leftBefore ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void twoReadersThatUnlockAtOnceLetTheWriterEnter() throws InterruptedException {
        race(TwoReaders::new);
    }

    static void race(Supplier<Contended> contended) throws InterruptedException {
        race(contended, EnumSet.allOf(Order.class));
    }

    private static void race(Supplier<Contended> contended, Set<Order> expected) throws InterruptedException {
        Set<Order> seen = EnumSet.noneOf(Order.class);
        for (int round = 0; round < 20 || !seen.containsAll(expected); round++) {
            List<Contended> all = Stream.generate(contended).limit(1_000).toList();
            PairedRace.run(all, Contended::left, Contended::right);
            all.forEach(each -> seen.add(each.check()));
        }
    }
}
