package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ReadWriteVariant.Kind;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Concurrent operations of all kinds on a read-write lock. At the end no lock is held. */
class ReadWriteStressTest {
    private static final int OPERATIONS = 300_000;

    /** The kind of threads, their number, and the percentage of write requests. */
    static Stream<Arguments> mixes() {
        return ThreadKind.available().stream()
                .flatMap(threads -> Stream.of(
                        Arguments.of(threads, 2, 50), Arguments.of(threads, 3, 20), Arguments.of(threads, 4, 60)));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("mixes")
    void noReaderRunsBesideAWriterAndNoLockIsHeldAtTheEnd(ThreadKind kind, int threads, int writers) {
        int each = OPERATIONS / threads / (kind == ThreadKind.VIRTUAL ? 4 : 1);
        Guarded guarded = new Guarded(writers);
        Thread[] all = new Thread[threads];
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int self = t;
            attempts.add(run(kind, () -> {
                SplittableRandom random = new SplittableRandom(self);
                all[self] = Thread.currentThread();
                try {
                    start.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                for (int i = 0; i < each; i++) {
                    guarded.operate(random);
                    if (random.nextInt(8) == 0) {
                        all[random.nextInt(threads)].interrupt();
                    }
                }
            }));
        }
        attempts.forEach(Attempt::isGranted);
        guarded.assertBalance();
    }

    /** A lock and the counter that it guards. */
    private static final class Guarded {
        private static final ReadWriteVariant[] READ = ways(true);
        private static final ReadWriteVariant[] WRITE = ways(false);

        private final ReadWrite lock = Kind.OURS.make();
        private final ReentrantReadWriteLock view = (ReentrantReadWriteLock) lock;
        private final int shareOfWriters;
        private final AtomicInteger readers = new AtomicInteger();
        private final LongAdder writes = new LongAdder();
        private final LongAdder reads = new LongAdder();
        private final LongAdder refused = new LongAdder();

        /** Plain: written by writers alone, and read by readers. */
        private long counter;

        private boolean writing;

        Guarded(int shareOfWriters) {
            this.shareOfWriters = shareOfWriters;
        }

        private static ReadWriteVariant[] ways(boolean reads) {
            return Stream.of(ReadWriteVariant.values())
                    .filter(way -> way.reads == reads)
                    .toArray(ReadWriteVariant[]::new);
        }

        void operate(SplittableRandom random) {
            if (random.nextInt(16) == 0) {
                ask(random);
                return;
            }
            ReadWriteVariant[] ways = random.nextInt(100) < shareOfWriters ? WRITE : READ;
            ReadWriteVariant by = ways[random.nextInt(ways.length)];
            if (!enter(by, random)) {
                refused.increment();
            } else if (by.reads) {
                enterAgain(random);
                read(random);
                by.unlock(lock);
            } else {
                write(random, by);
            }
            assertEquals(0, lock.getReadHoldCount());
            assertFalse(lock.isWriteLockedByCurrentThread());
        }

        private boolean enter(ReadWriteVariant by, SplittableRandom random) {
            try {
                return by.lock(lock, random.nextInt(8) == 0 ? 50_000 : 1);
            } catch (InterruptedException e) {
                return false;
            }
        }

        /** Reenters. The current thread must hold the lock itself, not by a future. */
        private void enterAgain(SplittableRandom random) {
            if (random.nextInt(8) == 0) {
                lock.readLock().lock();
                lock.readLock().unlock();
            }
        }

        private void read(SplittableRandom random) {
            long before = counter;
            readers.incrementAndGet();
            assertFalse(writing, "no writer runs beside a reader");
            linger(random);
            assertEquals(before, counter, "no writer wrote meanwhile");
            readers.decrementAndGet();
            reads.increment();
        }

        /** Writes, and unlocks or downgrades. */
        private void write(SplittableRandom random, ReadWriteVariant by) {
            assertFalse(writing, "two writers");
            assertEquals(0, readers.get(), "no reader runs beside a writer");
            writing = true;
            counter++;
            linger(random);
            if (random.nextInt(8) == 0) {
                lock.writeLock().lock();
                lock.writeLock().unlock();
            }
            writing = false;
            writes.increment();
            if (random.nextInt(4) == 0) {
                view.downgrade();
                enterAgain(random);
                read(random);
                lock.readLock().unlock();
            } else {
                by.unlock(lock);
            }
        }

        /** Requests by a future, and waits for it or cancels it. */
        private void ask(SplittableRandom random) {
            boolean reading = random.nextBoolean();
            CompletableFuture<Grant> future =
                    reading ? view.readLock().lockAsync() : view.writeLock().lockAsync();
            if (random.nextBoolean() && future.cancel(true)) {
                refused.increment();
                return;
            }
            Grant grant = future.join();
            if (reading) {
                read(random);
            } else {
                assertFalse(writing, "two writers");
                counter++;
                writes.increment();
            }
            grant.close();
        }

        /** Holds for a moment, so that other requests arrive. */
        private static void linger(SplittableRandom random) {
            for (int turns = random.nextInt(64); turns > 0; turns--) {
                Thread.onSpinWait();
            }
            if (random.nextInt(16) == 0) {
                Thread.yield();
            }
        }

        void assertBalance() {
            assertEquals(writes.sum(), counter);
            assertEquals(0, lock.getReadLockCount());
            assertFalse(lock.isWriteLocked());
            assertEquals(0, lock.getQueueLength());
            assertEquals(0, lock.getQueuedThreads().size());
            assertTrue(lock.writeLock().tryLock());
            for (LongAdder each : List.of(writes, reads, refused)) {
                assertTrue(each.sum() > 0);
            }
        }
    }
}
