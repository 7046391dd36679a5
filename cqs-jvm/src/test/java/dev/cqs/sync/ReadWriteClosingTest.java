package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * Closing a read-write lock, one operation at a time. What it has in common with the other primitives is in
 * {@link ClosingTest}.
 */
@Timeout(60)
class ReadWriteClosingTest extends ReadWriteMutexFixture {

    private final Throwable cause = new Throwable("the cause");
    private final Condition condition = lock.newCondition();

    // Waiters

    @Test
    void allReadersAndAllWritersFailInFifoOrder() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> readers = new ArrayList<>();
        List<TestWaiter> writers = new ArrayList<>();
        List<TestWaiter> failed = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            readers.add(reader("reader " + i));
            writers.add(writer("writer " + i));
        }
        assertTrue(readers.remove(0).cancelNow());
        assertTrue(readers.remove(40).cancelNow());
        assertTrue(writers.remove(0).cancelNow());
        assertTrue(writers.remove(40).cancelNow());
        List<TestWaiter> all = new ArrayList<>(readers);
        all.addAll(writers);
        all.forEach(waiter -> waiter.onResume = value -> failed.add(waiter));
        assertTrue(lock.close(cause));
        all.forEach(waiter -> assertFailed(cause, waiter));
        assertEquals(all, failed);
        all.forEach(waiter -> assertFalse(waiter.cancelNow(), "it has ended"));
        assertState(true, 0, 0, 0);
        lock.unlockWrite();
        assertClosedAndFree();
    }

    @Test
    void aWaitingWriterAndTheReadersBehindItFail() {
        assertTrue(lock.tryReadLock());
        assertTrue(lock.tryReadLock());
        TestWaiter writer = writer("writer");
        TestWaiter reader = reader("reader");
        assertTrue(lock.close(cause));
        assertFailed(cause, writer);
        assertFailed(cause, reader);
        assertState(false, 2, 0, 0);
        lock.unlockRead();
        lock.unlockRead();
        assertThrows(IllegalStateException.class, lock::unlockRead);
        assertThrows(IllegalStateException.class, lock::unlockWrite);
        assertClosedAndFree();
    }

    /** Beside readers: a waiter that refuses a grant gives back a read lock, and one that refuses a failure must not. */
    @Test
    void waitersThatRefuseToFailGiveNothingBack() {
        assertTrue(lock.tryReadLock());
        assertTrue(lock.tryReadLock());
        TestWaiter first = writer("first");
        for (TestWaiter gone : List.of(reader("reader"), writer("writer"), reader("another"), writer("another"))) {
            gone.accepts = false;
        }
        TestWaiter reader = reader("last reader");
        TestWaiter writer = writer("last writer");
        lock.close(cause);
        assertFailed(cause, first);
        assertFailed(cause, reader);
        assertFailed(cause, writer);
        assertState(false, 2, 0, 0);
        lock.unlockRead();
        lock.unlockRead();
        assertClosedAndFree();
    }

    @Test
    void aWaiterMayUnlockAndRequestAgainAsItFails() {
        assertTrue(lock.tryWriteLock());
        TestWaiter reader = reader("reader");
        TestWaiter other = reader("other");
        TestWaiter writer = writer("writer");
        reader.onResume = value -> {
            lock.unlockWrite();
            assertClosedAndFree();
            assertFalse(lock.close(null));
            assertFalse(other.cancelNow(), "all waiters are removed before the first is resumed");
            assertFalse(writer.cancelNow());
        };
        lock.close(cause);
        assertFailed(cause, reader);
        assertFailed(cause, other);
        assertFailed(cause, writer);
    }

    @Test
    void aReaderMayCloseAsItEntersAndItsTurnStillEnters() {
        assertTrue(lock.tryWriteLock());
        TestWaiter first = reader("first");
        TestWaiter second = reader("second");
        TestWaiter writer = writer("writer");
        first.onResume = value -> assertTrue(lock.close(cause));
        lock.unlockWrite();
        assertSame(lock, first.value);
        assertSame(lock, second.value);
        assertFailed(cause, writer);
        assertState(false, 2, 0, 0);
        lock.unlockRead();
        lock.unlockRead();
        assertClosedAndFree();
    }

    @Test
    void aRequestThatFindsTheLockHeldAndIsQueuedAfterTheCloseFails() {
        assertTrue(lock.tryReadLock());
        TestWaiter writer = lock.writeLock(null, (same, nothing) -> {
            writer("before");
            TestWaiter reader = lock.readLock(null, (again, none) -> {
                lock.close(cause);
                return new TestWaiter("reader");
            });
            assertFailed(cause, reader);
            return new TestWaiter("writer");
        });
        assertFailed(cause, writer);
        lock.unlockRead();
        assertClosedAndFree();
    }

    @Test
    void aRequestThatRefusesToFailGivesNothingBack() {
        assertTrue(lock.tryReadLock());
        TestWaiter gone = new TestWaiter("gone");
        gone.accepts = false;
        writer("writer");
        assertSame(gone, lock.readLock(gone, (same, waiter) -> {
            lock.close(cause);
            return waiter;
        }));
        assertState(false, 1, 0, 0);
        lock.unlockRead();
        assertClosedAndFree();
    }

    // Holders

    @Test
    void aReaderEntersAgain() {
        Thread me = Thread.currentThread();
        assertTrue(lock.tryReadLock(me));
        lock.close(cause);
        assertTrue(lock.tryReadLock(me));
        assertTrue(lock.tryReadLockBarging(me));
        assertEquals(3, lock.readHoldCount(me));
        assertClosed(cause, lock::tryReadLock);
        for (int i = 0; i < 3; i++) {
            lock.unlockRead(me);
        }
        assertThrows(IllegalMonitorStateException.class, () -> lock.unlockRead(me));
        assertClosed(cause, () -> lock.tryReadLock(me));
        assertClosed(cause, () -> lock.tryReadLockBarging(me));
        assertClosedAndFree();
    }

    @Test
    void aWriterReadsAndStaysAsAReader() {
        Thread me = Thread.currentThread();
        assertTrue(lock.tryWriteLock());
        lock.setOwner(me);
        lock.close(cause);
        assertTrue(lock.tryReadLock(me));
        lock.setOwner(null);
        lock.unlockWrite();
        assertState(false, 1, 0, 0);
        lock.unlockRead(me);
        assertClosedAndFree();
    }

    @Test
    void aWriterDowngrades() {
        assertTrue(lock.tryWriteLock());
        TestWaiter reader = reader("reader");
        lock.close(cause);
        lock.downgrade();
        assertFailed(cause, reader);
        assertState(false, 1, 0, 0);
        assertClosed(cause, lock::tryReadLock);
        lock.unlockRead();
        assertThrows(IllegalStateException.class, lock::downgrade);
        assertClosedAndFree();
    }

    // Conditions

    @Test
    void signalledWaitersKeepTheirOrderAndAllOthersFail() {
        List<TestConditionWaiter> signalled = new ArrayList<>();
        List<TestConditionWaiter> waiting = new ArrayList<>();
        List<TestWaiter> others = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            signalled.add(onCondition("signalled " + i));
        }
        for (int i = 0; i < MANY; i++) {
            waiting.add(onCondition("waiting " + i));
        }
        assertTrue(lock.tryWriteLock());
        for (int i = 0; i < MANY; i++) {
            others.add(writer("writer " + i));
            others.add(reader("reader " + i));
            condition.signal();
        }
        assertTrue(lock.close(cause));
        others.forEach(waiter -> assertFailed(cause, waiter));
        signalled.forEach(waiter -> assertNull(waiter.closing));
        waiting.forEach(waiter -> assertSame(cause, waiter.closing.cause()));
        assertEquals(0, condition.queueLength());
        assertState(true, 0, 2 * MANY, 0);
        List<TestConditionWaiter> inOrder = new ArrayList<>(signalled);
        inOrder.addAll(waiting);
        assertEquals(inOrder, waitingWriters());
        for (TestConditionWaiter next : inOrder) {
            assertFalse(next.isResumed());
            lock.unlockWrite();
            assertSame(lock, next.value);
        }
        lock.unlockWrite();
        assertClosedAndFree();
    }

    @Test
    void aSignalledWaiterIsServedByTheLastReader() {
        TestConditionWaiter signalled = onCondition("signalled");
        TestConditionWaiter waiting = onCondition("waiting");
        assertTrue(lock.tryWriteLock());
        condition.signal();
        lock.downgrade();
        TestWaiter reader = reader("behind the signalled writer");
        lock.close(cause);
        assertFailed(cause, reader);
        assertState(false, 1, 2, 0);
        assertFalse(signalled.isResumed());
        lock.unlockRead();
        assertSame(lock, signalled.value);
        lock.unlockWrite();
        assertSame(lock, waiting.value);
        assertSame(cause, waiting.closing.cause());
        lock.unlockWrite();
        assertClosedAndFree();
    }

    @Test
    void aWaiterCancelledBeforeTheCloseReacquiresAFreeClosedLock() {
        TestConditionWaiter left = onCondition("left");
        assertTrue(left.cancelNow());
        lock.close(cause);
        condition.reacquire(left);
        assertNull(left.closing);
        assertSame(lock, left.value);
        assertState(true, 0, 0, 0);
        lock.unlockWrite();
        assertClosedAndFree();
    }

    @Test
    void aWaiterOnAConditionOfAFreeLockFailsAndHoldsTheLock() {
        TestConditionWaiter waiter = onCondition("waiter");
        lock.close(cause);
        assertSame(cause, waiter.closing.cause());
        assertSame(lock, waiter.value);
        TestConditionWaiter late = new TestConditionWaiter("late");
        assertClosed(cause, () -> condition.await(late));
        lock.unlockWrite();
        assertClosedAndFree();
    }

    // Memory

    @Test
    void failedWaitersAreNotReachable() {
        assertTrue(lock.tryWriteLock());
        List<TestWaiter> all = new ArrayList<>();
        for (int i = 0; i < 10 * MANY; i++) {
            all.add(reader("reader"));
            all.add(writer("writer"));
        }
        lock.close(cause);
        Set<Object> reached = Reachable.from(lock);
        all.forEach(waiter -> assertFalse(reached.contains(waiter)));
        assertTrue(reached.size() < 100, reached.size() + " objects");
    }

    // Helpers

    /** Enqueues a waiter on the condition, which releases the lock. */
    private TestConditionWaiter onCondition(String name) {
        TestConditionWaiter waiter = new TestConditionWaiter(name);
        assertTrue(lock.tryWriteLock());
        condition.await(waiter);
        return waiter;
    }

    private void assertClosedAndFree() {
        assertState(false, 0, 0, 0);
        assertTrue(lock.isClosed());
        for (Executable request :
                List.<Executable>of(lock::tryReadLock, lock::tryReadLockBarging, lock::tryWriteLock)) {
            assertClosed(cause, request);
        }
        assertClosed(cause, () -> lock.readLock(null, FactoryFailure.FACTORY));
        assertClosed(cause, () -> lock.writeLock(null, FactoryFailure.FACTORY));
        assertTrue(lock.toString().endsWith("waiting, closed]"), lock.toString());
        assertState(false, 0, 0, 0);
    }
}
