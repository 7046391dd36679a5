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
import dev.cqs.threads.ConditionWay.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.OurReadWriteLock;
import dev.cqs.threads.Target.WriteLockAlone;
import dev.cqs.threads.Waiting.Attempt;
import dev.cqs.threads.Waiting.End;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait on a condition of a lock whose core is closed: whatever the end, they hold the lock. */
@Timeout(120)
class ClosedConditionTest {
    private final Throwable cause = new Throwable("the cause");

    static Stream<Case> all() {
        return ConditionWay.cases(by -> true).filter(c -> c.lock().isOurs());
    }

    static Stream<Case> interruptible() {
        return all().filter(c -> c.by().interruptible);
    }

    static Stream<Case> timed() {
        return all().filter(c -> c.by().timed);
    }

    static Stream<Case> reentrant() {
        return all().filter(c -> c.lock() == Kind.REENTRANT_LOCK || c.lock() == Kind.WRITE_LOCK);
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    @ParameterizedTest
    @MethodSource("all")
    void closingEndsAllWaitsAndEachThreadHasTheLockInItsTurn(Case c) {
        for (boolean held : new boolean[] {true, false}) {
            ConditionFixture room = c.room();
            ConditionFixture other = room.next();
            Ending first = new Ending(room, c);
            Ending second = new Ending(room, c);
            Ending elsewhere = new Ending(other, c);
            if (held) {
                room.lock.lock();
            }
            close(room);
            if (held) {
                List.of(first, second, elsewhere).forEach(ending -> room.waitsForLock(ending.attempt));
                assertTrue(room.lock.isHeldByCurrentThread());
                room.lock.unlock();
            }
            first.isClosed(false);
            second.isClosed(false);
            elsewhere.isClosed(false);
            room.assertOrder(List.of(first.attempt, second.attempt));
            room.assertIdleAndClosed();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void whoWasSignalledBeforeReturnsAndWhoIsSignalledAfterwardsFails(Case c) {
        ConditionFixture room = c.room();
        Ending signalled = new Ending(room, c);
        Ending failed = new Ending(room, c);
        room.lock.lock();
        room.condition.signal();
        close(room);
        room.condition.signal();
        room.condition.signalAll();
        room.lock.unlock();
        signalled.attempt.isGranted();
        failed.isClosed(false);
        room.assertOrder(List.of(signalled.attempt, failed.attempt));
        room.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void whoWasInterruptedBeforeGetsThatExceptionWithTheLock(Case c) {
        ConditionFixture room = c.room();
        Ending ending = new Ending(room, c);
        room.lock.lock();
        ending.attempt.thread.interrupt();
        room.leaves(ending.attempt);
        close(room);
        room.lock.unlock();
        ending.attempt.endsWith(End.INTERRUPTED, false);
        room.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptAfterTheClosingStaysPending(Case c) {
        ConditionFixture room = c.room();
        Ending ending = new Ending(room, c);
        room.lock.lock();
        close(room);
        ending.attempt.thread.interrupt();
        room.waitsForLock(ending.attempt);
        room.lock.unlock();
        ending.isClosed(true);
        room.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void whoseTimeWasUpBeforeReturnsWithTheLock(Case c) {
        ConditionFixture room = c.room();
        Attempt attempt = room.enter(c.kind(), c.by(), Waiting.SHORT);
        until("it waits, or its time is up", () -> attempt.isOver() || room.isWaiting(attempt));
        boolean held = room.lock.tryLock();
        if (held) {
            until("its time is up", () -> attempt.isOver() || !room.isWaiting(attempt));
        } else {
            attempt.isRefused(); // it was too fast
        }
        close(room);
        if (held) {
            room.lock.unlock();
        }
        attempt.isRefused();
        room.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aWaitThatBeginsLaterFailsAtOnceWithoutGivingTheLockUp(Case c) {
        ConditionFixture room = c.room();
        room.lock.lock();
        close(room);
        for (long nanos : new long[] {LONG, 1, 0, -1}) {
            ClosedException thrown = assertThrows(ClosedException.class, () -> c.by().await(room.condition, nanos));
            assertSame(cause, thrown.getCause());
            assertTrue(room.lock.isHeldByCurrentThread());
            assertEquals(0, room.waitingThreads().size());
        }
        room.lock.unlock();
        room.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptBeforehandCountsBeforeTheClosing(Case c) {
        ConditionFixture room = c.room();
        room.lock.lock();
        close(room);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> c.by().await(room.condition, LONG));
        assertFalse(Thread.interrupted(), "the exception has taken it");
        assertTrue(room.lock.isHeldByCurrentThread());
        room.lock.unlock();
        room.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("reentrant")
    void allHoldsComeBack(Case c) {
        for (int holds = 1; holds <= 3; holds++) {
            int times = holds;
            ConditionFixture fresh = c.room();
            Attempt attempt = fresh.waiting(start(
                    c.kind(),
                    () -> {
                        for (int i = 0; i < times; i++) {
                            fresh.lock.lock();
                        }
                        assertThrows(ClosedException.class, () -> c.by().await(fresh.condition, LONG));
                        assertEquals(times, fresh.reentrant().getHoldCount());
                        assertThrows(ClosedException.class, () -> c.by().await(fresh.condition, LONG));
                        assertEquals(times, fresh.reentrant().getHoldCount());
                        for (int i = 0; i < times; i++) {
                            fresh.lock.unlock();
                        }
                        return true;
                    },
                    () -> {}));
            close(fresh);
            attempt.isGranted();
            fresh.assertIdleAndClosed();
        }
    }

    /** Those who lock do not come back, so they are not in the way of those who do. */
    @ParameterizedTest
    @MethodSource("all")
    void thoseInLineForTheLockFailAtOnceBehindOneThatComesBack(Case c) {
        ConditionFixture room = c.room();
        Ending back = new Ending(room, c);
        room.lock.lock();
        room.condition.signal();
        AtomicReference<ClosedException> thrown = new AtomicReference<>();
        Attempt locker = start(
                        c.kind(),
                        () -> {
                            thrown.set(assertThrows(ClosedException.class, room.lock::lock));
                            return true;
                        },
                        () -> {})
                .queued(room.lock);
        locker.waitsIn(room.lock);
        close(room);
        locker.isGranted();
        assertSame(cause, thrown.get().getCause());
        room.waitsForLock(back.attempt);
        room.lock.unlock();
        back.attempt.isGranted();
        room.assertIdleAndClosed();
    }

    /** They come back through the one, though the other has closed it, and it is another thread's. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theViewsOfACoreAgree(boolean throughCore) {
        dev.cqs.sync.Mutex core = new dev.cqs.sync.Mutex();
        dev.cqs.sync.Condition shared = core.newCondition();
        ReentrantLock lock = ReentrantLock.viewOf(core);
        Mutex mutex = Mutex.viewOf(core);
        Attempt attempt = start(
                ThreadKind.PLATFORM,
                () -> {
                    mutex.lock();
                    assertThrows(ClosedException.class, mutex.conditionViewOf(shared)::await);
                    assertTrue(mutex.isHeldByCurrentThread());
                    assertEquals(1, lock.getHoldCount());
                    lock.unlock();
                    return true;
                },
                () -> {});
        until("it waits", () -> attempt.isOver() || shared.queueLength() > 0 && !core.isLocked());
        (throughCore ? core : lock.core()).close(cause);
        attempt.isGranted();
        assertFalse(core.isLocked());
    }

    private void close(ConditionFixture room) {
        if (room.lock instanceof WriteLockAlone writeLock) {
            assertTrue(((OurReadWriteLock) writeLock.both()).core().close(cause));
        } else {
            assertTrue(((AbstractMutexLock) room.lock).core().close(cause));
        }
    }

    /** A thread that waits and may fail, but has the lock. */
    private final class Ending {
        private final AtomicReference<ClosedException> thrown = new AtomicReference<>();
        final Attempt attempt;

        Ending(ConditionFixture room, Case c) {
            attempt = room.waiting(start(
                    c.kind(),
                    () -> {
                        room.lock.lock();
                        try {
                            return room.awaitAndUnlock(c.by(), LONG);
                        } catch (ClosedException e) {
                            thrown.set(e);
                            return false;
                        }
                    },
                    () -> {}));
        }

        void isClosed(boolean interruptPending) {
            attempt.endsWith(End.REFUSED, interruptPending);
            assertSame(cause, thrown.get().getCause());
        }
    }
}
