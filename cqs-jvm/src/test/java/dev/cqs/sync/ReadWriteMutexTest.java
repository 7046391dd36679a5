package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.Reachable;
import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A read-write lock without waiters, its conditions and queries, and very many waiters. Turns are in {@link
 * ReadWriteTurnsTest}.
 */
@Timeout(60)
class ReadWriteMutexTest extends ReadWriteMutexFixture {
    /** A bit of the state word. */
    private static final long HELD_FOR_WRITING = 2;

    /** Objects: two or three segments with their arrays, for each list. */
    private static final int FEW = 60;

    // Without waiters

    @Test
    void readersShareItAndAWriterExcludesAllOthers() {
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
    void aDowngradeLetsNoOtherWriterEnter() {
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
    void unlockOfAFreeLockIsRefusedAndChangesNothing() {
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
    void aReadLockAboveTheMaximumIsRefusedAndChangesNothing() {
        assertTrue(lock.tryReadLock());
        long one = word();
        setWord(one * Integer.MAX_VALUE);
        assertEquals(Integer.MAX_VALUE, lock.readLockCount());
        assertThrows(Error.class, lock::tryReadLock);
        assertThrows(Error.class, () -> lock.tryReadLock(Thread.currentThread()));
        assertThrows(Error.class, () -> lock.readLock(null, FactoryFailure.FACTORY));
        assertEquals(one * Integer.MAX_VALUE, word());
        setWord(HELD_FOR_WRITING);
        assertThrows(
                Error.class,
                () -> lock.readLock(null, (same, nothing) -> {
                    setWord(one * Integer.MAX_VALUE); // as if others had read-locked it before the waiter is enqueued
                    return new TestWaiter("reader");
                }));
        assertEquals(one * Integer.MAX_VALUE, word());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        assertTrue(writer.cancelNow());
        assertTrue(reader.isResumed(), "it entered though the count is at its maximum");
        assertEquals(Integer.MAX_VALUE, lock.readLockCount());
        lock.unlockRead();
        lock.unlockRead();
        assertEquals(Integer.MAX_VALUE - 1, lock.readLockCount());
        assertTrue(lock.tryReadLock());
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
        assertFalse(left.cancelNow(), "it has left the condition");
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

    // Queries

    @Test
    void forEachShowsTheWaitersInOrder() {
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
    void toStringShowsHowItIsHeld() {
        assertToStringEndsWith("[0 read locks, 0 writers and 0 readers waiting]");
        lock.tryWriteLock();
        writer("writer");
        assertToStringEndsWith("[write locked, 0 read locks, 1 writers and 0 readers waiting]");
        lock.setOwner(Thread.currentThread());
        assertToStringEndsWith("[write locked by " + Thread.currentThread().getName()
                + ", 0 read locks, 1 writers and 0 readers waiting]");
        lock.downgrade();
        reader("reader");
        assertToStringEndsWith("[1 read locks, 1 writers and 1 readers waiting]");
    }

    private void assertToStringEndsWith(String end) {
        assertTrue(lock.toString().endsWith(end), lock.toString());
    }

    @Test
    void aDeserializedCopyIsFree() throws Exception {
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

    /** More readers than a field of 20 bits can count. */
    @Test
    void moreThanAMillionReadersWaitAndEnterTogether() {
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
    void moreThanAMillionWritersWait() {
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
    void finishedAndCancelledWaitersAreNotReachable() {
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
}
