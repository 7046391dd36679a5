package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many short-lived read-write locks, each closed while threads read, write, downgrade, barge, cancel, and wait on a condition.
 * Every request ends exactly once, no reader runs beside a writer, and no lock is held at the end.
 */
@Tag("slow")
class ReadWriteClosingStressTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 6_000;
    private static final int REQUESTS = 8;

    /** A waiter that counts its ends. */
    private static final class Counted extends TestWaiter {
        final AtomicInteger resumed = new AtomicInteger();
        boolean cancelled;

        Counted(String name) {
            super(name);
            onResume = value -> resumed.incrementAndGet();
        }

        void assertEndedOnce() {
            assertEquals(1, resumed.get() + (cancelled ? 1 : 0), "ends of a " + name);
        }
    }

    /** A way to ask for the lock. */
    private interface Entrance {
        Counted enter(ReadWriteMutex lock, Object nothing, BiFunction<Object, Object, Counted> newWaiter);
    }

    /** One lock and its users. */
    private static final class Round {
        final ReadWriteMutex lock = new ReadWriteMutex();
        final Condition condition = lock.newCondition();
        final Throwable cause = new Throwable();
        final CountDownLatch start = new CountDownLatch(THREADS);
        final List<Counted> waiters = Collections.synchronizedList(new ArrayList<>());
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger closers = new AtomicInteger();
        /** For each wait on the condition, how often it was resumed. */
        final List<AtomicInteger> onCondition = Collections.synchronizedList(new ArrayList<>());

        final AtomicInteger readers = new AtomicInteger();
        final AtomicInteger writers = new AtomicInteger();

        void runBody(SplittableRandom random) {
            start.countDown();
            while (start.getCount() > 0) {
                Thread.yield();
            }
            int end = random.nextInt(2 * REQUESTS); // half of the threads close
            for (int i = 0; i < REQUESTS; i++) {
                try {
                    visit(random, i == end);
                } catch (ClosedException e) {
                    assertSame(cause, e.getCause());
                }
            }
        }

        private void visit(SplittableRandom random, boolean closes) {
            int way = random.nextInt(8);
            if (way < 3 ? enter(ReadWriteMutex::readLock, "reader", random) : way == 3 && lock.tryReadLockBarging()) {
                read(random, closes);
            } else if (way > 3 && enter(ReadWriteMutex::writeLock, "writer", random)) {
                write(random, closes, way);
            } else {
                close(closes);
            }
        }

        private void read(SplittableRandom random, boolean closes) {
            readers.incrementAndGet();
            assertEquals(0, writers.get(), "writers beside a reader");
            linger(random);
            close(closes);
            readers.decrementAndGet();
            lock.unlockRead();
        }

        private void write(SplittableRandom random, boolean closes, int way) {
            assertAlone();
            linger(random);
            close(closes);
            if (way == 5) {
                condition.signal();
            } else if (way == 6) {
                awaitSignal(random);
                assertAlone();
            }
            writers.decrementAndGet();
            if (way == 7) {
                lock.downgrade();
                read(random, false);
            } else {
                lock.unlockWrite();
            }
        }

        private void assertAlone() {
            assertEquals(1, writers.incrementAndGet(), "writers");
            assertEquals(0, readers.get(), "readers beside a writer");
        }

        /** Waits on the condition. The caller holds the write lock afterwards, however the wait ends. */
        private void awaitSignal(SplittableRandom random) {
            TestConditionWaiter waiter = new TestConditionWaiter("on the condition");
            AtomicInteger resumed = new AtomicInteger();
            waiter.onResume = value -> resumed.incrementAndGet();
            writers.decrementAndGet();
            try {
                condition.await(waiter);
            } catch (ClosedException e) { // the lock was closed before, and is still held
                assertSame(cause, e.getCause());
                assertNull(waiter.value);
                return;
            }
            onCondition.add(resumed);
            boolean left = false;
            for (int patience = random.nextInt(64); !waiter.isResumed(); patience--) {
                if (patience <= 0 && !left && waiter.cancelNow()) {
                    left = true;
                    condition.reacquire(waiter);
                }
                Thread.yield();
            }
            assertSame(lock, waiter.value);
            assertTrue(
                    waiter.closing == null || !left && waiter.closing.cause() == cause,
                    "a waiter is cancelled or fails, not both");
        }

        private void close(boolean now) {
            if (now && lock.close(cause)) {
                closers.incrementAndGet();
            }
        }

        private boolean enter(Entrance entrance, String name, SplittableRandom random) {
            Counted waiter = entrance.enter(lock, null, (same, nothing) -> {
                linger(random); // the request must wait and is not in the list yet
                return new Counted(name);
            });
            if (waiter == null) {
                return true;
            }
            waiters.add(waiter);
            int patience = random.nextInt(2) == 0 ? random.nextInt(32) : Integer.MAX_VALUE;
            for (int left = patience; !waiter.isResumed(); left--) {
                if (left == 0 && waiter.cancelNow()) {
                    waiter.cancelled = true;
                    return false;
                }
                Thread.yield();
            }
            if (waiter.value instanceof Closed closing) {
                throw closing.exception();
            }
            assertSame(lock, waiter.value);
            return true;
        }

        void assertBalance() {
            assertEquals(List.of(), failures);
            waiters.forEach(Counted::assertEndedOnce);
            onCondition.forEach(resumed -> assertEquals(1, resumed.get(), "ends of a wait on the condition"));
            assertEquals(lock.isClosed() ? 1 : 0, closers.get(), "successful calls of close");
            assertTrue(!lock.isWriteLocked(), "a writer is left");
            assertEquals(0, lock.readLockCount(), "read locks");
            assertEquals(0, lock.waitingReaders() + lock.waitingWriters() + condition.queueLength(), "waiters");
            lock.forEachWaitingReader(waiter -> assertEquals(null, waiter, "no waiter is left"));
            lock.forEachWaitingWriter(waiter -> assertEquals(null, waiter, "no waiter is left"));
        }
    }

    private static void linger(SplittableRandom random) {
        for (int turn = random.nextInt(16); turn > 0; turn--) {
            Thread.onSpinWait();
        }
        for (int turn = random.nextInt(4); turn > 0; turn--) {
            Thread.yield(); // lets other requests arrive
        }
    }

    @Test
    void everyRequestEndsOnceAndNothingIsHeldInTheEnd() throws Exception {
        int closed = 0;
        int failed = 0;
        int onCondition = 0;
        for (int number = 0; number < ROUNDS; number++) {
            Round round = new Round();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom((long) number * THREADS + t);
                Thread thread = new Thread(() -> round.runBody(random));
                thread.setDaemon(true);
                thread.setUncaughtExceptionHandler((where, thrown) -> round.failures.add(thrown));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join(60_000);
                assertTrue(!thread.isAlive(), () -> "hangs: " + round.lock + round.failures);
            }
            round.assertBalance();
            closed += round.closers.get();
            failed += round.waiters.stream().anyMatch(waiter -> waiter.value instanceof Closed) ? 1 : 0;
            onCondition += round.onCondition.size();
        }
        assertTrue(closed > ROUNDS / 2, closed + " of " + ROUNDS + " rounds were closed");
        assertTrue(failed > 0, "no request was waiting when it was closed");
        assertTrue(onCondition > 0, "no request has waited on the condition");
    }
}
