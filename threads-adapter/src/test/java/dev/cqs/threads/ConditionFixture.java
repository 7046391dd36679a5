package dev.cqs.threads;

import static dev.cqs.threads.Waiting.LONG;
import static dev.cqs.threads.Waiting.start;
import static dev.cqs.threads.Waiting.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Locked;
import dev.cqs.threads.Target.Reentrant;
import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import dev.cqs.threads.Waiting.Attempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.Condition;

/** A lock with a condition, and the threads in the order in which they had the lock again. */
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

    /** Starts a thread that waits in this way and has the lock afterwards, however that ends. */
    Attempt enter(ThreadKind kind, ConditionWay by, long nanos) {
        return start(
                kind,
                () -> {
                    lock.lock();
                    return awaitAndUnlock(by, nanos);
                },
                () -> {});
    }

    /** Starts a thread that waits, and waits until it does and has given the lock up. */
    Attempt waiter(ConditionWay.Case c) {
        return waiter(c, LONG);
    }

    Attempt waiter(ConditionWay.Case c, long nanos) {
        return waiting(enter(c.kind(), c.by(), nanos));
    }

    /** An uninterruptible wait of a platform thread. */
    Attempt waiter() {
        return waiting(enter(ThreadKind.PLATFORM, ConditionWay.AWAIT_UNINTERRUPTIBLY, LONG));
    }

    Attempt waiting(Attempt attempt) {
        until(attempt.thread + " waits for a signal", () -> attempt.isOver() || isWaiting(attempt) && isFree());
        waits(attempt);
        return attempt;
    }

    /** It has given the lock up as well: it stands in the queue before it does. */
    private boolean isFree() {
        if (!lock.tryLock()) {
            return false;
        }
        lock.unlock();
        return true;
    }

    boolean awaitAndUnlock(ConditionWay by, long nanos) throws InterruptedException {
        try {
            return by.await(condition, nanos);
        } finally {
            Thread current = Thread.currentThread();
            assertTrue(lock.isHeldByCurrentThread(), "holds the lock again");
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

    // Looking

    /** Who waits for a signal; of the JDK's lock, nobody as long as another thread holds that. */
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

    /** Waits until it has given up waiting for a signal; the current thread has the lock. */
    void leaves(Attempt attempt) {
        until(attempt.thread + " waits for the lock", () -> attempt.isQueued(lock) && !isWaiting(attempt));
    }

    void assertIdle() {
        assertEquals(List.of(), List.copyOf(waitingThreads()));
        Waiting.assertIdle(lock, 1);
    }

    /** Nobody waits, and nobody holds the lock, which cannot be taken any more. */
    void assertIdleAndClosed() {
        until("nobody holds it", () -> !lock.isLocked());
        assertEquals(0, ((LockCondition) condition).core().queueLength());
        assertThrows(ClosedException.class, lock::tryLock);
        Waiting.assertIdle(lock, 1);
    }

    void assertOrder(List<Attempt> expected) {
        assertEquals(expected.stream().map(attempt -> attempt.thread).toList(), List.copyOf(order));
    }
}
