package dev.cqs.threads;

import static dev.cqs.threads.Waiting.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.ReadWriteWay.Kind;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.Waiting.Attempt;
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

/** Many operations of all kinds at once on a read-write lock, and an exact balance at the end. */
class ReadWriteStressTest {
    private static final int OPERATIONS = 300_000;

    /** Kind of threads, their number, and how many of a hundred requests are to write. */
    static Stream<Arguments> mixes() {
        return ThreadKind.available().stream()
                .flatMap(threads -> Stream.of(
                        Arguments.of(threads, 2, 50), Arguments.of(threads, 3, 20), Arguments.of(threads, 4, 60)));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("mixes")
    void noReaderIsEverBesideAWriterAndNothingIsLeftAtTheEnd(ThreadKind kind, int threads, int writers) {
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

    /** A lock, and what it guards. */
    private static final class Guarded {
        private static final ReadWriteWay[] READ = ways(true);
        private static final ReadWriteWay[] WRITE = ways(false);

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

        private static ReadWriteWay[] ways(boolean reads) {
            return Stream.of(ReadWriteWay.values())
                    .filter(way -> way.reads == reads)
                    .toArray(ReadWriteWay[]::new);
        }

        void operate(SplittableRandom random) {
            if (random.nextInt(16) == 0) {
                ask(random);
                return;
            }
            ReadWriteWay[] ways = random.nextInt(100) < shareOfWriters ? WRITE : READ;
            ReadWriteWay by = ways[random.nextInt(ways.length)];
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

        private boolean enter(ReadWriteWay by, SplittableRandom random) {
            try {
                return by.lock(lock, random.nextInt(8) == 0 ? 50_000 : 1);
            } catch (InterruptedException e) {
                return false;
            }
        }

        /** For a thread that holds it; a future is no thread. */
        private void enterAgain(SplittableRandom random) {
            if (random.nextInt(8) == 0) {
                lock.readLock().lock();
                lock.readLock().unlock();
            }
        }

        private void read(SplittableRandom random) {
            long before = counter;
            readers.incrementAndGet();
            assertFalse(writing, "a reader beside a writer");
            linger(random);
            assertEquals(before, counter, "a writer has written");
            readers.decrementAndGet();
            reads.increment();
        }

        /** Leaves the lock as well. */
        private void write(SplittableRandom random, ReadWriteWay by) {
            assertFalse(writing, "two writers");
            assertEquals(0, readers.get(), "a writer beside readers");
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

        /** A future that is waited for, or given up. */
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

        /** Stays for a moment, so that others come meanwhile. */
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
