package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import dev.cqs.sync.ReadWriteMutexRaceTest.Contended;
import dev.cqs.sync.ReadWriteMutexRaceTest.Order;
import dev.cqs.sync.WaitFailure.Closed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The close of a read-write lock races with one other operation; see {@link ReadWriteMutexRaceTest}. */
@Timeout(120)
class ReadWriteClosingRaceTest {
    /** A race in which the left thread closes the lock. */
    private abstract static class ContendedClose extends Contended {
        final Throwable cause = new Throwable();

        @Override
        void left() {
            assertTrue(lock.close(cause));
        }

        TestConditionWaiter signalled() {
            return ReadWriteRequests.write(lock, new TestConditionWaiter("signalled"));
        }

        static boolean hasFailed(TestWaiter waiter) {
            return waiter.value instanceof Closed;
        }

        void assertClosedAndFree() {
            assertState(false, 0, 0, 0);
            assertThrows(ClosedException.class, lock::tryReadLock);
            assertThrows(ClosedException.class, lock::tryWriteLock);
        }
    }

    /** The writer unlocks. A reader and a writer wait. */
    private static final class CloseAgainstWriter extends ContendedClose {
        final TestWaiter writer;
        final TestWaiter reader;

        CloseAgainstWriter() {
            assertTrue(lock.tryWriteLock());
            writer = writer();
            reader = reader();
        }

        @Override
        void right() {
            lock.unlockWrite();
        }

        @Override
        Order check() {
            assertFailed(cause, writer);
            if (hasFailed(reader)) {
                assertClosedAndFree();
                return Order.LEFT_FIRST;
            }
            assertSame(lock, reader.value);
            assertState(false, 1, 0, 0);
            lock.unlockRead();
            assertClosedAndFree();
            return Order.RIGHT_FIRST;
        }
    }

    @Test
    void aCloseRacesWithTheUnlockOfAWriter() throws InterruptedException {
        ReadWriteMutexRaceTest.race(CloseAgainstWriter::new);
    }

    /** The head writer is cancelled. A reader waits behind it. */
    private static final class CloseAgainstHead extends ContendedClose {
        final TestWaiter head;
        final TestWaiter reader;
        boolean gaveUp;

        CloseAgainstHead() {
            assertTrue(lock.tryReadLock());
            head = writer();
            reader = reader();
        }

        @Override
        void right() {
            gaveUp = head.cancelNow();
        }

        @Override
        Order check() {
            assertEquals(!gaveUp, hasFailed(head));
            assertEquals(gaveUp, reader.value == lock);
            assertEquals(!gaveUp, hasFailed(reader));
            assertState(false, gaveUp ? 2 : 1, 0, 0);
            lock.unlockRead();
            if (gaveUp) {
                lock.unlockRead();
            }
            assertClosedAndFree();
            return gaveUp ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void aCloseRacesWithTheCancellationOfTheHeadWriter() throws InterruptedException {
        ReadWriteMutexRaceTest.race(CloseAgainstHead::new);
    }

    /** One of two waiting readers is cancelled. */
    private static final class CloseAgainstReader extends ContendedClose {
        final TestWaiter first;
        final TestWaiter second;
        boolean gaveUp;

        CloseAgainstReader() {
            assertTrue(lock.tryWriteLock());
            first = reader();
            second = reader();
        }

        @Override
        void right() {
            gaveUp = first.cancelNow();
        }

        @Override
        Order check() {
            assertEquals(!gaveUp, hasFailed(first));
            assertFailed(cause, second);
            assertState(true, 0, 0, 0);
            lock.unlockWrite();
            assertClosedAndFree();
            return gaveUp ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void aCloseRacesWithTheCancellationOfAReader() throws InterruptedException {
        ReadWriteMutexRaceTest.race(CloseAgainstReader::new);
    }

    /** The last reader unlocks. A writer waits, and so do two signalled waiters of a condition. */
    private static final class CloseAgainstLastReader extends ContendedClose {
        final TestConditionWaiter last;
        final TestWaiter writer;
        final TestConditionWaiter back;

        CloseAgainstLastReader() {
            assertTrue(lock.tryReadLock());
            writer = writer();
            back = signalled();
            last = signalled();
        }

        @Override
        void right() {
            lock.unlockRead();
        }

        @Override
        Order check() {
            Order order = hasFailed(writer) ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
            if (order == Order.RIGHT_FIRST) {
                assertSame(lock, writer.value);
                assertState(true, 0, 2, 0);
                lock.unlockWrite();
            }
            assertSame(lock, back.value);
            assertFalse(last.isResumed());
            assertState(true, 0, 1, 0);
            lock.unlockWrite();
            assertSame(lock, last.value);
            lock.unlockWrite();
            assertClosedAndFree();
            return order;
        }
    }

    @Test
    void aCloseRacesWithTheUnlockOfTheLastReaderBeforeSignalledWaiters() throws InterruptedException {
        ReadWriteMutexRaceTest.race(CloseAgainstLastReader::new);
    }

    /** A reader arrives. */
    private static final class CloseAgainstComing extends ContendedClose {
        boolean entered;

        CloseAgainstComing() {
            assertTrue(lock.tryReadLock());
        }

        @Override
        void right() {
            try {
                entered = lock.tryReadLock();
                assertTrue(entered, "no writer waits or holds it");
            } catch (ClosedException e) {
                assertSame(cause, e.getCause());
            }
        }

        @Override
        Order check() {
            assertState(false, entered ? 2 : 1, 0, 0);
            lock.unlockRead();
            if (entered) {
                lock.unlockRead();
            }
            assertClosedAndFree();
            return entered ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void aCloseRacesWithAnArrivingReader() throws InterruptedException {
        ReadWriteMutexRaceTest.race(CloseAgainstComing::new);
    }

    /** Both threads close the lock. */
    private static final class CloseTwice extends ContendedClose {
        final Throwable other = new Throwable();
        final TestWaiter reader;
        boolean closed;
        boolean closedByLeft;

        CloseTwice() {
            assertTrue(lock.tryWriteLock());
            reader = reader();
        }

        @Override
        void left() {
            closedByLeft = lock.close(cause);
            assertTrue(lock.isClosed(), "one of the two has closed it");
        }

        @Override
        void right() {
            closed = lock.close(other);
        }

        @Override
        Order check() {
            assertEquals(!closed, closedByLeft);
            assertFailed(closed ? other : cause, reader);
            lock.unlockWrite();
            assertClosedAndFree();
            return closed ? Order.RIGHT_FIRST : Order.LEFT_FIRST;
        }
    }

    @Test
    void twoClosesRace() throws InterruptedException {
        ReadWriteMutexRaceTest.race(CloseTwice::new);
    }
}
