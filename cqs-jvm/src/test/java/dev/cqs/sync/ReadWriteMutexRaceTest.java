package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two operations that race, by two threads that go through many locks side by side. Each test goes on until both orders
 * were seen, and each lock has to look as after one of them.
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

        /** Checks what has become of it. */
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

    /** The head writer gives up as the last reader leaves; a reader and another writer wait behind it. */
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
            assertFalse(next.isResumed(), "the readers are before it in any case");
            assertState(!gaveUp, gaveUp ? 1 : 0, 1, gaveUp ? 0 : 1);
            return gaveUp ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        }
    }

    @Test
    void aHeadWriterThatGivesUpAsTheLastReaderLeaves() throws InterruptedException {
        race(HeadAgainstLastReader::new);
    }

    /** The first two writers give up; a reader and a third writer wait behind them. */
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
            enteredBefore = done; // an order that is certain; otherwise there are two
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
    void twoWritersThatGiveUpAtOnceStillLetTheReadersIn() throws InterruptedException {
        race(TwoWriters::new);
    }

    /** A reader gives up as the writer leaves; another reader and a writer wait, too. */
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
    void aReaderThatGivesUpAsTheWriterLeaves() throws InterruptedException {
        race(() -> new ReaderAgainstWriter(false));
    }

    @Test
    void aReaderThatGivesUpAsTheWriterTurnsIntoAReader() throws InterruptedException {
        race(() -> new ReaderAgainstWriter(true));
    }

    /** A reader comes as the writer leaves, with the next writer waiting: it is in this turn or in the next. */
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
    void aReaderThatComesAsTheWriterLeaves() throws InterruptedException {
        race(() -> new ReaderComes(false), EnumSet.allOf(Order.class));
    }

    /** It is let in either way, by itself or by the writer; it must not miss both. */
    @Test
    void aReaderThatComesAsTheWriterTurnsIntoAReader() throws InterruptedException {
        race(() -> new ReaderComes(true), EnumSet.of(Order.LEFT_FIRST));
    }

    /** A writer comes as the last reader leaves: it has the lock in the end, and does not wait for nobody. */
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
    void aWriterThatComesAsTheLastReaderLeaves() throws InterruptedException {
        race(WriterComes::new);
    }

    /** A try to read as the only writer that waits gives up. */
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
    void aTryToReadAsTheWriterGivesUp() throws InterruptedException {
        race(TryAgainstWriter::new);
    }

    /** A reader barges in as the last reader leaves; a writer waits, and another reader behind it. */
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
    void aReaderThatBargesInAsTheLastReaderLeaves() throws InterruptedException {
        race(BargesAgainstLastReader::new);
    }

    /** A reader barges in, and leaves, as the head writer gives up; another writer and a reader wait behind it. */
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
    void aReaderThatBargesInAsTheHeadWriterGivesUp() throws InterruptedException {
        race(BargesAgainstHead::new);
    }

    /** A reader barges in as a writer joins its list: it is no reason to wait, nor to be refused. */
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
    void aReaderThatBargesInAsAWriterComes() throws InterruptedException {
        race(BargesAgainstComingWriter::new);
    }

    /** The last two readers leave. */
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
    void readersThatLeaveAtOnceLetTheWriterIn() throws InterruptedException {
        race(TwoReaders::new);
    }

    static void race(Supplier<Contended> contended) throws InterruptedException {
        race(contended, EnumSet.allOf(Order.class));
    }

    private static void race(Supplier<Contended> contended, Set<Order> expected) throws InterruptedException {
        Set<Order> seen = EnumSet.noneOf(Order.class);
        for (int round = 0; round < 20 || !seen.containsAll(expected); round++) {
            List<Contended> all = Stream.generate(contended).limit(1_000).toList();
            AtomicInteger arrivals = new AtomicInteger();
            FutureTask<Void> other = new FutureTask<>(() -> sideBySide(arrivals, all, true), null);
            Thread thread = new Thread(other);
            thread.start();
            try {
                sideBySide(arrivals, all, false);
            } finally {
                thread.join();
            }
            assertNull(failure(other));
            all.forEach(each -> seen.add(each.check()));
        }
    }

    /** Goes through all, beginning with each at about the same time as the other thread. */
    private static void sideBySide(AtomicInteger arrivals, List<Contended> all, boolean left) {
        try {
            meet(arrivals, all, left);
        } finally {
            arrivals.set(1 << 30); // should this one have failed, the other goes on alone
        }
    }

    private static Throwable failure(FutureTask<?> ended) throws InterruptedException {
        try {
            ended.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private static void meet(AtomicInteger arrivals, List<Contended> all, boolean left) {
        SplittableRandom random = new SplittableRandom();
        int expected = 0;
        for (Contended each : all) {
            expected += 2;
            arrivals.incrementAndGet();
            for (int turn = 0; arrivals.get() < expected; turn++) {
                if (turn < 1_000) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield(); // the other one may need this processor
                }
            }
            for (int turns = random.nextInt(32); turns > 0; turns--) {
                arrivals.get();
            }
            if (left) {
                each.left();
            } else {
                each.right();
            }
        }
    }
}
