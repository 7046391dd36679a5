package dev.cqs.threads;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.cqs.threads.Target.JdkReadWriteLock;
import dev.cqs.threads.Target.OurReadWriteLock;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.Waiting.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All ways to lock a read-write lock. */
enum ReadWriteWay {
    READ("reads, waits", (l, nanos) -> {
        l.lock();
        return true;
    }),
    READ_INTERRUPTIBLY("reads, waits, interruptible", (l, nanos) -> {
        l.lockInterruptibly();
        return true;
    }),
    READ_TIMED("reads, waits, interruptible, timed", (l, nanos) -> l.tryLock(nanos, NANOSECONDS)),
    TRY_READ("reads", (l, nanos) -> l.tryLock()),
    TRY_READ_TIMED_ZERO("reads, interruptible", (l, nanos) -> l.tryLock(0, NANOSECONDS)),

    WRITE("waits", READ.way),
    WRITE_INTERRUPTIBLY("waits, interruptible", READ_INTERRUPTIBLY.way),
    WRITE_TIMED("waits, interruptible, timed", READ_TIMED.way),
    TRY_WRITE("", TRY_READ.way),
    TRY_WRITE_TIMED_ZERO("interruptible", TRY_READ_TIMED_ZERO.way);

    private interface Way {
        boolean lock(Lock lock, long nanos) throws InterruptedException;
    }

    final boolean reads;
    final boolean waits;
    final boolean interruptible;
    final boolean timed;
    private final Way way;

    ReadWriteWay(String traits, Way way) {
        this.reads = traits.contains("reads");
        this.waits = traits.contains("waits");
        this.interruptible = traits.contains("interruptible");
        this.timed = traits.contains("timed");
        this.way = way;
    }

    Lock lockOf(ReadWrite lock) {
        return reads ? lock.readLock() : lock.writeLock();
    }

    /**
     * Locks.
     *
     * @param nanos the timeout, for the timed ones
     */
    boolean lock(ReadWrite lock, long nanos) throws InterruptedException {
        return way.lock(lockOf(lock), nanos);
    }

    /** Locks where that must be possible at once. */
    void lockNow(ReadWrite lock) {
        try {
            if (!lock(lock, 0)) {
                throw new AssertionError(this + " has to wait");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void unlock(ReadWrite lock) {
        lockOf(lock).unlock();
    }

    enum Kind {
        OURS,
        JDK;

        ReadWrite make() {
            return this == OURS ? new OurReadWriteLock() : new JdkReadWriteLock();
        }
    }

    /** A way to lock by a kind of thread. */
    record Case(Kind kind, ReadWriteWay by, ThreadKind threads) {
        /** A lock that this has to wait for, held by the current thread. */
        ReadWrite closed() {
            ReadWrite lock = kind.make();
            opposite().lockNow(lock);
            return lock;
        }

        /** What keeps this out. */
        ReadWriteWay opposite() {
            return by.reads ? WRITE : READ;
        }

        Attempt start(ReadWrite lock, long nanos, Runnable onGrant) {
            return Waiting.start(threads, () -> by.lock(lock, nanos), onGrant);
        }

        /** Starts a thread that locks, does this, and unlocks; and waits until it is in the queue. */
        Attempt startQueued(ReadWrite lock, Runnable onGrant) {
            return queued(lock, start(lock, Waiting.LONG, () -> {
                onGrant.run();
                by.unlock(lock);
            }));
        }

        Attempt startQueued(ReadWrite lock) {
            return startQueued(lock, () -> {});
        }

        @Override
        public String toString() {
            return kind + " " + by + " " + threads;
        }
    }

    /** Waits until it is in the queue. */
    static Attempt queued(ReadWrite lock, Attempt attempt) {
        Waiting.until(attempt.thread + " is queued", () -> attempt.isOver() || lock.hasQueuedThread(attempt.thread));
        if (!lock.hasQueuedThread(attempt.thread)) {
            throw new AssertionError(attempt.thread + " does not wait");
        }
        return attempt;
    }

    static Stream<Case> cases(Predicate<ReadWriteWay> property) {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (ReadWriteWay by : values()) {
                if (property.test(by)) {
                    ThreadKind.available().forEach(threads -> cases.add(new Case(kind, by, threads)));
                }
            }
        }
        return cases.stream();
    }
}
