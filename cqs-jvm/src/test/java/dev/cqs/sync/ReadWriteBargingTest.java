package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that pass the writers that wait. */
@Timeout(60)
class ReadWriteBargingTest {
    /** The bit of the word that is the list lock. */
    private static final long LIST_LOCKED = 1;

    private static final int MANY = 80;

    private final ReadWriteMutex lock = new ReadWriteMutex();

    @Test
    void aReaderBargesPastAWriterThatWaitsAndAFairOneDoesNot() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        assertFalse(lock.tryReadLock());
        assertTrue(lock.tryReadLockBarging());
        assertFalse(lock.tryReadLock(), "the next fair one is still stopped");
        assertState(false, 2, List.of(writer), List.of());
    }

    @Test
    void aReaderThatNoWriterStopsEnters() {
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
        next.onResume = value -> assertFalse(lock.tryReadLockBarging(), "handed over, and being told");
        lock.unlockWrite();
        assertTrue(next.isResumed());
        assertFalse(lock.tryReadLockBarging());
        assertState(true, 0, List.of(third), List.of());
        lock.unlockWrite();
        lock.unlockWrite();
        assertFree();
    }

    @Test
    void theListsStayAsTheyAreAndTheirOrderToo() {
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
            assertTrue(lock.tryReadLockBarging(), "others come as readers leave");
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
    void aHeadWriterThatGivesUpStillLetsTheReadersBehindItIn() {
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
    void theOnlyWriterGivesUpWhileABargingReaderIsIn() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        assertTrue(lock.tryReadLockBarging());
        assertTrue(writer.cancelNow());
        assertTrue(lock.tryReadLock(), "nobody waits");
        lock.unlockRead();
        lock.unlockRead();
        lock.unlockRead();
        assertFree();
    }

    /** The readers that are being told hold the lock, and no writer does. */
    @Test
    void aReaderBargesInOnATurnOfReadersThatIsBeingTold() {
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
        lock.unlockRead(); // another stays, so no writer is to be served
        assertEquals(one + LIST_LOCKED, word());
        setWord(one);
        lock.unlockRead();
        assertTrue(writer.isResumed());
        setWord(word() + LIST_LOCKED);
        assertFalse(lock.tryReadLockBarging());
    }

    @Test
    void aReadLockTooManyIsRefusedAndChangesNothing() throws Exception {
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

    // The record of threads

    /** @param first whether the thread's hold is the first, which has a record of its own */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadThatHasBargedInIsOnRecordAndEntersAgain(boolean first) throws Exception {
        assertTrue(lock.tryReadLock());
        inAnotherThread(() -> {
            Thread self = Thread.currentThread();
            TestWaiter writer = writer("writer");
            if (first) { // it takes the place of the other reader
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
    void theThreadThatWritesReadsAndAnotherDoesNot() throws Exception {
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

    private TestWaiter reader(String name) {
        return ReadWriteRequests.read(lock, new TestWaiter(name));
    }

    private TestWaiter writer(String name) {
        return ReadWriteRequests.write(lock, new TestWaiter(name));
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

    private void assertFree() {
        assertState(false, 0, List.of(), List.of());
        assertTrue(lock.tryWriteLock());
    }

    private static Field wordField() throws NoSuchFieldException {
        Field field = ReadWriteWord.class.getDeclaredField("word");
        field.setAccessible(true);
        return field;
    }

    private long word() throws ReflectiveOperationException {
        return wordField().getLong(lock);
    }

    private void setWord(long word) throws ReflectiveOperationException {
        wordField().setLong(lock, word);
    }

    private static void inAnotherThread(Runnable body) throws Exception {
        FutureTask<Void> task = new FutureTask<>(body, null);
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
        try {
            task.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
