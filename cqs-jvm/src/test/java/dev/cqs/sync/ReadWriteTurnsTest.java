package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The turns of readers and writers: when each enters, also while a turn is being resumed or the list lock is held. */
@Timeout(60)
class ReadWriteTurnsTest extends ReadWriteMutexFixture {
    // Turns

    @Test
    void aWaitingWriterStopsLaterReaders() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        assertFalse(lock.tryReadLock());
        TestWaiter reader = reader("reader");
        assertFalse(reader.isResumed());
        lock.unlockRead();
        assertSame(lock, writer.value);
        assertFalse(reader.isResumed());
        assertFalse(lock.tryReadLock());
        lock.unlockWrite();
        assertSame(lock, reader.value);
        assertTrue(lock.tryReadLock(), "no writer waits");
    }

    @ParameterizedTest
    @EnumSource
    void whenAWriterLeavesAllWaitingReadersEnterAndThenTheNextWriter(EndOfTurn end) {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> readers = new ArrayList<>();
        List<TestWaiter> writers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            readers.add(reader("reader " + i));
            writers.add(writer("writer " + i));
        }
        end.apply(lock);
        assertResumed(readers);
        assertEquals(MANY + end.reads, lock.readLockCount());
        assertEquals(0, lock.waitingReaders());
        assertFalse(lock.tryReadLock(), "writers wait");
        for (int i = 1; i < MANY + end.reads; i++) {
            lock.unlockRead();
            assertFalse(writers.get(0).isResumed());
        }
        lock.unlockRead();
        for (int i = 0; i < MANY; i++) {
            assertTrue(writers.get(i).isResumed(), "writers enter in FIFO order");
            assertEquals(MANY - i - 1, lock.waitingWriters());
            lock.unlockWrite();
        }
        assertFree();
    }

    @Test
    void readersAndWritersTakeTurns() {
        assertTrue(lock.tryWriteLock());
        for (int turn = 0; turn < MANY; turn++) {
            TestWaiter next = writer("writer");
            TestWaiter reader = reader("reader");
            TestWaiter other = reader("other");
            lock.unlockWrite();
            assertResumed(List.of(reader, other));
            TestWaiter late = reader("late");
            assertFalse(late.isResumed());
            assertFalse(next.isResumed());
            lock.unlockRead();
            lock.unlockRead();
            assertTrue(next.isResumed());
            assertFalse(late.isResumed());
            assertTrue(late.cancelNow());
        }
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void anUnlockOfAReaderAmongOthersServesNoWriter() {
        assertTrue(lock.tryReadLock());
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        lock.unlockRead();
        assertFalse(writer.isResumed());
        lock.unlockRead();
        assertTrue(writer.isResumed());
    }

    @Test
    void theTryOperationsNeverOvertake() {
        assertTrue(lock.tryReadLock());
        TestWaiter first = writer("first");
        TestWaiter second = writer("second");
        assertFalse(lock.tryReadLock());
        lock.unlockRead();
        assertTrue(first.isResumed());
        lock.unlockWrite();
        assertTrue(second.isResumed(), "handed over");
        assertFalse(lock.tryWriteLock());
        TestWaiter reader = reader("reader");
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        assertFalse(lock.tryWriteLock());
        assertTrue(lock.tryReadLock());
    }

    @Test
    void aRequestThatFindsTheLockFreeAfterMakingItsWaiterEntersAtOnce() {
        assertTrue(lock.tryWriteLock());
        TestWaiter reader = new TestWaiter("reader");
        assertNull(lock.readLock(lock, (same, argument) -> {
            argument.unlockWrite();
            return reader;
        }));
        assertFalse(reader.isResumed() || reader.cancelNow(), "the waiter was not needed");
        assertEquals(1, lock.readLockCount());
        TestWaiter writer = new TestWaiter("writer");
        assertNull(lock.writeLock(lock, (same, argument) -> {
            argument.unlockRead();
            return writer;
        }));
        assertFalse(writer.isResumed() || writer.cancelNow(), "the waiter was not needed");
        assertTrue(lock.isWriteLocked());
        assertEquals(0, lock.waitingReaders() + lock.waitingWriters());
    }

    @Test
    void aRequestThatEntersAtOnceMakesNoWaiter() {
        assertNull(lock.readLock(null, FactoryFailure.FACTORY));
        assertNull(lock.readLock(null, FactoryFailure.FACTORY));
        assertEquals(2, lock.readLockCount());
        lock.unlockRead();
        lock.unlockRead();
        assertNull(lock.writeLock(null, FactoryFailure.FACTORY));
        assertTrue(lock.isWriteLocked());
    }

    @Test
    void aFactoryGetsTheLockAndTheArgument() {
        assertTrue(lock.tryWriteLock());
        Object argument = new Object();
        List<TestWaiter> made = new ArrayList<>();
        BiFunction<ReadWriteMutex, Object, TestWaiter> newWaiter = (same, passed) -> {
            assertSame(lock, same);
            assertSame(argument, passed);
            made.add(new TestWaiter("waiter"));
            return made.get(made.size() - 1);
        };
        List<TestWaiter> returned = List.of(lock.readLock(argument, newWaiter), lock.writeLock(argument, newWaiter));
        assertEquals(made, returned, "each factory is called once");
        assertThrows(NullPointerException.class, () -> lock.readLock(null, (same, nothing) -> null));
        assertThrows(NullPointerException.class, () -> lock.writeLock(null, (same, nothing) -> null));
        assertEquals(List.of(returned.get(0)), waitingReaders());
        assertEquals(List.of(returned.get(1)), waitingWriters());
    }

    /** A request is not counted before its waiter is in a list. */
    @Test
    void aRequestWhoseFactoryThrowsChangesNothing() {
        assertTrue(lock.tryReadLock());
        FactoryFailure.propagatesFrom(newWaiter -> lock.writeLock(null, newWaiter));
        assertTrue(lock.tryReadLock());
        lock.unlockRead();
        FactoryFailure.propagatesFrom(newWaiter -> lock.writeLock(null, newWaiter), lock::unlockRead);
        assertTrue(lock.tryWriteLock());
        FactoryFailure.propagatesFrom(newWaiter -> lock.readLock(null, newWaiter));
        FactoryFailure.propagatesFrom(newWaiter -> lock.readLock(null, newWaiter), lock::unlockWrite);
        assertFree();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEnqueuedWaiterIsRefusedAndNothingIsLost(boolean writes) {
        assertTrue(lock.tryWriteLock());
        TestWaiter waiter = writes ? writer("waiter") : reader("waiter");
        assertThrows(IllegalStateException.class, () -> lock.readLock(waiter, TestWaiter.ITSELF));
        assertThrows(IllegalStateException.class, () -> lock.writeLock(waiter, TestWaiter.ITSELF));
        assertEquals(1, lock.waitingReaders() + lock.waitingWriters());
        assertTrue(waiter.cancelNow());
        lock.unlockWrite();
        assertFree();
    }

    // While a turn of readers is being resumed

    @Test
    void aReaderThatIsNotResumedYetHoldsTheLockAndCannotBeCancelled() {
        assertTrue(lock.tryWriteLock());
        TestWaiter first = reader("first");
        TestWaiter second = reader("second");
        first.onResume = value -> {
            assertFalse(second.isResumed());
            assertEquals(2, lock.readLockCount());
            assertFalse(second.cancelNow());
            assertFalse(lock.tryWriteLock());
        };
        lock.unlockWrite();
        assertTrue(second.isResumed());
        assertEquals(2, lock.readLockCount());
    }

    @Test
    void aReaderThatArrivesMeanwhileBelongsToTheNextTurn() {
        assertTrue(lock.tryWriteLock());
        TestWaiter first = reader("first");
        TestWaiter second = reader("second");
        List<TestWaiter> later = new ArrayList<>();
        first.onResume = value -> {
            TestWaiter writer = writer("writer");
            later.add(reader("a"));
            later.add(reader("b"));
            assertTrue(later.get(0).cancelNow(), "it waits");
            later.add(writer);
        };
        lock.unlockWrite();
        assertTrue(second.isResumed());
        assertFalse(later.get(1).isResumed(), "a writer arrived before it");
        lock.unlockRead();
        lock.unlockRead();
        assertTrue(later.get(2).isResumed());
        assertFalse(later.get(1).isResumed());
        lock.unlockWrite();
        assertTrue(later.get(1).isResumed());
    }

    /** The turns overlap, and each needs a list of its own. */
    @Test
    void turnsThatEnterWhileOthersAreBeingResumedDoNotMix() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> all = new ArrayList<>();
        List<TestWaiter> first = List.of(reader("1a"), reader("1b"));
        enterOneTurnWithinAnother(first.get(0), all, 5);
        lock.unlockWrite();
        assertTrue(first.get(1).isResumed());
        assertResumed(all);
        assertEquals(2 + all.size(), lock.readLockCount());
        TestWaiter writer = writer("writer");
        for (int i = 0; i < 2 + all.size(); i++) {
            assertFalse(writer.isResumed());
            lock.unlockRead();
        }
        assertTrue(writer.isResumed());
    }

    private void enterOneTurnWithinAnother(TestWaiter outer, List<TestWaiter> all, int depth) {
        outer.onResume = value -> {
            TestWaiter writer = writer("writer");
            TestWaiter inner = reader("inner");
            TestWaiter unresumed = reader("unresumed");
            TestWaiter gone = reader("gone");
            all.add(inner);
            all.add(unresumed);
            if (depth > 0) {
                enterOneTurnWithinAnother(inner, all, depth - 1);
            }
            assertTrue(gone.cancelNow());
            assertFalse(inner.isResumed());
            assertTrue(writer.cancelNow());
            assertTrue(unresumed.isResumed());
        };
    }

    /** The list of a turn must not be used again before all its readers are resumed. */
    @Test
    void aReaderThatIsNotResumedYetCannotBeCancelledAfterAnyNumberOfTurns() {
        assertTrue(lock.tryWriteLock());
        TestWaiter first = reader("first");
        TestWaiter unresumed = reader("unresumed");
        first.onResume = value -> {
            for (int turn = 0; turn < 4; turn++) {
                TestWaiter writer = writer("writer");
                TestWaiter reader = reader("reader");
                TestWaiter gone = reader("gone");
                assertFalse(unresumed.cancelNow());
                assertTrue(gone.cancelNow());
                assertTrue(writer.cancelNow());
                assertTrue(reader.isResumed());
            }
            assertEquals(2 + 4, lock.readLockCount());
            assertFalse(unresumed.isResumed());
        };
        lock.unlockWrite();
        assertTrue(unresumed.isResumed());
        assertEquals(2 + 4, lock.readLockCount());
    }

    @Test
    void readersThatUnlockAsTheyAreResumedLetTheNextWriterEnterAfterTheLast() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> readers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            TestWaiter reader = reader("reader " + i);
            reader.onResume = value -> lock.unlockRead();
            readers.add(reader);
        }
        TestWaiter writer = writer("writer");
        writer.onResume = value -> assertResumed(readers);
        lock.unlockWrite();
        assertTrue(writer.isResumed());
        TestWaiter again = reader("again");
        lock.unlockWrite();
        assertTrue(again.isResumed());
    }

    @Test
    void writersThatUnlockAsTheyAreResumedLeaveItFree() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> writers = writers(MANY);
        writers.forEach(writer -> writer.onResume = value -> lock.unlockWrite());
        lock.unlockWrite();
        assertResumed(writers);
        assertFree();
    }

    // While another thread holds the list lock

    /** Operations that may have to let a request enter. */
    private enum NeedsTheListLock {
        LAST_READER_LEAVES(true) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.unlockRead();
            }
        },
        WRITER_LEAVES(false) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.unlockWrite();
            }
        },
        WRITER_DOWNGRADES(false) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.downgrade();
            }
        },
        READER_ARRIVES(false) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.readLock(new TestWaiter("reader"), TestWaiter.ITSELF);
            }
        },
        WRITER_ARRIVES(true) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.writeLock(new TestWaiter("writer"), TestWaiter.ITSELF);
            }
        };

        final boolean reading;

        NeedsTheListLock(boolean reading) {
            this.reading = reading;
        }

        abstract void apply(ReadWriteMutex lock);
    }

    @ParameterizedTest
    @EnumSource
    void anOperationThatMayLetARequestEnterWaitsForTheListLock(NeedsTheListLock operation) throws Exception {
        assertTrue(operation.reading ? lock.tryReadLock() : lock.tryWriteLock());
        long kept = word() | LIST_LOCKED;
        setWord(kept);
        Thread thread = new Thread(() -> operation.apply(lock));
        thread.start();
        while (thread.isAlive()
                && Stream.of(thread.getStackTrace())
                        .noneMatch(at -> at.getMethodName().equals("lockLists"))) {
            Thread.onSpinWait();
        }
        assertTrue(thread.isAlive(), "it waits for the list lock");
        assertEquals(kept, word());
        setWord(kept - LIST_LOCKED);
        thread.join();
        assertEquals(0, word() & LIST_LOCKED);
        assertTrue(kept - LIST_LOCKED != word(), "it has taken effect");
    }

    @Test
    void otherOperationsDoNotWaitForTheListLock() {
        setWord(LIST_LOCKED);
        assertTrue(lock.tryReadLock());
        assertTrue(lock.tryReadLock());
        assertFalse(lock.tryWriteLock());
        lock.unlockRead();
        assertEquals(1, lock.readLockCount());
        assertEquals(LIST_LOCKED, word() & LIST_LOCKED);
        setWord(LIST_LOCKED);
        assertTrue(lock.tryWriteLock());
        assertFalse(lock.tryReadLock());
        lock.setOwner(Thread.currentThread());
        assertTrue(lock.tryReadLock(Thread.currentThread()));
        lock.unlockRead(Thread.currentThread());
        assertTrue(lock.isWriteLocked());
        assertEquals(LIST_LOCKED, word() & LIST_LOCKED);
    }
}
