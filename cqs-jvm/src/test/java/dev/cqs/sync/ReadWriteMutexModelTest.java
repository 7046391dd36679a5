package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Long random histories, one operation at a time, on a lock and on a model of two lists and two numbers. Some operations run
 * inside others, in waiters that are being resumed.
 */
class ReadWriteMutexModelTest {
    private final Random random = new Random();
    private ReadWriteMutex lock;

    // The model
    private boolean writing;
    private int reading;
    private final List<TestWaiter> readers = new ArrayList<>();
    private final List<TestWaiter> writers = new ArrayList<>();

    /** The waiters that hold the lock, whether they have been resumed yet or not. */
    private final List<TestWaiter> served = new ArrayList<>();

    private final Set<TestWaiter> told = new HashSet<>();
    private final List<TestWaiter> gone = new ArrayList<>();
    private int depth;
    private String done;

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10})
    void agreesWithTwoListsAndTwoNumbers(int shareOfLeaving) {
        for (int seed = 0; seed < 200; seed++) {
            random.setSeed(seed);
            lock = new ReadWriteMutex();
            writing = false;
            reading = 0;
            List.of(readers, writers, served, gone).forEach(List::clear);
            told.clear();
            for (int i = 0; i < 300; i++) {
                step(shareOfLeaving);
                check("seed " + seed + ", operation " + i + ": " + done);
                assertEquals(new HashSet<>(served), told, done);
            }
        }
    }

    private void step(int shareOfLeaving) {
        if (random.nextInt(10) < shareOfLeaving) {
            leave();
        } else if (random.nextInt(4) == 0) {
            cancel();
        } else {
            come();
        }
    }

    private void come() {
        switch (random.nextInt(7)) {
            case 0 -> {
                done = "try to read";
                boolean enters = !writing && writers.isEmpty();
                reading += enters ? 1 : 0;
                assertEquals(enters, lock.tryReadLock(), done);
            }
            case 1 -> {
                done = "try to write";
                boolean enters = isFree();
                writing |= enters;
                assertEquals(enters, lock.tryWriteLock(), done);
            }
            case 2 -> {
                done = "barge to read";
                boolean enters = !writing;
                reading += enters ? 1 : 0;
                assertEquals(enters, lock.tryReadLockBarging(), done);
            }
            case 3, 4 -> {
                done = "read";
                TestWaiter waiter = waiter();
                if (writing || !writers.isEmpty()) {
                    readers.add(waiter);
                } else {
                    reading++;
                    served.add(waiter);
                }
                ReadWriteRequests.read(lock, waiter);
            }
            default -> {
                done = "write";
                TestWaiter waiter = waiter();
                if (isFree()) {
                    writing = true;
                    served.add(waiter);
                } else {
                    writers.add(waiter);
                }
                ReadWriteRequests.write(lock, waiter);
            }
        }
    }

    private boolean isFree() {
        return !writing && reading == 0 && readers.isEmpty() && writers.isEmpty();
    }

    private TestWaiter waiter() {
        TestWaiter waiter = new TestWaiter("waiter");
        waiter.onResume = value -> {
            assertTrue(told.add(waiter), "told twice");
            assertTrue(served.contains(waiter), "not its turn");
            if (depth < 5 && random.nextInt(3) == 0) {
                depth++;
                step(3);
                check("within another: " + done);
                depth--;
            }
        };
        return waiter;
    }

    private void leave() {
        int dice = random.nextInt(8);
        if (dice == 0) {
            done = "turn into a reader";
            if (writing) {
                writing = false;
                reading++;
                letReadersIn();
                lock.downgrade();
            } else {
                assertThrows(IllegalStateException.class, lock::downgrade, done);
            }
        } else if (writing || (reading == 0 && dice < 4)) {
            done = "unlock to write";
            if (writing) {
                writing = false;
                if (readers.isEmpty()) {
                    letWriterIn();
                } else {
                    letReadersIn();
                }
                lock.unlockWrite();
            } else {
                assertThrows(IllegalStateException.class, lock::unlockWrite, done);
            }
        } else if (reading > 0) {
            done = "unlock to read";
            reading--;
            letWriterIn();
            lock.unlockRead();
        } else {
            assertThrows(IllegalStateException.class, lock::unlockRead, done);
        }
    }

    private void cancel() {
        done = "cancel";
        List<TestWaiter> from = List.of(readers, writers, served, gone).get(random.nextInt(4));
        if (from.isEmpty()) {
            return;
        }
        int index = random.nextInt(2) * random.nextInt(from.size()); // the first more often than the others
        TestWaiter waiter = from.get(index);
        boolean waits = from == readers || from == writers;
        if (waits) {
            gone.add(from.remove(index));
        }
        if (from == writers && !writing && (index == 0 || writers.isEmpty())) {
            letReadersIn();
        }
        assertEquals(waits, waiter.cancelNow(), done);
    }

    private void letReadersIn() {
        reading += readers.size();
        served.addAll(readers);
        readers.clear();
    }

    private void letWriterIn() {
        if (reading == 0 && !writers.isEmpty()) {
            writing = true;
            served.add(writers.remove(0));
        }
    }

    private void check(String what) {
        assertEquals(writing, lock.isWriteLocked(), what);
        assertEquals(reading, lock.readLockCount(), what);
        assertEquals(readers.size(), lock.waitingReaders(), what);
        assertEquals(writers.size(), lock.waitingWriters(), what);
        List<Object> shown = new ArrayList<>();
        lock.forEachWaitingReader(shown::add);
        assertEquals(readers, shown, what);
        shown.clear();
        lock.forEachWaitingWriter(shown::add);
        assertEquals(writers, shown, what);
    }
}
