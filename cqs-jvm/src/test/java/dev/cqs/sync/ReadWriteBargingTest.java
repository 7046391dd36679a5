package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that barge past waiting writers. */
@Timeout(60)
class ReadWriteBargingTest extends ReadWriteMutexFixture {
    @Test
    void aReaderBargesPastAWaitingWriterAndAFairReaderDoesNot() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        assertFalse(lock.tryReadLock());
        assertTrue(lock.tryReadLockBarging());
        assertFalse(lock.tryReadLock(), "the writer still stops fair readers");
        assertState(false, 2, List.of(writer), List.of());
    }

    @Test
    void aBargingReaderEntersALockWithoutWriters() {
        assertTrue(lock.tryReadLockBarging());
        assertTrue(lock.tryReadLockBarging());
        assertFalse(lock.tryWriteLock());
        lock.unlockRead();
        lock.unlockRead();
        assertFree();
    }

    @Test
    void aReaderNeverBargesInOnAWriterThatHoldsTheLock() {
        assertTrue(lock.tryWriteLock());
        assertFalse(lock.tryReadLockBarging());
        TestWaiter next = writer("next");
        TestWaiter third = writer("third");
        assertFalse(lock.tryReadLockBarging());
        next.onResume =
                value -> assertFalse(lock.tryReadLockBarging(), "the writer holds it while it is being resumed");
        lock.unlockWrite();
        assertTrue(next.isResumed());
        assertFalse(lock.tryReadLockBarging());
        assertState(true, 0, List.of(third), List.of());
        lock.unlockWrite();
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void bargingChangesNeitherListNorTheirOrder() {
        assertTrue(lock.tryReadLock());
        TestWaiter first = writer("first");
        TestWaiter second = writer("second");
        TestWaiter reader = reader("reader");
        assertTrue(lock.tryReadLockBarging());
        assertState(false, 2, List.of(first, second), List.of(reader));
        lock.unlockRead();
        assertFalse(first.isResumed(), "a reader has barged in");
        lock.unlockRead();
        assertTrue(first.isResumed());
        assertState(true, 0, List.of(second), List.of(reader));
        lock.unlockWrite();
        assertTrue(reader.isResumed());
        assertTrue(lock.tryReadLockBarging());
        lock.unlockRead();
        assertFalse(second.isResumed());
        lock.unlockRead();
        assertTrue(second.isResumed());
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void theWriterEntersWhenTheLastOfManyBargingReadersLeaves() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        for (int i = 0; i < MANY; i++) {
            assertTrue(lock.tryReadLockBarging());
        }
        for (int i = 0; i < MANY; i++) {
            lock.unlockRead();
            assertTrue(lock.tryReadLockBarging(), "new readers arrive as others leave");
            lock.unlockRead();
            assertFalse(writer.isResumed());
        }
        assertState(false, 1, List.of(writer), List.of());
        lock.unlockRead();
        assertTrue(writer.isResumed());
        assertFalse(lock.tryReadLockBarging());
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void aCancelledHeadWriterStillLetsTheReadersBehindItEnter() {
        assertTrue(lock.tryReadLock());
        TestWaiter head = writer("head");
        TestWaiter next = writer("next");
        TestWaiter reader = reader("reader");
        assertTrue(lock.tryReadLockBarging());
        lock.unlockRead();
        assertTrue(head.cancelNow());
        assertTrue(reader.isResumed());
        assertTrue(lock.tryReadLockBarging());
        assertState(false, 3, List.of(next), List.of());
        lock.unlockRead();
        lock.unlockRead();
        assertFalse(next.isResumed());
        lock.unlockRead();
        assertTrue(next.isResumed());
    }

    @Test
    void theOnlyWaitingWriterIsCancelledWhileABargingReaderHoldsTheLock() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        assertTrue(lock.tryReadLockBarging());
        assertTrue(writer.cancelNow());
        assertTrue(lock.tryReadLock(), "no writer waits");
        lock.unlockRead();
        lock.unlockRead();
        lock.unlockRead();
        assertFree();
    }

    /** Readers that are being resumed hold the lock already, so a reader may join them. */
    @Test
    void aReaderBargesInWhileATurnOfReadersIsBeingResumed() {
        assertTrue(lock.tryWriteLock());
        TestWaiter first = reader("first");
        TestWaiter second = reader("second");
        TestWaiter writer = writer("writer");
        first.onResume = value -> {
            assertFalse(second.isResumed());
            assertFalse(lock.tryReadLock());
            assertTrue(lock.tryReadLockBarging());
        };
        lock.unlockWrite();
        assertTrue(second.isResumed());
        assertState(false, 3, List.of(writer), List.of());
    }

    @Test
    void aReaderDoesNotWaitForTheListLock() throws Exception {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        long one = word();
        setWord(one + LIST_LOCKED);
        assertTrue(lock.tryReadLockBarging());
        assertEquals(2, lock.readLockCount());
        lock.unlockRead(); // another reader stays, so no writer enters
        assertEquals(one + LIST_LOCKED, word());
        setWord(one);
        lock.unlockRead();
        assertTrue(writer.isResumed());
        setWord(word() + LIST_LOCKED);
        assertFalse(lock.tryReadLockBarging());
    }

    @Test
    void aReadLockAboveTheMaximumIsRefusedAndChangesNothing() throws Exception {
        assertTrue(lock.tryReadLock());
        long one = word();
        TestWaiter writer = writer("writer");
        long most = word() + one * (Integer.MAX_VALUE - 1L);
        setWord(most);
        assertThrows(Error.class, lock::tryReadLockBarging);
        assertThrows(Error.class, () -> lock.tryReadLockBarging(Thread.currentThread()));
        assertEquals(most, word());
        assertEquals(0, lock.readHoldCount(Thread.currentThread()));
        lock.unlockRead();
        assertTrue(lock.tryReadLockBarging());
        assertFalse(writer.isResumed());
    }

    // The threads that hold it

    /** @param first whether the thread is the first reader, which is recorded in a field of its own */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadThatHasBargedInIsAHolderAndEntersAgain(boolean first) throws Exception {
        assertTrue(lock.tryReadLock());
        inAnotherThread(() -> {
            Thread self = Thread.currentThread();
            TestWaiter writer = writer("writer");
            if (first) { // the thread replaces the other reader
                assertTrue(writer.cancelNow());
                lock.unlockRead();
            }
            assertTrue(lock.tryReadLockBarging(self));
            TestWaiter next = first ? writer("next") : writer;
            assertEquals(1, lock.readHoldCount(self));
            assertTrue(lock.tryReadLock(self), "it holds the lock");
            assertTrue(lock.tryReadLockBarging(self));
            assertEquals(3, lock.readHoldCount(self));
            for (int holds = 3; holds > 0; holds--) {
                assertFalse(next.isResumed());
                lock.unlockRead(self);
            }
            assertThrows(IllegalMonitorStateException.class, () -> lock.unlockRead(self));
            assertEquals(first, next.isResumed());
        });
    }

    @Test
    void onlyTheThreadThatHoldsTheWriteLockBargesIn() throws Exception {
        assertTrue(lock.tryWriteLock());
        lock.setOwner(Thread.currentThread());
        TestWaiter writer = writer("writer");
        inAnotherThread(() -> assertFalse(lock.tryReadLockBarging(Thread.currentThread())));
        assertTrue(lock.tryReadLockBarging(Thread.currentThread()));
        lock.unlockWrite();
        assertFalse(writer.isResumed());
        inAnotherThread(() -> {
            assertTrue(lock.tryReadLockBarging(Thread.currentThread()));
            lock.unlockRead(Thread.currentThread());
        });
        assertFalse(writer.isResumed());
        lock.unlockRead(Thread.currentThread());
        assertTrue(writer.isResumed());
    }

    private void assertState(boolean writing, int reading, List<TestWaiter> writers, List<TestWaiter> readers) {
        assertEquals(writing, lock.isWriteLocked());
        assertEquals(reading, lock.readLockCount());
        List<Object> shown = new ArrayList<>();
        lock.forEachWaitingWriter(shown::add);
        assertEquals(writers, shown);
        shown.clear();
        lock.forEachWaitingReader(shown::add);
        assertEquals(readers, shown);
    }
}
