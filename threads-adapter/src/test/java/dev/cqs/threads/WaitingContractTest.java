package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.startQueued;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every method that acquires, for every kind of thread, on every semaphore, lock and pool. */
class WaitingContractTest {
    private static final int QUEUE = 5;

    static Stream<Case> all() {
        return AcquireVariant.cases(by -> true);
    }

    static Stream<Case> waiting() {
        return AcquireVariant.cases(by -> by.waits);
    }

    static Stream<Case> notWaiting() {
        return AcquireVariant.cases(by -> !by.waits);
    }

    static Stream<Case> interruptible() {
        return AcquireVariant.cases(by -> by.interruptible);
    }

    static Stream<Case> notInterruptible() {
        return AcquireVariant.cases(by -> !by.interruptible);
    }

    static Stream<Case> waitingInterruptible() {
        return AcquireVariant.cases(by -> by.waits && by.interruptible);
    }

    static Stream<Case> waitingUninterruptible() {
        return AcquireVariant.cases(by -> by.waits && !by.interruptible);
    }

    static Stream<Case> timed() {
        return AcquireVariant.cases(by -> by.timed);
    }

    @AfterAll
    static void everyKindOfThreadHasRun() {
        assertTrue(ThreadKind.PLATFORM.started() > 0);
        assertEquals(
                Runtime.version().feature() >= 21,
                ThreadKind.VIRTUAL.started() > 0,
                "virtual threads have run, if this Java has them");
    }

    @ParameterizedTest
    @MethodSource("all")
    void acquiresAtOnceIfPermitsAreFree(Case c) {
        Target target = c.free();
        start(c.kind(), c.by(), target, LONG, () -> {
                    assertEquals(0, target.free());
                    target.exit(c.by().permits);
                })
                .isGranted();
        assertIdle(target, c.by().permits);
    }

    @ParameterizedTest
    @MethodSource("notWaiting")
    void isRefusedAtOnceIfNoPermitsAreFree(Case c) {
        Target target = c.held();
        start(c.kind(), c.by(), target, 0, () -> {}).isRefused();
        assertIdle(target, 0);
    }

    @ParameterizedTest
    @MethodSource("timed")
    void timeoutsOfZeroAndLessDoNotWait(Case c) {
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            Target target = c.free();
            start(c.kind(), c.by(), target, timeout, () -> target.exit(c.by().permits))
                    .isGranted();
            c.by().enterNow(target);
            start(c.kind(), c.by(), target, timeout, () -> {}).isRefused();
            assertIdle(target, 0);
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLongestTimeoutsWait(Case c) {
        for (long timeout : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            Target target = c.held();
            Attempt waiter = start(c.kind(), c.by(), target, timeout, () -> {}).queued(target);
            waiter.waitsIn(target);
            target.exit(c.by().permits);
            waiter.isGranted();
        }
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void waitersAreServedInFifoOrder(Case c) {
        Target target = c.held();
        Queue queue = new Queue(c, target);
        for (int i = 0; i < QUEUE; i++) {
            queue.add();
            assertEquals(i + 1, target.getQueueLength());
        }
        assertTrue(target.hasQueuedThreads());
        target.exit(c.by().permits);
        queue.isServedInOrder();
    }

    @ParameterizedTest
    @MethodSource("waitingInterruptible")
    void anInterruptedWaiterDoesNotChangeTheOrderOfTheOthers(Case c) {
        for (int position : new int[] {0, QUEUE / 2, QUEUE - 1}) {
            Target target = c.held();
            Queue queue = new Queue(c, target).addMany(QUEUE);
            Attempt cancelled = queue.attempts.remove(position);
            cancelled.isInterrupted();
            assertEquals(QUEUE - 1, target.getQueueLength());
            assertFalse(target.getQueuedThreads().contains(cancelled.thread));
            assertEquals(0, target.free());
            target.exit(c.by().permits);
            queue.isServedInOrder();
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aTimedOutWaiterDoesNotChangeTheOrderOfTheOthers(Case c) {
        for (int position : new int[] {0, QUEUE / 2, QUEUE - 1}) {
            boolean wasQueued = false;
            for (long timeout = SHORT; !wasQueued; timeout *= 2) {
                Target target = c.held();
                Queue queue = new Queue(c, target).addMany(position);
                Attempt cancelled =
                        start(c.kind(), c.by(), target, timeout, () -> {}).queued(target);
                queue.addMany(QUEUE - 1 - position);
                wasQueued = target.getQueueLength() == QUEUE; // otherwise it timed out before all others were queued
                cancelled.isRefused();
                assertEquals(QUEUE - 1, target.getQueueLength());
                assertFalse(target.getQueuedThreads().contains(cancelled.thread));
                target.exit(c.by().permits);
                queue.isServedInOrder();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("waitingInterruptible")
    void aQueueOfCancelledWaitersIsEmpty(Case c) {
        Target target = c.held();
        Queue queue = new Queue(c, target).addMany(40); // more than a segment
        Collections.shuffle(queue.attempts, new Random(1));
        queue.attempts.forEach(Attempt::isInterrupted);
        assertIdle(target, 0);
        target.exit(c.by().permits);
        assertIdle(target, c.by().permits);
        start(c.kind(), c.by(), target, LONG, () -> {}).isGranted();
        assertIdle(target, 0);
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void anInterruptBeforeTheCallThrowsAndChangesNothing(Case c) {
        for (Target target : List.of(c.free(), c.held())) {
            int free = target.free();
            start(c.kind(), () -> enterInterrupted(c, target), () -> {}).endsWith(End.INTERRUPTED, false);
            assertIdle(target, free);
        }
    }

    @ParameterizedTest
    @MethodSource("notInterruptible")
    void anInterruptBeforeTheCallStaysPendingWhereItDoesNotThrow(Case c) {
        Target free = c.free();
        start(c.kind(), () -> enterInterrupted(c, free), () -> {}).endsWith(End.GRANTED, true);
        assertIdle(free, 0);

        Target closed = c.held();
        Attempt late = start(c.kind(), () -> enterInterrupted(c, closed), () -> {});
        if (c.by().waits) {
            late.queued(closed).waitsIn(closed);
            closed.exit(c.by().permits);
        }
        late.endsWith(c.by().waits ? End.GRANTED : End.REFUSED, true);
        assertIdle(closed, 0);
    }

    private static boolean enterInterrupted(Case c, Target target) throws InterruptedException {
        Thread.currentThread().interrupt();
        return c.by().enter(target, LONG);
    }

    @ParameterizedTest
    @MethodSource("waitingUninterruptible")
    void anInterruptOfAnUninterruptibleWaitStaysPendingAndKeepsTheOrder(Case c) {
        Target target = c.held();
        Queue queue = new Queue(c, target);
        queue.interrupted = true;
        queue.addMany(QUEUE);
        queue.attempts.forEach(waiter -> waiter.thread.interrupt());
        queue.attempts.forEach(waiter -> {
            until("the interrupt has been seen", () -> waiter.isOver() || !waiter.thread.isInterrupted());
            waiter.waitsIn(target);
        });
        target.exit(c.by().permits);
        queue.isServedInOrder();
    }

    /** A queue of waiters, with the order in which they are served. */
    private static final class Queue {
        final List<Attempt> attempts = new ArrayList<>();
        boolean interrupted;
        private final List<Thread> served = Collections.synchronizedList(new ArrayList<>());
        private final Case c;
        private final Target target;

        Queue(Case c, Target target) {
            this.c = c;
            this.target = target;
        }

        void add() {
            attempts.add(startQueued(c.kind(), c.by(), target, () -> {
                served.add(Thread.currentThread());
                target.exit(c.by().permits);
            }));
        }

        Queue addMany(int count) {
            for (int i = 0; i < count; i++) {
                add();
            }
            return this;
        }

        void isServedInOrder() {
            attempts.forEach(waiter -> waiter.endsWith(End.GRANTED, interrupted));
            assertEquals(attempts.stream().map(waiter -> waiter.thread).toList(), served);
            assertIdle(target, c.by().permits);
        }
    }
}
