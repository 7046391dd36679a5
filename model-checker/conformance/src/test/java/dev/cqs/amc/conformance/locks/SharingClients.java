package dev.cqs.amc.conformance.locks;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.locks.SequenceLock;
import dev.cqs.locks.SpinLock;
import dev.cqs.locks.SpinReadWriteLock;
import dev.cqs.locks.SpinSemaphore;

/** Clients of locks that several threads hold at once: readers, and holders of permits. */
final class SharingClients {

    private SharingClients() {}

    /** Two numbers that are equal except during a write. */
    static class Pair {
        private int left;
        private int right;

        void increment() {
            left = left + 1;
            right = right + 1;
        }

        void checkIsWhole() {
            if (left != right) {
                throw new AssertionError("Half of a write is seen: " + left + ", " + right + ".");
            }
        }
    }

    abstract static class ReadersAndWriters {
        private final SpinReadWriteLock lock = new SpinReadWriteLock();
        private final Pair pair = new Pair();

        final void write() {
            lock.writeLock().lock();
            pair.increment();
            lock.writeLock().unlock();
        }

        final void read() {
            lock.readLock().lock();
            pair.checkIsWhole();
            lock.readLock().unlock();
        }

        @Arbiter
        void pairIsWhole() {
            pair.checkIsWhole();
        }
    }

    static final class ReaderAndWriter extends ReadersAndWriters {
        @Actor
        void writes() {
            write();
            write();
        }

        @Actor
        void reads() {
            read();
        }
    }

    static final class ReadersAndWriter extends ReadersAndWriters {
        @Actor
        void writes() {
            write();
        }

        @Actor
        void readsOnce() {
            read();
        }

        @Actor
        void readsTwice() {
            read();
            read();
        }
    }

    static final class ReaderAndWriters extends ReadersAndWriters {
        @Actor
        void writesTwice() {
            write();
            write();
        }

        @Actor
        void writesOnce() {
            write();
        }

        @Actor
        void reads() {
            read();
        }
    }

    /** Two threads that release only after both have acquired. */
    abstract static class Meeting {
        private final SpinLock shared;
        private volatile boolean firstIsThere;
        private volatile boolean secondIsThere;

        Meeting(SpinLock shared) {
            this.shared = shared;
        }

        @Actor
        void first() {
            shared.lock();
            firstIsThere = true;
            while (!secondIsThere) {
                Thread.onSpinWait();
            }
            shared.unlock();
        }

        @Actor
        void second() {
            shared.lock();
            secondIsThere = true;
            while (!firstIsThere) {
                Thread.onSpinWait();
            }
            shared.unlock();
        }
    }

    /**
     * Two readers hold the lock at once. There is no writer, because a waiting writer would hold the second reader
     * back.
     */
    static final class ReadersMeet extends Meeting {
        ReadersMeet() {
            super(new SpinReadWriteLock().readLock());
        }
    }

    /** Two threads hold a permit each at once. */
    static final class HoldersMeet extends Meeting {
        HoldersMeet() {
            super(new Permits(new SpinSemaphore(2), 1));
        }
    }

    /** One thread acquires both permits, the others one. */
    static final class OneOrBoth {
        private final SpinSemaphore semaphore = new SpinSemaphore(2);
        private final SpinLock one = new Permits(semaphore, 1);
        private final SpinLock both = new Permits(semaphore, 2);
        private final Pair pair = new Pair();

        @Actor
        void writes() {
            both.lock();
            pair.increment();
            both.unlock();
        }

        @Actor(2)
        void reads() {
            one.lock();
            pair.checkIsWhole();
            one.unlock();
        }
    }

    /** Acquires this number of permits at once. */
    record Permits(SpinSemaphore semaphore, int count) implements SpinLock {

        @Override
        public void lock() {
            semaphore.acquire(count);
        }

        @Override
        public void unlock() {
            semaphore.release(count);
        }
    }

    /** One thread waits for a permit, the others only try. */
    abstract static class Tries {
        private final SpinSemaphore semaphore = new SpinSemaphore(1);
        private int count;

        final int tryOnce() {
            if (!semaphore.tryAcquire(1)) {
                return 0;
            }
            count = count + 1;
            semaphore.release(1);
            return 1;
        }

        @Actor
        void waits() {
            semaphore.acquire(1);
            count = count + 1;
            semaphore.release(1);
        }

        @Arbiter
        int entries() {
            return count;
        }
    }

    static final class TryAndWait extends Tries {
        @Actor
        int tries() {
            return tryOnce() + tryOnce();
        }
    }

    static final class TryTwiceAndWait extends Tries {
        @Actor(2)
        int tries() {
            return tryOnce();
        }
    }

    /** There is a permit for each thread, so each attempt succeeds. */
    static final class TriesForEach {
        private final SpinSemaphore semaphore = new SpinSemaphore(2);

        @Actor(2)
        void tries() {
            if (!semaphore.tryAcquire(1)) {
                throw new AssertionError("There was a permit.");
            }
        }
    }

    /** The data of a sequence lock. Its accesses are concurrent, so they are opaque. */
    abstract static class SequenceReaders {
        private final SequenceLock lock = new SequenceLock();

        @RacyAllowed
        private int left;

        @RacyAllowed
        private int right;

        final void write() {
            lock.lock();
            left = left + 1;
            right = right + 1;
            lock.unlock();
        }

        final int read() {
            long stamp;
            int one;
            int other;
            do {
                stamp = lock.beginRead();
                one = left;
                other = right;
            } while (!lock.isValid(stamp));
            if (one != other) {
                throw new AssertionError("Half of a write is seen: " + one + ", " + other + ".");
            }
            return one;
        }
    }

    static final class SequenceReader extends SequenceReaders {
        @Actor
        void writes() {
            write();
            write();
        }

        @Actor
        int reads() {
            return read();
        }
    }

    static final class SequenceWritersAndReader extends SequenceReaders {
        @Actor(2)
        void writes() {
            write();
        }

        @Actor
        int reads() {
            return read();
        }
    }

    static final class SequenceWriterAndReaders extends SequenceReaders {
        @Actor
        void writes() {
            write();
        }

        @Actor
        int readsOnce() {
            return read();
        }

        @Actor
        boolean readsTwice() {
            return read() <= read();
        }
    }
}
