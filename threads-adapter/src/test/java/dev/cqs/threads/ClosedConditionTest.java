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
import dev.cqs.threads.AwaitVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.OurReadWriteLock;
import dev.cqs.threads.Target.WriteLockAlone;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait on a condition of a lock whose core is closed. However a wait ends, the thread holds the lock. */
@Timeout(120)
class ClosedConditionTest {
    private final Throwable cause = new Throwable("the cause");

    static Stream<Case> all() {
        return AwaitVariant.cases(by -> true).filter(c -> c.lock().isOurs());
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
    void closingEndsAllWaitsAndEachThreadReacquiresTheLock(Case c) {
        for (boolean held : new boolean[] {true, false}) {
            ConditionFixture fixture = c.fixture();
            ConditionFixture other = fixture.next();
            Ending first = new Ending(fixture, c);
            Ending second = new Ending(fixture, c);
            Ending elsewhere = new Ending(other, c);
            if (held) {
                fixture.lock.lock();
            }
            close(fixture);
            if (held) {
                List.of(first, second, elsewhere).forEach(ending -> fixture.waitsForLock(ending.attempt));
                assertTrue(fixture.lock.isHeldByCurrentThread());
                fixture.lock.unlock();
            }
            first.isClosed(false);
            second.isClosed(false);
            elsewhere.isClosed(false);
            fixture.assertOrder(List.of(first.attempt, second.attempt));
            fixture.assertIdleAndClosed();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void aWaitSignalledBeforeTheCloseReturnsAndOneSignalledAfterItFails(Case c) {
        ConditionFixture fixture = c.fixture();
        Ending signalled = new Ending(fixture, c);
        Ending failed = new Ending(fixture, c);
        fixture.lock.lock();
        fixture.condition.signal();
        close(fixture);
        fixture.condition.signal();
        fixture.condition.signalAll();
        fixture.lock.unlock();
        signalled.attempt.isGranted();
        failed.isClosed(false);
        fixture.assertOrder(List.of(signalled.attempt, failed.attempt));
        fixture.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void aWaitInterruptedBeforeTheCloseThrowsInterruptedExceptionAndHoldsTheLock(Case c) {
        ConditionFixture fixture = c.fixture();
        Ending ending = new Ending(fixture, c);
        fixture.lock.lock();
        ending.attempt.thread.interrupt();
        fixture.leaves(ending.attempt);
        close(fixture);
        fixture.lock.unlock();
        ending.attempt.endsWith(End.INTERRUPTED, false);
        fixture.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptAfterTheCloseStaysPending(Case c) {
        ConditionFixture fixture = c.fixture();
        Ending ending = new Ending(fixture, c);
        fixture.lock.lock();
        close(fixture);
        ending.attempt.thread.interrupt();
        fixture.waitsForLock(ending.attempt);
        fixture.lock.unlock();
        ending.isClosed(true);
        fixture.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aWaitTimedOutBeforeTheCloseReturnsAndHoldsTheLock(Case c) {
        ConditionFixture fixture = c.fixture();
        Attempt attempt = fixture.enter(c.kind(), c.by(), TestThreads.SHORT);
        until("it waits, or its time is up", () -> attempt.isOver() || fixture.isWaiting(attempt));
        boolean held = fixture.lock.tryLock();
        if (held) {
            until("its time is up", () -> attempt.isOver() || !fixture.isWaiting(attempt));
        } else {
            attempt.isRefused(); // the timeout came before the close
        }
        close(fixture);
        if (held) {
            fixture.lock.unlock();
        }
        attempt.isRefused();
        fixture.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aWaitThatBeginsAfterTheCloseFailsAtOnceAndKeepsTheLock(Case c) {
        ConditionFixture fixture = c.fixture();
        fixture.lock.lock();
        close(fixture);
        for (long nanos : new long[] {LONG, 1, 0, -1}) {
            ClosedException thrown = assertThrows(ClosedException.class, () -> c.by().await(fixture.condition, nanos));
            assertSame(cause, thrown.getCause());
            assertTrue(fixture.lock.isHeldByCurrentThread());
            assertEquals(0, fixture.waitingThreads().size());
        }
        fixture.lock.unlock();
        fixture.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptBeforeTheWaitTakesPrecedenceOverTheClose(Case c) {
        ConditionFixture fixture = c.fixture();
        fixture.lock.lock();
        close(fixture);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> c.by().await(fixture.condition, LONG));
        assertFalse(Thread.interrupted(), "the exception has cleared it");
        assertTrue(fixture.lock.isHeldByCurrentThread());
        fixture.lock.unlock();
        fixture.assertIdleAndClosed();
    }

    @ParameterizedTest
    @MethodSource("reentrant")
    void allHoldsAreRestored(Case c) {
        for (int holds = 1; holds <= 3; holds++) {
            int times = holds;
            ConditionFixture fresh = c.fixture();
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

    /** Requests for the lock fail, so they do not delay the waits that must reacquire it. */
    @ParameterizedTest
    @MethodSource("all")
    void requestsForTheLockFailAtOnceBehindAWaitThatReacquiresIt(Case c) {
        ConditionFixture fixture = c.fixture();
        Ending back = new Ending(fixture, c);
        fixture.lock.lock();
        fixture.condition.signal();
        AtomicReference<ClosedException> thrown = new AtomicReference<>();
        Attempt locker = start(
                        c.kind(),
                        () -> {
                            thrown.set(assertThrows(ClosedException.class, fixture.lock::lock));
                            return true;
                        },
                        () -> {})
                .queued(fixture.lock);
        locker.waitsIn(fixture.lock);
        close(fixture);
        locker.isGranted();
        assertSame(cause, thrown.get().getCause());
        fixture.waitsForLock(back.attempt);
        fixture.lock.unlock();
        back.attempt.isGranted();
        fixture.assertIdleAndClosed();
    }

    /** Waits through one view reacquire the lock though the other view has closed it and another thread holds it. */
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

    private void close(ConditionFixture fixture) {
        if (fixture.lock instanceof WriteLockAlone writeLock) {
            assertTrue(((OurReadWriteLock) writeLock.both()).core().close(cause));
        } else {
            assertTrue(((AbstractMutexLock) fixture.lock).core().close(cause));
        }
    }

    /** A thread whose wait may fail, and which holds the lock in any case. */
    private final class Ending {
        private final AtomicReference<ClosedException> thrown = new AtomicReference<>();
        final Attempt attempt;

        Ending(ConditionFixture fixture, Case c) {
            attempt = fixture.waiting(start(
                    c.kind(),
                    () -> {
                        fixture.lock.lock();
                        try {
                            return fixture.awaitAndUnlock(c.by(), LONG);
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
