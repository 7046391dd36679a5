package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.GivenUp;
import dev.cqs.Reachable;
import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReadWriteMutexTest {
    private static final Field WORD = wordField();

    /** Two bits of the word. */
    private static final long LIST_LOCKED = 1;

    private static final long HELD_FOR_WRITING = 2;

    /** More than two segments. */
    private static final int MANY = 80;

    /** Two or three segments with their arrays, for each list. */
    private static final int FEW = 60;

    private final ReadWriteMutex lock = new ReadWriteMutex();

    /** How a writer's turn ends. */
    enum EndOfTurn {
        UNLOCK(0) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.unlockWrite();
            }
        },
        DOWNGRADE(1) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.downgrade();
            }
        };

        /** Read locks that the writer has afterwards. */
        final int reads;

        EndOfTurn(int reads) {
            this.reads = reads;
        }

        abstract void apply(ReadWriteMutex lock);
    }

    // Nobody waits

    @Test
    void readersShareItAndAWriterHasItAlone() {
        assertTrue(lock.tryReadLock());
        assertTrue(lock.tryReadLock());
        assertFalse(lock.tryWriteLock());
        assertEquals(2, lock.readLockCount());
        lock.unlockRead();
        assertFalse(lock.tryWriteLock());
        lock.unlockRead();
        assertTrue(lock.tryWriteLock());
        assertTrue(lock.isWriteLocked());
        assertFalse(lock.tryReadLock());
        assertFalse(lock.tryWriteLock());
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void aWriterThatTurnsIntoAReaderLeavesNoRoomForAnotherWriter() {
        assertTrue(lock.tryWriteLock());
        lock.downgrade();
        assertFalse(lock.isWriteLocked());
        assertEquals(1, lock.readLockCount());
        assertFalse(lock.tryWriteLock());
        assertTrue(lock.tryReadLock());
        lock.unlockRead();
        lock.unlockRead();
        assertFree();
    }

    @Test
    void unlockingWhatNobodyHoldsIsRefusedAndChangesNothing() {
        refusesToUnlock("reading", lock::unlockRead);
        refusesToUnlock("writing", lock::unlockWrite);
        refusesToUnlock("writing", lock::downgrade);
        assertFree();
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        refusesToUnlock("writing", lock::unlockWrite);
        refusesToUnlock("writing", lock::downgrade);
        lock.unlockRead();
        assertTrue(writer.isResumed());
        refusesToUnlock("reading", lock::unlockRead);
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        lock.unlockRead();
        assertFree();
    }

    private static void refusesToUnlock(String what, Runnable unlock) {
        assertEquals(
                "This mutex is not locked for " + what,
                assertThrows(IllegalStateException.class, unlock::run).getMessage());
    }

    @Test
    void aReadLockTooManyIsRefusedAndChangesNothing() {
        assertTrue(lock.tryReadLock());
        long one = word();
        setWord(one * Integer.MAX_VALUE);
        assertEquals(Integer.MAX_VALUE, lock.readLockCount());
        assertThrows(Error.class, lock::tryReadLock);
        assertThrows(Error.class, () -> lock.tryReadLock(Thread.currentThread()));
        assertThrows(Error.class, () -> lock.readLock(null, GivenUp.AT_ONCE));
        assertEquals(one * Integer.MAX_VALUE, word());
        setWord(HELD_FOR_WRITING);
        assertThrows(
                Error.class,
                () -> lock.readLock(null, (same, nothing) -> {
                    setWord(one * Integer.MAX_VALUE); // what others have done when it comes to its list
                    return new TestWaiter("reader");
                }));
        assertEquals(one * Integer.MAX_VALUE, word());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        assertTrue(writer.cancelNow());
        assertTrue(reader.isResumed(), "it was let in when there was no room to ask for more");
        assertEquals(Integer.MAX_VALUE, lock.readLockCount());
        lock.unlockRead();
        lock.unlockRead();
        assertEquals(Integer.MAX_VALUE - 1, lock.readLockCount());
        assertTrue(lock.tryReadLock());
    }

    private static Field wordField() {
        try {
            Field field = ReadWriteWord.class.getDeclaredField("word");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    private long word() {
        return lock.word();
    }

    private void setWord(long word) {
        try {
            WORD.setLong(lock, word);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    // Turns

    @Test
    void aWriterThatWaitsStopsLaterReaders() {
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
        assertTrue(lock.tryReadLock(), "no writer is left");
    }

    @ParameterizedTest
    @EnumSource
    void allReadersThatWaitEnterTogetherWhenAWriterLeavesAndThenTheNextWriter(EndOfTurn end) {
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
            assertTrue(writers.get(i).isResumed(), "in their order");
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
    void anUnlockThatLeavesReadersBehindServesNobody() {
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
    void aRequestThatFindsItFreeWhenItIsToWaitHasItAtOnce() {
        assertTrue(lock.tryWriteLock());
        TestWaiter reader = new TestWaiter("reader");
        assertNull(lock.readLock(lock, (same, argument) -> {
            argument.unlockWrite();
            return reader;
        }));
        assertFalse(reader.isResumed() || reader.cancelNow(), "it was not needed");
        assertEquals(1, lock.readLockCount());
        TestWaiter writer = new TestWaiter("writer");
        assertNull(lock.writeLock(lock, (same, argument) -> {
            argument.unlockRead();
            return writer;
        }));
        assertFalse(writer.isResumed() || writer.cancelNow(), "it was not needed");
        assertTrue(lock.isWriteLocked());
        assertEquals(0, lock.waitingReaders() + lock.waitingWriters());
    }

    @Test
    void aRequestThatFindsItFreeMakesNoWaiter() {
        assertNull(lock.readLock(null, GivenUp.AT_ONCE));
        assertNull(lock.readLock(null, GivenUp.AT_ONCE));
        assertEquals(2, lock.readLockCount());
        lock.unlockRead();
        lock.unlockRead();
        assertNull(lock.writeLock(null, GivenUp.AT_ONCE));
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
        assertEquals(made, returned, "one call each");
        assertThrows(NullPointerException.class, () -> lock.readLock(null, (same, nothing) -> null));
        assertThrows(NullPointerException.class, () -> lock.writeLock(null, (same, nothing) -> null));
        assertEquals(List.of(returned.get(0)), waitingReaders());
        assertEquals(List.of(returned.get(1)), waitingWriters());
    }

    /** It is counted nowhere before its waiter is in a list. */
    @Test
    void aRequestWhoseFactoryThrowsHasChangedNothing() {
        assertTrue(lock.tryReadLock());
        GivenUp.in(newWaiter -> lock.writeLock(null, newWaiter));
        assertTrue(lock.tryReadLock());
        lock.unlockRead();
        GivenUp.in(newWaiter -> lock.writeLock(null, newWaiter), lock::unlockRead);
        assertTrue(lock.tryWriteLock());
        GivenUp.in(newWaiter -> lock.readLock(null, newWaiter));
        GivenUp.in(newWaiter -> lock.readLock(null, newWaiter), lock::unlockWrite);
        assertFree();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWaiterThatIsInAListAlreadyIsRefusedAndNothingIsLost(boolean writes) {
        assertTrue(lock.tryWriteLock());
        TestWaiter waiter = writes ? writer("waiter") : reader("waiter");
        assertThrows(IllegalStateException.class, () -> lock.readLock(waiter, TestWaiter.ITSELF));
        assertThrows(IllegalStateException.class, () -> lock.writeLock(waiter, TestWaiter.ITSELF));
        assertEquals(1, lock.waitingReaders() + lock.waitingWriters());
        assertTrue(waiter.cancelNow());
        lock.unlockWrite();
        assertFree();
    }

    // Giving up

    /** Defect: a writer that is cancelled leaves the readers that it has stopped where they are. */
    @Test
    void aCancelledWriterLetsTheReadersBehindItInAtOnce() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        TestWaiter other = reader("other");
        assertTrue(writer.cancelNow());
        assertResumed(List.of(reader, other));
        assertEquals(3, lock.readLockCount());
        assertTrue(lock.tryReadLock(), "no writer is left");
        assertFalse(writer.isResumed());
    }

    @Test
    void aCancelledHeadWriterLetsTheReadersInAheadOfTheNextWriter() {
        assertTrue(lock.tryReadLock());
        TestWaiter head = writer("head");
        TestWaiter next = writer("next");
        TestWaiter reader = reader("reader");
        assertTrue(head.cancelNow());
        assertTrue(reader.isResumed());
        assertFalse(lock.tryReadLock(), "a writer still waits");
        lock.unlockRead();
        assertFalse(next.isResumed());
        lock.unlockRead();
        assertTrue(next.isResumed());
    }

    @Test
    void aCancelledWriterBehindTheHeadChangesNothingForTheReaders() {
        assertTrue(lock.tryReadLock());
        TestWaiter head = writer("head");
        TestWaiter next = writer("next");
        TestWaiter reader = reader("reader");
        assertTrue(next.cancelNow());
        assertFalse(reader.isResumed());
        assertTrue(head.cancelNow());
        assertTrue(reader.isResumed());
    }

    @Test
    void theNextWriterIsTheHeadOnceTheFirstHasGivenUp() {
        assertTrue(lock.tryReadLock());
        List<TestWaiter> writers = writers(MANY);
        for (int i = 0; i < MANY; i++) {
            TestWaiter reader = reader("reader");
            assertFalse(reader.isResumed());
            assertTrue(writers.get(i).cancelNow());
            assertTrue(reader.isResumed());
        }
        assertEquals(MANY + 1, lock.readLockCount());
        assertTrue(lock.tryReadLock());
    }

    @Test
    void aWriterThatIsCancelledWhileAnotherWritesLetsNobodyIn() {
        assertTrue(lock.tryWriteLock());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        assertTrue(writer.cancelNow());
        assertFalse(reader.isResumed());
        assertFalse(lock.tryReadLock());
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        lock.unlockRead();
        assertFree();
    }

    @Test
    void cancelledOnesArePassed() {
        assertTrue(lock.tryReadLock());
        List<TestWaiter> writers = writers(MANY);
        List<TestWaiter> readers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            readers.add(reader("reader " + i));
        }
        TestWaiter last = writers.get(MANY - 1);
        for (int i = MANY - 2; i >= 1; i--) {
            assertTrue(writers.get(i).cancelNow());
            assertTrue(readers.get(i).cancelNow());
        }
        assertEquals(2, lock.waitingWriters());
        assertEquals(2, lock.waitingReaders());
        lock.unlockRead();
        assertTrue(writers.get(0).isResumed());
        lock.unlockWrite();
        assertResumed(List.of(readers.get(0), readers.get(MANY - 1)));
        lock.unlockRead();
        assertFalse(last.isResumed());
        lock.unlockRead();
        assertTrue(last.isResumed());
        lock.unlockWrite();
        assertFree();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whenAllHaveGivenUpNothingIsLeftOfThem(boolean write) {
        assertTrue(write ? lock.tryWriteLock() : lock.tryReadLock());
        for (int i = 0; i < MANY; i++) {
            TestWaiter writer = writer("writer");
            TestWaiter reader = reader("reader");
            assertTrue(reader.cancelNow());
            assertFalse(reader.cancelNow());
            assertTrue(writer.cancelNow());
            assertFalse(writer.cancelNow());
        }
        if (write) {
            lock.unlockWrite();
        } else {
            assertTrue(lock.tryReadLock());
            lock.unlockRead();
            lock.unlockRead();
        }
        assertFree();
    }

    @Test
    void aRequestThatHasBeenLetInCannotBeGivenUpAnyMore() {
        assertTrue(lock.tryWriteLock());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        lock.unlockWrite();
        assertFalse(reader.cancelNow());
        lock.unlockRead();
        assertFalse(writer.cancelNow());
        lock.unlockWrite();
        assertFree();
    }

    // While a turn of readers is being told

    @Test
    void aReaderThatHasNotBeenToldYetHasTheLockAndCannotGiveUp() {
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
    void aReaderThatComesMeanwhileBelongsToTheNextTurn() {
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
        assertFalse(later.get(1).isResumed(), "a writer came before it");
        lock.unlockRead();
        lock.unlockRead();
        assertTrue(later.get(2).isResumed());
        assertFalse(later.get(1).isResumed());
        lock.unlockWrite();
        assertTrue(later.get(1).isResumed());
    }

    /** The turns overlap in time, and each needs a list of its own. */
    @Test
    void turnsThatAreLetInWhileOthersAreBeingToldDoNotMix() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> all = new ArrayList<>();
        List<TestWaiter> first = List.of(reader("1a"), reader("1b"));
        letInOneTurnWithinAnother(first.get(0), all, 5);
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

    private void letInOneTurnWithinAnother(TestWaiter outer, List<TestWaiter> all, int depth) {
        outer.onResume = value -> {
            TestWaiter writer = writer("writer");
            TestWaiter inner = reader("inner");
            TestWaiter untold = reader("untold");
            TestWaiter gone = reader("gone");
            all.add(inner);
            all.add(untold);
            if (depth > 0) {
                letInOneTurnWithinAnother(inner, all, depth - 1);
            }
            assertTrue(gone.cancelNow());
            assertFalse(inner.isResumed());
            assertTrue(writer.cancelNow());
            assertTrue(untold.isResumed());
        };
    }

    /** Its list must not be used again before all have been told. */
    @Test
    void aReaderThatHasNotBeenToldYetCannotGiveUpHoweverManyTurnsThereAreMeanwhile() {
        assertTrue(lock.tryWriteLock());
        TestWaiter first = reader("first");
        TestWaiter untold = reader("untold");
        first.onResume = value -> {
            for (int turn = 0; turn < 4; turn++) {
                TestWaiter writer = writer("writer");
                TestWaiter reader = reader("reader");
                TestWaiter gone = reader("gone");
                assertFalse(untold.cancelNow());
                assertTrue(gone.cancelNow());
                assertTrue(writer.cancelNow());
                assertTrue(reader.isResumed());
            }
            assertEquals(2 + 4, lock.readLockCount());
            assertFalse(untold.isResumed());
        };
        lock.unlockWrite();
        assertTrue(untold.isResumed());
        assertEquals(2 + 4, lock.readLockCount());
    }

    @Test
    void readersThatLeaveBeforeTheOthersHaveBeenToldLetTheNextWriterInAfterTheLast() {
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
    void handingOverToWritersThatUnlockAtOnceEndsFree() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> writers = writers(MANY);
        writers.forEach(writer -> writer.onResume = value -> lock.unlockWrite());
        lock.unlockWrite();
        assertResumed(writers);
        assertFree();
    }

    // While another thread has the list lock

    /** Operations that would grant a request that is being kept out. */
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
        WRITER_TURNS_INTO_READER(false) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.downgrade();
            }
        },
        READER_COMES(false) {
            @Override
            void apply(ReadWriteMutex lock) {
                lock.readLock(new TestWaiter("reader"), TestWaiter.ITSELF);
            }
        },
        WRITER_COMES(true) {
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
    void anOperationThatMightGrantARequestWaitsForTheListLock(NeedsTheListLock operation) throws Exception {
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
        assertTrue(thread.isAlive(), "it has not waited");
        assertEquals(kept, word());
        setWord(kept - LIST_LOCKED);
        thread.join();
        assertEquals(0, word() & LIST_LOCKED);
        assertTrue(kept - LIST_LOCKED != word(), "it has done its work");
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

    // Waiters whose owner is gone

    @Test
    void theReadLockOfAnOwnerThatIsGoneGoesBack() {
        assertTrue(lock.tryWriteLock());
        TestWaiter reader = reader("reader");
        TestWaiter gone = reader("gone");
        gone.accepts = false;
        TestWaiter writer = writer("writer");
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        assertEquals(1, lock.readLockCount());
        lock.unlockRead();
        assertTrue(writer.isResumed());
        TestWaiter alone = reader("alone");
        alone.accepts = false;
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void theTurnOfAWriterThatIsGoneEndsLikeAnyOther() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> gone = writers(10_000); // deep, if one were nested in the other
        gone.forEach(writer -> writer.accepts = false);
        TestWaiter writer = writer("writer");
        lock.unlockWrite();
        assertTrue(writer.isResumed());
        TestWaiter again = writer("again");
        again.accepts = false;
        TestWaiter reader = reader("reader");
        TestWaiter last = writer("last");
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        lock.unlockRead();
        assertTrue(last.isResumed());
    }

    @Test
    void aWaiterThatIsGoneWhenItComesBackToAFreeLockLeavesItFree() {
        Condition condition = lock.newCondition();
        TestConditionWaiter gone = new TestConditionWaiter("gone");
        gone.accepts = false;
        assertTrue(lock.tryWriteLock());
        condition.await(gone);
        assertTrue(gone.cancelNow());
        condition.reacquire(gone);
        assertFree();
    }

    // Conditions

    @Test
    void aSignalMovesTheWaiterToTheListOfWriters() {
        Condition condition = lock.newCondition();
        assertSame(lock, condition.readWriteMutex());
        assertNull(condition.mutex());
        assertNull(new Mutex().newCondition().readWriteMutex());
        TestConditionWaiter waiter = new TestConditionWaiter("waiter");
        assertEquals(
                "the write lock of this condition is not locked",
                assertThrows(IllegalStateException.class, condition::signal).getMessage());
        assertTrue(lock.tryReadLock());
        assertThrows(IllegalStateException.class, () -> condition.await(waiter));
        lock.unlockRead();
        assertTrue(lock.tryWriteLock());
        condition.await(waiter);
        TestConditionWaiter left = new TestConditionWaiter("left");
        assertTrue(lock.tryWriteLock());
        condition.await(left);
        assertTrue(lock.tryWriteLock());
        TestWaiter before = writer("before");
        TestWaiter reader = reader("reader");
        condition.signal();
        assertFalse(waiter.cancelNow(), "signalled");
        assertTrue(left.cancelNow());
        condition.reacquire(left);
        assertFalse(left.cancelNow(), "it comes back");
        assertEquals(List.of(before, waiter, left), waitingWriters());
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        lock.unlockRead();
        for (TestWaiter next : List.of(before, waiter, left)) {
            assertTrue(next.isResumed());
            lock.unlockWrite();
        }
        assertFree();
    }

    // Looking

    @Test
    void showsTheWaiters() {
        assertEquals(List.of(), waitingReaders());
        assertEquals(List.of(), waitingWriters());
        assertTrue(lock.tryWriteLock());
        assertEquals(0, lock.waitingReaders());
        TestWaiter writer = writer("writer");
        assertEquals(List.of(), waitingReaders());
        TestWaiter reader = reader("reader");
        TestWaiter other = writer("other");
        assertEquals(List.of(reader), waitingReaders());
        assertEquals(List.of(writer, other), waitingWriters());
        assertEquals(1, lock.waitingReaders());
        assertEquals(2, lock.waitingWriters());
        lock.unlockWrite();
        assertEquals(List.of(), waitingReaders());
        assertEquals(0, lock.waitingReaders());
    }

    @Test
    void saysHowItIsHeld() {
        assertSays("[0 read locks, 0 writers and 0 readers waiting]");
        lock.tryWriteLock();
        writer("writer");
        assertSays("[write locked, 0 read locks, 1 writers and 0 readers waiting]");
        lock.setOwner(Thread.currentThread());
        assertSays("[write locked by " + Thread.currentThread().getName()
                + ", 0 read locks, 1 writers and 0 readers waiting]");
        lock.downgrade();
        reader("reader");
        assertSays("[1 read locks, 1 writers and 1 readers waiting]");
    }

    private void assertSays(String end) {
        assertTrue(lock.toString().endsWith(end), lock.toString());
    }

    @Test
    void comesBackFreeFromAStream() throws Exception {
        assertTrue(lock.tryWriteLock());
        writer("writer");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(lock);
        }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        ReadWriteMutex copy = (ReadWriteMutex) in.readObject();
        assertEquals(0, copy.waitingWriters());
        assertTrue(copy.tryWriteLock());
        assertEquals(1, lock.waitingWriters());
    }

    // Numbers and memory

    /** A field of 20 bits would not hold them. */
    @Test
    void aMillionReadersAndMoreWaitAndEnterTogether() {
        int million = 1_100_000;
        assertTrue(lock.tryWriteLock());
        for (int i = 0; i < million; i++) {
            lock.readLock(new TestWaiter(null), TestWaiter.ITSELF);
        }
        assertEquals(million, lock.waitingReaders());
        TestWaiter writer = writer("writer");
        lock.unlockWrite();
        assertEquals(million, lock.readLockCount());
        for (int i = 0; i < million; i++) {
            assertFalse(writer.isResumed());
            lock.unlockRead();
        }
        assertTrue(writer.isResumed());
    }

    @Test
    void aMillionWritersAndMoreWait() {
        int million = 1_100_000;
        assertTrue(lock.tryReadLock());
        TestWaiter first = writer("first");
        for (int i = 0; i < million; i++) {
            lock.writeLock(new TestWaiter(null), TestWaiter.ITSELF);
        }
        assertEquals(million + 1, lock.waitingWriters());
        assertEquals(1, lock.readLockCount());
        lock.unlockRead();
        assertTrue(first.isResumed());
    }

    @Test
    void keepsNothingOfWaitersThatWereServedOrHaveGivenUp() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> all = new ArrayList<>();
        for (int turn = 0; turn < 10 * MANY; turn++) {
            TestWaiter next = writer("next");
            TestWaiter left = writer("left");
            TestWaiter reader = reader("reader");
            TestWaiter gone = reader("gone");
            assertTrue(left.cancelNow());
            assertTrue(gone.cancelNow());
            lock.unlockWrite();
            lock.unlockRead();
            assertTrue(next.isResumed());
            all.addAll(List.of(next, left, reader, gone));
        }
        Set<Object> reached = Reachable.from(lock);
        assertTrue(reached.size() < FEW, reached.size() + " objects");
        for (TestWaiter waiter : all) {
            assertFalse(reached.contains(waiter), waiter.name);
            waiter.value = null;
            assertEquals(Set.of(waiter, waiter.name, waiter.onResume), Reachable.from(waiter), waiter.name);
        }
    }

    // Helpers

    private TestWaiter reader(String name) {
        return ReadWriteRequests.read(lock, new TestWaiter(name));
    }

    private TestWaiter writer(String name) {
        return ReadWriteRequests.write(lock, new TestWaiter(name));
    }

    private List<TestWaiter> writers(int count) {
        List<TestWaiter> writers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writers.add(writer("writer " + i));
        }
        return writers;
    }

    private List<Waiter> waitingReaders() {
        return collect(lock::forEachWaitingReader);
    }

    private List<Waiter> waitingWriters() {
        return collect(lock::forEachWaitingWriter);
    }

    private static List<Waiter> collect(Consumer<Consumer<Waiter>> source) {
        List<Waiter> waiters = new ArrayList<>();
        source.accept(waiters::add);
        return waiters;
    }

    private static void assertResumed(List<TestWaiter> waiters) {
        waiters.forEach(waiter -> assertTrue(waiter.isResumed(), waiter.name));
    }

    private void assertFree() {
        assertEquals(0, lock.readLockCount());
        assertFalse(lock.isWriteLocked());
        assertEquals(0, lock.waitingReaders());
        assertEquals(0, lock.waitingWriters());
        assertTrue(lock.tryWriteLock());
        lock.unlockWrite();
    }
}
