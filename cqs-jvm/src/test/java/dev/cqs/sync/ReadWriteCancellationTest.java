package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancelled requests of a read-write lock, and waiters that refuse the lock. */
@Timeout(60)
class ReadWriteCancellationTest extends ReadWriteMutexFixture {

    // Cancellation

    /** Otherwise a cancelled writer would leave the readers waiting that it has stopped. */
    @Test
    void aCancelledWriterLetsTheReadersBehindItEnterAtOnce() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        TestWaiter other = reader("other");
        assertTrue(writer.cancelNow());
        assertResumed(List.of(reader, other));
        assertEquals(3, lock.readLockCount());
        assertTrue(lock.tryReadLock(), "no writer waits");
        assertFalse(writer.isResumed());
    }

    @Test
    void aCancelledHeadWriterLetsTheReadersEnterAheadOfTheNextWriter() {
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
    void theNextWriterIsTheHeadOnceTheFirstIsCancelled() {
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
    void aWriterThatIsCancelledWhileAnotherWritesLetsNoneEnter() {
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
    void cancelledWaitersAreSkipped() {
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
    void whenAllWaitersAreCancelledNoneIsLeft(boolean write) {
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
    void aRequestThatHasEnteredCannotBeCancelled() {
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

    // Waiters that refuse the lock

    @Test
    void aReadLockThatItsWaiterRefusesGoesBack() {
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
    void aWriteLockThatItsWaiterRefusesGoesToTheNext() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> gone = writers(10_000); // would overflow the stack if the hand-offs were nested
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
    void aConditionWaiterThatRefusesAFreeLockLeavesItFree() {
        Condition condition = lock.newCondition();
        TestConditionWaiter gone = new TestConditionWaiter("gone");
        gone.accepts = false;
        assertTrue(lock.tryWriteLock());
        condition.await(gone);
        assertTrue(gone.cancelNow());
        condition.reacquire(gone);
        assertFree();
    }
}
