package dev.cqs.threads;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.cqs.threads.Target.JdkReadWriteLock;
import dev.cqs.threads.Target.OurReadWriteLock;
import dev.cqs.threads.Target.ReadWrite;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The methods that lock a read-write lock, as a parameter of tests that hold for all of them. */
enum ReadWriteVariant {
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

    private interface Method {
        boolean lock(Lock lock, long nanos) throws InterruptedException;
    }

    final boolean reads;
    final boolean waits;
    final boolean interruptible;
    final boolean timed;
    private final Method way;

    ReadWriteVariant(String traits, Method way) {
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
     * Calls the method.
     *
     * @param nanos the timeout, for a timed method
     */
    boolean lock(ReadWrite lock, long nanos) throws InterruptedException {
        return way.lock(lockOf(lock), nanos);
    }

    /** Locks where that must succeed at once. */
    void lockNow(ReadWrite lock) {
        try {
            if (!lock(lock, 0)) {
                throw new AssertionError(this + " must not wait");
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

    /** A lock, a method, and a kind of thread. */
    record Case(Kind kind, ReadWriteVariant by, ThreadKind threads) {
        /** A lock for which the method must wait, held by the current thread. */
        ReadWrite held() {
            ReadWrite lock = kind.make();
            opposite().lockNow(lock);
            return lock;
        }

        /** A method of the other lock, which keeps this one waiting. */
        ReadWriteVariant opposite() {
            return by.reads ? WRITE : READ;
        }

        Attempt start(ReadWrite lock, long nanos, Runnable onGrant) {
            return TestThreads.start(threads, () -> by.lock(lock, nanos), onGrant);
        }

        /** Starts a thread that must wait, and then runs {@code onGrant} and unlocks. Waits until it is in the queue. */
        Attempt startQueued(ReadWrite lock, Runnable onGrant) {
            return queued(lock, start(lock, TestThreads.LONG, () -> {
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

    /** Waits until the thread of {@code attempt} is in the queue. */
    static Attempt queued(ReadWrite lock, Attempt attempt) {
        TestThreads.until(
                attempt.thread + " is queued", () -> attempt.isOver() || lock.hasQueuedThread(attempt.thread));
        if (!lock.hasQueuedThread(attempt.thread)) {
            throw new AssertionError(attempt.thread + " does not wait");
        }
        return attempt;
    }

    static Stream<Case> cases(Predicate<ReadWriteVariant> property) {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (ReadWriteVariant by : values()) {
                if (property.test(by)) {
                    ThreadKind.available().forEach(threads -> cases.add(new Case(kind, by, threads)));
                }
            }
        }
        return cases.stream();
    }
}
