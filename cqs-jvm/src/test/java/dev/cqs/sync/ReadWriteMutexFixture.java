package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A read-write lock with requests, checks and access to its state word, for tests that take one step at a time. */
abstract class ReadWriteMutexFixture {
    /** The bit of the state word that is set while a thread holds the list lock. */
    static final long LIST_LOCKED = 1;

    /** More than two segments. */
    static final int MANY = 80;

    private static final Field WORD = wordField();

    final ReadWriteMutex lock = new ReadWriteMutex();

    /** The two ways to end a write lock. */
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

        /** The read locks that the writer holds afterwards. */
        final int reads;

        EndOfTurn(int reads) {
            this.reads = reads;
        }

        abstract void apply(ReadWriteMutex lock);
    }

    /** A body of a thread. */
    interface Action {
        void run() throws Exception;
    }

    TestWaiter reader(String name) {
        return ReadWriteRequests.read(lock, new TestWaiter(name));
    }

    TestWaiter writer(String name) {
        return ReadWriteRequests.write(lock, new TestWaiter(name));
    }

    List<TestWaiter> writers(int count) {
        List<TestWaiter> writers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writers.add(writer("writer " + i));
        }
        return writers;
    }

    List<Waiter> waitingReaders() {
        return collect(lock::forEachWaitingReader);
    }

    List<Waiter> waitingWriters() {
        return collect(lock::forEachWaitingWriter);
    }

    static List<Waiter> collect(Consumer<Consumer<Waiter>> source) {
        List<Waiter> waiters = new ArrayList<>();
        source.accept(waiters::add);
        return waiters;
    }

    static void assertResumed(List<TestWaiter> waiters) {
        waiters.forEach(waiter -> assertTrue(waiter.isResumed(), waiter.name));
    }

    void assertFree() {
        assertState(false, 0, 0, 0);
        assertTrue(lock.tryWriteLock());
        lock.unlockWrite();
    }

    void assertState(boolean writing, int reading, int waitingWriters, int waitingReaders) {
        assertEquals(writing, lock.isWriteLocked());
        assertEquals(reading, lock.readLockCount());
        assertEquals(waitingWriters, lock.waitingWriters());
        assertEquals(waitingReaders, lock.waitingReaders());
    }

    static void inAnotherThread(Action action) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (Throwable t) {
                thrown[0] = t;
            }
        });
        thread.start();
        thread.join();
        if (thrown[0] != null) {
            throw new AssertionError(thrown[0]);
        }
    }

    long word() {
        return lock.word();
    }

    void setWord(long word) {
        try {
            WORD.setLong(lock, word);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
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
}
