package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.cqs.TestWaiter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads that hold a read-write lock: reentrancy, hold counts and the owner. */
@Timeout(60)
class ReadWriteOwnershipTest extends ReadWriteMutexFixture {
    // Readers

    @Test
    void aReadLockThatAThreadHasWaitedForIsRecorded() throws Exception {
        assertTrue(lock.tryWriteLock());
        inAnotherThread(() -> {
            Thread me = Thread.currentThread();
            TestWaiter reader = reader("reader");
            lock.unlockWrite();
            assertTrue(reader.isResumed());
            assertEquals(0, lock.readHoldCount(me));
            lock.addReadHold(me);
            assertEquals(1, lock.readHoldCount(me));
            TestWaiter writer = writer("writer");
            assertTrue(lock.tryReadLock(me), "it enters again");
            lock.unlockRead(me);
            lock.unlockRead(me);
            assertTrue(writer.isResumed());
        });
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void aReaderEntersAgainPastAWaitingWriter() throws Exception {
        asReader(1, () -> {
            TestWaiter writer = writer("writer");
            assertTrue(lock.tryReadLock(Thread.currentThread()));
            assertEquals(2, lock.readHoldCount(Thread.currentThread()));
            inAnotherThread(() -> assertFalse(lock.tryReadLock(Thread.currentThread())));
            lock.unlockRead(Thread.currentThread());
            assertFalse(writer.isResumed());
            lock.unlockRead(Thread.currentThread());
            assertTrue(writer.isResumed());
            assertThrows(IllegalMonitorStateException.class, () -> lock.unlockRead(Thread.currentThread()));
            assertTrue(lock.isWriteLocked());
        });
    }

    @Test
    void aReaderThatIsNotTheFirstEntersAgainPastAWaitingWriter() throws Exception {
        assertTrue(lock.tryReadLock());
        asReader(3, () -> {
            TestWaiter writer = writer("writer");
            assertTrue(lock.tryReadLock(Thread.currentThread()));
            assertEquals(4, lock.readHoldCount(Thread.currentThread()));
            assertEquals(5, lock.readLockCount());
            for (int i = 4; i > 0; i--) {
                lock.unlockRead(Thread.currentThread());
            }
            assertThrows(IllegalMonitorStateException.class, () -> lock.unlockRead(Thread.currentThread()));
            assertFalse(writer.isResumed());
            lock.unlockRead();
            assertTrue(writer.isResumed());
        });
    }

    @Test
    void aWriterMayReadAndStaysAsAReaderWhenItUnlocks() throws Exception {
        assertTrue(lock.tryWriteLock());
        lock.setOwner(Thread.currentThread());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        assertTrue(lock.tryReadLock(Thread.currentThread()));
        inAnotherThread(() -> assertFalse(lock.tryReadLock(Thread.currentThread())));
        lock.unlockWrite();
        assertNull(lock.owner());
        assertTrue(reader.isResumed());
        assertEquals(2, lock.readLockCount());
        lock.unlockRead();
        lock.unlockRead(Thread.currentThread());
        assertTrue(writer.isResumed());
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void aWriterThatAlsoReadsKeepsTheNextWriterOutUntilBothAreUnlocked() {
        assertTrue(lock.tryWriteLock());
        lock.setOwner(Thread.currentThread());
        assertTrue(lock.tryReadLock(Thread.currentThread()));
        TestWaiter writer = writer("writer");
        lock.unlockWrite();
        assertFalse(writer.isResumed());
        assertFalse(lock.isWriteLocked());
        assertTrue(lock.tryReadLock(Thread.currentThread()));
        lock.unlockRead(Thread.currentThread());
        lock.unlockRead(Thread.currentThread());
        assertTrue(writer.isResumed());
    }

    @Test
    void readHoldsOfManyLocksAreCountedApart() throws Exception {
        List<ReadWriteMutex> locks = new ArrayList<>();
        inAnotherThread(() -> {
            for (int i = 0; i < 20; i++) {
                ReadWriteMutex each = new ReadWriteMutex();
                assertTrue(each.tryReadLock()); // another reader is the first
                locks.add(each);
                assertEquals(0, each.readHoldCount(Thread.currentThread()));
                for (int n = 0; n <= i; n++) {
                    assertTrue(each.tryReadLock(Thread.currentThread()));
                }
            }
            for (int round = 0; round <= 20; round++) {
                for (int i = 0; i < 20; i++) {
                    int holds = Math.max(0, i + 1 - round);
                    assertEquals(holds, locks.get(i).readHoldCount(Thread.currentThread()));
                    unlock(locks.get(i), holds > 0);
                }
            }
        });
        locks.forEach(each -> assertEquals(1, each.readLockCount()));
    }

    @Test
    void theReadHoldsOfAThreadReachNoLockThatIsNotHeld() throws Exception {
        Field entries = ReadWriteOwnership.ReadHolds.class.getDeclaredField("ENTRIES");
        entries.setAccessible(true);
        inAnotherThread(() -> {
            assertTrue(lock.tryReadLock());
            assertTrue(lock.tryReadLock(Thread.currentThread()));
            Object[] record = (Object[]) ((ThreadLocal<?>) entries.get(null)).get();
            assertSame(lock, record[0]);
            lock.unlockRead(Thread.currentThread());
            for (Object entry : record) {
                assertFalse(entry instanceof ReadWriteMutex, () -> "still reached: " + entry);
            }
        });
    }

    @Test
    void readingAgainAndAgainAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        inAnotherThread(() -> {
            assertTrue(lock.tryReadLock()); // another reader is the first, so this thread is recorded in an entry
            long before = 0;
            for (int i = -1000; i < 10_000; i++) {
                if (i == 0) {
                    before = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                }
                assertTrue(lock.tryReadLock(Thread.currentThread()));
                lock.unlockRead(Thread.currentThread());
            }
            long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertTrue(bytes < 10_000, () -> bytes + " bytes for 10,000 read locks");
        });
    }

    @Test
    void aReadLockThatAnotherCallerHasUnlockedIsNotEnteredAgain() throws Exception {
        asReader(1, () -> {
            lock.unlockRead(); // the recorded thread should do this
            assertTrue(lock.tryWriteLock());
            assertFalse(lock.tryReadLock(Thread.currentThread()));
            lock.unlockWrite();
        });
    }

    @Test
    void unlockClearsTheOwner() {
        for (EndOfTurn end : EndOfTurn.values()) {
            assertTrue(lock.tryWriteLock());
            lock.setOwner(Thread.currentThread(), 3);
            end.apply(lock);
            assertNull(lock.owner());
            assertEquals(0, lock.writeHoldCount(Thread.currentThread()));
            lock.setOwner(Thread.currentThread());
            assertEquals(
                    1, lock.writeHoldCount(Thread.currentThread()), "the holds of the previous owner are not counted");
            lock.setOwner(null);
        }
    }

    @Test
    void aRefusedUnlockKeepsTheOwner() {
        lock.setOwner(Thread.currentThread(), 3);
        assertThrows(IllegalStateException.class, lock::unlockWrite);
        assertThrows(IllegalStateException.class, lock::downgrade);
        assertSame(Thread.currentThread(), lock.owner());
        assertEquals(3, lock.writeHoldCount(Thread.currentThread()));
    }

    // The writer

    @Test
    void aWriterEntersAgainAndUnlocksAsOften() throws Exception {
        Thread me = Thread.currentThread();
        assertEquals(0, lock.writeHoldCount(me));
        for (int holds = 1; holds <= 3; holds++) {
            assertTrue(lock.tryWriteLock(me));
            assertSame(me, lock.owner());
            assertEquals(holds, lock.writeHoldCount(me));
        }
        TestWaiter writer = writer("writer");
        inAnotherThread(() -> {
            assertFalse(lock.tryWriteLock(Thread.currentThread()));
            assertEquals(0, lock.writeHoldCount(Thread.currentThread()));
        });
        for (int holds = 2; holds >= 0; holds--) {
            assertFalse(writer.isResumed());
            lock.unlockWrite(me);
            assertEquals(holds, lock.writeHoldCount(me));
        }
        assertTrue(writer.isResumed());
        assertNull(lock.owner());
        assertFalse(lock.tryWriteLock(me), "the writer holds it");
    }

    @Test
    void aWriterEntersAClosedLockAgainAndNoOtherThreadDoes() throws Exception {
        Thread me = Thread.currentThread();
        assertTrue(lock.tryWriteLock(me));
        lock.close(null);
        assertTrue(lock.tryWriteLock(me));
        inAnotherThread(() -> assertThrows(ClosedException.class, () -> lock.tryWriteLock(Thread.currentThread())));
        lock.unlockWrite(me);
        lock.unlockWrite(me);
        assertThrows(ClosedException.class, () -> lock.tryWriteLock(me));
    }

    @Test
    void holdsAboveTheMaximumAreRefusedAndChangeNothing() {
        Thread me = Thread.currentThread();
        assertTrue(lock.tryWriteLock());
        lock.setOwner(me, Integer.MAX_VALUE - 1);
        assertTrue(lock.tryWriteLock(me));
        assertThrows(Error.class, () -> lock.tryWriteLock(me));
        assertEquals(Integer.MAX_VALUE, lock.writeHoldCount(me));
        lock.unlockWrite();
        assertEquals(0, lock.writeHoldCount(me));
        assertFree();
    }

    /** As a wait on a condition does. */
    @Test
    void allHoldsAreReleasedAtOnceAndRestored() {
        Thread me = Thread.currentThread();
        assertTrue(lock.tryWriteLock(me));
        assertTrue(lock.tryWriteLock(me));
        TestWaiter writer = writer("writer");
        assertEquals(2, lock.writeHoldCount(me));
        lock.unlockWrite();
        assertTrue(writer.isResumed());
        lock.unlockWrite();
        assertTrue(lock.tryWriteLock());
        lock.setOwner(me, 2);
        lock.unlockWrite(me);
        assertSame(me, lock.owner());
        lock.unlockWrite(me);
        assertFree();
    }

    @Test
    void aWriteLockOfAnotherThreadIsNotUnlocked() throws Exception {
        assertNotTheWriter("; no thread does");
        assertTrue(lock.tryWriteLock());
        assertNotTheWriter("; no thread does");
        lock.setOwner(Thread.currentThread());
        lock.checkOwner(Thread.currentThread());
        String mine = "; thread " + Thread.currentThread().getName() + " does";
        inAnotherThread(() -> assertNotTheWriter(mine));
        assertEquals(1, lock.writeHoldCount(Thread.currentThread()));
        lock.unlockWrite(Thread.currentThread());
        assertFree();
    }

    private void assertNotTheWriter(String says) {
        Thread me = Thread.currentThread();
        for (Consumer<Thread> step : List.<Consumer<Thread>>of(lock::unlockWrite, lock::downgrade, lock::checkOwner)) {
            String message = assertThrows(IllegalMonitorStateException.class, () -> step.accept(me))
                    .getMessage();
            assertTrue(message.endsWith(says), message);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aWriterDowngradesOneOfItsHolds(int entries) throws Exception {
        Thread me = Thread.currentThread();
        for (int i = 0; i < entries; i++) {
            assertTrue(lock.tryWriteLock(me));
        }
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        lock.downgrade(me);
        assertEquals(1, lock.readHoldCount(me));
        assertEquals(entries - 1, lock.writeHoldCount(me));
        assertEquals(entries == 1, reader.isResumed(), "it enters when the last write hold is released");
        assertFalse(writer.isResumed());
        for (int i = 1; i < entries; i++) {
            lock.unlockWrite(me);
        }
        assertTrue(reader.isResumed());
        lock.unlockRead();
        lock.unlockRead(me);
        assertTrue(writer.isResumed());
    }

    // Helpers

    private static void unlock(ReadWriteMutex lock, boolean isHeld) {
        if (isHeld) {
            lock.unlockRead(Thread.currentThread());
        } else {
            assertThrows(IllegalMonitorStateException.class, () -> lock.unlockRead(Thread.currentThread()));
        }
    }

    /** Runs {@code action} in a thread that holds {@code holds} read locks. */
    private void asReader(int holds, Action action) throws Exception {
        inAnotherThread(() -> {
            for (int i = 0; i < holds; i++) {
                assertTrue(lock.tryReadLock(Thread.currentThread()));
            }
            assertEquals(holds, lock.readHoldCount(Thread.currentThread()));
            action.run();
        });
    }
}
