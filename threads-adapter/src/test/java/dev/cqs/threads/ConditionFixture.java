package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Locked;
import dev.cqs.threads.Target.Reentrant;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.Condition;

/**
 * A lock with a condition, threads that wait on it, and the order in which they have reacquired the lock. For all tests of
 * conditions of threads.
 */
final class ConditionFixture {
    final Kind kind;
    final Locked lock;
    final Condition condition;
    final List<Thread> order = Collections.synchronizedList(new ArrayList<>());

    ConditionFixture(Kind kind) {
        this(kind, kind.lock());
    }

    private ConditionFixture(Kind kind, Locked lock) {
        this.kind = kind;
        this.lock = lock;
        this.condition = lock.newCondition();
    }

    /** Another condition of the same lock. */
    ConditionFixture next() {
        return new ConditionFixture(kind, lock);
    }

    Reentrant reentrant() {
        return (Reentrant) lock;
    }

    // Threads

    /** Starts a thread that waits by this variant, and checks that it holds the lock afterwards. */
    Attempt enter(ThreadKind kind, AwaitVariant by, long nanos) {
        return start(
                kind,
                () -> {
                    lock.lock();
                    return awaitAndUnlock(by, nanos);
                },
                () -> {});
    }

    /** Starts a thread that waits, and waits until it is on the condition and has released the lock. */
    Attempt waiter(AwaitVariant.Case c) {
        return waiter(c, LONG);
    }

    Attempt waiter(AwaitVariant.Case c, long nanos) {
        return waiting(enter(c.kind(), c.by(), nanos));
    }

    /** Starts a platform thread that waits uninterruptibly. */
    Attempt waiter() {
        return waiting(enter(ThreadKind.PLATFORM, AwaitVariant.AWAIT_UNINTERRUPTIBLY, LONG));
    }

    Attempt waiting(Attempt attempt) {
        until(attempt.thread + " waits for a signal", () -> attempt.isOver() || isWaiting(attempt) && isFree());
        waits(attempt);
        return attempt;
    }

    /** Whether the lock is free. A waiter is in the queue of the condition before it releases the lock. */
    private boolean isFree() {
        if (!lock.tryLock()) {
            return false;
        }
        lock.unlock();
        return true;
    }

    boolean awaitAndUnlock(AwaitVariant by, long nanos) throws InterruptedException {
        try {
            return by.await(condition, nanos);
        } finally {
            Thread current = Thread.currentThread();
            assertTrue(lock.isHeldByCurrentThread(), "it has reacquired the lock");
            assertSame(current, lock.getOwner());
            order.add(current);
            lock.unlock();
        }
    }

    /** Starts a thread that only takes the lock, and waits until it is queued for it. */
    Attempt locker() {
        return start(
                        ThreadKind.PLATFORM,
                        () -> {
                            lock.lock();
                            order.add(Thread.currentThread());
                            lock.unlock();
                            return true;
                        },
                        () -> {})
                .queued(lock);
    }

    // Signalling

    void signal() {
        lock.lock();
        condition.signal();
        lock.unlock();
    }

    void signalAll() {
        lock.lock();
        condition.signalAll();
        lock.unlock();
    }

    // Checks

    /** The threads that wait for a signal. For the JDK's lock, none while another thread holds the lock. */
    Collection<Thread> waitingThreads() {
        if (condition instanceof LockCondition own) {
            QueuedThreads threads = new QueuedThreads();
            own.core().forEachWaiter(threads);
            return threads.get();
        }
        if (!lock.tryLock()) {
            return List.of();
        }
        try {
            return reentrant().getWaitingThreads(condition);
        } finally {
            lock.unlock();
        }
    }

    boolean isWaiting(Attempt attempt) {
        return waitingThreads().contains(attempt.thread);
    }

    /** Checks that it waits for a signal. */
    void waits(Attempt attempt) {
        assertTrue(isWaiting(attempt), () -> attempt.thread + " should wait for a signal");
        assertFalse(attempt.isOver());
        assertFalse(attempt.isQueued(lock));
    }

    /** Checks that it waits for the lock, and no longer for a signal. */
    void waitsForLock(Attempt attempt) {
        attempt.waitsIn(lock);
        assertFalse(isWaiting(attempt), () -> attempt.thread + " should wait for the lock");
    }

    /** Waits until the thread has left the condition and waits for the lock, which the current thread holds. */
    void leaves(Attempt attempt) {
        until(attempt.thread + " waits for the lock", () -> attempt.isQueued(lock) && !isWaiting(attempt));
    }

    void assertIdle() {
        assertEquals(List.of(), List.copyOf(waitingThreads()));
        TestThreads.assertIdle(lock, 1);
    }

    /** Checks that no thread waits or holds the lock, and that the lock is closed. */
    void assertIdleAndClosed() {
        until("no thread holds it", () -> !lock.isLocked());
        assertEquals(0, ((LockCondition) condition).core().queueLength());
        assertThrows(ClosedException.class, lock::tryLock);
        TestThreads.assertIdle(lock, 1);
    }

    void assertOrder(List<Attempt> expected) {
        assertEquals(expected.stream().map(attempt -> attempt.thread).toList(), List.copyOf(order));
    }
}
