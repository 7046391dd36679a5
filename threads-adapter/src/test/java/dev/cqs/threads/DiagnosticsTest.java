package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.startQueued;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Target.Locked;
import dev.cqs.threads.TestThreads.Attempt;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the JVM's tools show of a waiting thread. They do not show virtual threads. */
class DiagnosticsTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Without pools: a pool has no owner to show. */
    static Stream<Case> waiting() {
        return AcquireVariant.cases(by -> by.waits).filter(c -> !c.target().isPool());
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT_LOCK", "MUTEX", "WRITE_LOCK", "JDK_LOCK", "JDK_WRITE_LOCK"})
    void theJvmFindsTwoThreadsThatWaitForEachOther(Kind kind) {
        Locked one = kind.lock();
        Locked other = kind.lock();
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        Attempt first = startDeadlock(one, other, bothHoldOne);
        Attempt second = startDeadlock(other, one, bothHoldOne);
        park(first.thread);
        park(second.thread);

        long[] found = THREADS.findDeadlockedThreads();
        assertNotNull(found, "found");
        long[] expected = {first.thread.getId(), second.thread.getId()};
        assertTrue(Arrays.stream(found)
                .boxed()
                .toList()
                .containsAll(Arrays.stream(expected).boxed().toList()));
        ThreadInfo info = THREADS.getThreadInfo(first.thread.getId());
        assertEquals(second.thread.getName(), info.getLockOwnerName());

        first.isInterrupted();
        second.isGranted();
        assertNull(THREADS.findDeadlockedThreads());
    }

    private static Attempt startDeadlock(Locked mine, Locked theirs, CyclicBarrier bothHoldOne) {
        return start(
                ThreadKind.PLATFORM,
                () -> {
                    mine.lock();
                    try {
                        bothHoldOne.await();
                        theirs.lockInterruptibly();
                        theirs.unlock();
                        return true;
                    } finally {
                        mine.unlock();
                    }
                },
                () -> {});
    }

    private static void park(Thread thread) {
        until(
                thread + " is parked",
                () -> LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer
                        && (thread.getState() == Thread.State.WAITING
                                || thread.getState() == Thread.State.TIMED_WAITING));
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void aParkedThreadShowsTheObjectItWaitsForAndItsOwner(Case c) {
        Target target = c.held();
        Attempt waiter = startQueued(c.kind(), c.by(), target);
        park(waiter.thread);
        Object blocker = LockSupport.getBlocker(waiter.thread);
        assertInstanceOf(AbstractOwnableSynchronizer.class, blocker);
        if (c.kind() == ThreadKind.PLATFORM) {
            Thread owner = c.target().isSemaphore() ? null : Thread.currentThread();
            ThreadInfo info = THREADS.getThreadInfo(waiter.thread.getId());
            assertEquals(blocker.getClass().getName(), info.getLockInfo().getClassName());
            assertEquals(System.identityHashCode(blocker), info.getLockInfo().getIdentityHashCode());
            assertEquals(owner == null ? null : owner.getName(), info.getLockOwnerName());
            assertEquals(owner == null ? -1 : owner.getId(), info.getLockOwnerId());
        }
        target.exit(c.by().permits);
        waiter.isGranted();
        assertNull(LockSupport.getBlocker(waiter.thread));
    }
}
