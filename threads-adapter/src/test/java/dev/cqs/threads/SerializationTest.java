package dev.cqs.threads;

import static dev.cqs.threads.Streams.copy;
import static dev.cqs.threads.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.Target.JdkLock;
import dev.cqs.threads.Target.JdkSemaphore;
import dev.cqs.threads.Target.OurLock;
import dev.cqs.threads.Target.OurSemaphore;
import dev.cqs.threads.Target.Permits;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.Target.Reentrant;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.user.Warehouse;
import java.io.NotSerializableException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state of deserialized copies, of our classes and the JDK's. */
@Timeout(60)
class SerializationTest {
    enum Kind {
        OURS,
        JDK;

        Reentrant lock() {
            return this == OURS ? new OurLock() : new JdkLock();
        }

        ReadWrite readWrite() {
            return ReadWriteVariant.Kind.valueOf(name()).make();
        }

        Permits semaphore(int permits) {
            return this == OURS ? new OurSemaphore(permits) : new JdkSemaphore(permits);
        }

        BlockingQueue<String> queue(boolean fair) {
            return this == OURS ? new SynchronousQueue<>(fair) : new java.util.concurrent.SynchronousQueue<>(fair);
        }
    }

    // Locks

    @ParameterizedTest
    @EnumSource
    void aDeserializedLockIsFreeThoughTheOriginalIsHeld(Kind kind) throws Exception {
        Reentrant lock = kind.lock();
        assertFree(copy(lock));
        Condition condition = lock.newCondition();
        Attempt signalled = TestThreads.start(
                ThreadKind.PLATFORM,
                () -> {
                    lock.lock();
                    condition.await();
                    return true;
                },
                lock::unlock);
        TestThreads.until("it waits for the signal", () -> {
            lock.lock();
            try {
                return lock.hasWaiters(condition);
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        lock.lock();
        Attempt waiter = TestThreads.start(
                        ThreadKind.PLATFORM,
                        () -> {
                            lock.lock();
                            return true;
                        },
                        lock::unlock)
                .queued(lock);
        Object[] both = copy(new Object[] {lock, condition});
        Reentrant copy = (Reentrant) both[0];
        assertFree(copy);
        copy.lock();
        assertFalse(copy.hasWaiters((Condition) both[1]));
        copy.unlock();
        assertEquals(2, lock.getHoldCount(), "the original is unchanged");
        condition.signal();
        lock.unlock();
        lock.unlock();
        waiter.isGranted();
        signalled.isGranted();
    }

    private static void assertFree(Reentrant lock) {
        assertFalse(lock.isLocked());
        assertNull(lock.getOwner());
        assertEquals(0, lock.getHoldCount());
        assertEquals(0, lock.getQueueLength());
        assertTrue(lock.isFair());
        assertTrue(lock.tryLock());
        lock.lock();
        assertEquals(2, lock.getHoldCount());
        lock.unlock();
        lock.unlock();
        assertFalse(lock.isLocked());
    }

    @ParameterizedTest
    @EnumSource
    void aDeserializedConditionBelongsToItsLock(Kind kind) throws Exception {
        Reentrant lock = kind.lock();
        Condition condition = lock.newCondition();
        Object[] all = copy(new Object[] {condition, lock, condition});
        Reentrant lockCopy = (Reentrant) all[1];
        Condition copy = (Condition) all[0];
        assertSame(copy, all[2]);
        Attempt waiter = TestThreads.start(
                ThreadKind.PLATFORM,
                () -> {
                    lockCopy.lock();
                    copy.await();
                    return true;
                },
                lockCopy::unlock);
        TestThreads.until("it has been signalled", () -> {
            lockCopy.lock();
            try {
                boolean waits = lockCopy.hasWaiters(copy);
                copy.signal();
                return waits;
            } finally {
                lockCopy.unlock();
            }
        });
        waiter.isGranted();
        assertThrows(IllegalMonitorStateException.class, copy::signal);
        lock.lock();
        assertThrows(IllegalArgumentException.class, () -> lock.hasWaiters(copy), "of another lock");
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void aDeserializedReadWriteLockIsFreeAndHasItsParts(Kind kind) throws Exception {
        ReadWrite lock = kind.readWrite();
        lock.writeLock().lock();
        lock.readLock().lock();
        Attempt reader = new ReadWriteVariant.Case(
                        ReadWriteVariant.Kind.valueOf(kind.name()), ReadWriteVariant.READ, ThreadKind.PLATFORM)
                .startQueued(lock);
        Condition condition = lock.writeLock().newCondition();
        Object[] all = copy(new Object[] {lock.readLock(), lock, lock.writeLock(), condition});
        ReadWrite copy = (ReadWrite) all[1];
        assertSame(copy.readLock(), all[0]);
        assertSame(copy.writeLock(), all[2]);
        assertTrue(copy.isFair());
        assertFalse(copy.isWriteLocked());
        assertNull(copy.getOwner());
        assertEquals(0, copy.getReadLockCount());
        assertEquals(0, copy.getReadHoldCount());
        assertEquals(0, copy.getQueueLength());
        copy.writeLock().lock();
        assertFalse(copy.hasWaiters((Condition) all[3]));
        copy.readLock().lock();
        copy.writeLock().unlock();
        copy.readLock().unlock();
        assertEquals(1, lock.getReadHoldCount(), "the original is unchanged");
        lock.readLock().unlock();
        lock.writeLock().unlock();
        reader.isGranted();
    }

    @ParameterizedTest
    @EnumSource
    void thePartsOfAReadWriteLockCanBeSerializedAlone(Kind kind) throws Exception {
        ReadWrite lock = kind.readWrite();
        lock.writeLock().lock();
        Lock reading = copy(lock.readLock());
        Lock writing = copy(lock.writeLock());
        reading.lock();
        writing.lock();
        assertTrue(reading.toString().endsWith("[Read locks = 1]"), reading::toString);
        assertTrue(writing.toString().contains("Locked by thread"), writing::toString);
        reading.unlock();
        writing.unlock();
        Lock[] both = copy(new Lock[] {lock.readLock(), lock.writeLock()});
        both[1].lock();
        TestThreads.run(ThreadKind.PLATFORM, () -> assertFalse(both[0].tryLock(), "both are parts of one lock"))
                .isGranted();
        both[1].unlock();
    }

    // Semaphores

    @ParameterizedTest
    @EnumSource
    void aDeserializedSemaphoreHasThePermitsThatWereFree(Kind kind) throws Exception {
        for (int permits : new int[] {3, 1, 0, -2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Permits copy = copy(kind.semaphore(permits));
            assertEquals(permits, copy.availablePermits());
            assertTrue(copy.isFair());
        }
        Permits semaphore = kind.semaphore(3);
        semaphore.acquire(2);
        Permits copy = copy(semaphore);
        assertEquals(1, copy.availablePermits());
        assertEquals(1, semaphore.availablePermits());
        copy.release(5);
        assertEquals(6, copy.availablePermits());
        semaphore.reducePermits(4);
        assertEquals(-3, copy(semaphore).availablePermits());
    }

    @ParameterizedTest
    @EnumSource
    void aDeserializedSemaphoreHasNoWaiters(Kind kind) throws Exception {
        for (int request : new int[] {1, 3}) {
            Permits semaphore = kind.semaphore(request == 1 ? 0 : 2);
            Attempt waiter = TestThreads.waiter(semaphore, request);
            Permits copy = copy(semaphore);
            assertEquals(request == 1 ? 0 : 2, copy.availablePermits());
            assertEquals(0, copy.getQueueLength());
            copy.release();
            assertEquals(request == 1 ? 1 : 3, copy.availablePermits());
            assertEquals(1, semaphore.getQueueLength());
            semaphore.release();
            waiter.isGranted();
        }
    }

    @Test
    void aDeserializedBoundedSemaphoreHasItsMaximum() throws Exception {
        Semaphore semaphore = Semaphore.bounded(3);
        semaphore.acquire(2);
        Semaphore copy = copy(semaphore);
        assertEquals(1, copy.availablePermits());
        assertEquals(3, copy.core().maximum());
        copy.release(2);
        assertThrows(IllegalStateException.class, copy::release);
        assertThrows(IllegalArgumentException.class, () -> copy.acquire(4));
        copy.resize(5);
        assertEquals(5, copy.availablePermits());
        semaphore.resize(1);
        Semaphore debt = copy(semaphore);
        assertEquals(-1, debt.availablePermits());
        debt.release(2);
        assertThrows(IllegalStateException.class, debt::release);
        Semaphore unbounded = copy(new Semaphore(1));
        assertThrows(IllegalStateException.class, () -> unbounded.resize(2));
    }

    /** No thread takes a permit, so in a consistent snapshot all are free. */
    @Test
    void theFreePermitsAndTheMaximumAreAConsistentSnapshot() throws Exception {
        Semaphore semaphore = Semaphore.bounded(2);
        AtomicBoolean done = new AtomicBoolean();
        Attempt resizer = TestThreads.run(ThreadKind.PLATFORM, () -> {
            for (int n = 0; !done.get(); n++) {
                semaphore.resize(n % 2 == 0 ? 7 : 2);
            }
        });
        try {
            for (int i = 0; i < 3_000; i++) {
                Semaphore copy = copy(semaphore);
                assertEquals(copy.core().maximum(), copy.availablePermits());
            }
        } finally {
            done.set(true);
        }
        resizer.isGranted();
    }

    @ParameterizedTest
    @EnumSource
    void aDeserializedSemaphoreHasAsManyPermitsAsWereFreeAtSomeMoment(Kind kind) throws Exception {
        Permits semaphore = kind.semaphore(2);
        Reentrant lock = kind.lock();
        AtomicBoolean done = new AtomicBoolean();
        Attempt user = TestThreads.run(ThreadKind.PLATFORM, () -> {
            while (!done.get()) {
                semaphore.acquireUninterruptibly();
                lock.lock();
                lock.unlock();
                semaphore.release();
            }
        });
        try {
            for (int i = 0; i < 1_000; i++) {
                int free = copy(semaphore).availablePermits();
                assertTrue(free == 1 || free == 2, () -> free + " are free");
                assertFalse(copy(lock).isLocked());
            }
        } finally {
            done.set(true);
        }
        user.isGranted();
        assertEquals(2, semaphore.availablePermits());
    }

    // Queues

    @ParameterizedTest
    @EnumSource
    void aDeserializedSynchronousQueueIsEmpty(Kind kind) throws Exception {
        for (boolean fair : new boolean[] {true, false}) {
            BlockingQueue<String> queue = kind.queue(fair);
            Attempt sender = TestThreads.start(
                    ThreadKind.PLATFORM,
                    () -> {
                        queue.put("element");
                        return true;
                    },
                    () -> {});
            TestThreads.untilParked(sender.thread);
            BlockingQueue<String> copy = copy(queue);
            assertNull(copy.poll());
            assertFalse(copy.offer("no request waits"));
            if (copy instanceof SynchronousQueue<String> ours) {
                assertEquals(fair, ours.isFair());
                assertEquals(0, ours.waitingSenders());
            }
            assertEquals("element", queue.take());
            sender.isGranted();
            Attempt other =
                    TestThreads.start(ThreadKind.PLATFORM, () -> copy.offer("next", 1, TimeUnit.HOURS), () -> {});
            assertEquals("next", copy.take());
            other.isGranted();
        }
    }

    // In classes of users

    @Test
    void aClassWithLocksInItsFieldsCanBeDeserialized() throws Exception {
        Warehouse warehouse = new Warehouse();
        warehouse.lock.lock();
        warehouse.goods.add("bread");
        warehouse.doors.acquire();
        warehouse.reading.lock();
        Warehouse copy = copy(warehouse);
        assertEquals(List.of("bread"), copy.goods);
        assertEquals(1, copy.lock.locked(), "the state of a subclass");
        assertFalse(copy.lock.isLocked());
        assertEquals(2, copy.doors.availablePermits());
        assertEquals("doors", copy.doors.name());
        assertSame(copy.pricesLock.readLock(), copy.reading);
        assertSame(copy.pricesLock.writeLock(), copy.writing);
        assertEquals(0, copy.pricesLock.getReadLockCount());
        assertTrue(copy.counter.isFair());
        assertNotSame(copy.notEmpty, copy.notFull);
        copy.lock.lock();
        copy.notEmpty.signal();
        assertFalse(copy.lock.hasWaiters(copy.notFull));
        copy.lock.unlock();
        copy.writing.lock();
        copy.pricesChanged.signalAll();
        assertFalse(copy.pricesLock.hasWaiters(copy.pricesChanged));
        copy.writing.unlock();
        copy.office.lock();
        assertFalse(copy.office.hasWaiters(copy.office.condition));
        assertFalse(copy.office.condition.await(1, TimeUnit.NANOSECONDS));
        copy.office.unlock();
    }

    /** Copies share no state, and are not closed. */
    @Test
    void aCopyHasACoreOfItsOwn() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
        Semaphore semaphore = new Semaphore(1);
        SynchronousQueue<String> queue = new SynchronousQueue<>();
        lock.core().close(null);
        readWrite.core().close(null);
        semaphore.core().close(null);
        queue.close(null);
        assertNotSame(lock.core(), copy(lock).core());
        assertFalse(copy(lock).core().isClosed());
        assertNotSame(readWrite.core(), copy(readWrite).core());
        assertFalse(copy(readWrite).core().isClosed());
        assertNotSame(semaphore.core(), copy(semaphore).core());
        assertTrue(copy(semaphore).tryAcquire());
        assertNotSame(queue.core(), copy(queue).core());
        assertFalse(copy(queue).isClosed());
    }

    @Test
    void classesWithoutASerializableCounterpartInTheJdkAreNotSerializable() {
        Mutex mutex = new Mutex();
        List<Object> all =
                List.of(mutex, mutex.newCondition(), mutex.core(), new CountDownLatch(1), new CyclicBarrier(1));
        for (Object each : all) {
            assertThrows(NotSerializableException.class, () -> write(each), each::toString);
        }
        assertThrows(NotSerializableException.class, () -> write(new java.util.concurrent.CountDownLatch(1)));
        assertThrows(NotSerializableException.class, () -> write(new java.util.concurrent.CyclicBarrier(1)));
    }
}
